#pragma once

#include <string>
#include <vector>

#include "chain/model.h"
#include "chain/property.h"

namespace plumb::chain {

/// Takes out the components that the properties cannot see: whose variables nobody else reads, who assign nobody
/// else's, and who move by themselves alone. Their names. Properties keep their values: in continuous time such a
/// component takes nothing from the others; a step of a dtmc or mdp is shared with it, so there only questions without
/// a clock and without cost count as blind to it. Labels and rewards that the properties do not use and that depend on
/// a dropped component become false and zero. What depends on the label "deadlock" or on X is left alone, and so are
/// models with a composition of their own or with several initial states. Positions of variables change, and
/// expressions of model and properties with them.
std::vector<std::string> drop_unseen(Model& model, std::vector<Property>& properties);

}  // namespace plumb::chain
