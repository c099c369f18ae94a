// Value iteration of a fixed number of steps (Baier and Katoen, "Principles of Model Checking", 2008, sections 10.1.1
// and 10.6.1), from the last step to the first, for all states at once. Values are sums of products of numbers that are
// not negative, so a step over a row of d transitions is off by at most d + 3 units in the last place, relatively; one
// of them is for the weight itself, which stands for a decimal number.

#include "chain/time/steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chain/stream/row_parts.h"

namespace plumb::chain {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr std::uint64_t kCheckEvery = 32;

template <typename View>
double row_sum(const View& view, std::uint64_t row, std::uint64_t& position, const double* from) {
  double sum = 0;
  for (const std::uint64_t last = position + view.counts[row]; position < last; ++position)
    sum += view.weight(position) * from[view.targets[position]];
  return sum;
}

template <typename View>
void step_part(const Chain& chain, const RowPart<View>& part, const StepRule& rule, const double* from, double* to) {
  const ValueColumn* state_reward = rule.rewards && rule.rewards->states.size() != 0 ? &rule.rewards->states : nullptr;
  const ValueColumn* row_reward = rule.rewards && rule.rewards->rows.size() != 0 ? &rule.rewards->rows : nullptr;
  const ChoiceCounts choices(chain);
  std::uint64_t row = part.row;
  std::uint64_t position = part.position;
  for (std::uint64_t s = part.first; s < part.last; ++s) {
    const auto state = static_cast<StateId>(s);
    const std::uint64_t last_row = row + choices[s];
    if (rule.active && !rule.active->contains(state)) {
      for (; row < last_row; ++row) position += part.view.counts[row];
      to[s] = from[s];
      continue;
    }
    double best = 0;
    for (bool is_first = true; row < last_row; ++row, is_first = false) {
      double value = row_sum(part.view, row, position, from);
      if (row_reward) value += (*row_reward)[part.rows_before + row];
      if (is_first || (rule.direction == Direction::Max ? value > best : value < best)) best = value;
    }
    to[s] = state_reward ? best + (*state_reward)[s] : best;
  }
}

double greatest_reward(const Chain::Rewards* rewards) {
  if (!rewards) return 0;
  const auto greatest = [](const ValueColumn& column) {
    double result = 0;
    for (const double v : column.distinct()) result = std::max(result, std::abs(v));
    return result;
  };
  return greatest(rewards->states) + greatest(rewards->rows);
}

}  // namespace

std::uint32_t greatest_row(const Chain& chain) {
  return chain.rows.offsets().counts().visit([](auto counts) {
    std::uint32_t result = 0;
    for (const auto count : counts) result = std::max<std::uint32_t>(result, count);
    return result;
  });
}

void advance_steps(const Chain& chain, const StepRule& rule, double steps, Enclosure& vector,
                   const AnalysisOptions& options, const Budget& budget) {
  if (steps <= 0) return;
  std::vector<double> next(chain.states);
  const RowPasses passes(chain, options.threads);
  const double reward = greatest_reward(rule.rewards);
  double greatest = vector.greatest();
  if (reward != 0 && vector.is_nonnegative)
    for (const ValueColumn* column : {&rule.rewards->states, &rule.rewards->rows})
      vector.is_nonnegative &= std::ranges::none_of(column->distinct(), [](double v) { return v < 0; });
  const double roundings = (greatest_row(chain) + 5) * kUnit * 1.01;
  double done = 0;
  while (done < steps) {
    passes.run(budget, [&](const auto& part) { step_part(chain, part, rule, vector.values.data(), next.data()); });
    const bool is_checked = ++vector.iterations % kCheckEvery == 0;
    const bool is_fixed = is_checked && reward == 0 && std::ranges::equal(next, vector.values);
    vector.values.swap(next);
    ++done;
    greatest += reward;
    vector.relative += roundings;
    vector.rounding += roundings * greatest;
    if (!is_checked) continue;
    budget.check();
    if (done == steps || reward != 0) continue;
    const auto [low, high] = std::ranges::minmax_element(vector.values);
    if (is_fixed || *high - *low <= options.epsilon / 8 * std::max(1.0, std::abs(*low))) {
      // A fixed point of the rounded step may still creep: what rounding hides in the steps that are left is counted.
      if (is_fixed) {
        const double hidden = roundings * greatest * (steps - done);
        if (hidden > options.epsilon / 8) continue;
        vector.relative += roundings * (steps - done);
        vector.rounding += hidden;
      } else {
        const double width = *high - *low;
        vector.below += width;
        vector.above += width;
      }
      return;
    }
  }
}

}  // namespace plumb::chain
