#include "explore/failures.h"

#include <algorithm>
#include <array>

#include "semantics/calls.h"
#include "term/narrow.h"

namespace plumb::explore {

using program::BlockId;
using program::CodePoint;
using program::Edge;
using program::Function;
using program::FunctionId;
using program::GoalKind;
using program::Instruction;
using program::InstructionId;
using program::Intrinsic;
using program::Kind;
using program::ValueId;
using program::ValueKind;
using term::Op;

namespace {

/// Calls on the way to a violation.
constexpr int kMaxCalls = 4;

bool may_fault(Op op) {
  switch (op) {
    case Op::Udiv:
    case Op::Urem:
    case Op::Sdiv:
    case Op::Srem:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg:
    case Op::Shl:
    case Op::Lshr:
    case Op::Ashr:
      return true;
    default:
      return false;
  }
}

}  // namespace

Failures::Failures(const program::Program& program, std::span<const program::Goal> goals) : program_(program) {
  for (const program::Goal& goal : goals)
    if (goal.kind == GoalKind::Assertion || goal.kind == GoalKind::Error) goals_.push_back(goal.at);
}

bool Failures::has_goal(FunctionId f, const Instruction& i) const {
  const auto at = static_cast<InstructionId>(&i - program_.functions[f].instructions.data());
  return std::ranges::find(goals_, CodePoint{f, at}) != goals_.end();
}

bool Failures::are_bound_to_come(FunctionId f, const Edge& taken) const {
  Known values;
  take(program_.functions[f], taken, values);
  return come_from(f, taken.target, std::move(values), kMaxCalls);
}

std::optional<std::uint64_t> Failures::known(const Function& f, const Known& values, ValueId v) const {
  if (f.values[v].width > 64) return std::nullopt;
  if (f.values[v].kind == ValueKind::Constant) return f.constant(v).to_uint64();
  const auto found = values.find(v);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

void Failures::take(const Function& f, const Edge& edge, Known& values) const {
  const Known before = values;
  for (std::uint32_t a = 0; a < edge.argument_count; ++a) {
    const ValueId argument = f.blocks[edge.target].arguments[a];
    values.erase(argument);
    if (const auto given = known(f, before, f.arguments_of(edge)[a])) values[argument] = *given;
  }
}

void Failures::evaluate(const Function& f, const Instruction& i, Known& values) const {
  const std::span<const ValueId> operands = f.operands_of(i);
  const std::uint32_t width = f.values[i.first_result].width;
  values.erase(i.first_result);
  std::array<std::uint64_t, 3> numbers{};
  for (std::size_t o = 0; o < operands.size(); ++o) {
    const auto operand = known(f, values, operands[o]);
    if (!operand) return;
    numbers[o] = *operand;
  }
  if (width <= 64)
    values[i.first_result] = term::evaluate_narrow(i.op(), width, f.values[operands[0]].width, i.parameter, numbers[0],
                                                   numbers[1], numbers[2]);
}

bool Failures::come_from(FunctionId f, BlockId b, Known values, int calls) const {
  const Function& function = program_.functions[f];
  for (std::size_t blocks = 0; blocks <= function.blocks.size(); ++blocks) {
    const Edge* next = nullptr;
    for (const Instruction& i : function.instructions_of(b)) {
      const std::span<const ValueId> operands = function.operands_of(i);
      if (i.kind == Kind::Operator && !may_fault(i.op())) {
        evaluate(function, i, values);
      } else if (i.kind == Kind::Jump) {
        next = &function.edges_of(i)[0];
      } else if (i.kind == Kind::Branch && known(function, values, operands[0])) {
        next = &function.edges_of(i)[*known(function, values, operands[0]) != 0 ? 0 : 1];
      } else if (i.kind == Kind::Call && calls > 0) {
        return come_of_call(function, i, values, calls - 1);
      } else {
        return i.kind == Kind::Intrinsic && has_goal(f, i) &&
               (i.intrinsic() == Intrinsic::AssertFail || i.intrinsic() == Intrinsic::Error);
      }
    }
    take(function, *next, values);
    b = next->target;
  }
  return false;
}

bool Failures::come_of_call(const Function& f, const Instruction& i, const Known& values, int calls) const {
  const Function& callee = program_.functions[i.parameter];
  if (!callee.has_body() || semantics::call_fit(f, i, callee) != semantics::CallFit::Exact) return false;
  Known given;
  for (std::size_t p = 0; p < callee.parameters.size(); ++p)
    if (const auto argument = known(f, values, f.operands_of(i)[p])) given[callee.parameters[p]] = *argument;
  return come_from(i.parameter, 0, std::move(given), calls);
}

}  // namespace plumb::explore
