#include "semantics/operators.h"

#include <optional>

namespace plumb::semantics {

using program::Check;
using program::CheckSet;
using program::FaultKind;
using program::Platform;
using term::Op;
using term::Term;
using About = OperatorFault::About;

namespace {

/// The predicate of the same operands that says that the result does not fit.
std::optional<Op> overflow_predicate(Op op) {
  switch (op) {
    case Op::Add:
      return Op::SaddOverflow;
    case Op::Sub:
      return Op::SsubOverflow;
    case Op::Mul:
      return Op::SmulOverflow;
    case Op::Neg:
      return Op::NegOverflow;
    default:
      return std::nullopt;
  }
}

}  // namespace

OperatorFaults operator_faults(Op op, std::uint16_t flags, bool is_model, const Platform& platform, CheckSet checks) {
  OperatorFaults faults;
  const bool checks_overflow = checks.has(Check::Overflow) && !is_model;
  if (is_division(op)) {
    faults.add({FaultKind::DivisionByZero, Op::Eq, About::Divisor});
    if (is_signed_division(op) && (platform.traps_on_quotients || checks_overflow))
      faults.add({FaultKind::SignedOverflow, Op::SdivOverflow, About::Operands});
  } else if (is_shift(op)) {
    if (checks.has(Check::Shift) && !is_model && (flags & program::kSourceShift) != 0)
      faults.add({FaultKind::ShiftOutOfRange, Op::Ule, About::Amount});
  } else if (const std::optional<Op> overflow = overflow_predicate(op)) {
    if (checks_overflow && (flags & program::kNoSignedWrap) != 0)
      faults.add({FaultKind::SignedOverflow, *overflow, About::Operands});
  }
  return faults;
}

OperatorFaults operator_faults(const program::Function& function, const program::Instruction& instruction,
                               const Platform& platform, CheckSet checks) {
  if (instruction.kind != program::Kind::Operator) return {};
  return operator_faults(instruction.op(), instruction.flags, function.is_model, platform, checks);
}

Term condition(term::TermStore& store, const OperatorFault& fault, std::span<const Term> operands) {
  switch (fault.about) {
    case About::Divisor:
      return store.make(fault.predicate, std::array{operands[1], store.zero(store.width(operands[1]))}, 1, 0);
    case About::Amount: {
      const std::uint32_t width = store.width(operands[0]);
      return store.make(fault.predicate, std::array{store.constant(width, width), operands[1]}, 1, 0);
    }
    case About::Operands:
      break;
  }
  return store.make(fault.predicate, operands, 1, 0);
}

bool happens(const OperatorFault& fault, std::span<const BitVector* const> operands) {
  if (fault.about == About::Operands) return term::evaluate(fault.predicate, operands, 1, 0).is_one();
  const bool is_divisor = fault.about == About::Divisor;
  const std::uint32_t width = operands[0]->width();
  const BitVector limit(width, is_divisor ? 0 : width);
  const std::array<const BitVector*, 2> pair =
      is_divisor ? std::array{operands[1], &limit} : std::array{&limit, operands[1]};
  return term::evaluate(fault.predicate, pair, 1, 0).is_one();
}

}  // namespace plumb::semantics
