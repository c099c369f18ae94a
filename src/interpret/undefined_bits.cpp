// Definedness bit by bit, as Memcheck has it ("Using Valgrind to detect undefined value errors with bit-precision",
// Seward and Nethercote 2005, section 2.5), with the exact variants of its rules: a mask makes bits defined, a sum is
// defined up to where two runs can differ, and a comparison is defined if every choice of the undefined bits gives the
// same answer. Operands count as independent of each other; that is where a bit can be called undefined in vain.

#include "interpret/undefined_bits.h"

#include <algorithm>
#include <array>

namespace plumb::interpret {

using term::Op;

namespace {

BitVector all(std::uint32_t width, bool is_undefined) {
  return is_undefined ? BitVector::ones(width) : BitVector(width, 0);
}

/// The operator itself, on other operands.
BitVector apply(Op op, const BitVector& a, const BitVector& b, std::uint32_t width, std::uint32_t parameter) {
  const std::array<const BitVector*, 2> operands{&a, &b};
  return term::evaluate(op, std::span(operands).first(term::arity(op)), width, parameter);
}

/// An operand with all its undefined bits 0 or all 1.
BitVector least(const BitVector& value, const BitVector& undefined) { return value & ~undefined; }
BitVector greatest(const BitVector& value, const BitVector& undefined) { return value | undefined; }

/// The lowest bit of a product that an undefined bit of one factor can reach, and all above.
BitVector of_product(const BitVector& a, const BitVector& undefined_a, const BitVector& b,
                     const BitVector& undefined_b) {
  const std::uint32_t width = a.width();
  const auto reach = [&](const BitVector& undefined, const BitVector& other) {
    return undefined.is_zero() ? width : undefined.trailing_zeros() + other.trailing_zeros();
  };
  const std::uint32_t lowest =
      std::min(reach(undefined_a, greatest(b, undefined_b)), reach(undefined_b, greatest(a, undefined_a)));
  if (lowest >= width) return BitVector(width, 0);
  return BitVector::ones(width).shl(BitVector(width, lowest));
}

bool is_comparison_undefined(Op op, BitVector a, const BitVector& undefined_a, BitVector b,
                             const BitVector& undefined_b) {
  if (op == Op::Eq) return ((a ^ b) & ~undefined_a & ~undefined_b).is_zero();
  if (op == Op::Slt || op == Op::Sle) {
    a = a ^ BitVector::min_signed(a.width());
    b = b ^ BitVector::min_signed(b.width());
  }
  const bool is_strict = op == Op::Ult || op == Op::Slt;
  const auto holds = [&](const BitVector& x, const BitVector& y) { return is_strict ? x.ult(y) : x.ule(y); };
  return holds(greatest(a, undefined_a), least(b, undefined_b)) !=
         holds(least(a, undefined_a), greatest(b, undefined_b));
}

BitVector of_choice(std::span<const BitVector> values, std::span<const BitVector> undefined) {
  if (undefined[0].is_zero()) return values[0].is_one() ? undefined[1] : undefined[2];
  return undefined[1] | undefined[2] | (values[1] ^ values[2]);
}

}  // namespace

BitVector undefined_bits(Op op, std::span<const BitVector> values, std::span<const BitVector> undefined,
                         std::uint32_t width, std::uint32_t parameter) {
  const bool is_any = std::ranges::any_of(undefined, [](const BitVector& bits) { return !bits.is_zero(); });
  if (!is_any) return BitVector(width, 0);
  const BitVector& a = values[0];
  const BitVector& ua = undefined[0];
  const BitVector& b = values[values.size() > 1 ? 1 : 0];
  const BitVector& ub = undefined[values.size() > 1 ? 1 : 0];
  switch (op) {
    case Op::Not:
      return ua;
    case Op::And:
      return (ua | ub) & greatest(a, ua) & greatest(b, ub);
    case Op::Or:
      return (ua | ub) & greatest(~a, ua) & greatest(~b, ub);
    case Op::Xor:
      return ua | ub;
    case Op::Neg:
      return ua | ((-least(a, ua)) ^ (-greatest(a, ua)));
    case Op::Add:
      return ua | ub | ((least(a, ua) + least(b, ub)) ^ (greatest(a, ua) + greatest(b, ub)));
    case Op::Sub:
      return ua | ub | ((least(a, ua) - greatest(b, ub)) ^ (greatest(a, ua) - least(b, ub)));
    case Op::Mul:
      return of_product(a, ua, b, ub);
    case Op::Shl:
    case Op::Lshr:
    case Op::Ashr:
    case Op::RotateLeft:
    case Op::RotateRight:
      if (ub.is_zero()) return apply(op, ua, b, width, parameter);
      return all(width, !greatest(a, ua).is_zero());
    case Op::Eq:
    case Op::Ult:
    case Op::Ule:
    case Op::Slt:
    case Op::Sle:
      return all(1, is_comparison_undefined(op, a, ua, b, ub));
    case Op::Concat:
    case Op::Extract:
    case Op::ZeroExtend:
    case Op::SignExtend:
    case Op::Repeat:
      return apply(op, ua, ub, width, parameter);
    case Op::Ite:
      return of_choice(values, undefined);
    default:
      return all(width, true);
  }
}

}  // namespace plumb::interpret
