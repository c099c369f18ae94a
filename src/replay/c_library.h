#pragma once

#include <string>

namespace plumb::replay {

/// A function or variable of the C library, which native runs have.
bool is_in_library(const std::string& name);

}  // namespace plumb::replay
