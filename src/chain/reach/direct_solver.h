#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chain/reach/elimination.h"
#include "chain/reach/passage.h"

namespace plumb::chain {

/// Components of a Passage solved by elimination: those of chains without choices, and policies of an mdp. Not for very
/// large ones: an elimination has heap objects by state.
class DirectSolver {
 public:
  DirectSolver(Passage& passage, const Budget& budget) : passage_(passage), chain_(*passage.chain), budget_(budget) {}

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
  /// The greatest gap among the states that the component leads to.
  double gap_below(std::span<const StateId> component);
  /// Relative error of all that was eliminated, in units of half an ulp.
  double perturbation() const noexcept { return perturbation_; }

 private:
  static constexpr std::uint32_t kNotLocal = ~std::uint32_t{0};

  void number(std::span<const StateId> component);
  void forget(std::span<const StateId> component);
  /// What a policy is to be good at: the passage's value, or to take long.
  struct Aim {
    bool is_max;
    bool is_time;
  };
  double outside(StateId target, Aim aim) const;
  double earned(StateId s, std::uint64_t row, Aim aim) const { return aim.is_time ? 1 : passage_.earned(s, row); }
  bool evaluate(std::span<const StateId> component, std::span<const std::uint32_t> policy, Aim aim,
                std::vector<double>& value, double& error);
  bool improve(std::span<const StateId> component, Aim aim, std::span<const double> value,
               std::vector<std::uint32_t>& policy) const;
  bool optimise(std::span<const StateId> component, Aim aim, std::vector<std::uint32_t>& policy,
                std::vector<double>& value, double& error);

  Passage& passage_;
  const Chain& chain_;
  const Budget& budget_;
  std::vector<std::uint32_t> local_;  ///< by state: its place in the component at hand
  double perturbation_ = 0;
};

}  // namespace plumb::chain
