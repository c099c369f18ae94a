#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "instrument/subject.h"

namespace plumb::instrument {

/// How a program for a board is made of what `plumb cc --target` has compiled and linked.
struct BoardBuild {
  std::string machine;  ///< the triple: "arm-linux-gnueabihf", "arm-none-eabi"
  /// That code generation and libraries depend on: -mcpu=cortex-m3, -mthumb, --sysroot=…
  std::vector<std::string> machine_flags;
  /// Bare metal: the linker and the user's own words for it, where objects go in place of "@objects". Of plumb-target:
  /// more words for clang to link with.
  std::vector<std::string> link_command;
  std::set<std::string> open_names;  ///< that nothing but a runtime may define (frontend::BoardLink)
  std::uint32_t arena = 0;           ///< bytes for the runtime's arenas; 0: the default of the machine
  std::string token;                 ///< bare metal: built into the program
};

/// Bare metal: no operating system ("none" in the triple).
bool is_bare_metal(const std::string& machine);

/// Instruments the program that `load`'s only file carries (frontend::BoardLink::plain), links it with a runtime that
/// is compiled for the machine, and puts the result at `output`; it carries its code and `load`'s entry and checks, so
/// that read_board_program() gives the same subject. Errors as build_subject() has them.
Subject build_board_program(const frontend::LoadOptions& load, const BoardBuild& build,
                            const std::filesystem::path& output, const Budget& budget);

/// What a file that build_board_program() made says of itself.
struct BoardProgram {
  Subject subject;  ///< its executable is the file
  frontend::LoadOptions load;
  std::string machine;
};
/// Whether it is one; never throws.
bool is_board_program(const std::filesystem::path& file);

/// Throws UserError if it is none, is damaged, or is of another version of plumb or clang.
BoardProgram read_board_program(const std::filesystem::path& file, const Budget& budget);

/// The program plumb-target for the machine (runtime/target), compiled.
void build_target_program(const BoardBuild& build, const std::filesystem::path& output, const Budget& budget);

}  // namespace plumb::instrument
