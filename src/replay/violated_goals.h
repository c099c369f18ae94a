#pragma once

#include <span>
#include <vector>

#include "base/budget.h"
#include "interpret/interpreter.h"
#include "program/goal.h"
#include "replay/test_options.h"
#include "result/test_case.h"

namespace plumb::replay {

/// How the interpreter is given a test of a program with goals: as test_options() has it; functions without a body take
/// their result from the inputs.
interpret::InterpreterOptions goal_options(const result::TestCase& test, ProgramFiles& files);

/// How a test ends in the interpreter, and the goals that it violates.
struct TestRun {
  interpret::RunResult result;
  std::vector<std::size_t> violated{};  ///< positions among the goals
};

/// Runs a test and finds the goals at the instruction where it ends: source places would not tell two goals on a line
/// apart. Inputs beyond the test's are zero; functions without a body take an input as their result.
TestRun run_test(interpret::Interpreter& interpreter, std::span<const program::Goal> goals,
                 const result::TestCase& test, const Budget& budget);

}  // namespace plumb::replay
