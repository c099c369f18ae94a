// Arithmetic: exhaustive at widths 1 to 5 against machine integers, random up to 128 bits against the compiler's
// 128-bit integers, and above by the identities that define the operations, on top of addition by a ripple of single
// bits.
#include <gtest/gtest.h>

#include "base/bit_vector.h"
#include "random_bit_vector.h"

namespace plumb {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

Wide value_of(const BitVector& v) { return v.width() <= 64 ? Wide{v.word(0)} : Wide{v.word(1)} << 64 | v.word(0); }

SignedWide signed_value_of(const BitVector& v) {
  return static_cast<SignedWide>(value_of(v.width() < 128 ? v.sign_extend(128) : v));
}

BitVector from_wide(std::uint32_t width, Wide value) {
  const std::array<std::uint64_t, 2> words = {static_cast<std::uint64_t>(value),
                                              static_cast<std::uint64_t>(value >> 64)};
  return BitVector::from_words(width, words);
}

struct Operands {
  BitVector a;
  BitVector b;
};

template <typename Check>
void for_all_small(const Check& check) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    for (unsigned a = 0; a < 1U << width; ++a) {
      for (unsigned b = 0; b < 1U << width; ++b) check(Operands{BitVector(width, a), BitVector(width, b)});
    }
  }
}

template <typename Check>
void for_random(std::uint32_t least, std::uint32_t most, int count, const Check& check) {
  RandomBitVectors random(least);
  for (const std::uint32_t width : kInterestingWidths) {
    if (width < least || width > most) continue;
    for (int i = 0; i < count; ++i) {
      const BitVector a = random.next(width);
      check(Operands{a, i % 16 == 0 ? a : random.next(width)});
      if (testing::Test::HasFailure()) FAIL() << "width " << width << ", a = " << a.to_hex();
    }
  }
}

void check_ring_operations(const Operands& o) {
  const std::uint32_t width = o.a.width();
  const Wide a = value_of(o.a);
  const Wide b = value_of(o.b);
  EXPECT_EQ(o.a + o.b, from_wide(width, a + b));
  EXPECT_EQ(o.a - o.b, from_wide(width, a - b));
  EXPECT_EQ(o.a * o.b, from_wide(width, a * b));
  EXPECT_EQ(-o.a, from_wide(width, 0 - a));
}

void check_unsigned_division(const Operands& o) {
  const std::uint32_t width = o.a.width();
  const Wide a = value_of(o.a);
  const Wide b = value_of(o.b);
  EXPECT_EQ(o.a.udiv(o.b), b == 0 ? BitVector::ones(width) : from_wide(width, a / b));
  EXPECT_EQ(o.a.urem(o.b), b == 0 ? o.a : from_wide(width, a % b));
}

/// The meaning of SMT-LIB on mathematical integers, for widths below 128 (where nothing overflows).
void check_signed_division(const Operands& o) {
  const std::uint32_t width = o.a.width();
  const SignedWide a = signed_value_of(o.a);
  const SignedWide b = signed_value_of(o.b);
  if (b == 0) {
    EXPECT_EQ(o.a.sdiv(o.b), o.a.sign() ? BitVector(width, 1) : BitVector::ones(width));
    EXPECT_EQ(o.a.srem(o.b), o.a);
    EXPECT_EQ(o.a.smod(o.b), o.a);
    return;
  }
  const SignedWide remainder = a % b;
  const SignedWide modulus = remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  EXPECT_EQ(o.a.sdiv(o.b), from_wide(width, static_cast<Wide>(a / b)));
  EXPECT_EQ(o.a.srem(o.b), from_wide(width, static_cast<Wide>(remainder)));
  EXPECT_EQ(o.a.smod(o.b), from_wide(width, static_cast<Wide>(modulus)));
}

