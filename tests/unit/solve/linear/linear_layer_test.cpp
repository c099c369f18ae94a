#include "solve/linear/linear_layer.h"

#include <gtest/gtest.h>

#include <map>

#include "solve/native/blast_solver.h"
#include "unit/solve/incremental_script.h"

namespace plumb::solve {
namespace {

using term::Term;

class LinearLayers : public ::testing::Test {
 protected:
  std::map<std::string, double> statistics(const Solver& of) {
    const auto all = of.statistics();
    return {all.begin(), all.end()};
  }
  /// Each of some numbers is below the mean of the others: hard for a SAT solver from eight bytes on.
  std::vector<Term> all_below_average(unsigned count) {
    std::vector<Term> numbers;
    for (unsigned i = 0; i < count; ++i) numbers.push_back(store.zero_extend(store.variable(8, "n"), 32));
    std::vector<Term> result;
    for (unsigned i = 0; i < count; ++i) {
      Term others = store.zero(32);
      for (unsigned j = 0; j < count; ++j)
        if (j != i) others = store.add(others, numbers[j]);
      result.push_back(store.slt(store.mul(store.constant(32, count - 1), numbers[i]), others));
    }
    return result;
  }

  term::TermStore store;
  LinearLayer layer{std::make_unique<BlastSolver>(store, SolverOptions{})};
  Term x = store.variable(32, "x");
  Term y = store.variable(32, "y");
  Term z = store.variable(32, "z");
};

TEST_F(LinearLayers, WhatIsHardForBitsAndLinearIsRefutedWithoutSearch) {
  const std::vector<Term> hard = all_below_average(12);
  EXPECT_EQ(layer.check(hard, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), hard);
  EXPECT_EQ(statistics(layer).at("sat-calls"), 0);
  EXPECT_EQ(statistics(layer).at("refuted-by-linear-arithmetic"), 1);
}

TEST_F(LinearLayers, BothNativeStacksProfit) {
  for (const bool one_shot : {false, true}) {
    const auto solver = make_solver(store, "native", {.one_shot = one_shot});
    for (const Term t : all_below_average(12)) solver->assert_true(t);
    EXPECT_EQ(solver->check(Budget()).answer, Answer::Unsat);
    const auto counts = statistics(*solver);
    EXPECT_TRUE(!counts.contains("sat-calls") || counts.at("sat-calls") == 0);
  }
}

TEST_F(LinearLayers, AChainOfComparisonsIsSatisfiedWithoutSearch) {
  std::vector<Term> v;
  for (unsigned i = 0; i < 8; ++i) v.push_back(store.variable(32, "v"));
  std::vector<Term> chain;
  for (unsigned i = 0; i + 1 < v.size(); ++i) chain.push_back(store.slt(v[i], v[i + 1]));
  EXPECT_EQ(layer.check(chain, Budget()).answer, Answer::Sat);
  EXPECT_EQ(statistics(layer).at("sat-calls"), 0);
  EXPECT_EQ(statistics(layer).at("satisfied-by-linear-arithmetic"), 1);
}

TEST_F(LinearLayers, AGuessThatIsNoModelIsNotAnAnswer) {
  const std::vector<Term> constraints = {store.slt(x, y), store.distinct(store.bit_and(x, y), store.zero(32)),
                                         store.ult(store.constant(32, 7), store.mul(x, y))};
  ASSERT_EQ(layer.check(constraints, Budget()).answer, Answer::Sat);
  EXPECT_EQ(statistics(layer).at("sat-calls"), 1);
}

TEST_F(LinearLayers, FailedAssumptionsAreThoseOfTheContradiction) {
  layer.assert_true(store.slt(x, y));
  const Term closing = store.slt(z, x);
  const Term unrelated = store.slt(x, store.constant(32, 100));
  ASSERT_EQ(layer.check(std::vector<Term>{unrelated, closing, store.slt(y, z)}, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), (std::vector<Term>{closing, store.slt(y, z)}));
  ASSERT_EQ(layer.check(std::vector<Term>{unrelated, closing}, Budget()).answer, Answer::Sat);
  layer.assert_true(store.slt(y, x));
  ASSERT_EQ(layer.check(std::vector<Term>{unrelated}, Budget()).answer, Answer::Unsat);
  EXPECT_TRUE(layer.failed_assumptions().empty());
}

TEST_F(LinearLayers, ABudgetThatEndsIsUnknownAndTheNextQueryWorks) {
  using namespace std::chrono_literals;
  const Term p = store.variable(64, "p");
  const Term q = store.variable(64, "q");
  // A square of 128 bits that is not one: nothing linear about it.
  const Term product = store.mul(store.zero_extend(p, 128), store.zero_extend(q, 128));
  const std::vector<Term> hard = {
      store.eq(product, store.constant(*BitVector::parse(128, "D3C21BCECCEDA1B5C7A3F4D1E2B59687", 16))),
      store.ult(store.one(64), p), store.ult(p, q)};
  const Result result = layer.check(hard, Budget().with_timeout(200ms));
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "out of time");
  EXPECT_EQ(layer.check(std::vector<Term>{store.ult(p, q), store.ult(q, p)}, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(layer.check(std::vector<Term>{store.ult(p, q)}, Budget()).answer, Answer::Sat);
}

TEST_F(LinearLayers, RandomScriptsAgreeWithEnumeration) {
  ScriptCounts all;
  for (std::uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
    term::TermStore small;
    LinearLayer solver(std::make_unique<BlastSolver>(small, SolverOptions{}));
    RandomTerms terms(small, seed, kBitVectorSorts);
    const ScriptCounts counts = run_random_script(solver, terms, 30);
    all.satisfiable += counts.satisfiable;
    all.checks += counts.checks;
  }
  EXPECT_GT(all.satisfiable, all.checks / 5);
  EXPECT_LT(all.satisfiable, all.checks - all.checks / 5);
}

}  // namespace
}  // namespace plumb::solve
