#pragma once

#include <vector>

#include "base/budget.h"
#include "frontend/compilations.h"
#include "program/check_set.h"
#include "result/gap.h"

namespace plumb::cli {

/// What clang has computed is not in the program any more: a gap for each such expression that one of the checks is
/// about. If the budget ends before they are found, that is one.
std::vector<result::Gap> compiler_gaps(frontend::Compilations& compilations, const program::CheckSet& checks,
                                       const Budget& budget);

}  // namespace plumb::cli
