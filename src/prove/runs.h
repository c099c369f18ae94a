#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "prove/locations.h"
#include "system/trace.h"

namespace plumb::prove {

using system::Trace;

/// Words and elements of arrays up to which arrays are taken apart: beyond, copies of all elements in all steps cost
/// more than the lemmas about arrays that the solver needs without.
inline constexpr std::uint64_t kMaxCells = 4096;

/// All runs of a system from their first step on, a step at a time, kept apart by the control state (locations.h) and
/// merged where they meet. Arrays that are not too large are taken apart as they come, with what is known of indices in
/// that step (array_expansion.h). Terms are in the system's store. Inputs, and states where nothing says what they are,
/// have a variable a step. Not thread-safe.
class Runs {
 public:
  /// The system must outlive the runs and have no new states or inputs.
  explicit Runs(System& system);
  ~Runs();

  /// The newest step; 0 at first.
  std::size_t step() const noexcept { return inputs_.size() - 1; }
  /// Throws OutOfBudget, after which nothing is promised of the runs but trace().
  void extend(const Budget& budget);

  // Of the newest step:
  Term bad() const noexcept { return bad_; }                  ///< of the system's first
  Term constraints() const noexcept { return constraints_; }  ///< of all
  /// Some state that has a next is different from the step before. Needs step() > 0. Throws OutOfBudget.
  Term changed(const Budget& budget);

  /// The choices of all steps in a model.
  Trace trace(const term::Assignment& model) const;

 private:
  class Terms;
  using Elements = std::vector<Term>;  ///< of an array, or one word, or one array that is not taken apart
  /// Runs that are in one value of the control state, or in an unknown one.
  struct Place {
    std::optional<BitVector> value;
    Term guard;
    std::vector<Elements> states;
    /// What else they have in common: positions of other states, with their values.
    std::vector<std::pair<std::size_t, BitVector>> common = {};
  };
  /// How runs came to a place of the newest step.
  struct Arrival {
    Place place;
    std::size_t from = 0;  ///< in before_
  };

  void add_inputs();
  void evaluate(const Budget& budget);
  void bind(const Place& place, std::size_t step);
  void leave(std::size_t from);
  void note_arrival(Place place, std::size_t from);
  void tell_apart(Place place, std::size_t from, std::size_t first_state);
  void arrive(const Budget& budget);
  Elements fresh(Term variable, const std::string& name, std::size_t step);

  System& system_;
  Locations locations_;
  std::unique_ptr<Terms> terms_;
  /// Where arrays are only read, indices may be told apart as control is: there is little to copy and to merge.
  bool tells_indices_apart_ = false;
  std::vector<Place> before_;
  std::vector<Place> now_;
  std::vector<Arrival> arrivals_;              ///< of the newest step
  std::vector<std::vector<Elements>> inputs_;  ///< by step
  std::vector<std::vector<Elements>> free_;    ///< by step: the variables of states that have some
  Term bad_;
  Term constraints_;
};

}  // namespace plumb::prove
