#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/steady/inflow.h"
#include "chain/steady/value_classes.h"

namespace plumb::chain {

/// The long-run average of a reward over one irreducible chain.
struct Average {
  double low = 0;
  double high = 0;
  bool is_guaranteed = false;  ///< otherwise low = high is an estimate
  double residual = 0;         ///< of the stationary vector: flow that does not balance, relative to the whole
  std::uint64_t iterations = 0;
  std::uint64_t bytes = 0;
  std::string method;
};

/// Of a part that is irreducible; `reward` by state of the chain. May put the part into another order.
Average average_of(const Chain& chain, Part& part, const std::vector<double>& reward, const AnalysisOptions& options,
                   const Budget& budget);
/// The same given the part's inflow, which is given up.
Average average_of(const Chain& chain, const Part& part, Inflow inflow, const std::vector<double>& reward,
                   const AnalysisOptions& options, const Budget& budget);

/// The stationary vector by iteration with the given method (Automatic: multilevel aggregation, which does better if it
/// knows the values of the variables). `reward` by state of the inflow.
struct Stationary {
  std::vector<double> vector;
  double error = 0;  ///< estimated: sum of the distances to the true probabilities
  double residual = 0;
  std::uint64_t iterations = 0;
  std::uint64_t bytes_transitions = 0;  ///< at the peak: of the inflow and of aggregated chains
  std::uint64_t bytes_vectors = 0;
  std::string method;
};
Stationary iterate(const Inflow& inflow, const PartValues& values, const std::vector<double>& reward,
                   const AnalysisOptions& options, const Budget& budget);

/// How long one sweep of Gauss-Seidel over an inflow takes, beside adding up the same bytes in the order in which they
/// lie in memory: transitions, where they begin, exit rates and two vectors. The best of a few runs each.
struct InflowSweep {
  double sweep_seconds = 0;
  double stream_seconds = 0;
  std::uint64_t bytes = 0;
};
InflowSweep time_inflow_sweep(const Inflow& inflow, unsigned threads);

}  // namespace plumb::chain
