#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/time/enclosure.h"

namespace plumb::chain {

/// What one backward step over a dtmc or mdp does: v'(s) = earned(s) + best row's (earned + sum of weight * v(target)).
struct StepRule {
  const StateSet* active = nullptr;  ///< the others keep their value; none: all states
  Direction direction = Direction::Max;
  const Chain::Rewards* rewards = nullptr;  ///< earned in each step; none: nothing
};

/// Goes `steps` steps back. Ends early where all values of a vector are nearly the same (then later ones are between
/// its least and greatest) or where nothing changes any more.
void advance_steps(const Chain& chain, const StepRule& rule, double steps, Enclosure& vector,
                   const AnalysisOptions& options, const Budget& budget);

/// The greatest number of transitions of a row.
std::uint32_t greatest_row(const Chain& chain);

}  // namespace plumb::chain
