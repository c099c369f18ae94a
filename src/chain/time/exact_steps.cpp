#include "chain/time/exact_steps.h"

namespace plumb::chain {
namespace {

constexpr double kMostSteps = 1000;

/// The best row of a state by what `value` gives for each.
template <typename F>
Fraction best_row(const Chain& chain, StateId s, Direction direction, F&& value) {
  const std::uint64_t first = chain.first_row(s);
  Fraction best;
  for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
    Fraction here = value(row);
    if (row == first || (direction == Direction::Max ? here > best : here < best)) best = std::move(here);
  }
  return best;
}

}  // namespace

bool wants_exact_steps(const Chain& chain, const AnalysisOptions& options, double steps) {
  return options.method == AnalysisOptions::Method::Exact && chain.rows.is_exact() && chain.rows.is_kept() &&
         chain.kind != Kind::Ctmc && steps <= kMostSteps;
}

void advance_exactly(const Chain& chain, const StepRule& rule, double steps, std::vector<Fraction>& values,
                     const Budget& budget) {
  std::vector<Fraction> next(values.size());
  for (double step = 0; step < steps; ++step) {
    for (std::uint64_t i = 0; i < chain.states; ++i) {
      budget.check();
      const auto s = static_cast<StateId>(i);
      if (rule.active && !rule.active->contains(s)) {
        next[s] = values[s];
        continue;
      }
      next[s] = best_row(chain, s, rule.direction, [&](std::uint64_t row) {
        Fraction sum;
        chain.rows.for_each_exact(row, [&](StateId target, const Fraction& weight) { sum += weight * values[target]; });
        if (rule.rewards && rule.rewards->rows.size() != 0)
          sum += rule.rewards->rows.fractions()[rule.rewards->rows.index()[row]];
        return sum;
      });
      if (rule.rewards && rule.rewards->states.size() != 0)
        next[s] += rule.rewards->states.fractions()[rule.rewards->states.index()[s]];
    }
    values.swap(next);
  }
}

std::vector<Fraction> next_exactly(const Chain& chain, const StateSet& target, Direction direction,
                                   const Budget& budget) {
  std::vector<Fraction> result;
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    budget.check();
    result.push_back(best_row(chain, static_cast<StateId>(s), direction, [&](std::uint64_t row) {
      Fraction hit;
      Fraction all;
      chain.rows.for_each_exact(row, [&](StateId t, const Fraction& weight) {
        all += weight;
        if (target.contains(t)) hit += weight;
      });
      // The next state of a ctmc is that of the jump: rates relative to their sum.
      return hit / all;
    }));
  }
  return result;
}

std::vector<Fraction> exact_indicator(const StateSet& set) {
  std::vector<Fraction> result(set.size());
  set.for_each([&](StateId s) { result[s] = 1; });
  return result;
}

std::vector<Fraction> exact_values(const Chain& chain, const ValueColumn& column) {
  std::vector<Fraction> result(chain.states);
  for (std::uint64_t s = 0; s < column.size(); ++s) result[s] = column.fractions()[column.index()[s]];
  return result;
}

Solution exact_solution(const std::vector<Fraction>& values, std::string method) {
  Solution result;
  result.method = std::move(method);
  for (const Fraction& value : values) {
    const auto [low, high] = value.bounds();
    result.low.push_back(low);
    result.high.push_back(high);
    result.exact.emplace_back(value);
  }
  return result;
}

}  // namespace plumb::chain
