#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bit_vector.h"

namespace plumb::program {

/// Operations with IEEE 754 semantics, to nearest even. The width of an operand is its format: 16 half, 32 float, 64
/// double, 80 x87 extended, 128 quadruple. Negation, absolute value and copying a sign are bit operations, not these.
enum class FloatOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,  ///< fmod
  Fma,
  Sqrt,
  // Comparisons, of width 1; false if an operand is NaN, but for Unordered
  Equal,
  Less,
  LessEqual,
  Unordered,  ///< an operand is NaN
  // Conversions; operand and result width tell the formats
  Convert,  ///< between float formats
  ToSigned,
  ToUnsigned,  ///< truncating; what does not fit is as x86-64 does it
  FromSigned,
  FromUnsigned,
  // To an integral value of the same format
  Floor,
  Ceil,
  Trunc,
  Round,  ///< halves away from zero
  RoundEven,
  // The smaller or larger; the other operand if one is NaN
  Min,
  Max,
  // The C library's, with the host's rounding
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Pow,
  Cbrt,
  Hypot,
};
inline constexpr int kFloatOpCount = static_cast<int>(FloatOp::Hypot) + 1;

std::string_view name(FloatOp op);  ///< "fadd", "to-signed"
unsigned arity(FloatOp op);

/// The formats (widths) that evaluate() takes: 16, 32, 64, 80 and 128.
bool is_float_width(std::uint32_t width);

/// `width` is that of the result; integers may have any. Rounds once, but for the C library's functions.
BitVector evaluate(FloatOp op, std::span<const BitVector* const> operands, std::uint32_t width);

}  // namespace plumb::program
