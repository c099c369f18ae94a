// The tester looks for runs that go wrong anywhere. Each one that it finds is run again in the interpreter, which knows
// the instruction where it ends: that is the goal, if it is one.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/sandbox.h"
#include "check/engine.h"
#include "concolic/search/search.h"
#include "instrument/build_subject.h"
#include "replay/violated_goals.h"

namespace plumb::check {
namespace {

using Seconds = std::chrono::duration<double>;

/// Of the time; without a limit so much. Beside others that can prove, the tester is good for what is found soon.
constexpr double kShare = 0.4;
constexpr Seconds kMostTime{120};

Budget share_of(const EngineTask& task) {
  if (task.is_alone) return task.budget;
  const auto left = task.budget.time_left();
  return task.budget.with_timeout(left ? std::min<Seconds>(*left * kShare, kMostTime) : kMostTime);
}

std::string reason_of(const concolic::SearchReport& report) {
  if (!report.problem.empty()) return report.problem;
  return fmt::format("{} run{} on {} path{} violate{} nothing{}", report.runs, report.runs == 1 ? "" : "s",
                     report.paths, report.paths == 1 ? "" : "s", report.runs == 1 ? "s" : "",
                     report.stop == concolic::SearchReport::Stop::Budget ? ", and there are more paths" : "");
}

EngineRemarks run_tester(const EngineTask& task) {
  const Budget budget = share_of(task);
  frontend::LoadOptions load = task.settings.load;
  load.marks_unset = false;
  const instrument::Subject subject = instrument::build_subject(load, task.directory, budget);
  concolic::SearchOptions options;
  options.seed = task.settings.seed;
  options.until = concolic::Until::Time;
  interpret::Interpreter interpreter(task.program);
  std::set<std::size_t> told;
  concolic::SearchListener listener;
  listener.on_error = [&](const replay::FoundError& error) {
    for (const std::size_t goal : replay::run_test(interpreter, task.goals, error.test, budget).violated)
      if (told.insert(goal).second)
        task.tell({.goal = goal, .verdict = Verdict::Violated, .detail = "test", .test = error.test});
  };
  const concolic::SearchReport report = concolic::search(subject, options, listener, budget);
  EngineRemarks remarks{.reason = reason_of(report)};
  if (std::string gaps = sandbox_gaps(options.limits.sandbox); !gaps.empty()) remarks.notes.push_back(std::move(gaps));
  return remarks;
}

}  // namespace

constinit const Engine tester_engine = {.info = {.name = "tester",
                                                 .takes = result::EngineInput::Program,
                                                 .can_violate = true,
                                                 .summary = "the search of `plumb test`",
                                                 .by_default = {"tester"}},
                                        .run = run_tester,
                                        // It should not take a core from the engines that can prove.
                                        .priority = 5};

}  // namespace plumb::check
