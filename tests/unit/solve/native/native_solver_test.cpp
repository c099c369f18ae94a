#include "solve/native/native_solver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "unit/effort.h"
#include "unit/solve/incremental_script.h"

namespace plumb::solve {
namespace {

using term::Term;
using namespace std::chrono_literals;

/// The whole stack for many queries, and that for a single one (which must answer many as well).
class NativeStack : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Solver> make(term::TermStore& store) {
    return make_solver(store, "native", {.one_shot = GetParam()});
  }

  ScriptCounts run_scripts(std::uint64_t count, int steps, std::span<const term::Sort> sorts) {
    ScriptCounts all;
    for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
      term::TermStore store;
      const auto solver = make(store);
      RandomTerms terms(store, seed, sorts);
      const ScriptCounts counts = run_random_script(*solver, terms, steps);
      all.satisfiable += counts.satisfiable;
      all.checks += counts.checks;
    }
    return all;
  }
};

TEST_P(NativeStack, RandomScriptsAgreeWithEnumeration) {
  const ScriptCounts all = run_scripts(test::effort(1000), 20, kBitVectorSorts);
  EXPECT_GT(all.satisfiable, all.checks / 5);
  EXPECT_LT(all.satisfiable, all.checks - all.checks / 5);
}

TEST_P(NativeStack, RandomScriptsWithArraysAgreeWithEnumeration) {
  const ScriptCounts all = run_scripts(200, 20, kArraySorts);
  EXPECT_GT(all.satisfiable, all.checks / 5);
  EXPECT_LT(all.satisfiable, all.checks - all.checks / 5);
}

TEST_P(NativeStack, TheSameQueriesGiveTheSameModelsCoresAndStatistics) {
  /// All that a run can tell apart.
  struct Record {
    std::vector<Answer> answers;
    std::vector<std::map<Term, std::string>> models;
    std::vector<std::vector<Term>> failed;
    std::vector<std::pair<std::string, double>> statistics;
    bool operator==(const Record&) const = default;
  };
  const std::vector<term::Sort> sorts = {{8, 0}, {8, 0}, {8, 0}, {16, 0}, {1, 0}, {8, 8}, {8, 8}};
  const auto run = [&] {
    Record record;
    term::TermStore store;
    const auto solver = make(store);
    RandomTerms terms(store, 42, sorts);
    for (int i = 0; i < 60; ++i) {
      solver->push();
      solver->assert_true(terms.constraint(3));
      const std::vector<Term> assumptions = terms.constraints(i % 3 == 0 ? 0 : 2, 3);
      record.answers.push_back(solver->check(assumptions, Budget()).answer);
      auto& model = record.models.emplace_back();
      for (const auto& [variable, value] : solver->model()) model.emplace(variable, term::to_smtlib(value));
      record.failed.push_back(solver->failed_assumptions());
      record.statistics = solver->statistics();
      if (record.answers.back() != Answer::Sat || i % 4 == 3) solver->pop();
    }
    return record;
  };
  const Record first = run();
  EXPECT_TRUE(first == run());
  EXPECT_GT(std::ranges::count(first.answers, Answer::Sat), 10);
  EXPECT_GT(std::ranges::count(first.answers, Answer::Unsat), 5);
}

TEST_P(NativeStack, ACancellationStopsAHardProductWithinASecond) {
  term::TermStore store;
  const auto solver = make(store);
  const Term p = store.zero_extend(store.variable(31, "p"), 64);
  const Term q = store.zero_extend(store.variable(31, "q"), 64);
  // A prime, so that no search ends by luck.
  const std::vector<Term> hard = {store.eq(store.mul(p, q), store.constant(64, 1111111111111111111)),
                                  store.ult(store.one(64), p), store.ult(p, q)};
  solver->push();
  for (const Term t : hard) solver->assert_true(t);
  const Budget budget;
  std::chrono::steady_clock::time_point cancelled;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(200ms);
    cancelled = std::chrono::steady_clock::now();
    budget.cancel();
  });
  const Result result = solver->check(budget);
  const auto end = std::chrono::steady_clock::now();
  canceller.join();
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "cancelled");
  EXPECT_LT(end - cancelled, 1s);
  solver->pop();
  solver->assert_true(store.ult(store.constant(64, 1'000'000), p));
  EXPECT_EQ(solver->check(Budget()).answer, Answer::Sat);
}

TEST_P(NativeStack, AMemoryLimitEndsAsUnknownAndLeavesTheSolverUsable) {
  term::TermStore store;
  const auto solver = make(store);
  const Term x = store.variable(8192, "x");
  const Term y = store.variable(8192, "y");
  solver->push();
  solver->assert_true(store.eq(store.mul(x, y), store.bit_xor(x, store.lshr(y, x))));
  const Budget budget = Budget().with_memory_limit(resident_memory() + (32U << 20)).with_timeout(20s);
  const Result result = solver->check(budget);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "out of memory");
  solver->pop();
  solver->assert_true(store.ult(x, store.constant(8192, 7)));
  EXPECT_EQ(solver->check(Budget()).answer, Answer::Sat);
}

INSTANTIATE_TEST_SUITE_P(All, NativeStack, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OneShot" : "ManyQueries"; });

}  // namespace
}  // namespace plumb::solve
