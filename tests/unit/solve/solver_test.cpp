#include "solve/solver.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>

#include "base/error.h"
#include "solve/versions.h"
#include "term/evaluator.h"

namespace plumb::solve {
namespace {

using term::Term;

/// Answers what it is told to.
class FakeSolver : public Solver {
 public:
  using Solver::Solver;
  std::string_view name() const override { return "fake"; }

  std::function<Result(term::Assignment& model, std::vector<Term>& failed)> answer;
  std::vector<std::size_t> pops;
  std::size_t permanent_assertions() const { return permanent(); }

 protected:
  Result decide(std::span<const Term>, const Budget&) override { return answer(model_, failed_); }
  void popped(std::size_t kept) override { pops.push_back(kept); }
};

class SolverBase : public ::testing::Test {
 protected:
  term::TermStore store;
  FakeSolver solver{store};
  Term x = store.variable(8, "x");
  Term is_three = store.eq(x, store.constant(8, 3));

  void answer_with(std::uint64_t value) {
    solver.answer = [this, value](term::Assignment& model, std::vector<Term>&) {
      model.emplace(x, BitVector(8, value));
      return Result::sat();
    };
  }
};

TEST_F(SolverBase, AModelThatViolatesAnAssertionIsAnInternalError) {
  solver.assert_true(is_three);
  answer_with(3);
  EXPECT_EQ(solver.check({}).answer, Answer::Sat);
  answer_with(4);
  EXPECT_THROW(solver.check({}), InternalError);
}

TEST_F(SolverBase, AModelThatViolatesAnAssumptionIsAnInternalError) {
  answer_with(4);
  EXPECT_EQ(solver.check({}).answer, Answer::Sat);
  EXPECT_THROW(solver.check(std::vector{is_three}, {}), InternalError);
}

TEST_F(SolverBase, AMissingValueCountsAsZero) {
  solver.answer = [](term::Assignment&, std::vector<Term>&) { return Result::sat(); };
  solver.assert_true(store.eq(x, store.zero(8)));
  EXPECT_EQ(solver.check({}).answer, Answer::Sat);
  solver.assert_true(is_three);
  EXPECT_THROW(solver.check({}), InternalError);
}

TEST_F(SolverBase, AValueOfTheWrongSortIsAnInternalError) {
  solver.answer = [this](term::Assignment& model, std::vector<Term>&) {
    model.emplace(x, BitVector(9, 3));
    return Result::sat();
  };
  EXPECT_THROW(solver.check({}), InternalError);
}

TEST_F(SolverBase, FailedAssumptionsThatWereNotAssumedAreAnInternalError) {
  solver.answer = [this](term::Assignment&, std::vector<Term>& failed) {
    failed = {is_three};
    return Result::unsat();
  };
  EXPECT_THROW(solver.check({}), InternalError);
  EXPECT_EQ(solver.check(std::vector{is_three}, {}).answer, Answer::Unsat);
}

TEST_F(SolverBase, OutOfBudgetAndBadAllocBecomeUnknownWithAReason) {
  solver.answer = [](term::Assignment&, std::vector<Term>&) -> Result { throw OutOfBudget{Stop::Cancelled}; };
  EXPECT_EQ(solver.check({}).reason, "cancelled");
  solver.answer = [this](term::Assignment& model, std::vector<Term>&) -> Result {
    model.emplace(x, BitVector(8, 1));
    throw std::bad_alloc();
  };
  const Result result = solver.check({});
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "out of memory");
  EXPECT_TRUE(solver.model().empty());
}

TEST_F(SolverBase, ABudgetThatHasEndedIsNotSpentOnTheBackend) {
  solver.answer = [](term::Assignment&, std::vector<Term>&) -> Result {
    ADD_FAILURE() << "the backend was asked";
    return Result::unsat();
  };
  const Budget budget;
  budget.cancel();
  EXPECT_EQ(solver.check(budget).reason, "cancelled");
}

TEST_F(SolverBase, TheStackKeepsWhatWasAssertedBeforeItsScopes) {
  solver.assert_true(is_three);
  solver.push();
  solver.assert_true(store.boolean(true));
  solver.push();
  solver.assert_true(store.boolean(false));
  EXPECT_EQ(solver.permanent_assertions(), 1U);
  solver.pop(2);
  EXPECT_EQ(solver.assertions().size(), 1U);
  EXPECT_EQ(solver.scopes(), 0U);
  EXPECT_EQ(solver.pops, std::vector<std::size_t>{1});
  EXPECT_THROW(solver.pop(), InternalError);
  EXPECT_THROW(solver.assert_true(x), InternalError);
}

TEST_F(SolverBase, CheckingAModelIsLinearInTheSharedStructure) {
  // 2^200 paths, 200 terms.
  Term t = x;
  for (int i = 0; i < 200; ++i) t = store.add(store.mul(t, t), store.bit_xor(t, store.one(8)));
  term::Assignment model = {{x, BitVector(8, 5)}};
  solver.assert_true(store.eq(t, store.constant(term::Evaluator(store, model).bits(t))));
  answer_with(5);
  EXPECT_EQ(solver.check({}).answer, Answer::Sat);
}

TEST(MakeSolver, AnUnknownCommandIsAUserErrorThatNamesIt) {
  term::TermStore store;
  for (const std::string backend : {"no-such-solver --fast", "", " "}) {
    try {
      make_solver(store, backend);
      ADD_FAILURE() << backend;
    } catch (const UserError& e) {
      EXPECT_NE(e.message().find("'" + backend + "'"), std::string::npos);
      EXPECT_FALSE(e.hint().empty());
    }
  }
}

TEST(BackendVersions, NameTheLinkedLibraries) {
  const auto versions = backend_versions();
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0].first, "CaDiCaL");
  EXPECT_EQ(versions[1].first, "z3");
  for (const auto& [name, version] : versions) EXPECT_NE(version.find_first_of("123456789"), std::string::npos) << name;
}

}  // namespace
}  // namespace plumb::solve
