#include "concolic/execute/executor.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "hostile_program.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

class ExecutorTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = std::make_unique<TemporaryDirectory>();
    subject_.executable = build_hostile_program(directory_->path());
    subject_.edge_count = 64;
    subject_.regions.resize(2);
    subject_.sites.resize(2);
  }
  static void TearDownTestSuite() { directory_.reset(); }

  static RunLimits patient() {
    RunLimits limits;
    limits.time = std::chrono::seconds(60);
    limits.memory = std::uint64_t{64} << 20;
    limits.max_inputs = 1000;
    return limits;
  }
  static RunLimits hasty() {
    RunLimits limits = patient();
    limits.time = std::chrono::milliseconds(300);
    return limits;
  }

  static std::vector<result::TestInput> inputs_for(Deed deed) {
    return {{"int", {static_cast<std::uint8_t>(deed), 0, 0, 0}}};
  }
  static RunRecord run(Executor& executor, Deed deed) {
    const std::vector<result::TestInput> inputs = inputs_for(deed);
    return executor.run({inputs, 0, {}, 0}, Budget());
  }
  /// After whatever the program has done, it can be run again.
  static void expect_well(Executor& executor) {
    const RunRecord record = run(executor, Deed::LookAround);
    EXPECT_EQ(record.end, RunEnd::Exit);
    EXPECT_EQ(record.code, 0);
  }
  static void expect(Deed deed, RunEnd end, int code, const RunLimits& limits = patient()) {
    Executor executor(subject_, limits);
    for (int round = 0; round < 2; ++round) {
      const RunRecord record = run(executor, deed);
      EXPECT_EQ(name(record.end), name(end));
      EXPECT_EQ(record.code, code);
      expect_well(executor);
    }
  }
  static bool is_alive(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string id;
    std::string program;
    std::string state;
    return file >> id >> program >> state && state != "Z" && state != "X";
  }

  static std::unique_ptr<TemporaryDirectory> directory_;
  static Subject subject_;
};
std::unique_ptr<TemporaryDirectory> ExecutorTest::directory_;
Subject ExecutorTest::subject_;

TEST_F(ExecutorTest, ExitCodesAreTold) { expect(Deed::Exit, RunEnd::Exit, 3); }
TEST_F(ExecutorTest, ACrashIsASignal) { expect(Deed::Crash, RunEnd::Signal, SIGSEGV); }
TEST_F(ExecutorTest, AnEndlessLoopIsATimeout) {
  Executor executor(subject_, hasty());
  EXPECT_EQ(run(executor, Deed::Loop).end, RunEnd::Timeout);
  EXPECT_EQ(run(executor, Deed::Exit).code, 3);
}
TEST_F(ExecutorTest, AProgramThatClosesEverythingEndsAsItWould) { expect(Deed::CloseAll, RunEnd::Exit, 0); }
TEST_F(ExecutorTest, AFileThatGrowsTooLargeEndsTheRun) { expect(Deed::WriteMuch, RunEnd::FileLimit, 0); }
TEST_F(ExecutorTest, SharedMemoryThatWasOverwrittenIsSeenAndRestored) { expect(Deed::Scribble, RunEnd::Corrupted, 0); }
TEST_F(ExecutorTest, AStackOverflowIsAnError) { expect(Deed::OverflowStack, RunEnd::Error, PLUMB_ERROR_STACK); }
TEST_F(ExecutorTest, MemoryIsLimitedAndTheProgramSeesIt) { expect(Deed::AllocateMuch, RunEnd::Exit, 9); }
TEST_F(ExecutorTest, AServerThatWasKilledIsStartedAnew) { expect(Deed::KillServer, RunEnd::Corrupted, 0); }
TEST_F(ExecutorTest, ADirectoryThatWasRemovedIsMadeAnew) {
  RunLimits limits = patient();
  limits.sandbox = SandboxUse::Off;
  expect(Deed::RemoveDirectory, RunEnd::Exit, 0, limits);
}
TEST_F(ExecutorTest, ARunReachesNothingOutsideOfItsDirectory) {
  if (!sandbox_powers().is_complete()) GTEST_SKIP() << "this machine has no complete sandbox";
  expect(Deed::Escape, RunEnd::Exit, 0);
}
TEST_F(ExecutorTest, WithoutASandboxARunReachesEverything) {
  RunLimits limits = patient();
  limits.sandbox = SandboxUse::Off;
  expect(Deed::Escape, RunEnd::Exit, 7, limits);
}
TEST_F(ExecutorTest, OnOlderKernelsRunsEndAsOnNewOnes) {
  SandboxPowers older = sandbox_powers();
  if (!older.has_guard || !older.has_namespaces) GTEST_SKIP() << "this machine cannot do what they do";
  for (const int landlock : {older.landlock, std::min(older.landlock, SandboxPowers::kScopes - 1), 0}) {
    older.landlock = landlock;
    const SandboxPowers before = replace_sandbox_powers(older);
    expect(Deed::Escape, RunEnd::Exit, 0);
    expect(Deed::SignalOwn, RunEnd::Exit, 0);
    expect(Deed::Terminate, RunEnd::Signal, SIGTERM);
    expect(Deed::Abort, RunEnd::Error, PLUMB_ERROR_ABORT);
    expect(Deed::KillServer, RunEnd::Corrupted, 0);
    expect(Deed::LeaveProcesses, RunEnd::Exit, 16);
    expect(Deed::Loop, RunEnd::Timeout, 0, hasty());
    replace_sandbox_powers(before);
  }
}
TEST_F(ExecutorTest, FilesOfAnyNumberDepthAndModeAreRemoved) { expect(Deed::LeaveFiles, RunEnd::Exit, 0); }
TEST_F(ExecutorTest, FailedAssumptionsAreTold) { expect(Deed::FailAssumption, RunEnd::AssumeFailed, 0); }
TEST_F(ExecutorTest, SignalsOfTheProgramItselfAreTold) { expect(Deed::Terminate, RunEnd::Signal, SIGTERM); }
TEST_F(ExecutorTest, TooManyInputsEndTheRun) { expect(Deed::ReadForever, RunEnd::InputLimit, 0); }
TEST_F(ExecutorTest, AProgramCannotForgeTheAnswersOfTheServer) { expect(Deed::ForgeAnswers, RunEnd::Exit, 0); }

