#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel/crew.h"
#include "chain/reach/elimination.h"
#include "chain/reach/local_numbers.h"
#include "chain/reach/passage.h"
#include "chain/reach/policy_system.h"

namespace plumb::chain {

/// Components of a Passage solved as linear equations: those of chains without choices, and policies of an mdp. By
/// elimination, which has heap objects by state and is not for very large ones, or approximately (policy_system.h).
class DirectSolver {
 public:
  /// With `crew` large components are shared by threads.
  DirectSolver(Passage& passage, const Budget& budget, parallel::Crew* crew)
      : passage_(passage), chain_(*passage.chain), budget_(budget), crew_(crew) {}

  /// Fills in low and high; false, and nothing is changed, if it would touch more than `work_limit` entries.
  bool eliminate(std::span<const StateId> component, std::uint64_t work_limit);
  struct PolicyValue {
    std::vector<double> value;  ///< of the last policy, which bounds the optimum on its side
    /// How long it takes to leave the component, by the slowest policy if that is finite: added to or taken from the
    /// value in small parts, it gives room in every row.
    std::vector<double> time;
  };
  /// Policy iteration (Howard 1960) from what the lower vector likes best. Nothing where a policy never leaves the
  /// component or elimination takes too much.
  std::optional<PolicyValue> best_policy_value(std::span<const StateId> component);
  /// The same without elimination: the value is no bound, but so close to the optimum that with some part of the time
  /// added and taken away it has intervals of the width `tolerance`. Nothing where that cannot be computed.
  std::optional<PolicyValue> approximate_value(std::span<const StateId> component, double tolerance);
  /// What approximate_value() has at its peak.
  static std::uint64_t bytes_of(std::span<const StateId> component) {
    const std::uint64_t range = std::uint64_t{component.back()} - component.front() + 1;
    return PolicySystem::kVectors * range * sizeof(double) + component.size() * (3 * sizeof(double) + sizeof(StateId));
  }
  /// Gone through by approximate_value() since the last call.
  std::uint64_t take_transitions() noexcept { return std::exchange(transitions_, 0); }
  /// The greatest gap among the states that the component leads to.
  double gap_below(std::span<const StateId> component) const;
  /// Relative error of what was eliminated since the last call, in units of half an ulp.
  double take_perturbation() noexcept { return std::exchange(perturbation_, 0); }

 private:
  static constexpr std::uint32_t kNotLocal = LocalNumbers::kNone;

  /// What a policy is to be good at: the passage's value, or to take long.
  struct Aim {
    bool is_max;
    bool is_time;
  };
  double outside(StateId target, Aim aim) const;
  double earned(StateId s, std::uint64_t row, Aim aim) const { return aim.is_time ? 1 : passage_.earned(s, row); }
  struct Part {
    std::span<const StateId> states;
    LocalNumbers numbers;
  };
  bool evaluate(const Part& part, std::span<const std::uint32_t> policy, Aim aim, std::vector<double>& value,
                double& error);
  bool improve(const Part& part, Aim aim, std::span<const double> value, std::vector<std::uint32_t>& policy) const;
  std::vector<std::uint32_t> greedy_policy(std::span<const StateId> component) const;
  bool approximate(const Part& part, std::span<const std::uint32_t> policy, Aim aim, double tolerance,
                   std::vector<double>& value);
  bool optimise(const Part& part, Aim aim, std::vector<std::uint32_t>& policy, std::vector<double>& value,
                double& error);

  Passage& passage_;
  const Chain& chain_;
  const Budget& budget_;
  parallel::Crew* crew_;
  double perturbation_ = 0;
  std::uint64_t transitions_ = 0;
};

}  // namespace plumb::chain
