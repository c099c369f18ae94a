#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/toolchain/board_command.h"

namespace plumb::frontend {

/// Words for clang, before the user's, that make it mean what the machine's own compiler means: bare metal has no
/// headers of its own, and for arm-none-eabi enumerations are as small as they can be. Nothing on a system.
std::vector<std::string> board_defaults(const BoardCommand& command, const Budget& budget);

/// The program that links for bare metal: what --plumb-linker says, or the machine's gcc.
std::string bare_metal_linker(const BoardCommand& command);

/// An object with nothing in it, as clang makes it with these words. Throws UserError if clang does not know the
/// machine.
std::string empty_object(const std::vector<std::string>& words, const std::filesystem::path& directory,
                         const Budget& budget);

/// After a failure: throws UserError if clang does not know the machine; gives what to install if the machine's library
/// is missing, else nothing.
std::string missing_packages(const BoardCommand& command, const Budget& budget);

}  // namespace plumb::frontend
