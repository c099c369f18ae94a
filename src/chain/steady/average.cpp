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
#include "chain/time/steps.h"

namespace plumb::chain {
namespace {

using Method = AnalysisOptions::Method;
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range bounds_from_bias(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
                       const std::vector<double>& reward, const std::vector<double>& bias) {
  Range result;
  for (std::uint64_t i = 0; i < reward.size(); ++i) {
    const std::uint64_t row = members.empty() ? i : members[i];
    double sum = reward[i];
    double size = std::abs(reward[i]);
    chain.rows.for_each(row, [&](StateId target, double weight) {
      const double term = weight * (bias[local_of.empty() ? target : local_of[target]] - bias[i]);
      sum += term;
      size += std::abs(term);
    });
    const double rounding = (chain.rows.count(row) + 6) * kUnit * 1.01 * size;
    result.low = std::min(result.low, sum - rounding);
    result.high = std::max(result.high, sum + rounding);
  }
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

Average by_elimination(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
                       const std::vector<double>& reward, const Inflow& inflow, const BandOrder& order, double epsilon,
                       const Budget& budget) {
  const StationaryElimination solved = eliminate(inflow, order, reward, budget);
  Range range = spread(reward);
  const bool is_nonnegative = range.low >= 0;
  const Range certified = bounds_from_bias(chain, members, local_of, reward, solved.bias);
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
  result.is_guaranteed = width >= 0 && width <= epsilon * std::max(1.0, std::abs(sum));
  result.low = result.is_guaranteed ? range.low : sum;
  result.high = result.is_guaranteed ? range.high : sum;
  return result;
}

}  // namespace

Average average_of(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
                   const std::vector<double>& reward, const AnalysisOptions& options, const Budget& budget) {
  const Range range = spread(reward);
  if (range.low == range.high) {
    Average result;
    result.low = result.high = range.low;
    result.is_guaranteed = true;
    result.method = "the same in all states";
    return result;
  }
  const Inflow inflow(chain, members, local_of, budget);
  const bool is_forced = options.method == Method::GaussSeidel || options.method == Method::Jacobi ||
                         options.method == Method::Power || options.method == Method::Krylov;
  if (!is_forced)
    if (const std::optional<BandOrder> order = elimination_order(inflow, budget))
      return by_elimination(chain, members, local_of, reward, inflow, *order, options.epsilon, budget);
  const Stationary solved = iterate(inflow, reward, options, budget);
  Average result;
  for (std::size_t i = 0; i < reward.size(); ++i) result.low += solved.vector[i] * reward[i];
  result.high = result.low = std::clamp(result.low, range.low, range.high);
  result.residual = solved.residual;
  result.iterations = solved.iterations;
  result.method = solved.method;
  return result;
}

}  // namespace plumb::chain
