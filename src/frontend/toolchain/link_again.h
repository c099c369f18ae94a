#pragma once

#include <string>
#include <vector>

#include "frontend/toolchain/compiler_command.h"

namespace plumb::frontend {

/// What a command that links would have to say to link bitcode of the same units: libraries, files that carry no code,
/// by absolute path, and the linker's flags that decide which definition a name gets. Paths are looked up now.
std::vector<std::string> words_for_linking_again(const CompilerCommand& command);

/// Whether the product is an object that will be linked later (-r).
bool is_partial_link(const CompilerCommand& command);

}  // namespace plumb::frontend
