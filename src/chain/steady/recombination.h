#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "chain/steady/inflow.h"

namespace plumb::chain {

/// The best combination of the last few iterates: what Krylov methods do for linear iterations. Washio and Oosterlee,
/// "Krylov subspace acceleration for nonlinear multigrid schemes" (1997); for Markov chains De Sterck, Miller, Sanders
/// and Winlaw (2010).
class Recombination {
 public:
  /// Keeps `window` iterates: two vectors each.
  Recombination(const Inflow& inflow, std::size_t window, unsigned threads)
      : inflow_(inflow), window_(window), threads_(threads) {}

  /// Replaces x by the combination of it and the iterates before that balances best, positive and normalised.
  void improve(std::vector<double>& x);
  void forget() { past_.clear(); }
  std::uint64_t bytes() const noexcept { return window_ * inflow_.size() * 2 * sizeof(double); }

 private:
  struct Iterate {
    std::vector<double> x;
    std::vector<double> imbalance;
  };

  void combine(const Iterate& now, std::vector<double>& x) const;

  const Inflow& inflow_;
  std::size_t window_;
  unsigned threads_;
  std::deque<Iterate> past_;
};

}  // namespace plumb::chain
