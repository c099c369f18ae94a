#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/chain.h"
#include "chain/graph.h"
#include "chain/graph_levels.h"

namespace plumb::chain {

/// What is left of an unbounded question once the qualitative part is done: the values of the `open` states, which are
/// the best of
///   (earned(s, row) + sum of weight * value of the target) / sum of weight
/// over the rows of a state and the targets other than the state itself (a loop only puts off what happens). This holds
/// for probabilities, rates and choices alike: rows need not sum to one. Rows that are nothing but a loop take no part.
/// Open states must leave the open ones with probability one under every strategy that matters: no end component among
/// them, except that for Min those may stay whose strategies earn infinitely much.
struct Passage {
  const Chain* chain = nullptr;
  Direction direction = Direction::Max;
  bool is_probability = true;  ///< values are at most one; otherwise they have no bound that is known
  StateSet open;
  std::vector<double> low;  ///< by state; of those that are not open the value, infinity included
  std::vector<double> high;
  const ValueColumn* state_rewards = nullptr;
  const ValueColumn* row_rewards = nullptr;
  double perturbation = 0;  ///< relative error of each row, in units of half an ulp, beyond that of its weights

  double earned(StateId s, std::uint64_t row) const {
    return (state_rewards ? (*state_rewards)[s] : 0) + (row_rewards ? (*row_rewards)[row] : 0);
  }
  /// The same where rows and rewards are exact.
  Fraction earned_exactly(StateId s, std::uint64_t row) const {
    Fraction result;
    if (state_rewards) result += state_rewards->fractions()[state_rewards->index()[s]];
    if (row_rewards) result += row_rewards->fractions()[row_rewards->index()[row]];
    return result;
  }
  /// What widths are relative to. Linear in the value, so that it carries over to states above, whose values are
  /// averages.
  double scale(double value) const { return is_probability ? 1 : 1 + value; }
  double gap(StateId s) const { return low[s] == high[s] ? 0 : (high[s] - low[s]) / scale(low[s]); }
};

struct PassageOutcome {
  std::uint64_t transitions_swept = 0;
  std::uint64_t components = 0;
  std::uint64_t eliminated = 0;    ///< components solved by elimination
  std::uint64_t iterated = 0;      ///< components solved by sweeps
  std::uint64_t approximated = 0;  ///< components solved as linear equations, with verified bounds
  std::uint64_t bytes = 0;         ///< beside low and high
  bool is_closed = true;           ///< all intervals are as narrow as was asked for
  bool is_guaranteed = true;
  bool is_rational = false;    ///< computed with fractions
  bool is_method_used = true;  ///< false: the method does not fit, the automatic one was taken
  double residual = 0;

  /// Of components that were solved apart.
  void add(const PassageOutcome& other);
};

/// Components of so many states are worked on by all threads together, smaller ones by one thread each.
inline constexpr std::size_t kLargeComponent = 1 << 16;
/// Few enough states for rational arithmetic where doubles are not precise enough.
inline constexpr std::uint64_t kFewForFractions = 300;

/// Fills in low and high of the open states, whose components `levels` are. Of few states gives up soon if bounds do
/// not close. The result does not depend on the number of threads.
PassageOutcome solve_passage(Passage& passage, const ComponentLevels& levels, const AnalysisOptions& options,
                             const Budget& budget);

}  // namespace plumb::chain
