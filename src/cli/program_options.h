#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "frontend/load.h"
#include "program/fault.h"

namespace plumb::cli {

/// Options of the commands that read a program.
struct ProgramOptions {
  frontend::LoadOptions load;
  std::vector<std::string> include_directories;
  std::vector<std::string> definitions;
  std::vector<std::string> compiler_flags;
  std::string optimisation = "0";
  bool m32 = false;
  bool m64 = false;
};
enum class FilesNeeded { Yes, No };
void add_program_options(CLI::App& app, ProgramOptions& options, FilesNeeded needed = FilesNeeded::Yes);

/// `--checks LIST`, of the commands that look for defects.
void add_checks_option(CLI::App& app, ProgramOptions& options);

/// Rewrites what a compiler takes and our option parser does not (-std=c99, -m32, all after --) into options of
/// add_program_options(). `arguments`: of the whole command line, without the program's name.
std::vector<std::string> expand_compiler_flags(const std::vector<std::string>& arguments);
/// The command has the options of add_program_options().
bool takes_program(const CLI::App& command);

/// As a shell takes it for one word.
std::string quoted_word(const std::string& word);
/// The words that make a command take the same program, for people to copy: "list.c -Iinclude --m32". With `--checks`
/// if they are not the default ones.
std::string command_words(const ProgramOptions& options);

/// What the options name, for frontend::load_program() and its like.
frontend::LoadOptions load_options(const ProgramOptions& options);
/// Throws UserError if one of them is a program for a board: it runs there alone.
void refuse_board_programs(const std::vector<std::string>& files);
/// Compiles and lowers what the options name, with a progress line.
program::Program load_program(const ProgramOptions& options, const Context& context);

}  // namespace plumb::cli
