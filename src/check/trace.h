#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "check/counterexample.h"
#include "frontend/source_types.h"
#include "interpret/interpreter.h"

namespace plumb::check {

/// How the interpreter is given a test: its inputs in their order, nothing beyond them; functions without a body take
/// their result from the inputs; no file can be opened. `test` must outlive the options.
interpret::InterpreterOptions interpreter_options(const result::TestCase& test);

/// Where the innermost call stands that is in the user's code; the innermost one if none is.
program::CodePoint users_point(const program::Program& program, std::span<const program::CodePoint> stack);

/// A run of the test in memory form (LoadOptions::keep_variables), for people.
struct Trace {
  std::vector<TraceStep> steps;  ///< of a very long run the last ones
  interpret::RunResult end;
};
Trace run_with_trace(const frontend::TypedProgram& typed, const result::TestCase& test, const Budget& budget);

}  // namespace plumb::check
