#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"
#include "chain/property.h"

namespace plumb::chain {

/// One random path through a chain, step by step; for a ctmc with times. Choices of an mdp are those of a strategy
/// (counted from each state's first row), or even odds without one. The same seed gives the same path.
class Simulator {
 public:
  /// The chain, and the strategy if there is one, must outlive it. Throws UserError if the chain's rows are not kept.
  Simulator(const Chain& chain, std::uint64_t seed, const std::vector<std::uint32_t>* strategy = nullptr)
      : chain_(chain), strategy_(strategy), random_(seed) {
    require_rows(chain, "simulation");
  }

  void start(StateId state);
  void step();
  StateId state() const noexcept { return state_; }
  /// When the present state was entered: real time for a ctmc, steps otherwise. The stay in it ends at leaves().
  double time() const noexcept { return time_; }
  double leaves() const noexcept { return leaves_; }
  std::uint64_t row() const noexcept { return row_; }  ///< that the next step takes

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  void enter(StateId state);

  const Chain& chain_;
  const std::vector<std::uint32_t>* strategy_;
  std::mt19937_64 random_;
  StateId state_ = 0;
  std::uint64_t row_ = 0;
  double total_ = 0;  ///< weight of the row
  double time_ = 0;
  double leaves_ = 0;
};

/// A mean over paths and the half width of its confidence interval (of 99.99 percent, by the normal approximation).
struct Estimate {
  double mean = 0;
  double half_width = 0;
  std::uint64_t paths = 0;
  std::uint64_t cut = 0;  ///< paths that reached no end within max_steps; they count as not reaching the target

  bool contains(double value) const noexcept { return value >= mean - half_width && value <= mean + half_width; }
};

struct SimulationOptions {
  std::uint64_t seed = 1;
  std::uint64_t paths = 10'000;
  std::uint64_t max_steps = 100'000;
  const std::vector<std::uint32_t>* strategy = nullptr;
};

/// The probability of reaching `target` through `allowed` within the time bound, from a state.
Estimate simulate_until(const Chain& chain, StateId from, const StateSet& allowed, const StateSet& target,
                        const TimeBound& time, const SimulationOptions& options, const Budget& budget);
/// What is earned before `target` is entered and until `time` is over (infinity: only the target ends it).
Estimate simulate_reward(const Chain& chain, StateId from, std::size_t rewards, const StateSet& target, double time,
                         const SimulationOptions& options, const Budget& budget);

}  // namespace plumb::chain
