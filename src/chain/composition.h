#pragma once

#include <vector>

#include "chain/model.h"

namespace plumb::chain {

/// Components that move together: one command of each participant, all with their guards true, make one choice.
struct Synchronisation {
  Action action = 0;  ///< as seen from outside, after renaming and hiding
  struct Participant {
    std::uint32_t component = 0;
    Action action = 0;  ///< of its commands
  };
  std::vector<Participant> participants;
};

/// All ways to move of a model, from its composition: of unnamed actions each component by itself, of the others as the
/// operators say. In a fixed order. Throws UserError if a component is left out of the composition or is in it twice,
/// or if components that move together assign the same variable.
std::vector<Synchronisation> synchronisations(const Model& model);

}  // namespace plumb::chain
