#pragma once

#include <vector>

#include "frontend/compilations.h"
#include "program/check_set.h"
#include "result/gap.h"

namespace plumb::cli {

/// What clang has computed is not in the program any more: a gap for each such expression that one of the checks is
/// about.
std::vector<result::Gap> compiler_gaps(const frontend::Compilations& compilations, const program::CheckSet& checks);

}  // namespace plumb::cli
