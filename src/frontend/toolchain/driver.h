#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/toolchain/board_command.h"

namespace plumb::frontend {

/// A compiler and linker for `CC="plumb cc" make`: does what clang does with the same arguments, and puts the bitcode
/// of each unit into the object made of it (carried_code.h). Gives clang's exit code. A unit whose bitcode cannot be
/// made costs a warning, never the build. The environment variable PLUMB_CC changes that: "quiet" leaves the warning
/// out, "off" makes it clang and nothing else, as the flag -fno-plumb does for one command.
int run_compiler_driver(const std::vector<std::string>& arguments, bool is_cxx, const Budget& budget);

/// What a command for a board has made.
struct BoardLink {
  int code = 0;                      ///< to exit with
  bool is_program = false;           ///< the command links a program, and `plain` is to become one; else all is done
  std::filesystem::path plain;       ///< carries the program's code
  std::set<std::string> open_names;  ///< that nothing defines yet
  /// Bare metal: the linker and the user's words for it, with "@objects" where what carries code stood, without -o.
  std::vector<std::string> link_command;
  std::vector<std::string> machine_flags;
};

/// The same for another machine. Programs are not linked to their place, because their code is still to be
/// instrumented: references may be left open to what a runtime defines. On bare metal, files that carry code are joined
/// to one object. `directory` is for files. UserError for a machine or linker that is not there.
BoardLink run_board_driver(const BoardCommand& command, bool is_cxx, const std::filesystem::path& directory,
                           const Budget& budget);

}  // namespace plumb::frontend
