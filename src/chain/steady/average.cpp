// Bounds on long-run averages. For any vector h of an irreducible chain with generator Q and stationary vector p, p Q h
// = 0, so the average p f lies between the least and the greatest entry of f + Q h (Odoni, "On finding the maximal gain
// for Markov decision processes", 1969). Elimination gives an h for which these entries are nearly the same; checking
// it takes one pass, whose rounding is counted.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "chain/steady/elimination.h"
#include "chain/steady/stationary.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

using Method = AnalysisOptions::Method;
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range bounds_from_bias(const Chain& chain, const Part& part, const std::vector<double>& reward,
                       const std::vector<double>& bias, unsigned threads, const Budget& budget) {
  Range result;
  const double* weights = chain.rows.weights().distinct().data();
  part.for_each_row(chain, threads, budget,
                    [&](StateId s, std::uint32_t count, const StateId* targets, const auto* index) {
                      const StateId i = part.local(s);
                      double sum = reward[i];
                      double size = std::abs(reward[i]);
                      for (std::uint32_t t = 0; t < count; ++t) {
                        const double term = weights[index[t]] * (bias[part.local(targets[t])] - bias[i]);
                        sum += term;
                        size += std::abs(term);
                      }
                      const double rounding = (count + 6) * kUnit * 1.01 * size;
                      result.low = std::min(result.low, sum - rounding);
                      result.high = std::max(result.high, sum + rounding);
                    });
  return result;
}

Range spread(const std::vector<double>& reward) {
  const auto [low, high] = std::ranges::minmax_element(reward);
  return {*low, *high};
}

void meet(Range& range, const Range& other) {
  range.low = std::max(range.low, other.low);
  range.high = std::min(range.high, other.high);
}

Average by_elimination(const Chain& chain, const Part& part, const std::vector<double>& reward, const Inflow& inflow,
                       const BandOrder& order, const AnalysisOptions& options, const Budget& budget) {
  const StationaryElimination solved = eliminate(inflow, order, reward, budget);
  Range range = spread(reward);
  const bool is_nonnegative = range.low >= 0;
  const Range certified = bounds_from_bias(chain, part, reward, solved.bias, options.threads, budget);
  if (certified.low <= certified.high) meet(range, certified);
  // Relative bounds hold for small probabilities too, where the others are coarse.
  const double share = solved.relative_error + static_cast<double>(reward.size()) * kUnit;
  double sum = 0;
  for (std::size_t i = 0; i < reward.size(); ++i) sum += solved.stationary[i] * reward[i];
  if (is_nonnegative && share < 0.01) meet(range, {sum / (1 + share) * (1 - 2 * kUnit), sum * (1 + 2 * share)});
  Average result;
  result.iterations = 1;
  result.method = fmt::format("elimination of {} states, bandwidth {}", reward.size(), order.bandwidth);
  const double width = range.high - range.low;
  result.is_guaranteed = width >= 0 && width <= options.epsilon * std::max(1.0, std::abs(sum));
  result.low = result.is_guaranteed ? range.low : sum;
  result.high = result.is_guaranteed ? range.high : sum;
  return result;
}

std::vector<double> local_values(const Chain& chain, const Part& part, const std::vector<double>& by_state) {
  std::vector<double> result(part.size(chain));
  for (std::uint64_t i = 0; i < result.size(); ++i) result[i] = by_state[part.state(i)];
  return result;
}

bool is_iterative(Method method) {
  return method == Method::GaussSeidel || method == Method::Jacobi || method == Method::Power ||
         method == Method::Krylov;
}

Average constant(double value) {
  Average result;
  result.low = result.high = value;
  result.is_guaranteed = true;
  result.method = "the same in all states";
  return result;
}

Average by_iteration(const Chain& chain, const Part& part, const Inflow& inflow, const std::vector<double>& reward,
                     const AnalysisOptions& options, const Budget& budget) {
  PartValues values;
  if (chain.store.size() == chain.states) values = {&chain.store, &part};
  const Stationary solved = iterate(inflow, values, reward, options, budget);
  const Range range = spread(reward);
  Average result;
  result.low =
      parallel_sum(reward.size(), options.threads, [&](std::uint64_t i) { return solved.vector[i] * reward[i]; });
  result.high = result.low = std::clamp(result.low, range.low, range.high);
  result.residual = solved.residual;
  result.iterations = solved.iterations;
  result.bytes = solved.bytes_transitions + solved.bytes_vectors;
  result.method = solved.method;
  return result;
}

}  // namespace

Average average_of(const Chain& chain, const Part& part, Inflow inflow, const std::vector<double>& reward,
                   const AnalysisOptions& options, const Budget& budget) {
  const std::vector<double> local = local_values(chain, part, reward);
  const Range range = spread(local);
  if (range.low == range.high) return constant(range.low);
  if (!is_iterative(options.method))
    if (const std::optional<BandOrder> order = elimination_order(inflow, budget))
      return by_elimination(chain, part, local, inflow, *order, options, budget);
  return by_iteration(chain, part, inflow, local, options, budget);
}

Average average_of(const Chain& chain, Part& part, const std::vector<double>& reward, const AnalysisOptions& options,
                   const Budget& budget) {
  const Range range = spread(local_values(chain, part, reward));
  if (range.low == range.high) return constant(range.low);
  return average_of(chain, part, Inflow(chain, part, true, options.threads, budget), reward, options, budget);
}

}  // namespace plumb::chain
