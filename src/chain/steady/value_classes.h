#pragma once

#include <cstdint>
#include <vector>

#include "chain/steady/inflow.h"

namespace plumb::chain {

/// The values of the variables in the states of a part.
struct PartValues {
  const StateStore* store = nullptr;
  const Part* part = nullptr;
};

/// Groups of states made of groups of values: values of a variable that the chain quickly exchanges for each other are
/// taken together, and states all of whose values are in the same groups are a group. Such groups tile the state space,
/// so the chain of groups has as few transitions a state as the chain itself, which groups found state by state do not
/// give. Returns the group of each state, numbered as they come, and their number; makes about `reduction` times fewer
/// groups than states. Empty if it finds none.
struct ValueGroups {
  std::vector<StateId> group_of;
  StateId count = 0;
};
ValueGroups group_values(const Inflow& inflow, const std::vector<double>& x, const PartValues& values, double reduction,
                         const Budget& budget);

}  // namespace plumb::chain
