#pragma once

#include <vector>

#include "program/program.h"
#include "result/gap.h"

namespace plumb::instrument {

/// What traced runs of the program do without saying so, in the code that its entry reaches: calls whose result the
/// world decides, threads, jumps between functions, instructions that are run but not followed.
std::vector<result::Gap> code_gaps(const program::Program& program);

}  // namespace plumb::instrument
