#pragma once

#include <vector>

#include "lang/bip/encode/encode.h"
#include "lang/bip/encode/symbolic.h"

namespace plumb::bip {

/// Makes the states of places and variables with their initial values, and sets `places`, `values` and `initial` of the
/// encoding. Returns what Symbolic takes as base: the values of all variables and places in a step.
std::vector<Term> add_registers(const Model& model, Encoding& encoding);

}  // namespace plumb::bip
