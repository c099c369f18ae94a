#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "result/json_text.h"
#include "result/report.h"

namespace CLI {
class App;
}

namespace plumb::cli {

/// Options that every command has.
struct CommonOptions {
  std::optional<std::chrono::duration<double>> timeout;
  std::optional<std::uint64_t> memory;
  std::uint64_t seed = 1;
  bool json = false;
  std::string out;
  int verbose = 0;
  bool quiet = false;
  std::vector<std::string> arguments;  ///< of the command line, as given
};
void add_common_options(CLI::App& app, CommonOptions& options);

/// Options of the commands that ask a solver.
struct SolvingOptions {
  std::string backend = "native";
  std::string dump_queries;
  bool stats = false;
};
void add_solving_options(CLI::App& app, SolvingOptions& options);

/// "2", "2s", "500ms", "5m", "1h". Throws UserError.
std::chrono::duration<double> parse_duration(std::string_view text);
/// "1048576", "512K", "512M", "1G". Throws UserError.
std::uint64_t parse_size(std::string_view text);

/// What a command gets to run with.
struct Context {
  const CommonOptions& common;
  Budget budget;      ///< with the limits of the common options; cancelled by Ctrl-C
  std::ostream& out;  ///< standard output; writing to it may throw
  Budget winding_up;  ///< without limits, cancelled by Ctrl-C: for what must be done after the budget has ended
};

/// Runs a command and returns its exit code.
using Action = std::function<int(const Context&)>;

/// A command registers its subcommand, with options and help, and returns what to do when it was chosen. The options
/// must be kept by the action. One of these functions stands in each *_command.cpp.
Action add_solve_command(CLI::App& app, CommonOptions& common);
Action add_ir_command(CLI::App& app, CommonOptions& common);
Action add_run_command(CLI::App& app, CommonOptions& common);
Action add_test_command(CLI::App& app, CommonOptions& common);
Action add_serve_command(CLI::App& app, CommonOptions& common);
Action add_export_command(CLI::App& app, CommonOptions& common);
Action add_merge_command(CLI::App& app, CommonOptions& common);
Action add_replay_command(CLI::App& app, CommonOptions& common);
Action add_check_command(CLI::App& app, CommonOptions& common);
Action add_prove_command(CLI::App& app, CommonOptions& common);
Action add_bip_command(CLI::App& app, CommonOptions& common);
Action add_shell_command(CLI::App& app, CommonOptions& common);
Action add_prob_command(CLI::App& app, CommonOptions& common);
Action add_energy_command(CLI::App& app, CommonOptions& common);
Action add_doctor_command(CLI::App& app, CommonOptions& common);

/// `plumb cc` and `plumb c++` have no options of their own: here is their help, and what they do with a command line.
void add_compiler_commands(CLI::App& app);
Action compiler_command(std::string_view name, std::vector<std::string> arguments);

/// `plumb --version`: version, build, libraries, capabilities.
std::string version_text();
std::string_view version();

/// Thrown by publish() when the object was printed and result.json could not be written.
class ResultNotWritten : public UserError {
 public:
  explicit ResultNotWritten(const UserError& why) : UserError(why) {}
};
/// Prints the object with --json, and writes it to result.json with --out. Returns the exit code.
int publish(const Context& context, const result::Report& report);
/// Runs `action`. If it ends with an error or out of budget, that is reported, and the exception goes on.
int with_error_report(const Context& context, std::string_view command, const std::vector<std::string>& inputs,
                      const std::function<int()>& action);

using result::put_place;
using result::utf8;

}  // namespace plumb::cli
