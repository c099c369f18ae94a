#include "solve/external/process_solver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/error.h"
#include "base/file.h"

namespace plumb::solve {

/// Where the test framework looks for it.
inline void PrintTo(ProcessMode mode, std::ostream* out) {
  *out << (mode == ProcessMode::Interactive ? "Interactive" : "OneProcessPerCheck");
}

namespace {

using namespace std::chrono_literals;
using term::Term;

/// Programs that are no solvers, in both modes.
class FakeProcess : public ::testing::TestWithParam<ProcessMode> {
 protected:
  /// A solver whose process is this shell script.
  std::unique_ptr<Solver> fake(const std::string& script) {
    const auto path = directory.path() / fmt::format("fake{}.sh", ++scripts);
    write_file(path, script);
    command = "sh " + path.string();
    auto solver = std::make_unique<ProcessSolver>(store, SolverCommand::of(command), GetParam());
    solver->assert_true(store.eq(x, store.constant(8, 3)));
    return solver;
  }
  void expect_unknown(Solver& solver, const std::string& reason) {
    const Result result = solver.check(Budget().with_timeout(20s));
    EXPECT_EQ(result.answer, Answer::Unknown);
    EXPECT_EQ(result.reason.rfind(command, 0), 0U) << result.reason;
    EXPECT_NE(result.reason.find(reason), std::string::npos) << result.reason;
  }

  TemporaryDirectory directory;
  int scripts = 0;
  std::string command;
  term::TermStore store;
  Term x = store.variable(8, "x");
};

TEST_P(FakeProcess, GarbageIsUnknownWithTheGarbageAsReason) {
  expect_unknown(*fake("echo 'Welcome to FooSAT'; cat > /dev/null"), "answered 'Welcome to FooSAT'");
  expect_unknown(*fake("echo '(error \"no such logic\")'; echo sat; cat > /dev/null"), "no such logic");
  expect_unknown(*fake("head -c 100000 /dev/urandom; cat > /dev/null"), "");
}

TEST_P(FakeProcess, ACrashIsUnknownWithItsSignalOrCode) {
  expect_unknown(*fake("read line; kill -SEGV $$"), "killed by signal 11");
  expect_unknown(*fake("cat > /dev/null & echo 'licence expired' >&2; exit 3"), "ended with code 3");
  expect_unknown(*fake("echo sat; exit 0"), "");
}

TEST_P(FakeProcess, ASleepingProcessIsStoppedWhenTheBudgetEnds) {
  const auto solver = fake("sleep 100");
  const auto start = std::chrono::steady_clock::now();
  const Result result = solver->check(Budget().with_timeout(0.2s));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, command + ": out of time");
}

TEST_P(FakeProcess, AnUnreadableModelIsUnknown) {
  expect_unknown(*fake("echo sat; echo '((v1 many))'; cat > /dev/null"), "answered '((v1 many))'");
}

TEST_P(FakeProcess, AWrongModelIsAnInternalError) {
  const auto solver = fake("echo sat; echo '((v1 #x04))'; cat > /dev/null");
  EXPECT_THROW(solver->check(Budget().with_timeout(20s)), InternalError);
}

TEST_P(FakeProcess, ARightModelIsTakenWithChatterAroundIt) {
  const auto solver = fake("echo success; echo; echo sat; echo '((v1'; echo '  #x03))'; cat > /dev/null");
  EXPECT_EQ(solver->check(Budget().with_timeout(20s)).answer, Answer::Sat);
}

TEST_P(FakeProcess, AFailureCostsOnlyItsAnswer) {
  const std::string marker = (directory.path() / "marker").string();
  const auto solver =
      fake(fmt::format("if [ -e {0} ]; then echo unsat; cat > /dev/null; else touch {0}; kill -9 $$; fi", marker));
  expect_unknown(*solver, "killed by signal 9");
  EXPECT_EQ(solver->check(Budget().with_timeout(20s)).answer, Answer::Unsat);
}

TEST_P(FakeProcess, AMissingProgramIsUnknownThatNamesIt) {
  command = "no-such-solver-anywhere";
  ProcessSolver solver(store, SolverCommand::of(command), GetParam());
  expect_unknown(solver, "");
}

INSTANTIATE_TEST_SUITE_P(Modes, FakeProcess,
                         ::testing::Values(ProcessMode::OneProcessPerCheck, ProcessMode::Interactive),
                         ::testing::PrintToStringParamName());

TEST(ProcessSolver, AnInteractiveProcessServesManyChecks) {
  if (!find_program("cvc5")) GTEST_SKIP() << "cvc5 is not on PATH";
  term::TermStore store;
  ProcessSolver solver(store, SolverCommand::of("cvc5"), ProcessMode::Interactive);
  const Term x = store.variable(8, "x");
  for (std::uint64_t i = 0; i < 20; ++i) {
    solver.push();
    solver.assert_true(store.eq(x, store.constant(8, i)));
    EXPECT_EQ(solver.check(Budget().with_timeout(20s)).answer, Answer::Sat);
    solver.pop();
  }
  EXPECT_EQ(solver.statistics().at(1), (std::pair<std::string, double>("processes started", 1)));
}

}  // namespace
}  // namespace plumb::solve
