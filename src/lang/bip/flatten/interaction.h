#pragma once

#include "lang/bip/flatten/instance.h"

namespace plumb::bip::flat {

/// The interaction of the model that an offer of a connector is: names, guards and data are bound.
Model::Interaction make_interaction(Context& context, const Connector& connector, const Offer& offer);

/// The variables of a connector, added to the model.
void add_connector_data(Context& context, Connector& connector);

}  // namespace plumb::bip::flat
