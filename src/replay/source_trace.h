#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "frontend/source_types.h"
#include "interpret/interpreter.h"
#include "result/test_case.h"

namespace plumb::replay {

/// A step of a run for people: a line of the source and what it changed.
struct TraceStep {
  SourceLocation location;
  std::string function;
  std::uint32_t depth = 0;  ///< of calls
  std::string variable;     ///< "x", "a[3]", "p->next"; of an input the variable it goes to if known
  std::string value;        ///< "5", "-1", "0x10", "&a[2]"
  bool is_input = false;    ///< came from the outside
};

/// The value of an input in the words of its type, which its name is if it has one.
std::string input_text(const result::TestInput& input);

/// Where the innermost call stands that is in the user's code; the innermost one if none is.
program::CodePoint users_point(const program::Program& program, std::span<const program::CodePoint> stack);

/// A run of the test in memory form (LoadOptions::keep_variables), for people.
struct SourceTrace {
  std::vector<TraceStep> steps;  ///< of a very long run the last ones
  interpret::RunResult end;
};
SourceTrace run_with_trace(const frontend::TypedProgram& typed, const result::TestCase& test, const Budget& budget);

}  // namespace plumb::replay
