#include "solve/portfolio_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace plumb::solve {
namespace {

using namespace std::chrono_literals;
using term::Term;

TEST(PortfolioSolver, AnEasyQueryIsAnsweredByTheNativeSolverAlone) {
  term::TermStore store;
  PortfolioSolver solver(store, {});
  const Term x = store.variable(8, "x");
  solver.assert_true(store.eq(store.add(x, x), store.constant(8, 6)));
  EXPECT_TRUE(solver.last_engine().empty());
  ASSERT_EQ(solver.check(Budget().with_timeout(20s)).answer, Answer::Sat);
  EXPECT_EQ(solver.last_engine(), "native");
  const auto statistics = solver.statistics();
  const auto races = std::ranges::find(statistics, "races", &std::pair<std::string, double>::first);
  ASSERT_NE(races, statistics.end());
  EXPECT_EQ(races->second, 0);
}

TEST(PortfolioSolver, AOneShotRaceNamesItsWinnerAndEndsAtOnce) {
  term::TermStore store;
  PortfolioSolver solver(store, SolverOptions{.one_shot = true});
  const Term x = store.variable(32, "x");
  const Term m = store.variable(term::Sort{32, 32}, "m");
  solver.assert_true(store.eq(store.select(m, store.mul(x, x)), store.add(x, store.constant(32, 9))));
  solver.assert_true(store.ult(store.constant(32, 1000), x));
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(solver.check(Budget().with_timeout(20s)).answer, Answer::Sat);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  const std::string_view engines[] = {"native", "z3", "cvc5"};
  EXPECT_NE(std::ranges::find(engines, solver.last_engine()), std::end(engines));
}

TEST(PortfolioSolver, NoEngineIsNamedAfterUnknown) {
  term::TermStore store;
  PortfolioSolver solver(store, {});
  const Term p = store.zero_extend(store.variable(31, "p"), 64);
  const Term q = store.zero_extend(store.variable(31, "q"), 64);
  solver.assert_true(store.eq(store.mul(p, q), store.constant(64, 1111111111111111111)));
  solver.assert_true(store.ult(store.one(64), p));
  solver.assert_true(store.ult(p, q));
  EXPECT_EQ(solver.check(Budget().with_timeout(0.6s)).answer, Answer::Unknown);
  EXPECT_TRUE(solver.last_engine().empty());
}

}  // namespace
}  // namespace plumb::solve
