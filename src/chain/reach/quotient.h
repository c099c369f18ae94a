#pragma once

#include <cstdint>
#include <vector>

#include "chain/reach/passage.h"

namespace plumb::chain {

/// An mdp in which end components are single states with the rows that leave them: inside one, states justify each
/// other's upper bound and the gap never closes, or a strategy that earns nothing puts off for ever what has to be done
/// (Ciesinski, Baier, Groesser, Klein 2008; Haddad and Monmege 2014). States that are not open keep a place but only a
/// loop.
struct Quotient {
  static constexpr std::uint64_t kStop = ~std::uint64_t{0};

  Chain chain;  ///< with one reward structure by row
  std::vector<StateId> of_state;
  /// By row: that of the chain which it was made from; kStop; of states that are not open any. Empty if no strategy is
  /// wanted.
  std::vector<std::uint64_t> row_of;
  std::vector<EndComponent> components;

  /// With the two vectors that are solved for.
  std::uint64_t bytes() const noexcept {
    return chain.rows.bytes() + chain.choices.bytes() + chain.rewards[0].rows.bytes() +
           of_state.size() * sizeof(StateId) + row_of.size() * sizeof(std::uint64_t) +
           2 * chain.states * sizeof(double);
  }
  double perturbation = 0;  ///< of a row, by adding up the weights of transitions that come together
};

/// With `may_stop` each end component also has a row to a last state, the only one that stands for none: to stay for
/// ever.
Quotient collapse(const Passage& passage, std::vector<EndComponent> components, bool may_stop, bool want_strategy,
                  const Budget& budget);

/// The choices in the chain that do what `choices` do in the quotient: inside an end component go to the state whose
/// row leaves it.
void expand_strategy(const Chain& chain, const Quotient& quotient, const std::vector<std::uint32_t>& choices,
                     const StateSet& open, std::vector<std::uint32_t>& strategy, const Budget& budget);

}  // namespace plumb::chain
