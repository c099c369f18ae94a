#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/token_file.h"
#include "frontend/toolchain/board_command.h"
#include "frontend/toolchain/driver.h"
#include "instrument/board_program.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using frontend::BoardCommand;

std::string token_of(const BoardCommand& command) {
  if (command.token_file.empty()) return {};
  if (!instrument::is_bare_metal(command.machine))
    throw UserError("--plumb-token-file is for bare metal", "elsewhere plumb-target is given the token when it starts");
  return read_token(command.token_file);
}

std::string output_of(const frontend::CompilerCommand& command, std::string_view otherwise) {
  return command.output.empty() ? std::string(otherwise) : command.output;
}

void replace(std::string& text, std::string_view old, std::string_view by) {
  if (const std::size_t at = text.find(old); at != std::string::npos) text.replace(at, old.size(), by);
}

/// An error about the file in between, as one about the program and flags of this command.
UserError in_users_words(const UserError& error, const fs::path& plain, const std::string& output) {
  SourceLocation place = error.location();
  if (place.file == plain.string()) place = SourceLocation{output};
  std::string hint = error.hint();
  replace(hint, "--entry ", "--plumb-entry=");
  replace(hint, ": plumb test prog.c -- -lm", "");
  return {place, error.message(), hint};
}

int make_target(const BoardCommand& command, const Context& context) {
  const frontend::CompilerCommand parsed = frontend::parse_compiler_command(command.arguments);
  using Role = frontend::CompilerCommand::Role;
  if (parsed.has(Role::Source) || parsed.has(Role::Assembler) || parsed.has(Role::File))
    throw UserError("--plumb-target-program makes plumb-target, of no files", "leave the files out");
  const instrument::BoardBuild build{
      command.machine, frontend::machine_flags(parsed), parsed.with_roles({Role::Linking}), {}, 0, {}};
  instrument::build_target_program(build, output_of(parsed, "plumb-target"), context.budget);
  return kDone;
}

int make_for_board(const BoardCommand& command, bool is_cxx, const Context& context) {
  if (command.makes_target) return make_target(command, context);
  const TemporaryDirectory directory;
  frontend::LoadOptions load;
  load.entry = command.entry;
  load.checks = program::parse_checks(command.checks);
  instrument::BoardBuild build{command.machine, {}, {}, {}, command.arena, token_of(command)};
  frontend::BoardLink link = frontend::run_board_driver(command, is_cxx, directory.path(), context.budget);
  if (link.code != 0 || !link.is_program) return link.code;
  load.files = {link.plain.string()};
  build.machine_flags = std::move(link.machine_flags);
  build.link_command = std::move(link.link_command);
  build.open_names = std::move(link.open_names);
  if (!frontend::is_tried(command.machine))
    log().warn("{} is not among the machines that plumb is tried on", command.machine);
  if (load.checks.has(program::Check::Uninitialised))
    log().warn("uninitialised reads are not looked for on boards: the interpreter looks for them (plumb test)");
  if (load.checks.has(program::Check::PointerArithmetic))
    log().warn("pointer arithmetic is not looked at on boards: the interpreter looks at it (plumb test)");
  const std::string output = output_of(frontend::parse_compiler_command(command.arguments), "a.out");
  try {
    instrument::build_board_program(load, build, output, context.budget);
  } catch (const UserError& error) {
    throw in_users_words(error, link.plain, output);
  }
  return kDone;
}

}  // namespace

void add_compiler_commands(CLI::App& app) {
  CLI::App* cc = app.add_subcommand("cc", "A C compiler whose programs `plumb test` can take as they are");
  CLI::App* cxx = app.add_subcommand("c++", "The same for C++");
  for (CLI::App* command : {cc, cxx})
    command->footer(
        "Takes what clang takes. Examples:\n"
        "  ./configure CC=\"plumb cc\" && make && plumb test src/tool\n"
        "  plumb cc -O2 -c parser.c && plumb cc parser.o main.c -o tool\n"
        "Objects, libraries and executables carry the bitcode of their units; the native code is clang's.\n"
        "\n"
        "For a board (docs/embedded.md):\n"
        "  plumb cc --target arm-linux-gnueabihf prog.c -o prog       an instrumented program, for `plumb serve prog`\n"
        "  plumb cc --target arm-linux-gnueabihf --plumb-target-program -o plumb-target\n"
        "                                                             what runs it on the board, again and again\n"
        "  plumb cc --target arm-none-eabi -mcpu=cortex-m3 -mthumb --plumb-entry=step -T board.ld *.o -o firmware.elf\n"
        "    --target MACHINE         arm-linux-gnueabihf, aarch64-linux-gnu, riscv64-linux-gnu, s390x-linux-gnu,\n"
        "                             arm-none-eabi; others if clang knows them\n"
        "    --plumb-entry=FUNCTION   where a run begins; main by default\n"
        "    --plumb-checks=LIST      as --checks of `plumb test`\n"
        "    --plumb-arena=BYTES      memory of the runtime: 64K, 1M\n"
        "    --plumb-token-file=FILE  bare metal: the token for the server\n"
        "    --plumb-linker=PROGRAM   bare metal: what links; the machine's gcc by default\n"
        "    -fno-plumb               compile without bitcode: startup code that is to stay as it is");
}

Action compiler_command(std::string_view name, std::vector<std::string> arguments) {
  return [is_cxx = name == "c++", arguments = std::move(arguments)](const Context& context) {
    const BoardCommand command = frontend::parse_board_command(arguments);
    if (!command.machine.empty()) return make_for_board(command, is_cxx, context);
    return frontend::run_compiler_driver(arguments, is_cxx, context.budget);
  };
}

}  // namespace plumb::cli
