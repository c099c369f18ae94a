#pragma once

#include <vector>

#include "lang/bip/ast.h"
#include "lang/bip/model.h"

namespace plumb::bip {

/// Checks names and types inside each definition and sets the types of all expressions. Throws UserError.
void check(Package& package, std::vector<Warning>& warnings);

}  // namespace plumb::bip
