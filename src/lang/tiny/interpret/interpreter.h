#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "lang/tiny/tiny.h"

namespace plumb::tiny {

/// Where the values of a run come from that the program does not compute. `name` is a variable's unique name or
/// "nondet@LINE:COLUMN"; `occurrence` counts from 0 how often it was asked for; `element` is the place in an array
/// (row by row). Bools are 0 or 1.
using Choices = std::function<std::uint64_t(const std::string& name, std::uint64_t occurrence, std::uint64_t element)>;

struct Failure {
  std::string kind;  ///< as Lowered::Property::kind
  std::string name;  ///< of the postcondition or the assertion's text; empty otherwise
  Place place;
  std::string message;  ///< "index 16 of a, which has 15 elements"
};

struct VariableValue {
  std::string name;  ///< unique name
  bool is_bool = false;
  bool is_array = false;
  std::vector<std::uint64_t> values;  ///< one for a scalar; row by row
};

struct Outcome {
  enum class End : std::uint8_t {
    Finished,
    Failed,
    PreconditionFalse,
    Assumption,  ///< an assume() is false
    OutOfSteps,
    OutOfStack,  ///< a call beyond the stack's size that does not count as a failure
  };
  End end = End::Finished;
  std::optional<Failure> failure;     ///< the first that counts; the run ends there
  std::uint64_t statements = 0;       ///< executed
  std::vector<VariableValue> values;  ///< of globals and of the entry function's variables, at the end; `rv` among them
  std::vector<Place> lines;           ///< of statements as they were executed, at most `Limits::lines`
};

struct Limits {
  std::uint64_t statements = 1'000'000;
  std::size_t lines = 10'000;
  /// Whether the run ends at a failure; at any, if it is empty. Otherwise the run goes on as if the check were switched
  /// off; a call beyond the stack's size always ends it.
  std::function<bool(const Failure&)> ends_at;
};

/// Runs a program as parse() gives it, without rho and without a graph: the second opinion on every counterexample, and
/// the oracle of the tests. Checks that are switched off in `options` are not made: arithmetic wraps, a read out of
/// bounds gives the last element in that dimension, a write there is dropped, division by zero gives what SMT-LIB says
/// (all ones, or one for a negative dividend; the dividend for the remainder). The same is done where a check fails and
/// does not count, because one of several preconditions of the entry function is false. Throws Unsupported if more
/// calls are active than the machine's stack holds.
Outcome interpret(const Program& program, const Options& options, const Choices& choices, const Limits& limits = {});

}  // namespace plumb::tiny
