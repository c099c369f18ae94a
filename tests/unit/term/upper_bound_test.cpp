#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "random_terms.h"
#include "unit/base/random_bit_vector.h"

namespace plumb::term {
namespace {

/// What has a bound of its own, and what makes small values of large ones.
constexpr std::array kBounded = {Op::Add,  Op::Add,  Op::Mul,  Op::And,     Op::Ite,    Op::Sub,
                                 Op::Lshr, Op::Urem, Op::Udiv, Op::Extract, Op::Concat, Op::ZeroExtend};

/// Every term of the store, also those that were made on the way to others.
void expect_no_value_above_its_bound(const TermStore& s, const Assignment& assignment) {
  Evaluator evaluator(s, assignment);
  for (std::uint32_t id = 1; id < s.size(); ++id) {
    const Term t{id};
    if (s.width(t) > 64) continue;
    const std::uint64_t value = evaluator.bits(t).to_uint64();
    ASSERT_LE(value, s.upper_bound(t)) << name(s.op(t)) << " of width " << s.width(t);
  }
}

/// Random terms over `variables` and their extensions.
RandomTerms random_terms(TermStore& s, std::span<const Term> variables, std::uint64_t seed, std::uint32_t max_width) {
  RandomTerms terms(s, seed, max_width);
  for (const Term v : variables) terms.add(Op::ZeroExtend, terms.add_variable(v));
  for (int i = 0; i < 60; ++i) {
    const std::size_t first = terms.below(terms.size());
    if (terms.below(4) == 0)
      terms.add_random(first);
    else
      terms.add(kBounded[terms.below(kBounded.size())], first);
  }
  return terms;
}

/// The term below the zeros of an extension.
Term without_zeros(const TermStore& s, Term t) {
  const bool extends = s.op(t) == Op::Concat && s.is_constant(s.child(t, 0)) && s.value(s.child(t, 0)).is_zero();
  return extends ? s.child(t, 1) : t;
}

Term sum_of(TermStore& s, std::span<const Term> bits, std::uint32_t width) {
  return std::accumulate(bits.begin(), bits.end(), s.zero(width),
                         [&](Term sum, Term bit) { return s.add(sum, s.zero_extend(bit, width)); });
}

TEST(UpperBound, NoValueExceedsItInSmallTerms) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    TermStore s;
    const std::array variables{s.variable(1, "b"), s.variable(2, "x"), s.variable(3, "y")};
    const RandomTerms terms = random_terms(s, variables, seed, 8);
    for (std::uint64_t bits = 0; bits < 64; ++bits) {
      const Assignment assignment{{variables[0], BitVector(1, bits)},
                                  {variables[1], BitVector(2, bits >> 1)},
                                  {variables[2], BitVector(3, bits >> 3)}};
      ASSERT_EQ(terms.first_wrong(assignment), terms.size()) << "seed " << seed;
      ASSERT_NO_FATAL_FAILURE(expect_no_value_above_its_bound(s, assignment)) << "seed " << seed;
    }
  }
}

TEST(UpperBound, NoValueExceedsItInWideTerms) {
  RandomBitVectors random(5);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    TermStore s;
    // Two of three runs are at widths where everything has a bound, the others go beyond.
    const std::uint32_t max_width = seed % 3 == 0 ? 80 : 8 + random.below(57);
    std::vector<Term> variables;
    for (int i = 0; i < 4; ++i) variables.push_back(s.variable(1 + random.below(i < 2 ? max_width : 8), "x"));
    const RandomTerms terms = random_terms(s, variables, seed, max_width);
    for (int run = 0; run < 20; ++run) {
      Assignment assignment;
      for (const Term v : variables) assignment.emplace(v, random.next(s.width(v)));
      ASSERT_EQ(terms.first_wrong(assignment), terms.size()) << "seed " << seed;
      ASSERT_NO_FATAL_FAILURE(expect_no_value_above_its_bound(s, assignment)) << "seed " << seed;
    }
  }
}

