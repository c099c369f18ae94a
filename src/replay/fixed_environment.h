#pragma once

#include <string>
#include <vector>

namespace plumb::replay {

/// The environment variables that a program under test is started with, as NAME=VALUE, in every run and replay: what a
/// shell needs to find programs, and nothing that would make tests differ from one user to the next.
std::vector<std::string> fixed_environment();

}  // namespace plumb::replay
