#include "check/judge.h"

#include <gtest/gtest.h>

#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "frontend/load.h"
#include "semantics/goals.h"

namespace plumb::check {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kViolated = 0;  ///< the goals of the program below
constexpr std::size_t kHolds = 1;

result::TestCase input(std::uint8_t value) { return {{{"int", {value, 0, 0, 0}}}}; }

void wait_until_cancelled(const EngineTask& task) {
  while (!task.budget.exceeded()) std::this_thread::sleep_for(milliseconds(1));
}

EngineRemarks knows_all(const EngineTask& task) {
  task.tell({.goal = kViolated, .verdict = Verdict::Violated, .detail = "knowing", .test = input(7)});
  task.tell({.goal = kHolds, .verdict = Verdict::Holds});
  return {.assumptions = {"it is so"}};
}
EngineRemarks proves_both(const EngineTask& task) {
  for (const std::size_t goal : {kViolated, kHolds}) task.tell({.goal = goal, .verdict = Verdict::Holds});
  return {};
}
EngineRemarks proves_second(const EngineTask& task) {
  task.tell({.goal = kHolds, .verdict = Verdict::Holds});
  return {};
}
EngineRemarks proves_behind_a_gap(const EngineTask& task) {
  task.tell({.goal = kHolds, .verdict = Verdict::Holds, .gaps = {{.text = "asm"}}});
  return {};
}
EngineRemarks has_wrong_inputs(const EngineTask& task) {
  task.tell({.goal = kViolated, .verdict = Verdict::Violated, .test = input(6)});
  task.tell({.goal = kHolds, .verdict = Verdict::Violated, .test = input(7)});
  return {};
}
EngineRemarks bounds(const EngineTask& task) {
  task.tell({.goal = kViolated, .verdict = Verdict::HoldsUpTo, .reason = "1 step"});
  task.tell({.goal = kViolated, .verdict = Verdict::HoldsUpTo, .reason = "2 steps"});
  return {.reason = "not looked at"};
}
EngineRemarks runs_until_cancelled(const EngineTask& task) {
  wait_until_cancelled(task);
  throw OutOfBudget{Stop::Cancelled};
}
EngineRemarks has_no_memory(const EngineTask&) { throw std::bad_alloc(); }
EngineRemarks has_no_tool(const EngineTask&) { throw UserError("there is no program 'abc'"); }
EngineRemarks has_a_bug(const EngineTask&) { throw std::logic_error("a bug"); }
EngineRemarks waits_for_others(const EngineTask& task) {
  while (task.is_open(kViolated)) std::this_thread::sleep_for(milliseconds(1));
  wait_until_cancelled(task);
  return {.reason = "the first goal was closed"};
}

/// A program of two assertions: one fails for the input 7, one never.
class JudgeOfEngines : public testing::Test {
 protected:
  JudgeOfEngines() {
    const std::filesystem::path file = directory_.path() / "two.c";
    std::ofstream(file) << "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n"
                           "  int x = __VERIFIER_nondet_int();\n  assert(x != 7);\n  assert(x * 2 != 7);\n"
                           "  return 0;\n}\n";
    settings_.load.files = {file.string()};
    settings_.directory = directory_.path();
    settings_.is_every_goal = true;
    program_ = frontend::load_program(settings_.load, Budget());
    goals_ = semantics::find_goals(program_, {});
  }

  Outcome race(const std::vector<Engine>& engines, const Budget& budget = Budget()) {
    replay::Builds builds(program_, settings_.load, directory_.path());
    replay::Confirmer confirmer(builds);
    Judge judge(program_, goals_, settings_, confirmer, [this](const GoalResult&) { ++told_; });
    std::vector<const Engine*> chosen;
    for (const Engine& engine : engines) chosen.push_back(&engine);
    return judge.run(chosen, budget);
  }

  TemporaryDirectory directory_;
  Settings settings_;
  Program program_;
  std::vector<Goal> goals_;
  int told_ = 0;
};

TEST_F(JudgeOfEngines, FirstAnswerCancelsTheOthers) {
  ASSERT_EQ(goals_.size(), 2U);
  const Outcome report = race({{{"bmc"}, knows_all}, {{"circuit"}, runs_until_cancelled}});
  EXPECT_EQ(report.answers[kViolated].verdict, Verdict::Violated);
  EXPECT_EQ(report.answers[kViolated].engine, "bmc");
  EXPECT_EQ(report.answers[kViolated].detail, "knowing");
  ASSERT_TRUE(report.answers[kViolated].counterexample.has_value());
  EXPECT_EQ(report.answers[kViolated].counterexample->failure.line, 5U);
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Holds);
  EXPECT_EQ(report.answers[kHolds].engines.at(1).reason, "stopped: another engine was first");
  EXPECT_EQ(report.assumptions, std::vector<std::string>{"it is so"});
  EXPECT_EQ(told_, 2);
}

