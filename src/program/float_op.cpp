#include "program/float_op.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "program/float_host.h"

// glibc has these, but declares them only for compilers with the type _Float128.
extern "C" {
#define PLUMB_UNARY(name) __float128 name##f128(__float128) noexcept
#define PLUMB_BINARY(name) __float128 name##f128(__float128, __float128) noexcept
PLUMB_UNARY(sqrt);
PLUMB_UNARY(floor);
PLUMB_UNARY(ceil);
PLUMB_UNARY(trunc);
PLUMB_UNARY(round);
PLUMB_UNARY(roundeven);
PLUMB_UNARY(sin);
PLUMB_UNARY(cos);
PLUMB_UNARY(tan);
PLUMB_UNARY(asin);
PLUMB_UNARY(acos);
PLUMB_UNARY(atan);
PLUMB_UNARY(sinh);
PLUMB_UNARY(cosh);
PLUMB_UNARY(tanh);
PLUMB_UNARY(exp);
PLUMB_UNARY(exp2);
PLUMB_UNARY(expm1);
PLUMB_UNARY(log);
PLUMB_UNARY(log2);
PLUMB_UNARY(log10);
PLUMB_UNARY(log1p);
PLUMB_UNARY(cbrt);
PLUMB_UNARY(fabs);
PLUMB_BINARY(fmod);
PLUMB_BINARY(fmin);
PLUMB_BINARY(fmax);
PLUMB_BINARY(atan2);
PLUMB_BINARY(pow);
PLUMB_BINARY(hypot);
#undef PLUMB_UNARY
#undef PLUMB_BINARY
__float128 fmaf128(__float128, __float128, __float128) noexcept;
__float128 scalbnf128(__float128, int) noexcept;
int ilogbf128(__float128) noexcept;
}

namespace plumb::program {

namespace {

using host::Extended;
using host::Half;
using host::Quad;
using Wide = unsigned __int128;

static_assert(std::numeric_limits<Extended>::digits == 64, "long double should be the x87 format");

struct FloatOpInfo {
  std::string_view name;
  unsigned arity;
};

constexpr std::array<FloatOpInfo, kFloatOpCount> kFloatOps = {{
    {"fadd", 2},      {"fsub", 2},        {"fmul", 2},        {"fdiv", 2},          {"frem", 2},      {"fma", 3},
    {"sqrt", 1},      {"fequal", 2},      {"fless", 2},       {"fless-equal", 2},   {"unordered", 2}, {"fconvert", 1},
    {"to-signed", 1}, {"to-unsigned", 1}, {"from-signed", 1}, {"from-unsigned", 1}, {"floor", 1},     {"ceil", 1},
    {"trunc", 1},     {"round", 1},       {"round-even", 1},  {"fmin", 2},          {"fmax", 2},      {"sin", 1},
    {"cos", 1},       {"tan", 1},         {"asin", 1},        {"acos", 1},          {"atan", 1},      {"atan2", 2},
    {"sinh", 1},      {"cosh", 1},        {"tanh", 1},        {"exp", 1},           {"exp2", 1},      {"expm1", 1},
    {"log", 1},       {"log2", 1},        {"log10", 1},       {"log1p", 1},         {"pow", 2},       {"cbrt", 1},
    {"hypot", 2},
}};

/// The number of bytes that hold the value; padding after them is not part of it.
template <typename T>
constexpr std::size_t kBytes = std::is_same_v<T, Extended> ? 10 : sizeof(T);

template <typename T>
T read(const BitVector& value) {
  T result{};
  const std::array<std::uint64_t, 2> words{value.word(0), value.word_count() > 1 ? value.word(1) : 0};
  std::memcpy(&result, words.data(), kBytes<T>);
  return result;
}

template <typename T>
BitVector write(T value) {
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), &value, kBytes<T>);
  return BitVector::from_words(8 * kBytes<T>, words);
}

// The library's functions have one name for the three types of the language and another for __float128.
#define PLUMB_LIBRARY(function, ...)     \
  if constexpr (std::is_same_v<T, Quad>) \
    return function##f128(__VA_ARGS__);  \
  else                                   \
    return std::function(__VA_ARGS__)

template <typename T>
T round_to_even(T a) {
  if constexpr (std::is_same_v<T, Quad>)
    return roundevenf128(a);
  else if constexpr (std::is_same_v<T, Extended>)
    return roundevenl(a);
  else
    return static_cast<T>(roundeven(a));
}

