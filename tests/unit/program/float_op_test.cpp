#include "program/float_op.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "program/float_host.h"

namespace plumb::program {
namespace {

using Limits = std::numeric_limits<double>;

BitVector apply(FloatOp op, const std::vector<BitVector>& operands, std::uint32_t width) {
  std::vector<const BitVector*> pointers;
  for (const BitVector& v : operands) pointers.push_back(&v);
  return evaluate(op, pointers, width);
}

BitVector of(double v) { return {64, std::bit_cast<std::uint64_t>(v)}; }
BitVector of(float v) { return {32, std::bit_cast<std::uint32_t>(v)}; }
double number(const BitVector& v) {
  return v.width() == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(v.to_uint64())))
                         : std::bit_cast<double>(v.to_uint64());
}
BitVector convert(const BitVector& v, std::uint32_t width) { return apply(FloatOp::Convert, {v}, width); }
/// A double in another format; exact for 80 and 128.
BitVector in_format(double v, std::uint32_t width) { return width == 64 ? of(v) : convert(of(v), width); }
double back(const BitVector& v) { return v.width() == 64 ? number(v) : number(convert(v, 64)); }

const std::vector<double> kSpecial = {0.0,
                                      -0.0,
                                      1.0,
                                      -1.0,
                                      0.1,
                                      1.5,
                                      2.5,
                                      -2.5,
                                      1e308,
                                      -1e308,
                                      1e-308,
                                      Limits::denorm_min(),
                                      Limits::min(),
                                      Limits::max(),
                                      Limits::infinity(),
                                      -Limits::infinity(),
                                      Limits::quiet_NaN(),
                                      4294967296.0,
                                      9007199254740993.0,
                                      65504.0,
                                      65520.0,
                                      6e-8};

/// Equal bits, or NaN both: which NaN an operation gives is not ours to say.
testing::AssertionResult is_same(double a, double b) {
  if ((std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " is not " << b;
}

TEST(FloatOp, DoubleArithmeticIsTheHosts) {
  for (const double a : kSpecial) {
    for (const double b : kSpecial) {
      EXPECT_TRUE(is_same(number(apply(FloatOp::Add, {of(a), of(b)}, 64)), a + b));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Sub, {of(a), of(b)}, 64)), a - b));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Mul, {of(a), of(b)}, 64)), a * b));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Div, {of(a), of(b)}, 64)), a / b));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Rem, {of(a), of(b)}, 64)), std::fmod(a, b)));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Pow, {of(a), of(b)}, 64)), std::pow(a, b)));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Atan2, {of(a), of(b)}, 64)), std::atan2(a, b)));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Fma, {of(a), of(b), of(a)}, 64)), std::fma(a, b, a)));
    }
    EXPECT_TRUE(is_same(number(apply(FloatOp::Sqrt, {of(a)}, 64)), std::sqrt(a)));
    EXPECT_TRUE(is_same(number(apply(FloatOp::Exp, {of(a)}, 64)), std::exp(a)));
    EXPECT_TRUE(is_same(number(apply(FloatOp::Log1p, {of(a)}, 64)), std::log1p(a)));
    EXPECT_TRUE(is_same(number(apply(FloatOp::Cbrt, {of(a)}, 64)), std::cbrt(a)));
  }
}

TEST(FloatOp, FloatsAreRoundedToTheirOwnFormat) {
  for (const double x : kSpecial) {
    for (const double y : kSpecial) {
      const float a = static_cast<float>(x);
      const float b = static_cast<float>(y);
      EXPECT_TRUE(is_same(number(apply(FloatOp::Add, {of(a), of(b)}, 32)), static_cast<double>(a + b)));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Mul, {of(a), of(b)}, 32)), static_cast<double>(a * b)));
      EXPECT_TRUE(is_same(number(apply(FloatOp::Div, {of(a), of(b)}, 32)), static_cast<double>(a / b)));
      EXPECT_TRUE(
          is_same(number(apply(FloatOp::Fma, {of(a), of(b), of(b)}, 32)), static_cast<double>(std::fma(a, b, b))));
    }
  }
}

