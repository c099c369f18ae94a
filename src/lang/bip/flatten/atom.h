#pragma once

#include "lang/bip/flatten/context.h"

namespace plumb::bip::flat {

/// Adds an atom to the model: its variables, ports, transitions and priorities. Throws UserError: numbers that do not
/// fit, cyclic priorities.
ComponentId add_atom(Context& context, const AtomType& type, const std::string& name, Place place,
                     const Constants& parameters);

}  // namespace plumb::bip::flat
