#pragma once

#include <vector>

#include "program/program.h"
#include "result/gap.h"

namespace plumb::semantics {

/// What the program has lost on its way here, in functions that the entry may reach: constructs that lowering stopped
/// at and functions without a body. Whatever stood there, no goal can speak of it.
std::vector<result::Gap> find_gaps(const program::Program& program);

}  // namespace plumb::semantics
