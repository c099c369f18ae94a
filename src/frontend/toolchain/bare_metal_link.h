#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/toolchain/board_command.h"

namespace plumb::frontend {

/// An object or archive that a word of a command stands for: itself, what was compiled of it, or a library's archive.
struct LinkedFile {
  std::size_t word = 0;
  std::filesystem::path file;
};

/// Archives that words such as -lname find in the user's own directories (-L).
std::vector<LinkedFile> named_archives(const CompilerCommand& command);

/// Without an operating system, what a program is made of cannot be found out by linking it plainly. Joins the files
/// that carry code, and `carrier`, to one object, with of archives what the others or the entry need. Gives the
/// linker's command for the program: the user's words, with "@objects" where the first of these files stood. Throws
/// UserError with the linker's messages, or with its package.
std::vector<std::string> join_objects(const BoardCommand& board, const CompilerCommand& command,
                                      const std::vector<LinkedFile>& files, const std::filesystem::path& carrier,
                                      const std::filesystem::path& output, const Budget& budget);

}  // namespace plumb::frontend
