#include "term/substitution.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "base/error.h"
#include "random_terms.h"

namespace plumb::term {
namespace {

TEST(Substitution, ReplacesAllAtOnce) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  Substitution exchange(s);
  EXPECT_TRUE(exchange.empty());
  exchange.add(x, y);
  exchange.add(y, x);
  EXPECT_FALSE(exchange.empty());
  EXPECT_EQ(exchange.apply(s.udiv(x, y)), s.udiv(y, x));
  EXPECT_EQ(exchange.apply(exchange.apply(s.sub(x, y))), s.sub(x, y));
}

TEST(Substitution, DoesNotReplaceInReplacements) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const Term z = s.variable(8, "z");
  Substitution substitution(s);
  substitution.add(x, s.mul(x, y));
  substitution.add(y, z);
  EXPECT_EQ(substitution.apply(x), s.mul(x, y));
  EXPECT_EQ(substitution.apply(s.udiv(x, y)), s.udiv(s.mul(x, y), z));
}

TEST(Substitution, ReplacesTermsThatAreNotLeaves) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const Term product = s.mul(x, y);
  Substitution substitution(s);
  substitution.add(product, x);
  substitution.add(x, y);
  EXPECT_EQ(substitution.apply(s.udiv(product, x)), s.udiv(x, y));
}

TEST(Substitution, ReplacesArrays) {
  TermStore s;
  const Term a = s.variable(Sort{8, 4}, "a");
  const Term i = s.variable(4, "i");
  const Term x = s.variable(8, "x");
  const Term read = s.select(s.store(a, i, x), s.variable(4, "j"));
  Substitution substitution(s);
  substitution.add(a, s.constant_array(4, s.constant(8, 3)));
  substitution.add(x, s.constant(8, 3));
  EXPECT_EQ(substitution.apply(read), s.constant(8, 3));
  EXPECT_EQ(substitution.apply(s.constant_array(4, x)), s.constant_array(4, s.constant(8, 3)));
}

TEST(Substitution, NeedsEqualSorts) {
  TermStore s;
  Substitution substitution(s);
  EXPECT_THROW(substitution.add(s.variable(8, "x"), s.variable(9, "y")), InternalError);
  EXPECT_THROW(substitution.add(s.variable(8, "x"), s.variable(Sort{8, 2}, "a")), InternalError);
}

TEST(Substitution, SeesWhatIsAddedAfterAnApplication) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const Term t = s.udiv(x, y);
  Substitution substitution(s);
  EXPECT_EQ(substitution.apply(t), t);
  substitution.add(x, s.constant(8, 12));
  EXPECT_EQ(substitution.apply(t), s.udiv(s.constant(8, 12), y));
  substitution.add(y, s.constant(8, 4));
  EXPECT_EQ(substitution.apply(t), s.constant(8, 3));
  substitution.add(y, s.constant(8, 6));
  EXPECT_EQ(substitution.apply(t), s.constant(8, 2));
}

TEST(Substitution, KeepsResultsBetweenCalls) {
  TermStore s;
  const Term x = s.variable(8, "x");
  Term t = x;
  for (int i = 0; i < 100000; ++i) t = s.mul(t, s.variable(8, "y"));
  Substitution substitution(s);
  substitution.add(x, s.variable(8, "z"));
  const auto start = std::chrono::steady_clock::now();
  const Term first = substitution.apply(t);
  const auto once = std::chrono::steady_clock::now() - start;
  // Ten thousand traversals would take ten thousand times as long; fifty leaves room for a busy machine.
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(substitution.apply(t), first);
  EXPECT_LT(std::chrono::steady_clock::now() - start - once, 50 * once);
}

TEST(Substitution, CommutesWithEvaluation) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TermStore s;
    const std::array<Term, 4> variables = {s.variable(8, "x"), s.variable(8, "y"), s.variable(8, "z"),
                                           s.variable(1, "p")};
    RandomTerms terms(s, seed, 20);
    for (const Term v : variables) terms.add_variable(v);
    for (int i = 0; i < 150; ++i) terms.add_random(terms.below(terms.size()));
    Substitution substitution(s);
    substitution.add(variables[0], s.mul(variables[1], variables[0]));
    substitution.add(variables[1], s.constant(8, 77));
    substitution.add(variables[3], s.ult(variables[0], variables[2]));
    for (std::uint64_t v = 0; v < 60; ++v) {
      const BitVector x(8, v * 89 + seed);
      const BitVector y(8, v * 151);
      const BitVector z(8, v * 23);
      const Assignment before{{variables[0], x}, {variables[1], y}, {variables[2], z}};
      const Assignment after{{variables[0], y * x},
                             {variables[1], BitVector(8, 77)},
                             {variables[2], z},
                             {variables[3], BitVector(1, x.ult(z) ? 1 : 0)}};
      const std::vector<BitVector> expected = terms.values(after);
      Evaluator evaluator(s, before);
      for (std::size_t i = 0; i < terms.size(); ++i)
        ASSERT_EQ(evaluator.bits(substitution.apply(terms.term(i))), expected[i]);
    }
  }
}

}  // namespace
}  // namespace plumb::term
