#include "replay/violated_goals.h"

namespace plumb::replay {
namespace {

constexpr std::uint64_t kMaxInstructions = 500'000'000;
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

}  // namespace

interpret::InterpreterOptions goal_options(const result::TestCase& test, ProgramFiles& files) {
  interpret::InterpreterOptions options = test_options(test, "program", files);
  options.undefined = interpret::UndefinedPolicy::Nondet;
  options.has_missing_arguments = true;
  options.keep_stacks = true;
  options.max_memory = kMostMemory;
  return options;
}

TestRun run_test(interpret::Interpreter& interpreter, std::span<const program::Goal> goals,
                 const result::TestCase& test, const Budget& budget) {
  ProgramFiles files(ProgramFiles::Start::Empty, test.environment);
  interpret::InterpreterOptions options = goal_options(test, files);
  options.max_instructions = kMaxInstructions;
  TestRun run{interpreter.run(options, budget)};
  for (const program::Fault& fault : run.result.faults) {
    const bool is_leak = fault.kind == program::FaultKind::Leak;
    if (!is_leak && run.result.stack.empty()) continue;
    const program::CodePoint at = is_leak ? fault.allocated : run.result.stack.front();
    for (std::size_t goal = 0; goal < goals.size(); ++goal)
      if ((goals[goal].at == at || program::is_about_threads(goals[goal])) && is_violation(goals[goal], fault.kind))
        run.violated.push_back(goal);
  }
  return run;
}

}  // namespace plumb::replay
