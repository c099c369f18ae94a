#include "solve/native/sat_solver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <vector>

namespace plumb::solve {
namespace {

using namespace std::chrono_literals;
using Clause = std::vector<int>;

/// With and without the preparations for a single check.
class SatSolvers : public ::testing::TestWithParam<bool> {
 protected:
  void add(const Clause& clause) { sat.add_clause(clause); }
  Answer solve(const Clause& assumptions = {}) { return sat.solve(assumptions, Budget()); }
  /// pigeons in one hole fewer each get a hole of their own; -`relaxation` switches this on.
  void add_pigeons(int pigeons, int relaxation) {
    const int holes = pigeons - 1;
    const auto in = [&](int pigeon, int hole) { return 1 + pigeon * holes + hole; };
    for (int p = 0; p < pigeons; ++p) {
      Clause somewhere = {relaxation};
      for (int h = 0; h < holes; ++h) somewhere.push_back(in(p, h));
      add(somewhere);
    }
    for (int h = 0; h < holes; ++h)
      for (int p = 0; p < pigeons; ++p)
        for (int other = 0; other < p; ++other) add({-in(p, h), -in(other, h)});
  }

  SatSolver sat{SolverOptions{.one_shot = GetParam()}};
};

TEST_P(SatSolvers, ValuesSatisfyTheClauses) {
  add({1, 2});
  add({-1, 2});
  add({-2, -3});
  ASSERT_EQ(solve(), Answer::Sat);
  EXPECT_TRUE(sat.value(2));
  EXPECT_FALSE(sat.value(-2));
  EXPECT_FALSE(sat.value(3));
  EXPECT_TRUE(sat.value(-3));
  EXPECT_EQ(sat.clauses(), 3U);
}

TEST_P(SatSolvers, AVariableBeyondAllClausesIsFalse) {
  add({1});
  ASSERT_EQ(solve(), Answer::Sat);
  EXPECT_FALSE(sat.value(7));
  EXPECT_TRUE(sat.value(-7));
}

TEST_P(SatSolvers, AVariableInNoClauseHasOneValue) {
  add({9});
  ASSERT_EQ(solve(), Answer::Sat);
  for (int v = 1; v <= 12; ++v) EXPECT_NE(sat.value(v), sat.value(-v)) << v;
}

TEST_P(SatSolvers, TheEmptyClauseIsUnsatisfiable) {
  add({});
  EXPECT_EQ(solve({3}), Answer::Unsat);
  EXPECT_FALSE(sat.failed(3));
}

TEST_P(SatSolvers, FailedNamesTheAssumptionsThatWereUsed) {
  add({-1, -2});
  add({3, 4});
  ASSERT_EQ(solve({4, 1, 3, 2}), Answer::Unsat);
  EXPECT_TRUE(sat.failed(1));
  EXPECT_TRUE(sat.failed(2));
  EXPECT_FALSE(sat.failed(3));
  EXPECT_FALSE(sat.failed(4));
  ASSERT_EQ(solve({1, 3}), Answer::Sat) << "assumptions hold for one call";
  EXPECT_TRUE(sat.value(1) && sat.value(3) && !sat.value(2));
}

TEST_P(SatSolvers, ContradictoryAssumptionsFail) {
  add({1, 2});
  ASSERT_EQ(solve({5, -5}), Answer::Unsat);
  EXPECT_TRUE(sat.failed(5));
  EXPECT_TRUE(sat.failed(-5));
  ASSERT_EQ(solve({5}), Answer::Sat);
  EXPECT_TRUE(sat.value(5));
}

TEST_P(SatSolvers, ABudgetIsKeptAndTheSolverStaysUsable) {
  constexpr int kRelaxation = 1000;
  add_pigeons(11, kRelaxation);
  const auto start = std::chrono::steady_clock::now();
  const Clause all = {-kRelaxation};
  EXPECT_EQ(sat.solve(all, Budget().with_timeout(0.2s)), Answer::Unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
  ASSERT_EQ(solve({kRelaxation, 1}), Answer::Sat);
  EXPECT_TRUE(sat.value(1));
  add({-1});
  EXPECT_EQ(solve({kRelaxation, 1}), Answer::Unsat);
  EXPECT_TRUE(sat.failed(1));
}

TEST_P(SatSolvers, RandomFormulasAgreeWithEnumeration) {
  std::mt19937 random(3);
  constexpr int kVariables = 8;
  const auto literal = [&] {
    const int v = 1 + static_cast<int>(random() % kVariables);
    return random() % 2 == 0 ? v : -v;
  };
  for (int round = 0; round < 200; ++round) {
    SatSolver solver(SolverOptions{.one_shot = GetParam()});
    std::vector<Clause> clauses;
    for (int step = 0; step < 4; ++step) {
      for (int i = 0; i < 9; ++i) {
        clauses.push_back({literal(), literal(), literal()});
        solver.add_clause(clauses.back());
      }
      const Clause assumptions = {literal(), literal()};
      const auto holds = [](unsigned code, int l) { return (((code >> std::abs(l)) & 1U) != 0) == (l > 0); };
      const auto is_model = [&](unsigned code, const Clause& assumed) {
        return std::ranges::all_of(assumed, [&](int l) { return holds(code, l); }) &&
               std::ranges::all_of(clauses, [&](const Clause& clause) {
                 return std::ranges::any_of(clause, [&](int l) { return holds(code, l); });
               });
      };
      const auto has_model = [&](const Clause& assumed) {
        for (unsigned code = 0; code < (2U << kVariables); code += 2)
          if (is_model(code, assumed)) return true;
        return false;
      };
      const Answer answer = solver.solve(assumptions, Budget());
      ASSERT_EQ(answer, has_model(assumptions) ? Answer::Sat : Answer::Unsat);
      if (answer == Answer::Sat) {
        unsigned code = 0;
        for (int v = 1; v <= kVariables; ++v) code |= static_cast<unsigned>(solver.value(v)) << v;
        ASSERT_TRUE(is_model(code, assumptions));
      } else {
        Clause failed;
        for (const int l : assumptions)
          if (solver.failed(l)) failed.push_back(l);
        ASSERT_FALSE(has_model(failed));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SatSolvers, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OneShot" : "Incremental"; });

}  // namespace
}  // namespace plumb::solve
