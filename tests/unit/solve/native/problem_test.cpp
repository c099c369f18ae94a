#include "solve/native/problem.h"

#include <gtest/gtest.h>

#include "pass_check.h"

namespace plumb::solve {
namespace {

using term::Assignment;
using term::Term;

class ProblemPasses : public ::testing::Test {
 protected:
  std::vector<Term> flattened(std::vector<Term> assertions) {
    Problem problem(store);
    problem.assertions = std::move(assertions);
    const std::vector<Term> before = problem.assertions;
    const bool changed = flatten(problem);
    EXPECT_EQ(changed, problem.assertions != before);
    EXPECT_FALSE(flatten(problem)) << "a second time there is nothing left to do";
    return problem.assertions;
  }

  term::TermStore store;
  Term p = store.variable(1, "p");
  Term q = store.variable(1, "q");
  Term r = store.variable(1, "r");
  Term x = store.variable(4, "x");
  Term y = store.variable(4, "y");
};

bool propagate(Problem& problem) { return propagate_facts(problem, Budget()); }

TEST_F(ProblemPasses, FlattenSplitsNestedConjunctions) {
  std::vector<Term> parts = flattened({store.bit_and(store.bit_and(p, q), store.bit_and(r, store.ult(x, y)))});
  std::ranges::sort(parts);
  EXPECT_EQ(parts, (std::vector<Term>{p, q, r, store.ult(x, y)}));
}

TEST_F(ProblemPasses, FlattenKeepsEachAssertionOnceAndDropsWhatIsTrue) {
  EXPECT_EQ(flattened({q, store.boolean(true), p, q, store.bit_and(p, q)}), (std::vector<Term>{q, p}));
  EXPECT_TRUE(flattened({store.boolean(true)}).empty());
}

TEST_F(ProblemPasses, FlattenFindsAContradictionWhereverItStands) {
  const std::vector<Term> no = {store.boolean(false)};
  EXPECT_EQ(flattened({p, store.boolean(false)}), no);
  EXPECT_EQ(flattened({p, q, store.bit_not(p)}), no);
  EXPECT_EQ(flattened({store.bit_not(p), q, p}), no);
  EXPECT_EQ(flattened({store.bit_and(p, store.bit_and(q, r)), store.bit_not(r)}), no);
  EXPECT_NE(flattened({store.bit_not(store.bit_and(p, q)), p}), no);
}

TEST_F(ProblemPasses, IsFalseMeansTheSingleAssertionFalse) {
  Problem problem(store);
  EXPECT_FALSE(problem.is_false());
  problem.assertions = {store.boolean(false)};
  EXPECT_TRUE(problem.is_false());
  problem.assertions = {p};
  EXPECT_FALSE(problem.is_false());
}

TEST_F(ProblemPasses, AFactIsReplacedInsideOtherAssertionsAndStaysItself) {
  const Term fact = store.ult(x, y);
  const Term other = store.eq(store.ite(fact, x, y), store.constant(4, 3));
  Problem problem(store);
  problem.assertions = {fact, other};
  EXPECT_TRUE(propagate(problem));
  EXPECT_EQ(problem.assertions, (std::vector<Term>{fact, store.eq(x, store.constant(4, 3))}));
  EXPECT_FALSE(propagate(problem));
}

TEST_F(ProblemPasses, ARefutedFactIsReplacedByFalse) {
  const Term fact = store.ult(x, y);
  Problem problem(store);
  problem.assertions = {store.bit_or(fact, store.eq(x, y)), store.bit_not(fact)};
  EXPECT_TRUE(propagate(problem));
  EXPECT_EQ(problem.assertions, (std::vector<Term>{store.eq(x, y), store.bit_not(fact)}));
}

TEST_F(ProblemPasses, TwoFactsThatContainEachOtherDoNotBothVanish) {
  // p and p -> q: whichever is simplified, q must follow.
  expect_sound(store, {p, store.bit_or(store.bit_not(p), q)}, propagate);
  expect_sound(store, {store.bit_xor(p, q), store.bit_xor(store.bit_xor(p, q), r)}, propagate);
  const Term outer = store.ite(p, store.ult(x, y), store.ult(y, x));
  expect_sound(store, {outer, p, store.bit_or(store.bit_not(outer), store.eq(x, store.one(4)))}, propagate);
}

TEST_F(ProblemPasses, PropagationEndsWithTheBudget) {
  Problem problem(store);
  problem.assertions = {p};
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(propagate_facts(problem, budget), OutOfBudget);
}

TEST_F(ProblemPasses, CompleteFollowsDefinitionsThroughLaterOnes) {
  const Term z = store.variable(4, "z");
  Problem problem(store);
  problem.definitions = {{x, store.add(y, store.one(4))}, {y, store.mul(z, store.constant(4, 3))}};
  Assignment model = {{z, BitVector(4, 2)}};
  problem.complete(model);
  EXPECT_EQ(std::get<BitVector>(model.at(y)), BitVector(4, 6));
  EXPECT_EQ(std::get<BitVector>(model.at(x)), BitVector(4, 7));
}

TEST_F(ProblemPasses, CompleteReplacesValuesThatTheModelHadForEliminatedVariables) {
  Problem problem(store);
  problem.definitions = {{x, y}};
  Assignment model = {{x, BitVector(4, 9)}, {y, BitVector(4, 2)}};
  problem.complete(model);
  EXPECT_EQ(std::get<BitVector>(model.at(x)), BitVector(4, 2));
}

TEST_F(ProblemPasses, CompleteGivesArraysToArrayVariables) {
  const Term a = store.variable(term::Sort{4, 4}, "a");
  Problem problem(store);
  problem.definitions = {{a, store.store(store.constant_array(4, y), x, store.one(4))}};
  Assignment model = {{x, BitVector(4, 3)}, {y, BitVector(4, 5)}};
  problem.complete(model);
  const auto& value = std::get<term::ArrayValue>(model.at(a));
  EXPECT_EQ(value.at(BitVector(4, 3)), BitVector(4, 1));
  EXPECT_EQ(value.at(BitVector(4, 2)), BitVector(4, 5));
}

TEST_F(ProblemPasses, AHundredThousandDefinitionsNeedNoStack) {
  Problem problem(store);
  constexpr int kCount = 100'000;
  std::vector<Term> chain;
  for (int i = 0; i <= kCount; ++i) chain.push_back(store.variable(32, "c"));
  for (std::size_t i = 0; i < kCount; ++i)
    problem.definitions.push_back({chain[i], store.add(chain[i + 1], store.one(32))});
  Assignment model = {{chain.back(), BitVector(32, 7)}};
  problem.complete(model);
  EXPECT_EQ(std::get<BitVector>(model.at(chain.front())), BitVector(32, kCount + 7));
}

TEST_F(ProblemPasses, FlattenIsSoundOnRandomProblems) {
  EXPECT_GT(expect_sound_on_random_problems(flatten, 1500, kBitVectorSorts, 100), 200);
  expect_sound_on_random_problems(flatten, 100, kArraySorts, 200);
}

TEST_F(ProblemPasses, PropagationIsSoundOnRandomProblems) {
  const Pass both = [](Problem& problem) {
    const bool flat = flatten(problem);
    return propagate(problem) || flat;
  };
  EXPECT_GT(expect_sound_on_random_problems(propagate, 3000, kBitVectorSorts, 300), 50);
  EXPECT_GT(expect_sound_on_random_problems(both, 1500, kBitVectorSorts, 400), 50);
  expect_sound_on_random_problems(both, 100, kArraySorts, 500);
}

}  // namespace
}  // namespace plumb::solve
