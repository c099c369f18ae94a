// Probabilities within bounds of time or steps. An interval [a, b] has two phases (Baier, Haverkort, Hermanns and
// Katoen, "Model-Checking Algorithms for Continuous-Time Markov Chains", 2003): from the end, the target is reached
// within b - a; before that, the run stays in allowed states for a.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/analysis.h"
#include "chain/stream/row_parts.h"
#include "chain/time/enclosure.h"
#include "chain/time/exact_steps.h"
#include "chain/time/steps.h"
#include "chain/time/uniformisation.h"

namespace plumb::chain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bounds on steps as the whole numbers that they come down to; high < low where no number of steps fits.
TimeBound whole_steps(const TimeBound& time) {
  TimeBound result;
  result.low = std::max(0.0, time.low_is_strict ? std::floor(time.low) + 1 : std::ceil(time.low));
  result.high = time.high_is_strict && std::isfinite(time.high) ? std::ceil(time.high) - 1 : std::floor(time.high);
  return result;
}

bool is_empty(const TimeBound& time) {
  return time.high < time.low || time.high < 0 ||
         (time.high == time.low && (time.low_is_strict || time.high_is_strict));
}

std::vector<double> indicator(const StateSet& set) {
  std::vector<double> result(set.size());
  set.for_each([&](StateId s) { result[s] = 1; });
  return result;
}

StateSet without(StateSet set, const StateSet& other) {
  set &= other.complement();
  return set;
}

Solution constant(std::uint64_t states, double value, std::string method) {
  Solution result;
  result.low.assign(states, value);
  result.method = std::move(method);
  return result;
}

/// The probability that a row leads into the target. A sum that is not rounded has equal ends, so that bounds can be
/// met exactly.
template <typename View>
std::pair<double, double> next_of_row(Kind kind, const View& view, std::uint64_t first, std::uint32_t count,
                                      const StateSet& target) {
  double hit = 0;
  double all = 0;
  bool is_exact = true;
  for (std::uint64_t t = first; t < first + count; ++t) {
    const double weight = view.weight(t);
    all += weight;
    if (!target.contains(view.targets[t])) continue;
    const double sum = hit + weight;
    // What the sum lost (Knuth's two-sum).
    const double part = sum - hit;
    is_exact &= (hit - (sum - part)) + (weight - part) == 0;
    hit = sum;
  }
  if (kind == Kind::Ctmc) {
    // The next state of a ctmc is that of the jump: rates relative to their sum.
    if (hit == all || hit == 0) return {hit == 0 ? 0.0 : 1.0, hit == 0 ? 0.0 : 1.0};
    hit /= all;
    is_exact = false;
  }
  if (is_exact) return {hit, hit};
  const double margin = hit * (count + 3) * std::numeric_limits<double>::epsilon();
  return {std::max(0.0, hit - margin), std::min(1.0, hit + margin)};
}

template <typename View>
void next_of_part(const Chain& chain, const RowPart<View>& part, const StateSet& target, Direction direction,
                  Solution& result) {
  std::uint64_t row = part.row;
  std::uint64_t position = part.position;
  for (std::uint64_t s = part.first; s < part.last; ++s) {
    const std::uint64_t first = row;
    for (const std::uint64_t last = row + chain.row_count(static_cast<StateId>(s)); row < last; ++row) {
      const std::uint32_t count = part.view.counts[row];
      const auto [low, high] = next_of_row(chain.kind, part.view, position, count, target);
      position += count;
      const bool is_better_low = direction == Direction::Max ? low > result.low[s] : low < result.low[s];
      const bool is_better_high = direction == Direction::Max ? high > result.high[s] : high < result.high[s];
      if (row == first || is_better_low) result.low[s] = low;
      if (row == first || is_better_high) result.high[s] = high;
    }
  }
}

std::string method_name(const Chain& chain, std::uint64_t iterations) {
  return fmt::format("{}, {} steps", chain.kind == Kind::Ctmc ? "uniformisation" : "step by step", iterations);
}

