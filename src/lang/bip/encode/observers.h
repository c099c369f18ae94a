#pragma once

#include <vector>

#include "lang/bip/encode/enabling.h"
#include "lang/bip/encode/encode.h"

namespace plumb::bip {

/// Adds the bads of the properties and the registers that they need: the counterpart of Monitor. Sets `bads` and
/// `covers`; needs `visible` and the states of places and variables.
void add_observers(const Model& model, const std::vector<Property>& properties, Enabling& enabling, Encoding& encoding);

}  // namespace plumb::bip