TEST(FloatOp, ComparisonsAreFalseOnNaNInEveryFormat) {
  for (const std::uint32_t w : {16, 32, 64, 80, 128}) {
    ASSERT_TRUE(is_float_width(w));
    for (const double x : kSpecial) {
      for (const double y : kSpecial) {
        const BitVector a = in_format(x, w);
        const BitVector b = in_format(y, w);
        // What the format makes of them is what is compared; each is exact in a double again.
        const double p = w > 64 ? x : back(a);
        const double q = w > 64 ? y : back(b);
        EXPECT_EQ(apply(FloatOp::Equal, {a, b}, 1).is_one(), p == q) << w << ' ' << x << ' ' << y;
        EXPECT_EQ(apply(FloatOp::Less, {a, b}, 1).is_one(), p < q);
        EXPECT_EQ(apply(FloatOp::LessEqual, {a, b}, 1).is_one(), p <= q);
        EXPECT_EQ(apply(FloatOp::Unordered, {a, b}, 1).is_one(), std::isnan(p) || std::isnan(q));
      }
    }
  }
}

TEST(FloatOp, MinAndMaxPreferNumbersToNaN) {
  const double nan = Limits::quiet_NaN();
  for (const std::uint32_t w : {16, 32, 64, 80, 128}) {
    EXPECT_EQ(back(apply(FloatOp::Min, {in_format(nan, w), in_format(2, w)}, w)), 2.0);
    EXPECT_EQ(back(apply(FloatOp::Max, {in_format(2, w), in_format(nan, w)}, w)), 2.0);
    EXPECT_EQ(back(apply(FloatOp::Min, {in_format(-1, w), in_format(2, w)}, w)), -1.0);
    EXPECT_EQ(back(apply(FloatOp::Max, {in_format(-1, w), in_format(2, w)}, w)), 2.0);
  }
}

TEST(FloatOp, RoundingToIntegersKnowsItsDirectionInEveryFormat) {
  struct Row {
    double value, floor, ceil, trunc, round, even;
  };
  for (const Row& r : {Row{2.5, 2, 3, 2, 3, 2}, Row{-2.5, -3, -2, -2, -3, -2}, Row{3.5, 3, 4, 3, 4, 4},
                       Row{0.25, 0, 1, 0, 0, 0}, Row{-7, -7, -7, -7, -7, -7}})
    for (const std::uint32_t w : {16, 32, 64, 80, 128}) {
      const BitVector v = in_format(r.value, w);
      EXPECT_EQ(back(apply(FloatOp::Floor, {v}, w)), r.floor);
      EXPECT_EQ(back(apply(FloatOp::Ceil, {v}, w)), r.ceil);
      EXPECT_EQ(back(apply(FloatOp::Trunc, {v}, w)), r.trunc);
      EXPECT_EQ(back(apply(FloatOp::Round, {v}, w)), r.round);
      EXPECT_EQ(back(apply(FloatOp::RoundEven, {v}, w)), r.even);
    }
}

double half_value(std::uint64_t bits) { return back(BitVector(16, bits)); }

/// The half nearest to a number that a double holds exactly, ties to the even one, by search.
std::uint64_t nearest_half(double v) {
  const std::uint64_t sign = std::signbit(v) ? 0x8000 : 0;
  const double magnitude = std::fabs(v);
  if (magnitude >= 65520) return sign | 0x7C00;  // halfway to what would be the next number
  std::uint64_t low = 0;
  std::uint64_t high = 0x7BFF;
  while (low < high) {
    const std::uint64_t middle = (low + high + 1) / 2;
    (half_value(middle) <= magnitude ? low : high) = half_value(middle) <= magnitude ? middle : middle - 1;
  }
  if (low == 0x7BFF) return sign | low;
  const double below = magnitude - half_value(low);
  const double above = half_value(low + 1) - magnitude;
  if (above < below || (above == below && (low & 1) != 0)) ++low;
  return sign | low;
}