TEST(UpperBound, OfSumsAndProductsOfExtensionsIsTheirLargestValue) {
  for (std::uint32_t w = 2; w <= 64; ++w) {
    TermStore s;
    std::vector<std::pair<Term, Term>> variables = {{}};
    for (std::uint32_t i = 1; i < w; ++i) variables.emplace_back(s.variable(i, "x"), s.variable(i, "y"));
    for (std::uint32_t a = 1; a < w; ++a) {
      for (std::uint32_t b = 1; b < w; ++b) {
        const Term x = s.zero_extend(variables[a].first, w);
        const Term y = s.zero_extend(variables[b].second, w);
        const std::uint64_t all = UINT64_MAX >> (64 - w);
        const std::uint64_t max_x = UINT64_MAX >> (64 - a);
        const std::uint64_t max_y = UINT64_MAX >> (64 - b);
        EXPECT_EQ(s.upper_bound(x), max_x);
        EXPECT_EQ(s.upper_bound(s.add(x, y)), max_x > all - max_y ? all : max_x + max_y) << a << ", " << b << ", " << w;
        EXPECT_EQ(s.upper_bound(s.mul(x, y)), max_x > all / max_y ? all : max_x * max_y) << a << ", " << b << ", " << w;
      }
    }
  }
}

TEST(UpperBound, OfOtherOperatorsIsThatOfTheirOperands) {
  TermStore s;
  const Term c = s.variable(1, "c");
  const Term x = s.variable(16, "x");
  const Term byte = s.zero_extend(s.variable(8, "b"), 16);
  const Term sum = s.add(byte, s.constant(16, 45));  // at most 300
  EXPECT_EQ(s.upper_bound(x), 0xffffU);
  EXPECT_EQ(s.upper_bound(sum), 300U);
  EXPECT_EQ(s.upper_bound(s.ite(c, sum, byte)), 300U);
  EXPECT_EQ(s.upper_bound(s.ite(c, sum, x)), 0xffffU);
  EXPECT_EQ(s.upper_bound(s.bit_and(sum, x)), 300U);
  EXPECT_EQ(s.upper_bound(s.lshr(sum, x)), 300U);
  EXPECT_EQ(s.upper_bound(s.urem(x, s.constant(16, 10))), 9U);
  EXPECT_EQ(s.upper_bound(s.concat(s.variable(4, "y"), sum)), 0xf012cU);
  EXPECT_EQ(s.upper_bound(s.extract(s.variable(200, "z"), 102, 100)), 7U);
  EXPECT_EQ(s.upper_bound(s.constant(64, UINT64_MAX)), UINT64_MAX);
}

TEST(Narrowing, ASumOfBitsNeedsTheBitsOfTheirNumber) {
  for (const std::uint32_t w : {8U, 16U, 32U, 63U, 64U}) {
    TermStore s;
    std::vector<Term> bits;
    for (std::uint32_t n = 1; n <= 64; ++n) {
      bits.push_back(s.variable(1, "b"));
      const Term sum = sum_of(s, bits, w);
      const Term low = without_zeros(s, sum);
      ASSERT_EQ(s.upper_bound(sum), n);
      ASSERT_EQ(s.width(low), static_cast<std::uint32_t>(std::bit_width(n))) << n << " bits in " << w;
      ASSERT_EQ(s.op(low), n == 1 ? Op::Variable : Op::Add);
    }
  }
}

TEST(Narrowing, AProductNeedsTheBitsOfItsLargestValue) {
  for (std::uint32_t a = 2; a <= 31; ++a) {
    for (std::uint32_t b = 2; b <= 31; ++b) {
      TermStore s;
      const Term product = s.mul(s.zero_extend(s.variable(a, "x"), 64), s.zero_extend(s.variable(b, "y"), 64));
      const Term low = without_zeros(s, product);
      EXPECT_EQ(s.op(low), Op::Mul);
      EXPECT_EQ(s.width(low), a + b);
    }
  }
}

TEST(Narrowing, MultiplesByConstantsAndSumsWithThemAreNarrowedToo) {
  TermStore s;
  const Term byte = s.zero_extend(s.variable(8, "b"), 32);
  for (std::uint64_t k = 3; k < 5000; ++k) {
    const Term sum = s.add(s.constant(32, k), byte);
    EXPECT_EQ(s.upper_bound(sum), 255 + k);
    // What lies above the byte alone is put there by a concatenation.
    if (k % 256 != 0) {
      EXPECT_EQ(s.width(without_zeros(s, sum)), static_cast<std::uint32_t>(std::bit_width(255 + k))) << k;
    }
    if (std::has_single_bit(k)) continue;
    const Term multiple = s.mul(s.constant(32, k), byte);
    EXPECT_EQ(s.upper_bound(multiple), 255 * k) << k;
    EXPECT_EQ(s.width(without_zeros(s, multiple)), static_cast<std::uint32_t>(std::bit_width(255 * k))) << k;
  }
}

