#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "program/float_op.h"
#include "term/narrow.h"

/// What FloatOp means, once, on the host's own types: float, double, x87 long double, and __float128 of the compiler's
/// runtime. All of them round once, to nearest even. evaluate() (float_op.h) is made of these for every format;
/// evaluate_narrow() is the part that an interpreter needs fast.
namespace plumb::program::host {

using Half = _Float16;
using Extended = long double;
using Quad = __float128;

template <typename T>
[[gnu::always_inline]] inline T arithmetic(FloatOp op, T a, T b) {
  switch (op) {
    case FloatOp::Add:
      return a + b;
    case FloatOp::Sub:
      return a - b;
    case FloatOp::Mul:
      return a * b;
    case FloatOp::Div:
      return a / b;
    default:
      break;
  }
  INVARIANT(false, "arithmetic should be an addition, subtraction, multiplication or division");
}

template <typename T>
[[gnu::always_inline]] inline bool compare(FloatOp op, T a, T b) {
  switch (op) {
    case FloatOp::Equal:
      return a == b;
    case FloatOp::Less:
      return a < b;
    case FloatOp::LessEqual:
      return a <= b;
    case FloatOp::Unordered:
      return a != a || b != b;
    default:
      break;
  }
  INVARIANT(false, "a comparison of floats should be one of the four");
}

/// The truncated value as a signed integer of 32 or 64 bits; the least one for what does not fit, as cvttsd2si.
template <typename T>
inline std::int64_t truncate_to_register(T v, unsigned bits) {
  const T least = bits == 32 ? static_cast<T>(-0x1p31) : static_cast<T>(-0x1p63);
  // Where T is too coarse to represent least - 1, nothing lies between the two.
  if ((v >= least || v > least - 1) && v < -least) return static_cast<std::int64_t>(v);
  return bits == 32 ? INT32_MIN : INT64_MIN;
}

/// ToSigned and ToUnsigned to at most 64 bits. Smaller results are cut from a register, and unsigned 64 bits come from
/// two signed conversions, as clang compiles them.
template <typename T>
inline std::uint64_t to_integer(T v, std::uint32_t width, bool is_signed) {
  if (width <= (is_signed ? 32 : 16))
    return static_cast<std::uint64_t>(truncate_to_register(v, 32)) & term::narrow_mask(width);
  const std::int64_t low = truncate_to_register(v, 64);
  if (is_signed || width < 64) return static_cast<std::uint64_t>(low) & term::narrow_mask(width);
  const std::int64_t high = truncate_to_register(static_cast<T>(v - static_cast<T>(0x1p63)), 64);
  return static_cast<std::uint64_t>(low | (high & (low >> 63)));
}

template <typename T>
inline T from_integer(std::uint64_t value, std::uint32_t width, bool is_signed) {
  return is_signed ? static_cast<T>(term::narrow_signed(width, value)) : static_cast<T>(value);
}

inline float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
inline double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint64_t bits_of(float v) { return std::bit_cast<std::uint32_t>(v); }
inline std::uint64_t bits_of(double v) { return std::bit_cast<std::uint64_t>(v); }

/// Has evaluate_narrow(): the operators that compile to a few host instructions, on float and double.
constexpr bool is_narrow(FloatOp op, std::uint32_t operand_width, std::uint32_t width) {
  const auto is_format = [](std::uint32_t w) { return w == 32 || w == 64; };
  switch (op) {
    case FloatOp::Add:
    case FloatOp::Sub:
    case FloatOp::Mul:
    case FloatOp::Div:
    case FloatOp::Equal:
    case FloatOp::Less:
    case FloatOp::LessEqual:
    case FloatOp::Unordered:
      return is_format(operand_width);
    case FloatOp::Convert:
      return is_format(operand_width) && is_format(width);
    case FloatOp::ToSigned:
    case FloatOp::ToUnsigned:
      return is_format(operand_width) && width <= 64;
    case FloatOp::FromSigned:
    case FloatOp::FromUnsigned:
      return is_format(width) && operand_width <= 64;
    default:
      return false;
  }
}

template <typename T>
inline std::uint64_t evaluate_narrow(FloatOp op, std::uint32_t width, T a, T b) {
  switch (op) {
    case FloatOp::Equal:
    case FloatOp::Less:
    case FloatOp::LessEqual:
    case FloatOp::Unordered:
      return compare(op, a, b) ? 1 : 0;
    case FloatOp::Convert:
      return width == 32 ? bits_of(static_cast<float>(a)) : bits_of(static_cast<double>(a));
    case FloatOp::ToSigned:
    case FloatOp::ToUnsigned:
      return to_integer(a, width, op == FloatOp::ToSigned);
    default:
      return bits_of(arithmetic(op, a, b));
  }
}

/// Needs is_narrow(). Values are words with zeros above their width.
inline std::uint64_t evaluate_narrow(FloatOp op, std::uint32_t operand_width, std::uint32_t width, std::uint64_t a,
                                     std::uint64_t b) {
  if (op == FloatOp::FromSigned || op == FloatOp::FromUnsigned) {
    const bool is_signed = op == FloatOp::FromSigned;
    return width == 32 ? bits_of(from_integer<float>(a, operand_width, is_signed))
                       : bits_of(from_integer<double>(a, operand_width, is_signed));
  }
  if (operand_width == 32) return evaluate_narrow(op, width, as_float(a), as_float(b));
  return evaluate_narrow(op, width, as_double(a), as_double(b));
}

}  // namespace plumb::program::host