/// The operators on one operand that give a value of its format.
template <typename T>
T unary(FloatOp op, T a) {
  switch (op) {
    case FloatOp::Sqrt:
      PLUMB_LIBRARY(sqrt, a);
    case FloatOp::Floor:
      PLUMB_LIBRARY(floor, a);
    case FloatOp::Ceil:
      PLUMB_LIBRARY(ceil, a);
    case FloatOp::Trunc:
      PLUMB_LIBRARY(trunc, a);
    case FloatOp::Round:
      PLUMB_LIBRARY(round, a);
    case FloatOp::RoundEven:
      return round_to_even(a);
    case FloatOp::Sin:
      PLUMB_LIBRARY(sin, a);
    case FloatOp::Cos:
      PLUMB_LIBRARY(cos, a);
    case FloatOp::Tan:
      PLUMB_LIBRARY(tan, a);
    case FloatOp::Asin:
      PLUMB_LIBRARY(asin, a);
    case FloatOp::Acos:
      PLUMB_LIBRARY(acos, a);
    case FloatOp::Atan:
      PLUMB_LIBRARY(atan, a);
    case FloatOp::Sinh:
      PLUMB_LIBRARY(sinh, a);
    case FloatOp::Cosh:
      PLUMB_LIBRARY(cosh, a);
    case FloatOp::Tanh:
      PLUMB_LIBRARY(tanh, a);
    case FloatOp::Exp:
      PLUMB_LIBRARY(exp, a);
    case FloatOp::Exp2:
      PLUMB_LIBRARY(exp2, a);
    case FloatOp::Expm1:
      PLUMB_LIBRARY(expm1, a);
    case FloatOp::Log:
      PLUMB_LIBRARY(log, a);
    case FloatOp::Log2:
      PLUMB_LIBRARY(log2, a);
    case FloatOp::Log10:
      PLUMB_LIBRARY(log10, a);
    case FloatOp::Log1p:
      PLUMB_LIBRARY(log1p, a);
    case FloatOp::Cbrt:
      PLUMB_LIBRARY(cbrt, a);
    default:
      break;
  }
  INVARIANT(false, "a float operator should be evaluated by its number of operands");
}

template <typename T>
T binary(FloatOp op, T a, T b) {
  switch (op) {
    case FloatOp::Rem:
      PLUMB_LIBRARY(fmod, a, b);
    case FloatOp::Min:
      PLUMB_LIBRARY(fmin, a, b);
    case FloatOp::Max:
      PLUMB_LIBRARY(fmax, a, b);
    case FloatOp::Atan2:
      PLUMB_LIBRARY(atan2, a, b);
    case FloatOp::Pow:
      PLUMB_LIBRARY(pow, a, b);
    case FloatOp::Hypot:
      PLUMB_LIBRARY(hypot, a, b);
    default:
      return host::arithmetic(op, a, b);
  }
}

template <typename T>
T fused(T a, T b, T c) {
  PLUMB_LIBRARY(fma, a, b, c);
}
#undef PLUMB_LIBRARY

template <typename T>
T apply(FloatOp op, T a, T b, T c) {
  if (op == FloatOp::Fma) return fused(a, b, c);
  return arity(op) == 1 ? unary(op, a) : binary(op, a, b);
}

