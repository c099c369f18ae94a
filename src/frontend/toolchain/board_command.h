#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/toolchain/compiler_command.h"

namespace plumb::frontend {

/// A command line of `plumb cc` for another machine: plumb's own words, and those that are clang's.
struct BoardCommand {
  std::string machine;  ///< of --target; empty: the command is no board's
  std::string entry = "main";
  std::string checks = "default";
  std::uint32_t arena = 0;             ///< bytes; 0: what the runtime has by itself
  std::string token_file;              ///< bare metal; may be empty
  std::string linker;                  ///< bare metal: a compiler driver that links; empty: the machine's gcc
  bool makes_target = false;           ///< the program plumb-target, of no files
  std::vector<std::string> arguments;  ///< clang's, --target=T among them
};

/// Throws UserError for words that begin with --plumb- and are none, values that are missing or wrong, and words for
/// boards without --target.
BoardCommand parse_board_command(const std::vector<std::string>& arguments);

/// Bare metal: no operating system.
bool is_bare_metal(std::string_view machine);

/// What code generation and libraries depend on: -mcpu=…, --sysroot=…, -isystem DIR.
std::vector<std::string> machine_flags(const CompilerCommand& command);

/// A machine that Debian has a cross compiler for.
struct KnownMachine {
  std::string_view triple;
  std::string_view packages;
  std::string_view name;  ///< for people
};
std::span<const KnownMachine> known_machines();

/// Programs for this machine are part of plumb's own tests.
bool is_tried(std::string_view machine);

/// What to do to be able to compile and link for a machine: "apt-get install gcc-arm-linux-gnueabihf".
std::string packages_for(std::string_view machine);

}  // namespace plumb::frontend
