#pragma once

#include <absl/container/flat_hash_set.h>

#include <optional>
#include <random>
#include <vector>

#include "base/budget.h"
#include "prove/modes/mode_table.h"
#include "system/simulator.h"

namespace plumb::prove {

/// States of random runs, as different as can be: runs start again and again from states in which two registers have
/// small values that were not seen together before. The system must outlive it and not change.
class Wandering {
 public:
  Wandering(const System& system, std::uint64_t seed) : system_(system), simulator_(system), random_(seed) {}

  /// Until there are that many states, or nothing new is found any more. False if a state was bad. Throws OutOfBudget.
  bool run(std::size_t max_states, const Budget& budget);
  /// In the form that ModeTable takes.
  const std::vector<ModeTable::State>& states() const noexcept { return words_; }

  /// The values of all registers, by position in System::states().
  using Full = std::vector<term::Value>;
  static ModeTable::State words(const Full& state);
  /// The states behind that one on a random run of so many steps, to the first bad one or the first in which the
  /// constraints cannot be kept.
  std::vector<ModeTable::State> walk(Full state, unsigned steps);

 private:
  term::Value any(term::Sort sort);
  std::optional<Full> first();
  /// A state behind that one, by random choices that keep the constraints; nothing if there are none, or if it is bad.
  std::optional<Full> next(const Full& state);
  bool choose_inputs();
  /// Keeps the state; true if two registers have values that are new together.
  bool note(const Full& state);

  const System& system_;
  system::Simulator simulator_;
  std::mt19937_64 random_;
  std::vector<Full> starts_;  ///< states that showed something new
  std::vector<ModeTable::State> words_;
  absl::flat_hash_set<ModeTable::State> seen_;
  absl::flat_hash_set<std::uint64_t> pairs_;  ///< registers and values
  bool is_bad_ = false;
};

}  // namespace plumb::prove
