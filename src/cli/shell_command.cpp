#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/shell/command_interrupt.h"
#include "cli/shell/completion.h"
#include "cli/shell/line_editor.h"
#include "cli/shell/shell.h"

namespace plumb::cli {
namespace {

using prove::Verdict;

struct Options {
  std::string batch;
  std::string file;
};

int exit_code(const shell::Session& session) {
  return session.last_verdict ? result::exit_code(result::conclusion_of(*session.last_verdict)) : kDone;
}

shell::Settings settings_of(const CommonOptions& common) {
  shell::Settings settings;
  settings.timeout = common.timeout;
  settings.memory = common.memory;
  settings.seed = common.seed;
  return settings;
}

/// The command that reads the file of the command line, in the words of the session.
std::string read_command(const std::string& file) {
  std::string quoted;
  for (const char c : file) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return fmt::format("read -i \"{}\"", quoted);
}

int run_batch(const Options& options, const Context& context) {
  // A time limit is one of each command, as in a session, so the budget of the whole has none.
  shell::Shell shell(context.out, settings_of(context.common), context.winding_up);
  if (!options.file.empty()) shell.run_line(read_command(options.file));
  if (options.batch.empty() || options.batch == "-") {
    shell.run_lines(std::cin, "<stdin>");
  } else {
    read_file(options.batch);  // says why, if it cannot be read
    std::ifstream lines(options.batch);
    shell.run_lines(lines, options.batch);
  }
  return exit_code(shell.session());
}

int run_interactive(const Options& options, const Context& context) {
  shell::Shell shell(context.out, settings_of(context.common), context.winding_up);
  shell::CommandInterrupt interrupt;
  shell.set_guard([&](const Budget& budget) { return interrupt.guard(budget); });
  shell::LineEditor editor(
      shell::history_file(),
      [&](const std::string& before, const std::string& word) {
        return shell::completions(shell.session(), before, word);
      },
      interrupt.prompt_descriptor());
  if (!context.common.quiet)
    context.out << fmt::format(
        "### This is plumb {}, the shell for programs with contracts and for circuits.\n"
        "### `help` lists the commands, Ctrl-D leaves.\n",
        version());
  context.out.flush();
  if (!options.file.empty()) shell.run_line_forgivingly(read_command(options.file));
  while (!shell.session().has_quit) {
    const auto line = editor.read_line("plumb> ", context.winding_up);
    if (!line) break;
    shell.run_line_forgivingly(*line);
  }
  return kDone;
}

}  // namespace

Action add_shell_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("shell", "Prove programs and circuits step by step, in a session");
  command->add_option("FILE", options->file, "Read this program first");
  command
      ->add_option("--batch", options->batch,
                   "Run the commands of this file, one a line, and leave; - is standard input")
      ->type_name("FILE");
  add_common_options(*command, common);
  command->footer(
      "Example:\n"
      "  plumb shell examples/add.tiny\n"
      "  plumb> start_prove -b 4\n"
      "  plumb> abc dprove\n"
      "  plumb> debug -o add.vcd\n"
      "--timeout is the limit of each command. Without a terminal the standard input is a batch.\n"
      "A batch ends at the first mistake with exit code 2; otherwise with 10 or 20 if the last verdict was a\n"
      "violation or none. A session at a terminal ends with 0. See docs/shell.md.");
  return [options](const Context& context) {
    if (context.common.json || !context.common.out.empty())
      throw UserError("`plumb shell` has no --json and no --out", "`plumb prove` has them");
    const bool is_batch = !options->batch.empty() || ::isatty(STDIN_FILENO) == 0;
    return is_batch ? run_batch(*options, context) : run_interactive(*options, context);
  };
}

}  // namespace plumb::cli