TEST_F(ExecutorTest, AServerThatWasStoppedIsReplaced) {
  Executor executor(subject_, hasty());
  EXPECT_EQ(run(executor, Deed::StopServer).end, RunEnd::Corrupted);
  EXPECT_EQ(run(executor, Deed::Exit).code, 3);
}

TEST_F(ExecutorTest, ErrorsHaveTheirKindAndSite) {
  Executor executor(subject_, patient());
  const RunRecord record = run(executor, Deed::FailAssertion);
  EXPECT_EQ(record.end, RunEnd::Error);
  EXPECT_EQ(record.code, PLUMB_ERROR_ASSERT);
  EXPECT_EQ(record.error_site, 1U);
}

TEST_F(ExecutorTest, NoProcessOutlivesItsRun) {
  Executor executor(subject_, patient());
  const RunRecord record = run(executor, Deed::LeaveProcesses);
  EXPECT_EQ(record.end, RunEnd::Exit);
  EXPECT_EQ(record.code, 16) << "as many as the limits allow";
  for (std::size_t i = 0; i < 8; ++i) {
    pid_t pid = 0;
    std::memcpy(&pid, record.coverage.data() + 4 * i, sizeof pid);
    ASSERT_GT(pid, 1);
    EXPECT_FALSE(is_alive(pid));
  }
  expect_well(executor);
}

TEST_F(ExecutorTest, CoverageAndModesAreThoseOfTheRun) {
  Executor executor(subject_, patient());
  for (int round = 0; round < 4; ++round) {
    const std::array<std::uint8_t, 2> modes{static_cast<std::uint8_t>(round & 1),
                                            static_cast<std::uint8_t>(round >> 1)};
    const std::vector<result::TestInput> inputs = inputs_for(Deed::Cover);
    const RunRecord record = executor.run({inputs, 0, modes, 0}, Budget());
    EXPECT_EQ(record.code, round);
    ASSERT_EQ(record.coverage.size(), 64U);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(record.coverage[i] != 0, i == 1 || i == 3);
    EXPECT_EQ(run(executor, Deed::Exit).coverage[1], 0);
  }
}

TEST_F(ExecutorTest, InputsOfAnySizeAreGiven) {
  Executor executor(subject_, patient());
  std::vector<result::TestInput> inputs = inputs_for(Deed::EchoLarge);
  inputs.push_back({"large", std::vector<std::uint8_t>(3'000'000, 42)});
  EXPECT_EQ(executor.run({inputs, 0, {}, 0}, Budget()).code, 42);
  inputs.back().bytes.pop_back();
  EXPECT_EQ(executor.run({inputs, 0, {}, 0}, Budget()).code, 0) << "what is not given is zero";
}

TEST_F(ExecutorTest, RandomInputsDependOnTheSeedAlone) {
  Executor executor(subject_, patient());
  const auto stream = [&](std::uint64_t seed) {
    const RunRecord record = executor.run({{}, seed, {}, 0}, Budget());
    return std::vector<std::uint32_t>(record.stream.begin(), record.stream.end());
  };
  const std::vector<std::uint32_t> first = stream(1);
  EXPECT_EQ(stream(1), first);
  EXPECT_NE(stream(2), first);
}

TEST_F(ExecutorTest, ACancelledBudgetEndsTheRun) {
  Executor executor(subject_, patient());
  const std::vector<result::TestInput> inputs = inputs_for(Deed::Loop);
  const Budget budget = Budget().with_timeout(std::chrono::milliseconds(200));
  EXPECT_EQ(executor.run({inputs, 0, {}, 0}, budget).end, RunEnd::Timeout);
}

TEST_F(ExecutorTest, ExecutablesThatCannotBeRunAreUserErrors) {
  Subject missing;
  missing.executable = "/no/such/program";
  Executor first(missing, patient());
  EXPECT_THROW(first.run({}, Budget()), UserError);
  Subject other;
  other.executable = "/bin/true";
  Executor second(other, patient());
  EXPECT_THROW(second.run({}, Budget()), UserError);
}

}  // namespace
}  // namespace plumb::concolic