/// Against the exact product at twice the width.
void check_overflows(const Operands& o) {
  const std::uint32_t width = o.a.width();
  const BitVector product = o.a.zero_extend(2 * width) * o.b.zero_extend(2 * width);
  EXPECT_EQ(o.a.umul_overflows(o.b), product != (o.a * o.b).zero_extend(2 * width));
  const BitVector signed_product = o.a.sign_extend(2 * width) * o.b.sign_extend(2 * width);
  EXPECT_EQ(o.a.smul_overflows(o.b), signed_product != (o.a * o.b).sign_extend(2 * width));
}

BitVector ripple_sum(const BitVector& a, const BitVector& b) {
  BitVector sum(a.width(), 0);
  bool carry = false;
  for (std::uint32_t i = 0; i < a.width(); ++i) {
    sum.set_bit(i, (a.bit(i) != b.bit(i)) != carry);
    carry = (a.bit(i) && b.bit(i)) || (carry && (a.bit(i) || b.bit(i)));
  }
  return sum;
}

BitVector shift_and_add_product(const BitVector& a, const BitVector& b) {
  BitVector product(a.width(), 0);
  for (std::uint32_t i = 0; i < b.width(); ++i) {
    if (b.bit(i)) product = ripple_sum(product, a.shl(i));
  }
  return product;
}

TEST(BitVectorArithmetic, AgreesWithIntegersAtAllSmallWidths) {
  for_all_small(check_ring_operations);
  for_all_small(check_unsigned_division);
  for_all_small(check_signed_division);
  for_all_small(check_overflows);
}

TEST(BitVectorArithmetic, AgreesWithCompilerIntegersUpTo128Bits) {
  for_random(1, 128, 20000, check_ring_operations);
  for_random(1, 128, 20000, check_unsigned_division);
  for_random(1, 127, 20000, check_signed_division);
}

TEST(BitVectorArithmetic, OverflowPredicatesAgreeWithTheExactProduct) { for_random(1, 200, 20000, check_overflows); }

TEST(BitVectorArithmetic, OverflowIsExactAtTheBoundary) {
  for (const std::uint32_t width : kInterestingWidths) {
    const BitVector least = BitVector::min_signed(width);
    const BitVector minus_one = BitVector::ones(width);
    EXPECT_TRUE(least.smul_overflows(minus_one));
    EXPECT_FALSE(BitVector::max_signed(width).smul_overflows(minus_one));
    // 2^k * 2^(width-1-k) is the least value with one sign and too large with the other.
    const BitVector factor = BitVector(width, 1).shl(width / 2);
    const BitVector other = BitVector(width, 1).shl(width - 1 - width / 2);
    EXPECT_TRUE(factor.smul_overflows(other));
    EXPECT_FALSE(factor.smul_overflows(-other));
    EXPECT_FALSE(factor.umul_overflows(other));
    EXPECT_TRUE(factor.umul_overflows(other.shl(1)));
  }
}

TEST(BitVectorArithmetic, SumsAndProductsAgreeWithBitwiseAlgorithms) {
  for_random(1, 200, 200, [](const Operands& o) {
    EXPECT_EQ(o.a + o.b, ripple_sum(o.a, o.b));
    EXPECT_EQ(o.a - o.b, ripple_sum(ripple_sum(o.a, ~o.b), BitVector(o.a.width(), 1)));
    EXPECT_EQ(-o.a, ripple_sum(~o.a, BitVector(o.a.width(), 1)));
    EXPECT_EQ(o.a * o.b, shift_and_add_product(o.a, o.b));
  });
}

TEST(BitVectorArithmetic, DivisionSatisfiesItsDefinitionAtAllWidths) {
  for_random(1, 200, 20000, [](const Operands& o) {
    const BitVector quotient = o.a.udiv(o.b);
    const BitVector remainder = o.a.urem(o.b);
    if (o.b.is_zero()) {
      EXPECT_TRUE(quotient.is_ones());
      EXPECT_EQ(remainder, o.a);
      return;
    }
    EXPECT_FALSE(quotient.umul_overflows(o.b));
    EXPECT_EQ(quotient * o.b + remainder, o.a);
    EXPECT_TRUE(remainder.ult(o.b));
  });
}

