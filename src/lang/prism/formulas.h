#pragma once

#include <vector>

#include "chain/property.h"
#include "lang/prism/elaborator.h"

namespace plumb::prism {

/// The properties of a source, with names resolved against the model and constants in place. Throws UserError with the
/// place.
std::vector<chain::Property> make_properties(const Source& source, const chain::Model& model, Elaborator& elaborator);

}  // namespace plumb::prism
