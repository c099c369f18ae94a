#include "replay/native_replayer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/file.h"
#include "replay/thread_moments.h"
#include "replay/violated_goals.h"

namespace plumb::replay {
namespace {

constexpr std::chrono::duration<double> kInterpreterTime{60};

}  // namespace

NativeRun NativeReplayer::run_test(const result::TestCase& test, const Budget& budget) {
  budget.check();
  return run_natively(builds_.plain(budget), builds_.native_test(test), limits_, builds_.directory(), budget);
}

NativeRun NativeReplayer::run_in_order(const result::TestCase& test, const NativeOrder& order, const Budget& budget) {
  budget.check();
  const std::filesystem::path file = std::filesystem::absolute(builds_.directory()) / "order";
  write_file(file, {reinterpret_cast<const char*>(order.bytes.data()), order.bytes.size()});
  const std::array<std::pair<std::string, std::string>, 1> variables = {{{kOrderVariable, file.string()}}};
  return run_natively(builds_.ordered(budget), builds_.native_test(test), limits_, builds_.directory(), budget,
                      variables);
}

NativeReplayer::Ordered NativeReplayer::run_scheduled(const result::TestCase& test, const Budget& budget) {
  Ordered made;
  Builds::Interpreted& build = builds_.interpreted(budget);
  ThreadMoments moments(build.program);
  ProgramFiles files(ProgramFiles::Start::Empty, test.environment);
  interpret::InterpreterOptions options = goal_options(test, files);
  options.on_operation = [&](const interpret::OperationEvent& event) { moments.take(event); };
  const interpret::RunResult exact = build.interpreter.run(options, budget.with_timeout(kInterpreterTime));
  budget.check();
  using End = interpret::RunResult::End;
  if (exact.end == End::Unsupported || exact.end == End::OutOfBudget) {
    made.problem = exact.reason;
    return made;
  }
  const bool is_deadlock = std::ranges::any_of(
      exact.faults, [](const program::Fault& fault) { return fault.kind == program::FaultKind::Deadlock; });
  const NativeOrder order = native_order(build.program, moments, is_deadlock);
  made.problem = order.problem;
  if (!made.problem.empty()) return made;
  made.run = run_in_order(test, order, budget);
  made.problem = left_order(made.run.error);
  made.is_deadlock = told_deadlock(made.run.error);
  return made;
}

Replay NativeReplayer::run(const Evidence& evidence, const Budget& budget) {
  Replay replay;
  if (evidence.test() != nullptr && !evidence.test()->schedule.empty()) {
    const Ordered made = run_scheduled(*evidence.test(), budget);
    replay.problem = made.problem;
    if (!replay.problem.empty()) return replay;
    replay.take(made.run.ending, "the program");
    if (made.is_deadlock) replay.end = "a deadlock";
    return replay;
  }
  replay.problem = problem_of(evidence);
  if (!replay.problem.empty()) return replay;
  replay.take(run_test(*evidence.test(), budget).ending, "the program");
  return replay;
}

}  // namespace plumb::replay