TEST(FloatOp, EveryHalfHasTheValueOfItsFields) {
  for (std::uint64_t bits = 0; bits < 0x7C00; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const double fraction = static_cast<double>(bits & 0x3FF) / 1024;
    ASSERT_EQ(half_value(bits), exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
  }
  EXPECT_TRUE(std::isinf(half_value(0x7C00)));
  EXPECT_TRUE(std::isnan(half_value(0x7E00)));
}

TEST(FloatOp, HalvesAreRoundedOnce) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t x = random() & 0xFFFF;
    const std::uint64_t y = random() & 0xFFFF;
    const double a = half_value(x);
    const double b = half_value(y);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    // Sums and products of halves are exact in a double.
    ASSERT_EQ(apply(FloatOp::Add, {BitVector(16, x), BitVector(16, y)}, 16).to_uint64(), nearest_half(a + b));
    ASSERT_EQ(apply(FloatOp::Mul, {BitVector(16, x), BitVector(16, y)}, 16).to_uint64(), nearest_half(a * b));
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(f)) continue;
    ASSERT_EQ(convert(of(f), 16).to_uint64(), nearest_half(static_cast<double>(f)));
  }
  // 1 + 2^-11 is halfway between two halves; what fma adds to it must decide, however small.
  const BitVector one(16, 0x3C00);
  const BitVector tiny(16, 0x0001);
  const BitVector factor = convert(of(1.0F + 1.0F / 1024), 16);
  const double exact = (1.0 + 1.0 / 1024) * (1.0 + 1.0 / 1024) + half_value(1);
  EXPECT_EQ(apply(FloatOp::Fma, {factor, factor, tiny}, 16).to_uint64(), nearest_half(exact));
  EXPECT_EQ(apply(FloatOp::Fma, {one, one, tiny}, 16).to_uint64(), 0x3C00U);
}

TEST(FloatOp, WiderFormatsKeepWhatDoublesLose) {
  // (2^60 + 1) - 2^60 is 0 in double, 1 in the two wider formats; 2^100 needs the widest.
  for (const auto& [exponent, width, kept] :
       {std::tuple{60, 64U, 0.0}, std::tuple{60, 80U, 1.0}, std::tuple{100, 80U, 0.0}, std::tuple{100, 128U, 1.0}}) {
    const BitVector big = in_format(std::ldexp(1, exponent), width);
    const BitVector sum = apply(FloatOp::Add, {big, in_format(1, width)}, width);
    EXPECT_EQ(back(apply(FloatOp::Sub, {sum, big}, width)), kept);
  }
}

TEST(FloatOp, ExtendedIsStoredInEightyBits) {
  EXPECT_EQ(in_format(1, 80), BitVector(16, 0x3FFF).concat(BitVector(64, std::uint64_t{1} << 63)));
  EXPECT_EQ(in_format(-2, 128).lshr(112).to_uint64(), 0xC000U);
}

TEST(FloatOp, IntegersComeBackThroughFormatsThatHoldThem) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    const BitVector v(64, bits);
    for (const std::uint32_t format : {80, 128}) {
      EXPECT_EQ(apply(FloatOp::ToSigned, {apply(FloatOp::FromSigned, {v}, format)}, 64), v);
      EXPECT_EQ(apply(FloatOp::ToUnsigned, {apply(FloatOp::FromUnsigned, {v}, format)}, 64), v);
    }
    EXPECT_TRUE(
        is_same(number(apply(FloatOp::FromSigned, {v}, 64)), static_cast<double>(static_cast<std::int64_t>(bits))));
    EXPECT_TRUE(is_same(number(apply(FloatOp::FromUnsigned, {v}, 32)), static_cast<double>(static_cast<float>(bits))));
  }
  const BitVector wide = BitVector(113, 1).shl(112).zero_extend(128) | BitVector(128, 1);
  EXPECT_EQ(apply(FloatOp::ToUnsigned, {apply(FloatOp::FromUnsigned, {wide}, 128)}, 128), wide);
}

TEST(FloatOp, WideIntegersAreRoundedOnce) {
  // 2^200 + 2^147 is halfway between two doubles; a single bit far below decides.
  const BitVector half = BitVector(300, 1).shl(200) + BitVector(300, 1).shl(147);
  EXPECT_EQ(number(apply(FloatOp::FromUnsigned, {half}, 64)), std::ldexp(1, 200));
  EXPECT_EQ(number(apply(FloatOp::FromUnsigned, {half + BitVector(300, 1)}, 64)),
            std::nextafter(std::ldexp(1, 200), Limits::infinity()));
  EXPECT_EQ(number(apply(FloatOp::FromSigned, {-half}, 64)), -std::ldexp(1, 200));
  EXPECT_TRUE(std::isinf(number(apply(FloatOp::FromUnsigned, {half}, 32))));
  EXPECT_EQ(apply(FloatOp::FromUnsigned, {half}, 16).to_uint64(), 0x7C00U);
  EXPECT_EQ(apply(FloatOp::ToUnsigned, {of(std::ldexp(3, 200))}, 300), BitVector(300, 3).shl(200));
  EXPECT_EQ(apply(FloatOp::ToSigned, {of(-std::ldexp(3, 200))}, 300), -BitVector(300, 3).shl(200));
  EXPECT_EQ(apply(FloatOp::ToSigned, {of(std::ldexp(1, 127))}, 128), BitVector::min_signed(128));
}

