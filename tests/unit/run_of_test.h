#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "interpret/interpreter.h"
#include "program/goal.h"
#include "result/test_case.h"

namespace plumb::test {

/// The interpreter makes the run of the test, with its schedule, and it violates the goal.
inline testing::AssertionResult is_replayed(const program::Program& program, const program::Goal& goal,
                                            const result::TestCase& test) {
  interpret::InterpreterOptions options;
  std::size_t next = 0;
  options.inputs = [&](std::string_view name, std::size_t size) -> std::optional<std::vector<std::uint8_t>> {
    if (next == test.inputs.size()) return std::nullopt;
    EXPECT_EQ(test.inputs[next].name, name);
    EXPECT_EQ(test.inputs[next].bytes.size(), size);
    return test.inputs[next++].bytes;
  };
  options.arguments = {"program"};
  options.undefined = interpret::UndefinedPolicy::Nondet;
  options.schedule = &test.schedule;
  options.finds_races = goal.kind == program::GoalKind::DataRace;
  const interpret::RunResult run = interpret::Interpreter(program).run(options, Budget());
  for (const program::Fault& fault : run.faults)
    if (program::is_violation(goal, fault.kind)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result::to_json(test) << " ends with " << run.reason;
}

}  // namespace plumb::test
