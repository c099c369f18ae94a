#pragma once

#include <vector>

#include "lang/bip/flatten/bind.h"
#include "lang/bip/flatten/instance.h"

namespace plumb::bip::flat {

/// Of an atom, closed; `name` is the component's. Throws UserError for cycles.
std::vector<Model::PortPriority> port_priorities(Context& context, const AtomType& type, const std::string& name,
                                                 const Scope& scope);

/// Adds the priorities of a compound to the model, whose interactions are there already: those of its rules, and
/// maximal progress in each of its connectors. Rules speak of the interactions of its own connectors, `*:*` also of
/// those of ports that its atoms do not export; what is only a part of interactions of other connectors of the compound
/// is in neither. Throws UserError: interactions that are not there, cycles.
void add_priorities(Context& context, Compound& compound);

}  // namespace plumb::bip::flat
