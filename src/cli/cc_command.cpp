#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "program/driver/driver.h"

namespace plumb::cli {

void add_compiler_commands(CLI::App& app) {
  CLI::App* cc = app.add_subcommand("cc", "A C compiler whose programs `plumb test` can take as they are");
  CLI::App* cxx = app.add_subcommand("c++", "The same for C++");
  for (CLI::App* command : {cc, cxx})
    command->footer(
        "Takes what clang takes. Examples:\n"
        "  ./configure CC=\"plumb cc\" && make && plumb test src/tool\n"
        "  plumb cc -O2 -c parser.c && plumb cc parser.o main.c -o tool\n"
        "Objects, libraries and executables carry the bitcode of their units; the native code is clang's.");
}

Action compiler_command(std::string_view name, std::vector<std::string> arguments) {
  return [is_cxx = name == "c++", arguments = std::move(arguments)](const Context& context) {
    return program::run_compiler_driver(arguments, is_cxx, context.budget);
  };
}

}  // namespace plumb::cli
