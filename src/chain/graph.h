#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/chain.h"

namespace plumb::chain {

/// Strongly connected components, numbered so that transitions lead to the same or to a smaller number (bottom ones
/// first). Iterative; see graph_levels.h for what it takes. Transitions of weight zero do not exist in a Chain.
struct Components {
  std::vector<std::uint32_t> of_state;
  std::uint32_t count = 0;
};
Components strong_components(const Chain& chain, const Budget& budget);
/// The components that no transition leaves (of a dtmc or ctmc), by their numbers.
std::vector<std::uint32_t> bottom_components(const Chain& chain, const Components& components);

/// Where `until` is certainly zero or one. Min and Max are about what strategies can do: zero(Max) are states from
/// which no strategy has a chance, zero(Min) those where some strategy has none; one(Min): every strategy gets there
/// with probability one, one(Max): some does.
StateSet until_is_zero(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                       const Budget& budget);
StateSet until_is_one(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                      const Budget& budget);
/// Both, for little more than the price of one.
struct CertainStates {
  StateSet zero;
  StateSet one;
};
CertainStates until_is_certain(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                               const Budget& budget);

/// Where some strategy (Min) or every one (Max) never takes a row of `rows`, for ever. For a dtmc and a ctmc both are
/// the same.
StateSet can_avoid_rows(const Chain& chain, const StateSet& rows, Direction direction, const Budget& budget);

/// Maximal end components of the part of an mdp inside `within`: sets of states, with the rows that stay inside.
/// Without the rows of `excluded`, if given.
struct EndComponent {
  std::vector<StateId> states;
  std::vector<std::uint64_t> rows;
};
std::vector<EndComponent> maximal_end_components(const Chain& chain, const StateSet& within, const Budget& budget,
                                                 const StateSet* excluded = nullptr);

}  // namespace plumb::chain
