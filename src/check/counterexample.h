#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "frontend/load.h"
#include "program/goal.h"
#include "result/test_case.h"

namespace plumb::check {

/// An invariant at a loop head in C, over variables in scope there.
struct LoopInvariant {
  SourceLocation location;  ///< of the loop statement
  std::string function;
  std::string text;  ///< "x + y == n && i <= 10"
};

/// A step of a run for people: a line of the source and what it changed.
struct TraceStep {
  SourceLocation location;
  std::string function;
  std::uint32_t depth = 0;  ///< of calls
  std::string variable;     ///< "x", "a[3]", "p->next"; of an input the variable it goes to if known
  std::string value;        ///< "5", "-1", "0x10", "&a[2]"
  bool is_input = false;    ///< came from the outside
};

/// A run that violates a goal, confirmed.
struct Counterexample {
  result::TestCase test;
  std::vector<SourceLocation> input_places;  ///< of the calls that asked, by input
  std::vector<std::uint32_t> input_widths;
  SourceLocation failure;        ///< where it fails: the line in the user's code
  std::string function;          ///< that the failure is in
  std::string message;           ///< "assertion 'x < 10' failed", "write of 4 bytes at offset 40: past the end …"
  std::vector<TraceStep> trace;  ///< all of it; printing shortens
  std::string confirmed_by;      ///< "native run", "checked native run", "interpreter"
};

/// Replays what engines found: in the interpreter, then natively (an assertion or error call: the plain build, memory
/// and arithmetic: the checked build). A program that cannot be built natively is left to the interpreter alone, and
/// Counterexample::confirmed_by says so. Builds what it needs once. Not thread-safe.
class Confirmer {
 public:
  /// `program` was made with `load`; `directory` exists.
  Confirmer(const program::Program& program, frontend::LoadOptions load, std::filesystem::path directory);
  ~Confirmer();

  struct Confirmation {
    std::optional<Counterexample> counterexample;
    std::string reason;  ///< why not
  };
  /// Whether the test violates the goal. Where the interpreter and the native run differ, nothing is confirmed and the
  /// reason says both.
  Confirmation confirm(const program::Goal& goal, const result::TestCase& test, const Budget& budget);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::check