TEST_F(JudgeOfEngines, CounterexamplesThatAreNotConfirmedAreNoAnswers) {
  const Outcome report = race({{{"tester"}, has_wrong_inputs}});
  for (const GoalResult& answer : report.answers) {
    EXPECT_EQ(answer.verdict, Verdict::Unknown);
    EXPECT_NE(answer.reason.find("not confirmed"), std::string::npos) << answer.reason;
  }
  EXPECT_EQ(report.notes.size(), 2U);
}

TEST_F(JudgeOfEngines, NothingIsProvedBesideACounterexampleThatNoReplayShows) {
  const Outcome report = race({{{"tester"}, has_wrong_inputs}, {{"circuit"}, proves_second}});
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Unknown);
  EXPECT_NE(report.answers[kHolds].reason.find("engine tester a counterexample that was not confirmed"),
            std::string::npos)
      << report.answers[kHolds].reason;
}

TEST_F(JudgeOfEngines, BehindAGapNothingIsProvedUnlessItIsAccepted) {
  const Outcome report = race({{{"circuit"}, proves_behind_a_gap}});
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Unknown);
  EXPECT_EQ(report.answers[kHolds].reason, "circuit: not followed: unsupported: asm");
  ASSERT_EQ(report.gaps.size(), 1U);
  EXPECT_EQ(report.gaps[0].text, "asm");
  const Outcome beside = race({{{"circuit"}, proves_behind_a_gap}, {{"bmc"}, proves_second}});
  EXPECT_EQ(beside.answers[kHolds].verdict, Verdict::Holds);
  EXPECT_EQ(beside.answers[kHolds].engine, "bmc");
  EXPECT_TRUE(beside.answers[kHolds].gaps.empty());
  settings_.accepts_gaps = true;
  const Outcome accepted = race({{{"circuit"}, proves_behind_a_gap}});
  EXPECT_EQ(accepted.answers[kHolds].verdict, Verdict::Holds);
  EXPECT_EQ(accepted.answers[kHolds].reason, "except behind: unsupported: asm");
  EXPECT_EQ(accepted.gaps.size(), 1U);
}

TEST_F(JudgeOfEngines, AProofAndAConfirmedCounterexampleAreAnInternalError) {
  EXPECT_THROW(race({{{"bmc"}, knows_all}, {{"circuit"}, proves_both}}), InternalError);
}

TEST_F(JudgeOfEngines, EnginesThatFailCostTheirOwnAnswersAlone) {
  const Outcome report = race({{{"bmc"}, knows_all}, {{"circuit"}, has_no_memory}, {{"tester"}, has_no_tool}});
  EXPECT_EQ(report.answers[kViolated].verdict, Verdict::Violated);
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Holds);
  const Outcome open = race({{{"circuit"}, has_no_memory}, {{"tester"}, has_no_tool}});
  EXPECT_EQ(open.answers[kHolds].reason, "circuit: out of memory; tester: there is no program 'abc'");
}

TEST_F(JudgeOfEngines, ABugOfOneEngineIsToldAndOfTheOnlyOneThrown) {
  const Outcome report = race({{{"bmc"}, knows_all}, {{"circuit"}, has_a_bug}});
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Holds);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("internal error"), std::string::npos);
  EXPECT_THROW(race({{{"circuit"}, has_a_bug}}), std::logic_error);
}

TEST_F(JudgeOfEngines, TheLastBoundIsKeptAndNeverCalledAProof) {
  const Outcome report = race({{{"bmc"}, bounds}, {{"circuit"}, proves_second}});
  EXPECT_EQ(report.answers[kViolated].verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(report.answers[kViolated].reason, "bmc: 2 steps");
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Holds);
  EXPECT_EQ(report.answers[kHolds].engine, "circuit");
}

TEST_F(JudgeOfEngines, EnginesThatAgreeAreBothNoted) {
  const Outcome report = race({{{"bmc"}, knows_all}, {{"circuit"}, proves_second}});
  for (const result::Finding& each : report.answers[kHolds].engines) EXPECT_EQ(each.verdict, Verdict::Holds);
}

TEST_F(JudgeOfEngines, TheFirstViolationEndsTheSearchUnlessAllGoalsAreAskedFor) {
  settings_.is_every_goal = false;
  const Outcome report = race({{{"bmc"}, has_wrong_inputs}, {{"circuit"}, knows_all}, {{"tester"}, waits_for_others}});
  EXPECT_EQ(report.answers[kViolated].verdict, Verdict::Violated);
}

TEST_F(JudgeOfEngines, TheEndOfTheTimeLeavesGoalsUnknown) {
  const Outcome report = race({{{"bmc"}, runs_until_cancelled}}, Budget().with_timeout(milliseconds(200)));
  EXPECT_EQ(report.answers[kHolds].verdict, Verdict::Unknown);
  EXPECT_EQ(report.answers[kHolds].reason, "bmc: cancelled");
}

}  // namespace
}  // namespace plumb::check