/// In fractions. `bound` is in whole steps.
Solution bounded_until_exactly(const Chain& chain, const StateSet& allowed, const StateSet& target,
                               const TimeBound& bound, Direction direction, const AnalysisOptions& options,
                               const Budget& budget) {
  std::vector<Fraction> values = exact_indicator(target);
  if (bound.high == kInfinity) {
    const Solution rest = until(chain, allowed, target, direction, options, budget);
    for (std::uint64_t s = 0; s < chain.states; ++s) values[s] = *rest.exact[s];
  } else {
    const StateSet active = without(allowed, target);
    advance_exactly(chain, {&active, direction, nullptr}, bound.high - bound.low, values, budget);
  }
  const StepRule rule{&allowed, direction, nullptr};
  for (double step = 0; step < bound.low; ++step) {
    advance_exactly(chain, rule, 1, values, budget);
    // At the first of these steps a target is still one, whether it is allowed or not.
    for (std::uint64_t s = 0; step == 0 && s < chain.states; ++s)
      if (!allowed.contains(static_cast<StateId>(s))) values[s] = {};
  }
  return exact_solution(values, "fractions, step by step");
}

}  // namespace

Solution bounded_until(const Chain& chain, const StateSet& allowed, const StateSet& target, const TimeBound& time,
                       Direction direction, const AnalysisOptions& options, const Budget& budget) {
  INVARIANT(!std::isnan(time.low) && !std::isnan(time.high), "bounds of time should be numbers");
  const bool is_ctmc = chain.kind == Kind::Ctmc;
  TimeBound bound = is_ctmc ? time : whole_steps(time);
  if (is_empty(bound)) return constant(chain.states, 0, "no time fits the bounds");
  const bool has_start = bound.low > 0 || (is_ctmc && bound.low_is_strict);
  bound.low = std::max(bound.low, 0.0);
  if (!has_start && bound.high == kInfinity) return until(chain, allowed, target, direction, options, budget);

  if (wants_exact_steps(chain, options, bound.high == kInfinity ? bound.low : bound.high))
    return bounded_until_exactly(chain, allowed, target, bound, direction, options, budget);
  AnalysisOptions half = options;
  if (has_start) half.epsilon /= 2;
  const StateSet active = without(allowed, target);
  Enclosure vector = [&] {
    if (bound.high == kInfinity) return Enclosure(until(chain, allowed, target, direction, half, budget));
    Enclosure result(indicator(target));
    const double length = bound.high - bound.low;
    if (is_ctmc)
      advance_until(chain, allowed, target, active, length, result, half, budget);
    else
      advance_steps(chain, {&active, direction, nullptr}, length, result, half, budget);
    return result;
  }();
  if (has_start) {
    // A run that is in a state that is not allowed before the target may count has failed, be that state a target or
    // not.
    for (std::uint64_t s = 0; s < chain.states; ++s)
      if (!allowed.contains(static_cast<StateId>(s)) && is_ctmc) vector.values[s] = 0;
    if (is_ctmc) {
      advance_time(chain, &allowed, bound.low, vector, half, budget);
    } else {
      StepRule rule{&allowed, direction, nullptr};
      // At the first of these steps a target is still one, whether it is allowed or not.
      advance_steps(chain, rule, 1, vector, half, budget);
      for (std::uint64_t s = 0; s < chain.states; ++s)
        if (!allowed.contains(static_cast<StateId>(s))) vector.values[s] = 0;
      advance_steps(chain, rule, bound.low - 1, vector, half, budget);
    }
  }
  std::string method = method_name(chain, vector.iterations);
  Solution result = std::move(vector).to_solution(std::move(method), 1);
  // Not computed, hence not rounded.
  if (!has_start) target.for_each([&](StateId s) { result.low[s] = result.high[s] = 1; });
  return result;
}

Solution next(const Chain& chain, const StateSet& target, Direction direction, const AnalysisOptions& options,
              const Budget& budget) {
  if (options.method == AnalysisOptions::Method::Exact && chain.rows.is_exact() && chain.rows.is_kept())
    return exact_solution(next_exactly(chain, target, direction, budget), "fractions, one step");
  Solution result;
  result.method = "one step";
  result.iterations = 1;
  result.low.resize(chain.states);
  result.high.resize(chain.states);
  budget.check();
  RowPasses(chain, options.threads).run(budget, [&](const auto& part) {
    next_of_part(chain, part, target, direction, result);
  });
  return result;
}

}  // namespace plumb::chain