/// Float has more than twice the digits of half, so the second rounding of an operation cannot see the first. Fma is
/// different: its exact result fits __float128.
Half apply(FloatOp op, Half a, Half b, Half c) {
  if (op == FloatOp::Fma) return static_cast<Half>(static_cast<Quad>(a) * static_cast<Quad>(b) + static_cast<Quad>(c));
  return static_cast<Half>(apply(op, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}

bool is_comparison(FloatOp op) { return op >= FloatOp::Equal && op <= FloatOp::Unordered; }

/// ToSigned and ToUnsigned beyond 64 bits; what does not fit gives the least signed number, as for fewer bits.
BitVector to_wide_integer(Quad value, std::uint32_t width, bool is_signed) {
  const Quad whole = truncf128(value);
  const Quad magnitude = fabsf128(whole);
  const BitVector indefinite = BitVector::min_signed(width);
  if (!(magnitude < HUGE_VAL)) return indefinite;
  if (magnitude == 0) return BitVector(width, 0);
  const int exponent = ilogbf128(magnitude);
  const int limit = static_cast<int>(width) - (is_signed ? 1 : 0);
  if (exponent >= limit || (whole < 0 && !is_signed)) return indefinite;  // the least itself is the indefinite one
  constexpr int kDigits = 112;                                            // below the leading one
  const Wide digits = static_cast<Wide>(exponent <= kDigits ? magnitude : scalbnf128(magnitude, kDigits - exponent));
  const std::array<std::uint64_t, 2> words{static_cast<std::uint64_t>(digits),
                                           static_cast<std::uint64_t>(digits >> 64)};
  BitVector result = BitVector::from_words(width, words);
  if (exponent > kDigits) result = result.shl(static_cast<std::uint32_t>(exponent - kDigits));
  return whole < 0 ? -result : result;
}

/// Of any width: what is beyond 128 bits matters to rounding only in whether it is zero.
template <typename T>
T from_wide_integer(const BitVector& value, bool is_signed) {
  const bool is_negative = is_signed && value.sign();
  const BitVector magnitude = is_negative ? -value : value;
  const std::uint32_t digits = value.width() - magnitude.leading_zeros();
  const std::uint32_t cut = digits > 128 ? digits - 128 : 0;
  const BitVector top = magnitude.lshr(cut);
  Wide number = static_cast<Wide>(top.word(1)) << 64 | top.word(0);
  if (magnitude.trailing_zeros() < cut) number |= 1;
  T result;
  if constexpr (std::is_same_v<T, Half>) {
    result = static_cast<Half>(static_cast<Quad>(number));  // exact below half's infinity
  } else {
    result = static_cast<T>(number);
  }
  if (cut != 0) {
    if constexpr (std::is_same_v<T, Quad>)
      result = scalbnf128(result, static_cast<int>(cut));
    else if constexpr (std::is_same_v<T, Half>)
      result = std::numeric_limits<float>::infinity();
    else
      result = std::ldexp(result, static_cast<int>(cut));
  }
  return is_negative ? -result : result;
}

/// The operators whose operands have the format T.
template <typename T>
BitVector evaluate_as(FloatOp op, std::span<const BitVector* const> operands, std::uint32_t width) {
  const T a = read<T>(*operands[0]);
  const T b = operands.size() > 1 ? read<T>(*operands[1]) : T{};
  const T c = operands.size() > 2 ? read<T>(*operands[2]) : T{};
  if (is_comparison(op)) return BitVector(1, host::compare(op, a, b) ? 1 : 0);
  switch (op) {
    case FloatOp::Convert:
      switch (width) {
        case 16:
          return write(static_cast<Half>(a));
        case 32:
          return write(static_cast<float>(a));
        case 64:
          return write(static_cast<double>(a));
        case 80:
          return write(static_cast<Extended>(a));
        default:
          return write(static_cast<Quad>(a));
      }
    case FloatOp::ToSigned:
    case FloatOp::ToUnsigned: {
      const bool is_signed = op == FloatOp::ToSigned;
      if (width > 64) return to_wide_integer(static_cast<Quad>(a), width, is_signed);
      if constexpr (std::is_same_v<T, Half>)
        return BitVector(width, host::to_integer(static_cast<float>(a), width, is_signed));
      else
        return BitVector(width, host::to_integer(a, width, is_signed));
    }
    default:
      return write(apply(op, a, b, c));
  }
}

template <typename T>
BitVector from_integer(const BitVector& value, bool is_signed) {
  if (value.width() > 64) return write(from_wide_integer<T>(value, is_signed));
  if constexpr (std::is_same_v<T, Half>) {
    // Exact in the wider format, so there is one rounding.
    return write(static_cast<Half>(host::from_integer<Extended>(value.to_uint64(), value.width(), is_signed)));
  } else {
    return write(host::from_integer<T>(value.to_uint64(), value.width(), is_signed));
  }
}

/// Calls `f` with a value of the host's type for the format.
template <typename F>
BitVector with_format(std::uint32_t width, F&& f) {
  switch (width) {
    case 16:
      return f(Half{});
    case 32:
      return f(float{});
    case 64:
      return f(double{});
    case 80:
      return f(Extended{});
    case 128:
      return f(Quad{});
    default:
      break;
  }
  INVARIANT(false, "the width of a float should be that of a format");
}

}  // namespace

std::string_view name(FloatOp op) { return kFloatOps[static_cast<std::size_t>(op)].name; }
unsigned arity(FloatOp op) { return kFloatOps[static_cast<std::size_t>(op)].arity; }

bool is_float_width(std::uint32_t width) {
  return width == 16 || width == 32 || width == 64 || width == 80 || width == 128;
}

BitVector evaluate(FloatOp op, std::span<const BitVector* const> operands, std::uint32_t width) {
  if (op == FloatOp::FromSigned || op == FloatOp::FromUnsigned)
    return with_format(
        width, [&](auto type) { return from_integer<decltype(type)>(*operands[0], op == FloatOp::FromSigned); });
  return with_format(operands[0]->width(), [&](auto type) { return evaluate_as<decltype(type)>(op, operands, width); });
}

}  // namespace plumb::program
