#include <gtest/gtest.h>

#include "pass_check.h"
#include "solve/native/problem.h"

namespace plumb::solve {
namespace {

using term::Sort;
using term::Term;

bool solve(Problem& problem) { return solve_equations(problem, Budget()); }

class SolveEquations : public ::testing::Test {
 protected:
  /// The problem after the pass, which must be sound on it.
  Problem solved(const std::vector<Term>& assertions) {
    expect_sound(store, assertions, solve);
    Problem problem(store);
    problem.assertions = assertions;
    solve(problem);
    return problem;
  }
  /// The pass eliminates `variable`, and the assertions become true.
  void expect_solved(const std::vector<Term>& assertions, const std::vector<Term>& variables) {
    const Problem problem = solved(assertions);
    for (const Term t : problem.assertions) EXPECT_TRUE(store.is_true(t));
    std::vector<Term> eliminated;
    for (const auto& d : problem.definitions) eliminated.push_back(d.variable);
    std::ranges::sort(eliminated);
    EXPECT_EQ(eliminated, variables);
  }
  Term constant(std::uint64_t value) { return store.constant(3, value); }

  term::TermStore store;
  Term x = store.variable(3, "x");
  Term y = store.variable(3, "y");
  Term z = store.variable(3, "z");
  Term p = store.variable(1, "p");
  Term q = store.variable(1, "q");
};

TEST_F(SolveEquations, AVariableEqualToATermIsSubstituted) {
  expect_solved({store.eq(x, store.mul(y, z))}, {x});
  expect_solved({store.eq(store.mul(x, y), z)}, {z});
  expect_solved({store.eq(x, constant(5))}, {x});
  expect_solved({store.eq(x, y)}, {y});
}

TEST_F(SolveEquations, ChainsOfDefinitionsAreResolvedInOneSweep) {
  expect_solved({store.eq(x, store.mul(y, y)), store.eq(y, store.udiv(z, constant(3))), store.eq(z, constant(6))},
                {x, y, z});
  expect_solved({store.eq(z, constant(6)), store.eq(y, store.udiv(z, constant(3))), store.eq(x, store.mul(y, y))},
                {x, y, z});
  expect_solved({store.eq(y, store.udiv(z, constant(3))), store.eq(x, store.mul(y, y)), store.eq(z, constant(6))},
                {x, y, z});
}

TEST_F(SolveEquations, AContradictionAmongDefinitionsBecomesFalse) {
  const Problem problem = solved({store.eq(x, constant(1)), store.eq(store.mul(x, x), constant(2))});
  EXPECT_TRUE(std::ranges::any_of(problem.assertions, [&](Term t) { return store.is_false(t); }));
}

TEST_F(SolveEquations, CyclicDefinitionsKeepOneVariableOfTheCycle) {
  const Problem two = solved({store.eq(x, store.mul(y, y)), store.eq(y, store.mul(x, constant(2)))});
  EXPECT_EQ(two.definitions.size(), 1U);
  const Problem three =
      solved({store.eq(x, store.mul(y, z)), store.eq(y, store.udiv(z, x)), store.eq(z, store.lshr(x, y))});
  EXPECT_LT(three.definitions.size(), 3U);
  EXPECT_GT(three.definitions.size(), 0U);
}

TEST_F(SolveEquations, ACycleDoesNotSpoilDefinitionsBesideIt) {
  const Problem problem =
      solved({store.eq(x, store.mul(y, y)), store.eq(y, store.mul(x, constant(2))), store.eq(z, store.udiv(x, y))});
  EXPECT_TRUE(std::ranges::any_of(problem.definitions, [&](const auto& d) { return d.variable == z; }));
}

TEST_F(SolveEquations, AVariableThatOccursInItsOwnDefinitionIsKept) {
  for (const Term t : {store.mul(x, x), store.udiv(x, y), store.ite(p, x, y), store.bit_and(x, y)}) {
    const Problem problem = solved({store.eq(x, t)});
    EXPECT_TRUE(std::ranges::none_of(problem.definitions, [&](const auto& d) { return d.variable == x; }));
  }
}

TEST_F(SolveEquations, ASumIsSolvedForAVariableWithAnOddCoefficient) {
  for (const std::uint64_t odd : {1, 3, 5, 7}) {
    const Term product = store.udiv(y, z);
    expect_solved({store.eq(store.add(store.mul(constant(odd), x), product), store.lshr(z, y))}, {x});
  }
  expect_solved({store.eq(store.sub(store.udiv(y, z), x), constant(4))}, {x});
  expect_solved({store.eq(store.bit_not(x), store.udiv(y, z))}, {x});
}

TEST_F(SolveEquations, ASumWithEvenCoefficientsOnlyIsKept) {
  for (const std::uint64_t even : {2, 4, 6}) {
    const Problem problem = solved({store.eq(store.add(store.mul(constant(even), x), store.udiv(y, z)), constant(1))});
    EXPECT_TRUE(problem.definitions.empty());
  }
}

TEST_F(SolveEquations, ASumIsNotSolvedForAVariableThatIsAlsoInsideAnotherSummand) {
  const Problem problem = solved({store.eq(store.add(x, store.udiv(x, y)), constant(1))});
  EXPECT_TRUE(problem.definitions.empty());
  // z is looked at before x, and does not stand alone.
  expect_solved({store.eq(store.add(store.add(z, store.udiv(z, y)), x), constant(1))}, {x});
}

TEST_F(SolveEquations, AnExclusiveOrIsSolved) {
  expect_solved({store.eq(store.bit_xor(x, store.udiv(y, z)), store.lshr(y, z))}, {x});
  expect_solved({store.eq(store.bit_xor(x, store.mul(y, z)), constant(5))}, {x});
}

TEST_F(SolveEquations, BooleansAndTheirEquivalencesAreSolved) {
  expect_solved({p}, {p});
  expect_solved({store.bit_not(p)}, {p});
  expect_solved({store.eq(p, store.ult(x, y))}, {p});
  expect_solved({store.bit_not(store.eq(p, store.ult(x, y)))}, {p});
  expect_solved({store.eq(p, q)}, {q});
  expect_solved({store.distinct(q, store.slt(x, y)), store.eq(p, q)}, {p, q});
  const Problem problem = solved({p, store.bit_not(p)});
  EXPECT_TRUE(std::ranges::any_of(problem.assertions, [&](Term t) { return store.is_false(t); }));
}

TEST_F(SolveEquations, ArraysAreSubstitutedLikeValues) {
  const Sort sort{1, 2};
  const Term a = store.variable(sort, "a");
  const Term b = store.variable(sort, "b");
  const Term i = store.variable(2, "i");
  const Term written = store.store(a, i, p);
  expect_solved({store.eq(written, b)}, {b});
  const Term read = store.select(b, i);
  const Term reads_p = store.bit_or(store.bit_and(read, p), store.bit_not(store.bit_or(read, p)));
  expect_solved({store.eq(b, written), reads_p}, {b});
  const Problem wrong = solved({store.eq(b, written), store.bit_not(reads_p)});
  EXPECT_TRUE(std::ranges::any_of(wrong.assertions, [&](Term t) { return store.is_false(t); }));
  EXPECT_TRUE(solved({store.eq(a, written)}).definitions.empty());
  const Problem cycle = solved({store.eq(a, store.store(b, i, p)), store.eq(b, store.store(a, i, q))});
  EXPECT_LE(cycle.definitions.size(), 1U);
}

TEST_F(SolveEquations, ALongChainNeedsNoStackAndIsSolvedAtOnce) {
  Problem problem(store);
  std::vector<Term> chain;
  constexpr std::size_t kCount = 50'000;
  for (std::size_t i = 0; i <= kCount; ++i) chain.push_back(store.variable(32, "c"));
  for (std::size_t i = 0; i < kCount; ++i)
    problem.assertions.push_back(store.eq(chain[i], store.udiv(chain[i + 1], chain[i + 1])));
  EXPECT_TRUE(solve(problem));
  EXPECT_EQ(problem.definitions.size(), kCount);
  for (const Term t : problem.assertions) ASSERT_TRUE(store.is_true(t));
}

TEST_F(SolveEquations, EndsWithTheBudget) {
  Problem problem(store);
  Term t = y;
  for (int i = 0; i < 20'000; ++i) t = store.udiv(t, store.bit_xor(t, z));
  problem.assertions = {store.eq(x, constant(1)), store.ult(t, z)};
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(solve_equations(problem, budget), OutOfBudget);
}

TEST_F(SolveEquations, IsSoundOnRandomProblems) {
  EXPECT_GT(expect_sound_on_random_problems(solve, 4000, kBitVectorSorts, 1000), 1000);
  EXPECT_GT(expect_sound_on_random_problems(solve, 300, kArraySorts, 2000), 50);
}

TEST_F(SolveEquations, IsSoundOnRandomSystemsOfEquations) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    term::TermStore local;
    RandomTerms terms(local, seed, kBitVectorSorts);
    std::vector<Term> equations;
    for (int i = 0; i < 5; ++i) equations.push_back(terms.equation(1 + static_cast<unsigned>(terms.below(2))));
    changed += expect_sound(local, equations, solve);
  }
  EXPECT_GT(changed, 2500);
}

}  // namespace
}  // namespace plumb::solve
