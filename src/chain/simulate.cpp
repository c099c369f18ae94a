#include "chain/simulate.h"

#include <algorithm>
#include <cmath>

namespace plumb::chain {
namespace {

constexpr double kDeviations = 3.891;  // of 99.99 percent

/// Mean and deviation of what `sample` gives for each path.
template <typename Sample>
Estimate estimate(const SimulationOptions& options, const Budget& budget, Sample sample) {
  Estimate result;
  result.paths = options.paths;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < options.paths; ++i) {
    if (i % 256 == 0) budget.check();
    const double value = sample(result);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(options.paths);
  result.mean = sum / n;
  const double variance = std::max(0.0, squares / n - result.mean * result.mean);
  // Where all paths agree, the rule of three stands in for a deviation of zero.
  result.half_width = std::max(kDeviations * std::sqrt(variance / n), 10 / n);
  return result;
}

bool is_before(double t, double bound, bool is_strict) { return is_strict ? t < bound : t <= bound; }

}  // namespace

void Simulator::start(StateId state) {
  time_ = 0;
  enter(state);
}

void Simulator::enter(StateId state) {
  state_ = state;
  const std::uint32_t rows = chain_.row_count(state);
  row_ = chain_.first_row(state);
  if (rows > 1)
    row_ += strategy_ ? (*strategy_)[state]
                      : std::min<std::uint64_t>(static_cast<std::uint64_t>(uniform() * rows), rows - 1);
  total_ = 0;
  chain_.rows.for_each(row_, [&](StateId, double weight) { total_ += weight; });
  leaves_ = time_ + (chain_.kind == Kind::Ctmc ? -std::log1p(-uniform()) / total_ : 1);
}

void Simulator::step() {
  double left = uniform() * total_;
  StateId next = state_;
  bool is_found = false;
  chain_.rows.for_each(row_, [&](StateId target, double weight) {
    if (is_found) return;
    next = target;
    left -= weight;
    is_found = left < 0;
  });
  time_ = leaves_;
  enter(next);
}

Estimate simulate_until(const Chain& chain, StateId from, const StateSet& allowed, const StateSet& target,
                        const TimeBound& time, const SimulationOptions& options, const Budget& budget) {
  Simulator simulator(chain, options.seed, options.strategy);
  const bool is_continuous = chain.kind == Kind::Ctmc;
  return estimate(options, budget, [&](Estimate& result) {
    simulator.start(from);
    for (std::uint64_t step = 0; step < options.max_steps; ++step, simulator.step()) {
      const StateId s = simulator.state();
      const double entered = simulator.time();
      if (!is_before(entered, time.high, time.high_is_strict)) return 0.0;
      // A target counts while it is stayed in, not only as it is entered.
      const bool is_late_enough = is_continuous ? simulator.leaves() > time.low
                                                : (time.low_is_strict ? entered > time.low : entered >= time.low);
      if (target.contains(s) && is_late_enough && (entered >= time.low || allowed.contains(s))) return 1.0;
      if (!allowed.contains(s)) return 0.0;
    }
    ++result.cut;
    return 0.0;
  });
}

Estimate simulate_reward(const Chain& chain, StateId from, std::size_t rewards, const StateSet& target, double time,
                         const SimulationOptions& options, const Budget& budget) {
  Simulator simulator(chain, options.seed, options.strategy);
  const Chain::Rewards& earned = chain.rewards[rewards];
  const bool is_continuous = chain.kind == Kind::Ctmc;
  return estimate(options, budget, [&](Estimate& result) {
    simulator.start(from);
    double sum = 0;
    for (std::uint64_t step = 0; step < options.max_steps; ++step, simulator.step()) {
      const StateId s = simulator.state();
      if (target.contains(s) || simulator.time() >= time) return sum;
      const double stay = std::min(simulator.leaves(), time) - simulator.time();
      if (earned.states.size() != 0) sum += earned.states[s] * stay;
      // Of a ctmc the row's reward is per unit of time; of the others it is for the step.
      if (earned.rows.size() != 0) sum += earned.rows[simulator.row()] * (is_continuous ? stay : 1);
    }
    ++result.cut;
    return sum;
  });
}

}  // namespace plumb::chain
