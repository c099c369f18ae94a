#include "term/polynomial.h"

#include <gtest/gtest.h>

#include <array>

#include "term/evaluator.h"
#include "unit/base/random_bit_vector.h"

namespace plumb::term {
namespace {

TEST(Polynomial, OfRegroupedProductsAndSumsIsTheSame) {
  TermStore s;
  const Term a = s.variable(16, "a");
  const Term b = s.variable(16, "b");
  const Term c = s.variable(16, "c");
  const Term d = s.variable(16, "d");
  const auto same = [&](Term t, Term u) {
    const auto left = Polynomial::of(s, t, 50);
    const auto right = Polynomial::of(s, u, 50);
    return left && right && *left == *right;
  };
  EXPECT_TRUE(same(s.mul(s.mul(a, b), s.mul(c, d)), s.mul(d, s.mul(b, s.mul(c, a)))));
  EXPECT_TRUE(same(s.mul(a, s.add(b, c)), s.add(s.mul(c, a), s.mul(a, b))));
  EXPECT_TRUE(
      same(s.mul(s.add(a, b), s.add(c, d)), s.add(s.add(s.mul(a, c), s.mul(b, d)), s.add(s.mul(a, d), s.mul(b, c)))));
  EXPECT_TRUE(same(s.mul(s.sub(a, b), s.add(a, b)), s.sub(s.mul(a, a), s.mul(b, b))));
  EXPECT_TRUE(same(s.mul(s.bit_not(a), b), s.sub(s.neg(s.mul(a, b)), b)));
  EXPECT_TRUE(same(s.urem(a, b), s.sub(a, s.mul(b, s.udiv(a, b)))));
  EXPECT_FALSE(same(s.mul(a, b), s.mul(a, c)));
  EXPECT_FALSE(same(s.mul(a, a), a));
  EXPECT_FALSE(same(s.mul(a, b), s.add(s.one(16), s.mul(a, b))));
}

TEST(Polynomial, OfWhatCancelsIsEmpty) {
  TermStore s;
  const Term a = s.variable(16, "a");
  const Term b = s.variable(16, "b");
  const Term t = s.sub(s.mul(a, s.add(b, s.one(16))), s.add(s.mul(a, b), a));
  const auto p = Polynomial::of(s, t, 50);
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->products.empty());
}

TEST(Polynomial, BeyondItsLimitIsNothing) {
  TermStore s;
  // (x0 + y0)(x1 + y1)... has 2^n products.
  Term t = s.one(32);
  for (std::size_t n = 1; n <= 5; ++n) {
    t = s.mul(t, s.add(s.variable(32, "x"), s.variable(32, "y")));
    const std::size_t products = std::size_t{1} << n;
    EXPECT_TRUE(Polynomial::of(s, t, products)) << n;
    EXPECT_FALSE(Polynomial::of(s, t, products - 1)) << n;
  }
}

TEST(Polynomial, BeyondItsLimitInBetweenIsNothing) {
  TermStore s;
  const Term a = s.variable(32, "a");
  const Term b = s.variable(32, "b");
  const Term square = s.mul(s.add(a, b), s.add(a, b));
  const Term two_ab = s.mul(s.constant(32, 2), s.mul(a, b));
  const Term a_squared = s.sub(s.sub(square, two_ab), s.mul(b, b));
  EXPECT_FALSE(Polynomial::of(s, a_squared, 2));
  const auto p = Polynomial::of(s, a_squared, 3);
  ASSERT_TRUE(p);
  EXPECT_EQ(*p, *Polynomial::of(s, s.mul(a, a), 3));
}

Term random_polynomial(TermStore& s, RandomBitVectors& random, std::span<const Term> leaves, unsigned depth) {
  if (depth == 0) return leaves[random.below(static_cast<std::uint32_t>(leaves.size()))];
  const Term a = random_polynomial(s, random, leaves, depth - 1);
  const Term b = random_polynomial(s, random, leaves, depth - 1);
  switch (random.below(6)) {
    case 0:
      return s.neg(a);
    case 1:
      return s.bit_not(a);
    case 2:
      return s.mul(s.constant(random.next(s.width(a))), a);
    case 3:
      return s.add(a, b);
    case 4:
      return s.urem(a, b);
    default:
      return s.mul(a, b);
  }
}

TEST(Polynomial, HasTheValueOfItsTerm) {
  RandomBitVectors random(23);
  std::size_t checked = 0;
  for (const std::uint32_t w : {1U, 2U, 3U, 8U, 64U, 65U}) {
    for (int run = 0; run < 200; ++run) {
      TermStore s;
      const std::array leaves{s.variable(w, "x"), s.variable(w, "y"), s.variable(w, "z")};
      const Term t = random_polynomial(s, random, leaves, 4);
      const auto p = Polynomial::of(s, t, 40);
      if (!p) continue;
      for (int values = 0; values < 10; ++values) {
        Assignment assignment;
        for (const Term v : leaves) assignment.emplace(v, random.next(w));
        Evaluator evaluator(s, assignment);
        BitVector sum(w, 0);
        for (const auto& [factors, coefficient] : p->products) {
          BitVector product = coefficient;
          EXPECT_FALSE(product.is_zero());
          for (const Term f : factors) product = product * evaluator.bits(f);
          sum = sum + product;
        }
        ASSERT_EQ(sum, evaluator.bits(t)) << "width " << w;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 5000U);
}

}  // namespace
}  // namespace plumb::term
