#pragma once

#include <vector>

#include "chain/property.h"
#include "lang/prism/elaborator.h"

namespace plumb::prism {

/// The properties of all sources in their order, with names resolved against the model and each other and constants in
/// place; of all, or of those that are wanted. Throws UserError with the place.
std::vector<chain::Property> make_properties(const std::vector<const Source*>& sources, const std::vector<bool>* wanted,
                                             const chain::Model& model, Elaborator& elaborator);

}  // namespace plumb::prism
