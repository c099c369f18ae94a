#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chain/reach/passage.h"

namespace plumb::chain {

/// A Passage and what has to be done to its chain before it is one.
struct UnboundedQuestion {
  Passage passage;  ///< `low` has the values of the states that are not open; `high` is empty
  std::vector<EndComponent> collapsed;
  std::optional<ComponentLevels> levels;  ///< of the open states, if they are known already
  bool may_stop = false;                  ///< a collapsed component may be stayed in for ever, which earns nothing
  std::vector<std::uint32_t> strategy;    ///< of the states that are not open; empty if none is wanted
};
/// Of an mdp: finds the levels of the open states and collapses the end components of several states among them, made
/// of rows other than those of `excluded` (null: all rows).
void collapse_open(UnboundedQuestion& question, const StateSet* excluded, const Budget& budget);
Solution solve_unbounded(UnboundedQuestion question, const AnalysisOptions& options, const Budget& budget);

/// The structure, all of which is finite and not negative. Throws UserError otherwise. In reward.cpp.
const Chain::Rewards& countable_rewards(const Chain& chain, std::size_t rewards);

/// By rational arithmetic; in exact.cpp.
struct ExactOutcome {
  std::vector<ExactValue> values;  ///< by state
  std::vector<std::uint32_t> choices;
};
/// Fills in low and high, too: the neighbours of the fraction, or twice the same if it is a double.
ExactOutcome solve_exactly(Passage& passage, const Budget& budget);

}  // namespace plumb::chain
