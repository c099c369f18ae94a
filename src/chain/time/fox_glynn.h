#pragma once

#include <cstdint>
#include <vector>

namespace plumb::chain {

/// The probabilities of a Poisson distribution where they matter: of left, left + 1, …, scaled to sum to one.
struct PoissonWeights {
  std::uint64_t left = 0;
  std::vector<double> weights;
  double missing = 0;         ///< at most this much probability is outside
  double relative_error = 0;  ///< of each weight, beside what scaling by 1 / (1 - missing) does

  std::uint64_t right() const noexcept { return left + weights.size() - 1; }
};

/// Needs rate > 0 and 0 < epsilon < 1; time and memory grow with the square root of `rate`.
PoissonWeights poisson_weights(double rate, double epsilon);

}  // namespace plumb::chain
