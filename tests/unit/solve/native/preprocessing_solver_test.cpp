#include "solve/native/preprocessing_solver.h"

#include <gtest/gtest.h>

#include "solve/native/blast_solver.h"
#include "term/smtlib_printer.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Term;

class Preprocessing : public ::testing::Test {
 protected:
  PreprocessingSolver solver_on(term::TermStore& s) {
    return {s, [this, &s] {
              ++inner_solvers;
              return std::make_unique<BlastSolver>(s, SolverOptions{.one_shot = true});
            }};
  }
  double eliminated() { return solver.statistics().front().second; }

  int inner_solvers = 0;
  term::TermStore store;
  PreprocessingSolver solver = solver_on(store);
  Term x = store.variable(16, "x");
  Term y = store.variable(16, "y");
  Term z = store.variable(16, "z");
};

TEST_F(Preprocessing, AContradictionFoundOnTheWayNeedsNoInnerSolver) {
  solver.assert_true(store.eq(x, store.add(y, store.constant(16, 1))));
  solver.assert_true(store.eq(y, store.constant(16, 4)));
  solver.assert_true(store.ult(store.mul(x, x), y));
  EXPECT_EQ(solver.check(Budget()).answer, Answer::Unsat);
  EXPECT_EQ(inner_solvers, 0);
  EXPECT_EQ(eliminated(), 2);
}

TEST_F(Preprocessing, EliminatedVariablesHaveValuesInTheModel) {
  solver.assert_true(store.eq(store.add(store.mul(x, store.constant(16, 3)), y), store.constant(16, 40)));
  solver.assert_true(store.eq(y, store.constant(16, 10)));
  ASSERT_EQ(solver.check(Budget()).answer, Answer::Sat);
  EXPECT_EQ(std::get<BitVector>(solver.model().at(x)), BitVector(16, 10));
}

TEST_F(Preprocessing, WithAssumptionsNothingIsEliminatedAndTheFailedOnesAreTold) {
  solver.assert_true(store.eq(x, store.constant(16, 3)));
  const Term unrelated = store.ult(y, z);
  const Term wrong = store.ult(x, store.constant(16, 2));
  const std::vector<Term> assumptions = {unrelated, wrong};
  EXPECT_EQ(solver.check(assumptions, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(solver.failed_assumptions(), std::vector<Term>{wrong});
  EXPECT_EQ(eliminated(), 0);
}

TEST_F(Preprocessing, EachCheckSeesTheAssertionsOfItsScopesOnly) {
  solver.assert_true(store.ult(x, store.constant(16, 10)));
  solver.push();
  solver.assert_true(store.eq(x, store.constant(16, 10)));
  EXPECT_EQ(solver.check(Budget()).answer, Answer::Unsat);
  solver.pop();
  EXPECT_EQ(solver.check(Budget()).answer, Answer::Sat);
  solver.assert_true(store.ult(store.constant(16, 8), x));
  ASSERT_EQ(solver.check(Budget()).answer, Answer::Sat);
  EXPECT_EQ(std::get<BitVector>(solver.model().at(x)), BitVector(16, 9));
}

TEST_F(Preprocessing, ATermThatSimplifiesToAVariableWithOtherUsesIsNoReasonForSat) {
  const Term q = store.variable(16, "q");
  const Term never = store.bit_and(store.ult(x, y), store.eq(y, store.zero(16)));
  solver.assert_true(store.ult(store.ite(never, z, q), store.constant(16, 3)));
  solver.assert_true(store.ult(store.constant(16, 5), q));
  EXPECT_EQ(solver.check(Budget()).answer, Answer::Unsat);
}

TEST_F(Preprocessing, RandomProblemsAgreeWithEnumeration) {
  int satisfiable = 0;
  constexpr int kProblems = 2500;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    term::TermStore local;
    PreprocessingSolver preprocessing = solver_on(local);
    const bool arrays = seed % 10 == 0;
    RandomTerms terms(local, seed, arrays ? kArraySorts : kBitVectorSorts);
    const std::size_t count = 1 + terms.below(6);
    for (const Term t : terms.constraints(count, 3)) preprocessing.assert_true(t);
    const bool expected = is_satisfiable(local, preprocessing.assertions());
    ASSERT_EQ(preprocessing.check(Budget()).answer, expected ? Answer::Sat : Answer::Unsat)
        << term::to_smtlib_script(local, preprocessing.assertions());
    satisfiable += expected;
  }
  EXPECT_GT(satisfiable, kProblems / 5);
  EXPECT_LT(satisfiable, kProblems - kProblems / 5);
}

}  // namespace
}  // namespace plumb::solve
