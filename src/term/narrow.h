#pragma once

#include <cstdint>

#include "base/error.h"
#include "term/op.h"

namespace plumb::term {

/// The low `width` bits set, 1 to 64.
constexpr std::uint64_t narrow_mask(std::uint32_t width) noexcept { return ~std::uint64_t{0} >> (64 - width); }

/// The signed number that the low `width` bits stand for, 1 to 64.
constexpr std::int64_t narrow_signed(std::uint32_t width, std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

namespace detail {

constexpr std::uint64_t narrow_sdiv(std::int64_t a, std::int64_t b) noexcept {
  if (b == 0) return a < 0 ? 1 : ~std::uint64_t{0};
  // The least number divided by -1 has no representation on the host; negation modulo 2^64 is what is meant.
  if (b == -1) return 0 - static_cast<std::uint64_t>(a);
  return static_cast<std::uint64_t>(a / b);
}

constexpr std::uint64_t narrow_srem(std::int64_t a, std::int64_t b) noexcept {
  if (b == 0) return static_cast<std::uint64_t>(a);
  if (b == -1) return 0;
  return static_cast<std::uint64_t>(a % b);
}

constexpr std::uint64_t narrow_smod(std::int64_t a, std::int64_t b) noexcept {
  if (b == 0) return static_cast<std::uint64_t>(a);
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return static_cast<std::uint64_t>(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
}

constexpr std::uint64_t narrow_rotate_left(std::uint32_t width, std::uint64_t a, std::uint64_t turn) noexcept {
  return turn == 0 ? a : a << turn | a >> (width - turn);
}

constexpr std::uint64_t narrow_repeat(std::uint32_t width, std::uint32_t operand_width, std::uint64_t a) noexcept {
  std::uint64_t result = a;
  for (std::uint32_t filled = operand_width; filled < width; filled += operand_width) result |= a << filled;
  return result;
}

constexpr bool narrow_fits_signed(std::uint32_t width, __int128 value) noexcept {
  const __int128 limit = static_cast<__int128>(1) << (width - 1);
  return value >= -limit && value < limit;
}

/// The predicates; `width` is that of the operands.
[[gnu::always_inline]] constexpr bool narrow_holds(Op op, std::uint32_t width, std::uint64_t a, std::uint64_t b) {
  const std::int64_t x = narrow_signed(width, a);
  const std::int64_t y = narrow_signed(width, b);
  const std::uint64_t least = std::uint64_t{1} << (width - 1);
  switch (op) {
    case Op::Eq:
      return a == b;
    case Op::Ult:
    case Op::UsubOverflow:
      return a < b;
    case Op::Ule:
      return a <= b;
    case Op::Slt:
      return x < y;
    case Op::Sle:
      return x <= y;
    case Op::NegOverflow:
      return a == least;
    case Op::UaddOverflow:
      return ((a + b) & narrow_mask(width)) < a;
    case Op::SaddOverflow:
      return !narrow_fits_signed(width, static_cast<__int128>(x) + y);
    case Op::SsubOverflow:
      return !narrow_fits_signed(width, static_cast<__int128>(x) - y);
    case Op::UmulOverflow:
      return static_cast<unsigned __int128>(a) * b > narrow_mask(width);
    case Op::SmulOverflow:
      return !narrow_fits_signed(width, static_cast<__int128>(x) * y);
    case Op::SdivOverflow:
      return a == least && b == narrow_mask(width);
    default:
      break;
  }
  INVARIANT(false, "a narrow predicate should be one of the comparisons and overflows");
}

/// As evaluate_narrow(), but bits above the result's width may be set.
[[gnu::always_inline]] constexpr std::uint64_t narrow_bits(Op op, std::uint32_t width, std::uint32_t operand_width,
                                                           std::uint32_t parameter, std::uint64_t a, std::uint64_t b,
                                                           std::uint64_t c) {
  switch (op) {
    case Op::Not:
      return ~a;
    case Op::And:
      return a & b;
    case Op::Or:
      return a | b;
    case Op::Xor:
      return a ^ b;
    case Op::Neg:
      return 0 - a;
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Udiv:
      return b == 0 ? ~std::uint64_t{0} : a / b;
    case Op::Urem:
      return b == 0 ? a : a % b;
    case Op::Sdiv:
      return narrow_sdiv(narrow_signed(operand_width, a), narrow_signed(operand_width, b));
    case Op::Srem:
      return narrow_srem(narrow_signed(operand_width, a), narrow_signed(operand_width, b));
    case Op::Smod:
      return narrow_smod(narrow_signed(operand_width, a), narrow_signed(operand_width, b));
    case Op::Shl:
      return b >= width ? 0 : a << b;
    case Op::Lshr:
      return b >= width ? 0 : a >> b;
    case Op::Ashr:
      return static_cast<std::uint64_t>(narrow_signed(operand_width, a) >> (b >= width ? 63 : b));
    case Op::RotateLeft:
      return narrow_rotate_left(width, a, b % width);
    case Op::RotateRight:
      return narrow_rotate_left(width, a, (width - b % width) % width);
    case Op::Concat:
      return a << (width - operand_width) | b;
    case Op::Extract:
      return a >> parameter;
    case Op::ZeroExtend:
      return a;
    case Op::SignExtend:
      return static_cast<std::uint64_t>(narrow_signed(operand_width, a));
    case Op::Repeat:
      return narrow_repeat(width, operand_width, a);
    case Op::Ite:
      return a == 1 ? b : c;
    default:
      return narrow_holds(op, operand_width, a, b) ? 1 : 0;
  }
}

}  // namespace detail

/// evaluate() (op.h) where no width is above 64: values are words with zeros above their width, and no memory is
/// touched. `width` is that of the result, `operand_width` that of the first operand, `parameter` as described at the
/// operator; operands that the operator does not have are ignored. With constant arguments it compiles to the few host
/// instructions of that operator.
[[gnu::always_inline]] constexpr std::uint64_t evaluate_narrow(Op op, std::uint32_t width, std::uint32_t operand_width,
                                                               std::uint32_t parameter, std::uint64_t a,
                                                               std::uint64_t b = 0, std::uint64_t c = 0) {
  return detail::narrow_bits(op, width, operand_width, parameter, a, b, c) & narrow_mask(width);
}

}  // namespace plumb::term
