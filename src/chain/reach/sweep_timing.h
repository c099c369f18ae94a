#pragma once

#include <cstdint>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

/// What a sweep of interval iteration costs beside a plain stream over the same bytes, both by all threads: the least
/// time of some rounds.
struct SweepTiming {
  /// Of the rows (targets, indices of weights, lengths), the list of states and the two vectors, which are read and
  /// written.
  std::uint64_t bytes = 0;
  double sweep_seconds = 0;   ///< every state's lower and upper value from those of its targets, Gauss-Seidel
  double stream_seconds = 0;  ///< the same arrays from their first to their last byte, added up
};

/// Takes 20 bytes a state. 0 threads: all cores. Needs the rows in memory.
SweepTiming time_sweep(const Chain& chain, unsigned threads, unsigned rounds, const Budget& budget);

}  // namespace plumb::chain
