#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "chain/steady/inflow.h"

namespace plumb::chain {

/// An order of the states in which transitions reach at most `bandwidth` places far.
struct BandOrder {
  std::vector<StateId> place;  ///< by state; empty: its number
  std::uint64_t bandwidth = 0;

  double work(std::uint64_t size) const noexcept {
    return static_cast<double>(size) * static_cast<double>(bandwidth) * static_cast<double>(bandwidth);
  }
};

/// Of the given order and of reverse Cuthill-McKee's, the narrower one; nothing if elimination in both would take too
/// long.
std::optional<BandOrder> elimination_order(const Inflow& inflow, const Budget& budget);

struct StationaryElimination {
  std::vector<double> stationary;
  /// The long-run average of `reward`, and a vector h with reward + Qh nearly that average everywhere, from which
  /// bounds follow.
  double average = 0;
  std::vector<double> bias;
  double relative_error = 0;  ///< of each stationary probability
};
/// `reward` by state; empty: only the stationary vector is computed.
StationaryElimination eliminate(const Inflow& inflow, const BandOrder& order, const std::vector<double>& reward,
                                const Budget& budget);

}  // namespace plumb::chain
