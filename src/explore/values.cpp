#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "explore/machine.h"
#include "program/float_op.h"
#include "semantics/float_terms.h"
#include "semantics/operators.h"
#include "term/narrow.h"

namespace plumb::explore {

using program::ValueKind;
using term::Op;

namespace {

/// What comes of an address under it no longer shows where it leads.
constexpr bool hides_addresses(Op op) noexcept {
  switch (op) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Neg:
    case Op::Mul:
    case Op::Udiv:
    case Op::Urem:
    case Op::Sdiv:
    case Op::Srem:
    case Op::Shl:
    case Op::Lshr:
    case Op::Ashr:
    case Op::RotateLeft:
    case Op::RotateRight:
    case Op::Concat:
    case Op::Extract:
    case Op::Repeat:
      return true;
    default:
      return false;
  }
}

bool happens(const semantics::OperatorFault& fault, std::uint32_t width, std::uint64_t a, std::uint64_t b) {
  using About = semantics::OperatorFault::About;
  switch (fault.about) {
    case About::Operands:
      return term::evaluate_narrow(fault.predicate, 1, width, 0, a, b) != 0;
    case About::Divisor:
      return term::evaluate_narrow(fault.predicate, 1, width, 0, b, 0) != 0;
    case About::Amount:
      return term::evaluate_narrow(fault.predicate, 1, width, 0, width, b) != 0;
  }
  return false;
}

}  // namespace

Value Machine::value(ValueId v) {
  const program::Value& described = function().values[v];
  switch (described.kind) {
    case ValueKind::Parameter:
    case ValueKind::BlockArgument:
    case ValueKind::Result:
      return current_->slots[frame().base + v];
    case ValueKind::Constant: {
      const BitVector& constant = function().constant(v);
      if (described.width <= 64) return number(constant.to_uint64());
      return {0, terms_.constant(constant)};
    }
    case ValueKind::FunctionAddress:
      return number(world_.address_of_function(described.index));
    case ValueKind::GlobalAddress: {
      const auto offset = static_cast<std::uint64_t>(described.offset);
      const std::uint64_t mask = term::narrow_mask(world_.pointer_width());
      if (!world_.program.globals[described.index].is_thread_local)
        return number((world_.globals()[described.index].info.base + offset) & mask);
      for (const Object& object : objects_)
        if (object.owner == current_thread_ && object.info.global == described.index)
          return number((object.info.base + offset) & mask);
      INVARIANT(false, "a thread should have its thread-local objects");
    }
    case ValueKind::Undefined:
      break;
  }
  for (const auto& [known, value] : frame().undefined)
    if (known == v) return value;
  frame().undefined.emplace_back(v, fresh(described.width, "undefined", false));
  return frame().undefined.back().second;
}

void Machine::give(const Instruction& i, const Value& result, std::uint32_t which) {
  if (which < i.result_count) current_->slots[frame().base + i.first_result + which] = result;
}

Machine::Step Machine::run_operator(const Instruction& i) {
  const std::span<const ValueId> operands = function().operands_of(i);
  const std::uint32_t width = width_of(i.first_result);
  const std::uint32_t operand_width = width_of(operands[0]);
  std::array<Value, 3> values{};
  bool is_narrow = width <= 64;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    values[k] = value(operands[k]);
    is_narrow = is_narrow && values[k].is_number() && width_of(operands[k]) <= 64;
  }
  const semantics::OperatorFaults faults =
      semantics::operator_faults(function(), i, world_.platform, world_.program.checks);
  if (is_narrow) {
    const std::uint64_t a = values[0].number;
    const std::uint64_t b = values[1].number;
    for (const semantics::OperatorFault& fault : faults)
      if (happens(fault, operand_width, a, b)) return fail(fault.kind);
    if (hides_addresses(i.op()) && (a >= world_.plan.threads || b >= world_.plan.threads)) {
      publish(values[0]);
      publish(values[1]);
    }
    give(i, number(term::evaluate_narrow(i.op(), width, operand_width, i.parameter, a, b, values[2].number)));
    if (options_.dominance != nullptr) look_at_growth(i);
    return Step::Next;
  }
  std::array<Term, 3> terms{};
  for (std::size_t k = 0; k < operands.size(); ++k) terms[k] = term_of(terms_, values[k], width_of(operands[k]));
  const std::span<const Term> list(terms.data(), operands.size());
  for (const semantics::OperatorFault& fault : faults)
    if (decide(semantics::condition(terms_, fault, list))) return fail(fault.kind);
  if (hides_addresses(i.op()))
    for (std::size_t k = 0; k < operands.size(); ++k) publish(values[k]);
  give(i, value_of(terms_, terms_.make(i.op(), list, width, i.parameter)));
  if (options_.dominance != nullptr) look_at_growth(i);
  return Step::Next;
}

void Machine::look_at_growth(const Instruction& i) {
  const FunctionId f = frame().function;
  if (!options_.dominance->is_on() || !options_.dominance->has_any(f)) return;
  if (i.op() != Op::Add && i.op() != Op::Slt && i.op() != Op::Sle && i.op() != Op::SignExtend) return;
  const auto has_trend = [&](ValueId v) { return options_.dominance->has(f, v); };
  const std::span<const ValueId> operands = function().operands_of(i);
  if (std::ranges::none_of(operands, has_trend)) return;
  const auto is_large = [&](ValueId v) {
    const Value now = value(v);
    return !now.is_number() || now.number >> (width_of(v) - 1) != 0;
  };
  if (std::ranges::any_of(operands, is_large) || (i.op() == Op::Add && is_large(i.first_result)))
    options_.dominance->turn_off();
}

Machine::Step Machine::run_float(const Instruction& i) {
  const std::uint32_t width = width_of(i.first_result);
  std::vector<Term> list;
  for (std::uint32_t k = 0; k < i.operand_count; ++k) list.push_back(operand_term(i, k));
  const std::optional<Term> result = semantics::float_result(terms_, i.float_op(), list, width);
  if (!result) return lose(fmt::format("floating point arithmetic ({})", program::name(i.float_op())));
  give(i, value_of(terms_, *result));
  return Step::Next;
}

}  // namespace plumb::explore
