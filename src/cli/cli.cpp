#include "cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

constexpr std::string_view kFooter =
    "Exit codes: 0 everything answered, no defect; 10 a defect or a violation; 20 something stayed unknown;\n"
    "            2 bad usage or input, 130 interrupted, 1 internal error.\n"
    "`plumb COMMAND --help` shows the options of a command and an example.";

struct Subcommand {
  CLI::App* app;
  Action action;
};

void print_error(std::string_view text) {
  // Standard error may be closed as well; there is nobody left to tell then.
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "plumb: {}\n", text);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

void print_bug_report(std::string_view what, std::string_view stack) {
  print_error(fmt::format(
      "internal error: {}\n{}\n{}\nThis is a bug of plumb, not of your input. Please report it with the text above, "
      "the command line and the input.",
      what, stack, version_text()));
}

int run_command(const Subcommand& chosen, const CommonOptions& common, std::ostream& out) {
  set_up_logging(common.quiet ? -1 : common.verbose);
  const Budget unlimited;
  Budget budget = unlimited;
  if (common.timeout) budget = budget.with_timeout(*common.timeout);
  if (common.memory) budget = budget.with_memory_limit(*common.memory);
  const InterruptHandler interrupt(budget);
  const int code = chosen.action({common, budget, out, unlimited});
  out.flush();
  return InterruptHandler::interrupted() ? kInterrupted : code;
}

/// The arguments, with compiler flags in a form that the options of commands which read programs have.
std::vector<std::string> command_line(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto is_chosen = [&](const CLI::App* command) {
    return !arguments.empty() && command->get_name() == arguments.front() && takes_program(*command);
  };
  return app.get_subcommands(is_chosen).empty() ? arguments : expand_compiler_flags(arguments);
}

int parse_and_run(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app("Plumbline: tests, defects, proofs and numbers for programs, circuits and models.", "plumb");
  app.footer(std::string(kFooter));
  app.require_subcommand(1);
  bool show_version = false;
  app.add_flag("--version", show_version, "Version, build, libraries, what the solvers can do");

  CommonOptions common;
  common.arguments.assign(argv + std::min(argc, 1), argv + argc);
  std::vector<Subcommand> commands;
  for (const auto add :
       {add_solve_command, add_ir_command, add_run_command, add_test_command, add_serve_command, add_merge_command,
        add_export_command, add_replay_command, add_check_command, add_prove_command, add_bip_command,
        add_shell_command, add_prob_command, add_energy_command, add_doctor_command}) {
    Action action = add(app, common);
    commands.push_back({app.get_subcommands({}).back(), std::move(action)});
  }
  add_compiler_commands(app);
  const std::string_view first = argc < 2 ? "" : argv[1];
  if ((first == "cc" || first == "c++") && !(argc == 3 && std::string_view(argv[2]) == "--help"))
    return run_command({nullptr, compiler_command(first, {argv + 2, argv + argc})}, common, out);
  try {
    if (argc == 2 && first == "--version") {
      out << version_text();
      out.flush();
      return kDone;
    }
    std::vector<std::string> arguments = command_line(app, argc, argv);
    std::ranges::reverse(arguments);  // as the library wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (argc <= 1) {
      err << app.help();
      err.flush();
      return kBadInput;
    }
    const int code = app.exit(error, out, err);
    out.flush();
    err.flush();
    return code == 0 ? kDone : kBadInput;
  }
  for (const Subcommand& command : commands)
    if (command.app->parsed()) return run_command(command, common, out);
  INVARIANT(false, "a parsed command line should have a command");
}

}  // namespace

int run(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);     // a closed pipe shows at the write
  std::signal(SIGXFSZ, [](int) {});  // as a file that may not grow does; not ignored, which children would inherit
  Output out(1);
  Output err(2);
  try {
    return parse_and_run(argc, argv, out, err);
  } catch (const OutputClosed&) {
    return kOutputClosed;
  } catch (const UserError& error) {
    print_error(error.what());
    return kBadInput;
  } catch (const OutOfBudget& end) {
    if (InterruptHandler::interrupted()) return kInterrupted;
    print_error(to_string(end.stop));
    return kUnknown;
  } catch (const std::bad_alloc&) {
    print_error(to_string(Stop::Memory));
    return kUnknown;
  } catch (const InternalError& error) {
    print_bug_report(error.what(), error.stack());
  } catch (const std::exception& error) {
    print_bug_report(error.what(), {});
  }
  return kInternalError;
}

}  // namespace plumb::cli
