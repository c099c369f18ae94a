#pragma once

#include <string>
#include <vector>

#include "base/budget.h"

namespace plumb::program {

/// A compiler and linker for `CC="plumb cc" make`: does what clang does with the same arguments, and puts the bitcode
/// of each unit into the object made of it (carried_code.h). Gives clang's exit code. A unit whose bitcode cannot be
/// made costs a warning, never the build. The environment variable PLUMB_CC changes that: "quiet" leaves the warning
/// out, "off" makes it clang and nothing else.
int run_compiler_driver(const std::vector<std::string>& arguments, bool is_cxx, const Budget& budget);

}  // namespace plumb::program
