#include <algorithm>
#include <bit>

#include "flatten/memory/pointers.h"

namespace plumb::flatten {

using program::Function;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::ValueId;
using program::ValueKind;
using term::Op;

namespace {

constexpr std::uint32_t kWidest = 64;

/// The number that an operator makes of numbers, at `width`.
Progression number_of(Op op, std::span<const Known> operands, const Function& function,
                      const Instruction& instruction) {
  const std::uint32_t width = function.values[instruction.first_result].width;
  const std::span<const ValueId> ids = function.operands_of(instruction);
  const std::uint32_t operand_width = function.values[ids[0]].width;
  if (width > kWidest || operand_width > kWidest) return Progression::any();
  const auto number = [&](std::size_t i) -> const Progression& { return operands[i].number; };
  const auto exact = [&](std::size_t i) { return number(i).is_exact(); };
  switch (op) {
    case Op::Add:
      return number(0).sum(number(1)).fitted(width);
    case Op::Sub:
      return number(0).sum(number(1).negated()).fitted(width);
    case Op::Neg:
      return number(0).negated().fitted(width);
    case Op::Mul:
      if (exact(1)) return number(0).scaled(number(1).first()).fitted(width);
      return exact(0) ? number(1).scaled(number(0).first()).fitted(width) : Progression::any();
    case Op::Shl:
      if (!exact(1) || number(1).first() < 0 || number(1).first() > 32) return Progression::any();
      return number(0).scaled(std::int64_t{1} << number(1).first()).fitted(width);
    case Op::SignExtend:
      return number(0).sign_extended(operand_width);
    case Op::ZeroExtend:
      return number(0).zero_extended(operand_width);
    case Op::Extract:
      return instruction.parameter == 0 ? number(0).fitted(width) : Progression::any();
    case Op::And:
      for (const std::size_t i : {0U, 1U})
        if (exact(i) && number(i).first() > 0)
          return Progression::between(
              0, number(i).first(),
              std::uint64_t{1} << std::countr_zero(static_cast<std::uint64_t>(number(i).first())));
      return Progression::any();
    case Op::Urem:
      if (exact(1) && number(1).first() > 0) return Progression::between(0, number(1).first() - 1, 1);
      return Progression::any();
    default:
      return Progression::any();
  }
}

bool is_pointer(const Function& function, ValueId v) { return function.values[v].is_pointer; }

/// Of a sum or a difference: the operand that the result points with, if it is only one.
std::optional<std::size_t> base_of(const Function& function, const Instruction& instruction,
                                   std::span<const Known> operands) {
  const std::span<const ValueId> ids = function.operands_of(instruction);
  const bool makes_pointer = is_pointer(function, instruction.first_result);
  const bool is_first = makes_pointer && is_pointer(function, ids[0]);
  const bool is_second = makes_pointer && is_pointer(function, ids[1]);
  // A pointer that points nowhere (null, as in (char *)0 + address) is none.
  const std::size_t flagged = is_first ? 0 : 1;
  if (is_first != is_second && (!operands[flagged].pointees.empty() || operands[1 - flagged].pointees.empty()))
    return flagged;
  if (is_first || operands[0].pointees.empty() == operands[1].pointees.empty()) return std::nullopt;
  return operands[0].pointees.empty() ? 1 : 0;
}

Known moved(const Known& base, const Progression& by, std::uint32_t width) {
  Known made;
  made.has_other = base.has_other;
  if (base.has_other) made.number = Progression::any();
  for (const Pointee& pointee : base.pointees) {
    const Progression offset = pointee.offset.sum(by).fitted(width);
    if (!offset.is_empty()) made.pointees.push_back({pointee.object, offset});
  }
  return made;
}

}  // namespace

Known apply_operator(const Function& function, const Instruction& instruction, std::span<const Known> operands) {
  const Op op = instruction.op();
  if (term::is_predicate(op)) return Known::anything();
  for (const Known& operand : operands)
    if (operand.number.is_empty() && operand.pointees.empty() && !operand.has_other) return {};
  if (op == Op::Ite) {
    Known made = operands[1];
    made.join(operands[2]);
    return made;
  }
  const std::uint32_t width = function.values[instruction.first_result].width;
  if (op == Op::Add || op == Op::Sub) {
    const std::optional<std::size_t> base = base_of(function, instruction, operands);
    if (base && (op == Op::Add || *base == 0)) {
      const Known& other = operands[1 - *base];
      const Progression by = other.pointees.empty() ? other.number : Progression::any();
      return moved(operands[*base], op == Op::Add ? by : by.negated(), width);
    }
  }
  Known made = Known::anything();
  for (const Known& operand : operands) made.join(operand.somewhere());
  const bool has_pointees = !made.pointees.empty();
  if (!has_pointees) made.number = number_of(op, operands, function, instruction);
  return made;
}

CheckedOperands::CheckedOperands(const Function& function) {
  // Lowering extends an index for its check and once more for the address.
  const auto same = [&](ValueId a, ValueId b) {
    if (a == b) return true;
    if (function.values[a].kind != ValueKind::Result || function.values[b].kind != ValueKind::Result) return false;
    const Instruction& x = function.instructions[function.values[a].index];
    const Instruction& y = function.instructions[function.values[b].index];
    const bool extends = x.kind == Kind::Operator && (x.op() == Op::SignExtend || x.op() == Op::ZeroExtend);
    return extends && y.kind == Kind::Operator && x.code == y.code &&
           function.values[a].width == function.values[b].width &&
           function.operands_of(x)[0] == function.operands_of(y)[0];
  };
  struct Check {
    ValueId index;
    std::uint64_t count;
  };
  constexpr std::size_t kKept = 64;  // near the access, so that long blocks cost no more than their length
  std::vector<Check> checks;
  for (const program::Block& block : function.blocks) {
    checks.clear();
    for (InstructionId i = block.first_instruction; i < block.first_instruction + block.instruction_count; ++i) {
      const Instruction& instruction = function.instructions[i];
      const std::span<const ValueId> operands = function.operands_of(instruction);
      if (instruction.kind == Kind::Operator)
        for (std::size_t position = 0; position < operands.size(); ++position)
          for (const Check& check : std::span(checks).last(std::min(kKept, checks.size())))
            if (same(operands[position], check.index)) {
              std::uint64_t& count = counts_.try_emplace({i, position}, check.count).first->second;
              count = std::min(count, check.count);
            }
      if (instruction.kind == Kind::CheckIndex && function.values[operands[1]].kind == ValueKind::Constant)
        checks.push_back({operands[0], function.constant(operands[1]).to_uint64()});
    }
  }
}

std::optional<std::uint64_t> CheckedOperands::count(InstructionId instruction, std::size_t position) const {
  const auto found = counts_.find({instruction, position});
  if (found == counts_.end()) return std::nullopt;
  return found->second;
}

}  // namespace plumb::flatten