TEST(Narrowing, WhatMayWrapAroundKeepsItsWidth) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const Term sum = s.add(x, y);
  EXPECT_EQ(s.upper_bound(sum), 255U);
  EXPECT_EQ(s.op(sum), Op::Add);
  EXPECT_EQ(s.op(s.mul(x, y)), Op::Mul);
  // The extension of a sum that wraps is not the sum of the extensions.
  const Term extended = s.zero_extend(s.add(x, s.constant(8, 1)), 16);
  EXPECT_NE(s.sub(extended, s.constant(16, 1)), s.zero_extend(x, 16));
  const Assignment assignment{{x, BitVector(8, 255)}, {y, BitVector(8, 2)}};
  Evaluator evaluator(s, assignment);
  EXPECT_EQ(evaluator.bits(s.sub(extended, s.constant(16, 1))).to_uint64(), 0xffffU);
  EXPECT_EQ(evaluator.bits(s.add(s.zero_extend(sum, 16), s.zero_extend(x, 16))).to_uint64(), 256U);
}

TEST(Narrowing, SumsStillCancel) {
  for (const std::uint32_t narrow : {1U, 2U, 8U, 31U, 63U, 64U}) {
    for (const std::uint32_t w : {narrow, narrow + 1, 2 * narrow, 64U}) {
      if (w < 2 || w > 64) continue;
      TermStore s;
      const Term x = s.zero_extend(s.variable(narrow, "x"), w);
      const Term y = s.zero_extend(s.variable(narrow, "y"), w);
      const Term one = s.one(w);
      EXPECT_EQ(s.sub(s.add(x, one), one), x) << narrow << " in " << w;
      EXPECT_EQ(s.add(s.sub(x, one), one), x) << narrow << " in " << w;
      EXPECT_EQ(s.sub(s.add(x, y), y), x) << narrow << " in " << w;
      EXPECT_EQ(s.sub(s.add(x, y), s.add(y, x)), s.zero(w)) << narrow << " in " << w;
      EXPECT_EQ(s.sub(s.add(s.add(x, one), y), s.add(y, one)), x) << narrow << " in " << w;
      EXPECT_TRUE(s.is_true(s.eq(s.add(s.add(x, y), one), s.add(s.add(x, one), y)))) << narrow << " in " << w;
    }
  }
}

TEST(Narrowing, ComparisonsThatTheBoundDecidesAreConstants) {
  for (const std::uint32_t w : {8U, 16U, 32U, 64U}) {
    TermStore s;
    std::vector<Term> bits;
    for (int i = 0; i < 20; ++i) bits.push_back(s.variable(1, "b"));
    const Term sum = sum_of(s, bits, w);
    for (const std::uint64_t k : {21ULL, 22ULL, 31ULL, 32ULL, 100ULL, 127ULL}) {
      const Term above = s.constant(w, k);
      EXPECT_TRUE(s.is_true(s.ult(sum, above))) << k;
      EXPECT_TRUE(s.is_true(s.ule(sum, above))) << k;
      EXPECT_TRUE(s.is_false(s.ult(above, sum))) << k;
      EXPECT_TRUE(s.is_false(s.eq(sum, above))) << k;
      EXPECT_TRUE(s.is_true(s.slt(sum, above))) << k;
    }
    const Term largest = s.constant(w, 20);
    EXPECT_TRUE(s.is_true(s.ule(sum, largest)));
    EXPECT_TRUE(s.is_false(s.ult(largest, sum)));
    EXPECT_FALSE(s.is_constant(s.ult(sum, largest)));
    EXPECT_FALSE(s.is_constant(s.eq(sum, largest)));
  }
}

TEST(Narrowing, RemaindersAndProductsAreDecidedByTheirBoundsToo) {
  TermStore s;
  const Term remainder = s.urem(s.variable(32, "x"), s.constant(32, 10));
  EXPECT_TRUE(s.is_true(s.ult(remainder, s.constant(32, 10))));
  EXPECT_TRUE(s.is_false(s.eq(remainder, s.constant(32, 10))));
  EXPECT_FALSE(s.is_constant(s.eq(remainder, s.constant(32, 9))));
  const Term product = s.mul(s.zero_extend(s.variable(32, "a"), 64), s.zero_extend(s.variable(32, "b"), 64));
  const std::uint64_t largest = std::uint64_t{UINT32_MAX} * UINT32_MAX;
  EXPECT_TRUE(s.is_true(s.ule(product, s.constant(64, largest))));
  EXPECT_TRUE(s.is_false(s.eq(product, s.constant(64, largest + 1))));
  EXPECT_FALSE(s.is_constant(s.ult(product, s.constant(64, largest))));
}

}  // namespace
}  // namespace plumb::term
