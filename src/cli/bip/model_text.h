#pragma once

#include <string>

#include "lang/bip/model.h"

namespace plumb::cli {

/// The model without hierarchy as text, for --show model: components, interactions with their numbers, priorities.
std::string model_text(const bip::Model& model);

}  // namespace plumb::cli
