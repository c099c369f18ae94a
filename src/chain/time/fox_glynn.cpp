// Poisson probabilities after Fox and Glynn, "Computing Poisson Probabilities", CACM 31 (1988): from the mode outwards
// by the ratio of neighbours, scaled at the end, so nothing over- or underflows. Where to stop is not taken from their
// normal approximation (whose bounds Jansen, "Understanding Fox and Glynn's Computing Poisson Probabilities", 2011, had
// to correct): beyond any point the ratios only fall, so a geometric series bounds the rest.

#include "chain/time/fox_glynn.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace plumb::chain {

PoissonWeights poisson_weights(double rate, double epsilon) {
  INVARIANT(rate > 0 && std::isfinite(rate), "the rate of a Poisson distribution should be positive and finite");
  INVARIANT(epsilon > 0 && epsilon < 1, "the missing probability should be allowed to be positive");
  const double mode = std::floor(rate);
  std::vector<double> below;  // from the mode downwards, without it
  double left_tail = 0;
  double weight = 1;
  for (double k = mode; k > 0; --k) {
    weight *= k / rate;
    const double ratio = (k - 1) / rate;
    left_tail = weight / (1 - ratio);
    if (left_tail <= epsilon / 4) break;
    left_tail = 0;
    below.push_back(weight);
  }
  PoissonWeights result;
  result.left = static_cast<std::uint64_t>(mode) - below.size();
  result.weights.assign(below.rbegin(), below.rend());
  result.weights.push_back(1);
  double right_tail = 0;
  weight = 1;
  for (double k = mode + 1;; ++k) {
    weight *= rate / k;
    const double ratio = rate / (k + 1);
    right_tail = weight / (1 - ratio);
    if (right_tail <= epsilon / 4) break;
    result.weights.push_back(weight);
  }
  // The small ones first: two cursors from the ends.
  double total = 0;
  for (std::size_t i = 0, j = result.weights.size(); i < j;)
    total += result.weights[i] < result.weights[j - 1] ? result.weights[i++] : result.weights[--j];
  for (double& w : result.weights) w /= total;
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  const double span = static_cast<double>(result.weights.size() + 2);
  result.relative_error = 2 * kUnit * span;
  // The tails are weights relative to the mode's, and rounded like them.
  result.missing = (left_tail + right_tail) / total * (1 + 2 * result.relative_error);
  return result;
}

}  // namespace plumb::chain
