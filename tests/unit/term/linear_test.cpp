#include "term/linear.h"

#include <gtest/gtest.h>

#include <array>

#include "term/evaluator.h"
#include "unit/base/random_bit_vector.h"

namespace plumb::term {
namespace {

constexpr std::array<std::uint32_t, 9> kWidths = {1, 2, 3, 4, 8, 32, 64, 65, 128};

/// A random sum through everything that the linear view looks through, and some terms that it does not.
Term random_sum(TermStore& s, RandomBitVectors& random, std::span<const Term> leaves, unsigned depth) {
  const std::uint32_t w = s.width(leaves[0]);
  if (depth == 0) return leaves[random.below(static_cast<std::uint32_t>(leaves.size()))];
  const Term a = random_sum(s, random, leaves, depth - 1);
  switch (random.below(6)) {
    case 0:
      return s.neg(a);
    case 1:
      return s.bit_not(a);
    case 2:
      return s.mul(s.constant(random.next(w)), a);
    case 3:
      return s.shl(a, s.constant(w, random.below(w)));
    case 4:
      return s.add(s.constant(random.next(w)), a);
    default:
      return s.add(a, random_sum(s, random, leaves, depth - 1));
  }
}

BitVector value_of(const LinearSum& sum, Evaluator& evaluator) {
  BitVector result = sum.constant;
  for (const LinearSum::Monomial& m : sum.monomials) result = result + m.coefficient * evaluator.bits(m.term);
  return result;
}

TEST(LinearSum, HasTheValueOfItsTermAndSoHasTheTermMadeFromIt) {
  RandomBitVectors random(7);
  for (const std::uint32_t w : kWidths) {
    for (int run = 0; run < 200; ++run) {
      TermStore s;
      const std::array variables{s.variable(w, "x"), s.variable(w, "y"), s.variable(w, "z")};
      const std::array leaves{variables[0], variables[1], s.mul(variables[1], variables[2])};
      const Term t = random_sum(s, random, leaves, 5);
      const auto sum = LinearSum::of(s, t, 1000);
      ASSERT_TRUE(sum);
      const Term back = sum->to_term(s);
      for (std::size_t i = 0; i < sum->monomials.size(); ++i) {
        EXPECT_FALSE(sum->monomials[i].coefficient.is_zero());
        EXPECT_TRUE(i == 0 || sum->monomials[i - 1].term < sum->monomials[i].term);
      }
      for (int values = 0; values < 10; ++values) {
        Assignment assignment;
        for (const Term v : variables) assignment.emplace(v, random.next(w));
        Evaluator evaluator(s, assignment);
        ASSERT_EQ(value_of(*sum, evaluator), evaluator.bits(t));
        ASSERT_EQ(evaluator.bits(back), value_of(*sum, evaluator));
      }
    }
  }
}

TEST(LinearSum, LooksThroughAllLinearOperators) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const auto expect = [&](Term t, std::uint64_t constant, std::uint64_t of_x, std::uint64_t of_y) {
    const auto sum = LinearSum::of(s, t, 8);
    ASSERT_TRUE(sum);
    std::uint64_t found_x = 0;
    std::uint64_t found_y = 0;
    for (const auto& m : sum->monomials) {
      ASSERT_TRUE(m.term == x || m.term == y);
      (m.term == x ? found_x : found_y) = m.coefficient.to_uint64();
    }
    EXPECT_EQ(sum->constant, BitVector(8, constant));
    EXPECT_EQ(found_x, of_x);
    EXPECT_EQ(found_y, of_y);
  };
  expect(s.constant(8, 9), 9, 0, 0);
  expect(s.sub(s.add(x, y), s.constant(8, 1)), 255, 1, 1);
  expect(s.bit_not(x), 255, 255, 0);
  expect(s.shl(x, s.constant(8, 3)), 0, 8, 0);
  expect(s.sub(s.mul(s.constant(8, 3), x), s.shl(s.neg(y), s.constant(8, 1))), 0, 3, 2);
  expect(s.bit_not(s.add(s.mul(s.constant(8, 5), x), s.bit_not(y))), 0, 251, 1);
}

TEST(LinearSum, HasNoMoreMonomialsThanItsLimit) {
  TermStore s;
  Term t = s.variable(8, "x");
  for (std::size_t monomials = 1; monomials <= 20; ++monomials) {
    for (std::size_t limit = 1; limit <= 20; ++limit) {
      const auto sum = LinearSum::of(s, t, limit);
      EXPECT_EQ(sum.has_value(), monomials <= limit) << monomials << " monomials, limit " << limit;
    }
    t = s.add(t, s.variable(8, "x"));
  }
}

TEST(LinearSum, AddsMultiples) {
  RandomBitVectors random(13);
  for (const std::uint32_t w : kWidths) {
    for (int run = 0; run < 100; ++run) {
      TermStore s;
      const std::array leaves{s.variable(w, "x"), s.variable(w, "y"), s.variable(w, "z")};
      auto sum = LinearSum::of(s, random_sum(s, random, leaves, 3), 100);
      const auto other = LinearSum::of(s, random_sum(s, random, leaves, 3), 100);
      ASSERT_TRUE(sum && other);
      Assignment assignment;
      for (const Term v : leaves) assignment.emplace(v, random.next(w));
      Evaluator evaluator(s, assignment);
      const BitVector factor = random.next(w);
      const BitVector expected = value_of(*sum, evaluator) + factor * value_of(*other, evaluator);
      sum->add_multiple(*other, factor);
      ASSERT_EQ(value_of(*sum, evaluator), expected);
      for (const auto& m : sum->monomials) EXPECT_FALSE(m.coefficient.is_zero());
      // Minus itself, nothing is left.
      const LinearSum copy = *sum;
      sum->add_multiple(copy, BitVector::ones(w));
      EXPECT_TRUE(sum->monomials.empty());
      EXPECT_TRUE(sum->constant.is_zero());
    }
  }
}

TEST(InverseOfOdd, IsTheInverseAtAllSmallWidths) {
  for (std::uint32_t w = 1; w <= 10; ++w)
    for (std::uint64_t odd = 1; odd < (std::uint64_t{1} << w); odd += 2)
      ASSERT_TRUE((BitVector(w, odd) * inverse_of_odd(BitVector(w, odd))).is_one()) << odd << " width " << w;
}

TEST(InverseOfOdd, IsTheInverseOfWideValues) {
  RandomBitVectors random(17);
  for (const std::uint32_t w : {31U, 33U, 63U, 64U, 65U, 97U, 128U, 200U}) {
    for (int i = 0; i < 500; ++i) {
      BitVector odd = random.next(w);
      odd.set_bit(0, true);
      ASSERT_TRUE((odd * inverse_of_odd(odd)).is_one()) << odd.to_decimal() << " width " << w;
    }
  }
}

}  // namespace
}  // namespace plumb::term
