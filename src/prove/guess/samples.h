#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/budget.h"
#include "prove/guess/vocabulary.h"
#include "system/simulator.h"

namespace plumb::prove {

using system::Trace;

/// States that runs of a system were seen in, by place. The system must outlive it and not change.
class Samples {
 public:
  /// The values of all states.
  using State = std::vector<term::Value>;

  Samples(const System& system, const ControlMap& map, const Vocabulary& vocabulary, std::uint64_t seed);

  /// Makes runs with random choices (small numbers, the system's constants, anything) of at most `length` steps that
  /// have `steps` together.
  void run(std::size_t steps, std::size_t length, const Budget& budget);
  /// Runs the trace `count` times, and goes on for `steps` steps with random choices.
  void follow(const Trace& trace, std::size_t count, std::size_t steps, const Budget& budget);

  const std::vector<State>& at(std::size_t place) const { return states_[place]; }
  /// A run that reached the bad, by chance.
  const std::optional<Trace>& counterexample() const noexcept { return counterexample_; }

 private:
  bool choose(std::size_t step);
  void go_on(std::size_t steps);
  bool is_at_rest() const;
  void record();
  std::vector<std::optional<term::Value>> chosen_states(bool at_start);
  term::Value value(term::Sort sort, bool is_input);
  BitVector bits(std::uint32_t width, bool is_input);

  const System& system_;
  const ControlMap& map_;
  const Vocabulary& vocabulary_;
  system::Simulator simulator_;
  std::mt19937_64 random_;
  std::uint64_t taste_ = 0;  ///< of this run
  Trace trace_;              ///< this run
  std::vector<std::vector<State>> states_;
  std::vector<std::size_t> seen_;                         ///< by place: all states, kept or not
  std::vector<absl::flat_hash_set<std::size_t>> hashes_;  ///< by place
  std::optional<Trace> counterexample_;
};

}  // namespace plumb::prove