TEST(BitVectorArithmetic, SignedDivisionSatisfiesItsDefinitionAtAllWidths) {
  for_random(64, 200, 5000, [](const Operands& o) {
    const std::uint32_t wide = o.a.width() + 1;
    const BitVector a = o.a.sign_extend(wide);
    const BitVector b = o.b.sign_extend(wide);
    const BitVector remainder = o.a.srem(o.b).sign_extend(wide);
    const BitVector modulus = o.a.smod(o.b).sign_extend(wide);
    if (o.b.is_zero()) {
      EXPECT_EQ(remainder, a);
      EXPECT_EQ(modulus, a);
      return;
    }
    EXPECT_EQ(o.a.sdiv(o.b) * o.b + o.a.srem(o.b), o.a);
    const BitVector size = b.sign() ? -b : b;
    EXPECT_TRUE((remainder.sign() ? -remainder : remainder).ult(size));
    EXPECT_TRUE(remainder.is_zero() || remainder.sign() == a.sign());
    EXPECT_TRUE((modulus.sign() ? -modulus : modulus).ult(size));
    EXPECT_TRUE(modulus.is_zero() || modulus.sign() == b.sign());
    EXPECT_TRUE((a - modulus).srem(b).is_zero());
  });
}

TEST(BitVectorArithmetic, DivisionCorrectsADigitThatWasEstimatedTooLarge) {
  // The pattern that needs Knuth's step D6: the estimate from the leading words is one too large.
  const std::array<std::uint64_t, 4> dividend = {0, 0, 0x8000000000000000U, 0x7fffffffffffffffU};
  const std::array<std::uint64_t, 4> divisor = {1, 0, 0x8000000000000000U, 0};
  const BitVector a = BitVector::from_words(256, dividend);
  const BitVector b = BitVector::from_words(256, divisor);
  EXPECT_EQ(a.udiv(b), BitVector(256, 0xfffffffffffffffeU));
  EXPECT_EQ(a.udiv(b) * b + a.urem(b), a);
  EXPECT_TRUE(a.urem(b).ult(b));
}

TEST(BitVectorArithmetic, DivisionIsExactOnDigitsNearTheBase) {
  // Digits 0, 1, half the base and the base less one are where estimates go wrong; all combinations in five and three
  // words.
  constexpr std::array<std::uint64_t, 4> kDigits = {0, 1, 0x8000000000000000U, ~std::uint64_t{0}};
  const auto combination = [&kDigits](unsigned index, std::size_t words) {
    std::vector<std::uint64_t> result(words);
    for (std::uint64_t& w : result) w = kDigits[index % 4], index /= 4;
    return BitVector::from_words(320, result);
  };
  for (unsigned i = 0; i < 1024; ++i) {
    const BitVector a = combination(i, 5);
    for (unsigned j = 1; j < 64; ++j) {
      const BitVector b = combination(j, 3);
      const BitVector quotient = a.udiv(b);
      const BitVector remainder = a.urem(b);
      ASSERT_FALSE(quotient.umul_overflows(b));
      ASSERT_EQ(quotient * b + remainder, a);
      ASSERT_TRUE(remainder.ult(b));
    }
  }
}

TEST(BitVectorArithmetic, InvertsMultiplicationAtTheGreatestWidth) {
  RandomBitVectors random(7);
  const BitVector a =
      random.next(BitVector::kMaxWidth / 2 - 64).zero_extend(BitVector::kMaxWidth) + BitVector(BitVector::kMaxWidth, 3);
  const BitVector b =
      random.next(BitVector::kMaxWidth / 2 - 64).zero_extend(BitVector::kMaxWidth) + BitVector(BitVector::kMaxWidth, 5);
  const BitVector r = b - BitVector(b.width(), 1);
  EXPECT_EQ((a * b + r).udiv(b), a);
  EXPECT_EQ((a * b + r).urem(b), r);
}

}  // namespace
}  // namespace plumb
