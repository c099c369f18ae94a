#include "program/operator_check.h"

namespace plumb::program {

using term::Op;

namespace {

bool is_shift(Op op) { return op == Op::Shl || op == Op::Lshr || op == Op::Ashr; }

}  // namespace

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

std::optional<FaultKind> operator_check(const Function& function, const Instruction& instruction, CheckSet checks) {
  if (instruction.kind != Kind::Operator || function.is_model) return std::nullopt;
  if (checks.has(Check::Overflow) && (instruction.flags & kNoSignedWrap) != 0 && overflow_predicate(instruction.op()))
    return FaultKind::SignedOverflow;
  if (checks.has(Check::Shift) && (instruction.flags & kSourceShift) != 0 && is_shift(instruction.op()))
    return FaultKind::ShiftOutOfRange;
  return std::nullopt;
}

bool is_undefined(Op op, std::uint16_t flags, std::span<const BitVector* const> operands) {
  if ((flags & kSourceShift) != 0 && is_shift(op))
    return !operands[1]->ult(BitVector(operands[1]->width(), operands[0]->width()));
  const std::optional<Op> overflow = (flags & kNoSignedWrap) != 0 ? overflow_predicate(op) : std::nullopt;
  return overflow && term::evaluate(*overflow, operands, 1, 0).is_one();
}

}  // namespace plumb::program
