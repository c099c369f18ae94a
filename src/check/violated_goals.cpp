#include "check/violated_goals.h"

#include <optional>

namespace plumb::check {
namespace {

constexpr std::uint64_t kMaxInstructions = 500'000'000;

}  // namespace

TestRun run_test(interpret::Interpreter& interpreter, std::span<const program::Goal> goals,
                 const result::TestCase& test, const Budget& budget) {
  interpret::InterpreterOptions options;
  std::size_t next = 0;
  options.inputs = [&](std::string_view, std::size_t size) -> std::optional<std::vector<std::uint8_t>> {
    if (next == test.inputs.size()) return std::nullopt;
    std::vector<std::uint8_t> bytes = test.inputs[next++].bytes;
    bytes.resize(size);
    return bytes;
  };
  options.arguments = {"program"};
  options.undefined = interpret::UndefinedPolicy::Nondet;
  options.max_instructions = kMaxInstructions;
  TestRun run{interpreter.run(options, budget)};
  for (const program::Fault& fault : run.result.faults) {
    const bool is_leak = fault.kind == program::FaultKind::Leak;
    if (!is_leak && run.result.stack.empty()) continue;
    const program::CodePoint at = is_leak ? fault.allocated : run.result.stack.front();
    for (std::size_t goal = 0; goal < goals.size(); ++goal)
      if (goals[goal].at == at && is_violation(goals[goal], fault.kind)) run.violated.push_back(goal);
  }
  return run;
}

}  // namespace plumb::check
