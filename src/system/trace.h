#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"
#include "term/value.h"

namespace plumb::system {

using term::Value;

/// The choices that make a run of a system: concrete data, so it may go to another thread and to any system with the
/// same states and inputs in the same order. Positions are those of System::states() and System::inputs(). A choice
/// that is missing is zero.
struct Trace {
  struct Step {
    std::vector<std::optional<Value>> inputs;
    /// Of states without next, in every step but the first. For all other states it is not looked at.
    std::vector<std::optional<Value>> states;

    friend bool operator==(const Step&, const Step&) = default;
  };
  /// Of states without init. For all other states it is not looked at.
  std::vector<std::optional<Value>> initial;
  std::vector<Step> steps;

  friend bool operator==(const Trace&, const Trace&) = default;
};

/// What a trace makes a system do.
struct Replay {
  struct Reached {
    std::size_t bad;   ///< position in System::bads()
    std::size_t step;  ///< the first one in which it is true
  };
  /// Bads that are true while all constraints held up to and in that step, by step, then by position.
  std::vector<Reached> reached;
  /// The first step in which a constraint is false, and that constraint; nothing of that step or a later one is in
  /// `reached`.
  struct Violation {
    std::size_t constraint;
    std::size_t step;
  };
  std::optional<Violation> violation;

  bool reaches(std::size_t bad) const;
};

/// Runs the trace to its end, or to the first step in which a constraint is false. Values in the trace must have the
/// sorts of their variables (INVARIANT).
Replay replay(const System& system, const Trace& trace);

struct RandomRun {
  Trace trace;  ///< all constraints hold in each of its steps
  Replay replay;
  bool is_stuck = false;  ///< ended early: no choice that was tried satisfies the constraints of the next step
};
/// A run of at most `steps` steps with random choices; the same for the same seed. In each step up to `tries` choices
/// are made until all constraints hold. Values are uniform or, now and then, near zero or near their greatest.
RandomRun random_run(const System& system, std::uint64_t seed, std::size_t steps, unsigned tries = 100);

/// The BTOR2 witness format: the bads that the trace reaches, then its choices by position, in binary, with names.
/// Nothing is written for choices that are missing in the trace. The elements of an array that are not listed are zero;
/// where they are not, a line with the index [*] comes first.
std::string write_witness(const System& system, const Trace& trace);
/// Reads what write_witness() or another BTOR2 tool wrote for this system. Throws UserError with the line.
Trace read_witness(const System& system, std::string_view text, const std::string& file);

}  // namespace plumb::system
