#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"
#include "chain/property.h"

namespace plumb::chain {

/// How numbers are computed. Of methods that do not fit a question the automatic one is taken, and the result says so.
struct AnalysisOptions {
  enum class Method : std::uint8_t { Automatic, Interval, Value, Policy, GaussSeidel, Jacobi, Power, Krylov, Exact };
  Method method = Method::Automatic;
  double epsilon = 1e-6;  ///< greatest distance of the printed number to the true one, relative for values above one
  unsigned threads = 0;   ///< 0: all cores
  bool want_strategy = false;
};

enum class Direction : std::uint8_t { Min, Max };

/// Nothing is infinity.
using ExactValue = std::optional<Fraction>;

/// A number for each state. Where `is_guaranteed`, the true value is between low[s] and high[s], and their distance is
/// at most epsilon (relative above one) in the states that were asked for; otherwise both are the same estimate and
/// `residual` tells how well it fits. Infinity is a value.
struct Solution {
  std::vector<double> low;
  std::vector<double> high;  ///< empty: the same as low
  bool is_guaranteed = true;
  double residual = 0;
  std::uint64_t iterations = 0;         ///< sweeps over all transitions, or what counts as one
  std::uint64_t bytes = 0;              ///< of vectors at the peak of solving, beside the chain; 0: not counted
  std::string method;                   ///< "interval iteration in 12 components"
  std::vector<std::uint32_t> strategy;  ///< of an mdp, if asked for: the choice of each state, counted from its first
  std::vector<ExactValue> exact;        ///< of Method::Exact, by state; empty where fractions do not apply

  double value(StateId s) const { return high.empty() ? low[s] : (low[s] + high[s]) / 2; }
};

// --- Unbounded (reach/): value iteration from below and above after the qualitative part; rows of a ctmc count as
// probabilities ---

/// The probability to reach `target` through `allowed` states alone.
Solution until(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
               const AnalysisOptions& options, const Budget& budget);
/// What is earned on the way to `target`; infinite where it may be missed (Max: where some, Min: where every strategy
/// misses it with positive probability). For a ctmc, state rewards are per unit of time.
Solution reach_reward(const Chain& chain, std::size_t rewards, const StateSet& target, Direction direction,
                      const AnalysisOptions& options, const Budget& budget);
/// What is earned for ever; infinite where a recurrent state that earns is reached.
Solution total_reward(const Chain& chain, std::size_t rewards, Direction direction, const AnalysisOptions& options,
                      const Budget& budget);

// --- Bounded in time or steps (time/) ---

/// Through `allowed` to `target` within the time bound: steps for a dtmc and mdp, real time for a ctmc
/// (uniformisation).
Solution bounded_until(const Chain& chain, const StateSet& allowed, const StateSet& target, const TimeBound& time,
                       Direction direction, const AnalysisOptions& options, const Budget& budget);
/// The probability that the next state is in `target`.
Solution next(const Chain& chain, const StateSet& target, Direction direction, const AnalysisOptions& options,
              const Budget& budget);
Solution cumulative_reward(const Chain& chain, std::size_t rewards, double time, Direction direction,
                           const AnalysisOptions& options, const Budget& budget);
Solution instantaneous_reward(const Chain& chain, std::size_t rewards, double time, Direction direction,
                              const AnalysisOptions& options, const Budget& budget);

// --- In the long run (steady/), of a dtmc or ctmc ---

/// The long-run probability to be in `states`, from each state: bottom components are solved one by one and weighed by
/// the probabilities to reach them. A chain with one bottom component gets one number for all states.
Solution steady_state(const Chain& chain, const StateSet& states, const AnalysisOptions& options, const Budget& budget);
/// The long-run average of a reward structure.
Solution steady_reward(const Chain& chain, std::size_t rewards, const AnalysisOptions& options, const Budget& budget);

}  // namespace plumb::chain