TEST(FloatOp, ConversionsToIntegersAreThoseOfTheProcessor) {
  const auto to = [](FloatOp op, double v, std::uint32_t width) { return apply(op, {of(v)}, width).to_uint64(); };
  constexpr std::uint64_t kIndefinite = std::uint64_t{1} << 63;
  const double nan = Limits::quiet_NaN();
  EXPECT_EQ(to(FloatOp::ToSigned, -1.9, 32), 0xFFFFFFFFU);
  EXPECT_EQ(to(FloatOp::ToSigned, -2147483648.9, 32), 0x80000000U);
  EXPECT_EQ(to(FloatOp::ToSigned, 2147483648.0, 32), 0x80000000U);
  EXPECT_EQ(to(FloatOp::ToSigned, nan, 32), 0x80000000U);
  EXPECT_EQ(to(FloatOp::ToSigned, nan, 64), kIndefinite);
  EXPECT_EQ(to(FloatOp::ToSigned, 300.0, 8), 300U & 0xFF);
  EXPECT_EQ(to(FloatOp::ToSigned, 1e10, 8), 0U);
  EXPECT_EQ(to(FloatOp::ToUnsigned, 4294967295.0, 32), 4294967295U);
  EXPECT_EQ(to(FloatOp::ToUnsigned, -1.0, 32), 0xFFFFFFFFU);
  EXPECT_EQ(to(FloatOp::ToUnsigned, 4294967297.0, 32), 1U);
  EXPECT_EQ(to(FloatOp::ToUnsigned, 0x1p63, 64), kIndefinite);
  EXPECT_EQ(to(FloatOp::ToUnsigned, 0x1.8p63, 64), kIndefinite | kIndefinite >> 1);
  EXPECT_EQ(to(FloatOp::ToUnsigned, -1.0, 64), ~std::uint64_t{0});
  EXPECT_EQ(to(FloatOp::ToUnsigned, 0x1p64, 64), kIndefinite);
}

TEST(FloatOp, NarrowEvaluationAgrees) {
  int compared = 0;
  for (int i = 0; i < kFloatOpCount; ++i) {
    const FloatOp op = static_cast<FloatOp>(i);
    for (const std::uint32_t from : {8, 32, 64})
      for (const std::uint32_t to : {1, 8, 32, 64}) {
        const bool is_comparison = op >= FloatOp::Equal && op <= FloatOp::Unordered;
        const bool is_conversion = op >= FloatOp::Convert && op <= FloatOp::FromUnsigned;
        if (!host::is_narrow(op, from, to) || (is_comparison ? to != 1 : !is_conversion && to != from)) continue;
        for (const double x : kSpecial)
          for (const double y : kSpecial) {
            const auto operand = [&](double v) {
              return from == 64   ? of(v)
                     : from == 32 ? of(static_cast<float>(v))
                                  : BitVector(8, of(v).to_uint64() >> 50);
            };
            std::vector<BitVector> operands{operand(x), operand(y)};
            operands.resize(arity(op));
            const BitVector expected = apply(op, operands, to);
            const std::uint64_t actual =
                host::evaluate_narrow(op, from, to, operand(x).to_uint64(), operand(y).to_uint64());
            ASSERT_EQ(expected.to_uint64(), actual) << name(op) << ' ' << from << ' ' << to << ' ' << x << ' ' << y;
            ++compared;
          }
      }
  }
  EXPECT_GT(compared, 10000);
}

TEST(FloatOp, NamesAreDistinctAndAritiesFit) {
  std::vector<std::string_view> names;
  for (int i = 0; i < kFloatOpCount; ++i) names.push_back(name(static_cast<FloatOp>(i)));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(arity(FloatOp::Hypot), 2U);
  EXPECT_EQ(name(FloatOp::Hypot), "hypot");
  EXPECT_EQ(arity(FloatOp::Fma), 3U);
  EXPECT_EQ(name(FloatOp::FromUnsigned), "from-unsigned");
}

}  // namespace
}  // namespace plumb::program
