#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/budget.h"
#include "interpret/interpreter.h"

namespace plumb::interpret {

/// A moment of a run, between two visible operations, outside of atomic sections.
struct Sight {
  std::size_t steps_left = 0;       ///< of the schedule, the one that is under way included
  std::size_t inputs = 0;           ///< that were asked for
  std::vector<CodePoint> standing;  ///< what each thread that has not ended executes next
  bool is_end = false;              ///< of the run: nothing follows
  /// What a function without parameters, which reads and does nothing else, gives: not 0.
  std::function<bool(program::FunctionId condition)> holds;
};

/// Runs the program as Interpreter::run() with a schedule, and shows what there is to see at the start, before each
/// visible operation and at the end. The run ends, as OutOfBudget, where `see` gives false.
RunResult observe(const Program& program, const InterpreterOptions& options, const Budget& budget,
                  const std::function<bool(const Sight& sight)>& see);

}  // namespace plumb::interpret
