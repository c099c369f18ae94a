#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/steady/inflow.h"

namespace plumb::chain {

/// The long-run average of a reward over one irreducible chain.
struct Average {
  double low = 0;
  double high = 0;
  bool is_guaranteed = false;  ///< otherwise low = high is an estimate
  double residual = 0;         ///< of the stationary vector: flow that does not balance, relative to the whole
  std::uint64_t iterations = 0;
  std::string method;
};

/// Of the component `members` (ascending; empty: the whole chain), given local_of as for Inflow; `reward` by local
/// state.
Average average_of(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
                   const std::vector<double>& reward, const AnalysisOptions& options, const Budget& budget);

/// The stationary vector by iteration with the given method (Automatic: multilevel aggregation).
struct Stationary {
  std::vector<double> vector;
  double error = 0;  ///< estimated: sum of the distances to the true probabilities
  double residual = 0;
  std::uint64_t iterations = 0;
  std::string method;
};
Stationary iterate(const Inflow& inflow, const std::vector<double>& reward, const AnalysisOptions& options,
                   const Budget& budget);

}  // namespace plumb::chain
