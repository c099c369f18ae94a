#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "system/trace.h"
#include "term/substitution.h"

namespace plumb::prove {

using system::System;
using system::Trace;
using term::Term;

/// Terms of a system at steps 0, 1, 2, …, in the system's own store. Asking for a step extends the unrolling to it.
/// Inputs, and states where nothing says what they are, have a variable a step. Terms live as long as the system. Not
/// thread-safe.
class Unrolling {
 public:
  enum class Start : std::uint8_t {
    Initial,    ///< step 0 is the first of a run
    Arbitrary,  ///< step 0 is any step
  };
  /// The system must outlive the unrolling and have no new states or inputs.
  Unrolling(System& system, Start start) : system_(system), start_(start) {}

  Term at(Term t, std::size_t step);
  Term state(std::size_t position, std::size_t step) { return frame(step).states[position]; }
  /// All constraints, in that step.
  Term constraints(std::size_t step);
  /// Some state is different in the two steps: whoever comes to the second could have gone on from the first. States
  /// without next that no initial value depends on are as good as inputs and do not count.
  /// Of many states this takes long: throws OutOfBudget.
  Term differ(std::size_t a, std::size_t b, const Budget& budget);

  /// The choices of steps 0 to `last` in a model. Needs Start::Initial.
  Trace trace(const term::Assignment& model, std::size_t last);

 private:
  struct Frame {
    explicit Frame(term::TermStore& store) : substitution(store) {}
    term::Substitution substitution;
    std::vector<Term> states;
    std::vector<Term> inputs;
  };
  Frame& frame(std::size_t step);
  void add_frame();
  std::vector<std::size_t> compared_states() const;

  System& system_;
  Start start_;
  std::vector<Frame> frames_;
  std::optional<std::vector<std::size_t>> compared_;  ///< positions of the states that differ() looks at
};

}  // namespace plumb::prove
