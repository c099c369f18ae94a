#pragma once

#include "lang/bip/flatten/instance.h"

namespace plumb::bip::flat {

/// Adds the interactions and priorities of a compound and all that it contains to the model. Throws UserError: two
/// ports of one component, components that are not connected, priorities that are wrong; Unsupported: too many
/// interactions. Warns of ports that nobody uses.
void connect(Context& context, Compound& top);

}  // namespace plumb::bip::flat
