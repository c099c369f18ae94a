#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plumb::solve {

/// Name and version of each solver library that is linked in, by name.
std::vector<std::pair<std::string, std::string>> backend_versions();

}  // namespace plumb::solve
