#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"
#include "ltl/rabin.h"

namespace plumb::chain {

/// A chain and the automaton that reads its states as they are entered. Its actions are left out.
struct Product {
  Chain chain;
  /// By state of the original chain: the product's state that a path from there starts in; kNotAsked for states that
  /// were not asked for.
  std::vector<StateId> start;
  std::vector<ltl::Rabin::State> automaton;  ///< by state of the product

  static constexpr StateId kNotAsked = ~StateId{0};
};

/// `literals` are the states in which each literal holds. Of `asked` states (null: all), whatever can be reached from
/// them. With `rewards`, the product has that one reward structure.
Product make_product(const Chain& chain, const std::vector<StateSet>& literals, ltl::Rabin& automaton,
                     const StateSet* asked, const std::size_t* rewards, const Budget& budget);

/// States of the product from which the automaton surely accepts: those of its accepting bottom components; for an mdp
/// those of accepting end components, in which a strategy can stay.
StateSet accepting_states(const Product& product, const ltl::Rabin& automaton, const Budget& budget);

}  // namespace plumb::chain
