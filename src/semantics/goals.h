#pragma once

#include <vector>

#include "program/goal.h"

namespace plumb::semantics {

struct GoalOptions {
  bool has_assertions = true;    ///< Assertion, Error
  bool has_termination = false;  ///< the Checks that LoadOptions::termination_bound made
  /// Bounds, Null, UseAfterFree, UseAfterReturn: Access, and Bounds Index; the others what is called like them. Not
  /// the arithmetic ones and Vla if Program::checks has them not: engines do not look there.
  program::CheckSet checks = program::CheckSet::none();
};

/// By function: a run may come to it, as far as the graph of calls shows.
std::vector<bool> reachable_functions(const program::Program& program);

/// All goals in functions that the entry may reach, by place: functions and instructions in their order. Memory of our
/// models counts for their callers' mistakes; their arithmetic does not. What no run can do wrong as the instruction
/// alone shows it (a division by 2, an access to a variable by its name) is left out.
std::vector<program::Goal> find_goals(const program::Program& program, const GoalOptions& options);

}  // namespace plumb::semantics
