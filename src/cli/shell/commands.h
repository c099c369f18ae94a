#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"

namespace CLI {
class App;
}

namespace plumb::cli::shell {

/// What a command does, with the options that were given to it.
using Run = std::function<void(Session&)>;

/// What can be written where a command's arguments stand, beside its options.
enum class Arguments : std::uint8_t { None, Files, Commands, AbcCommands, Variables, Settings, Formats };

/// A command of the session. `add` declares its options, which the result keeps.
struct Command {
  std::string_view name;
  std::string_view summary;
  Run (*add)(CLI::App& app);
  Arguments arguments = Arguments::None;
};
/// In the order in which `help` lists them.
std::span<const Command> commands();
const Command* find_command(std::string_view name);
/// The command's options, ready to parse. `run` is what to do then.
std::unique_ptr<CLI::App> make_app(const Command& command, Run& run);
/// The command's help, as -h prints it.
std::string help_text(const Command& command);

/// What `set` knows.
std::vector<std::string_view> setting_names();
/// What `write` knows.
std::vector<std::string_view> format_names();

/// -b and the other bounds and switches of start_prove; what was given is applied to a configuration.
class ConfigurationOptions {
 public:
  void add_to(CLI::App& app);
  /// Throws UserError for values that make no sense.
  tiny::Options applied(tiny::Options options) const;
  bool is_empty() const { return changes_.empty(); }

 private:
  std::vector<std::function<void(tiny::Options&)>> changes_;
};

// One of these functions for each command; a file a group.
Run add_help(CLI::App& app);
Run add_echo(CLI::App& app);
Run add_print_time(CLI::App& app);
Run add_set(CLI::App& app);
Run add_quit(CLI::App& app);

Run add_read(CLI::App& app);
Run add_write(CLI::App& app);
Run add_print_conf(CLI::App& app);

Run add_start_prove(CLI::App& app);
Run add_stop_prove(CLI::App& app);
Run add_prove_status(CLI::App& app);
Run add_prove(CLI::App& app);
Run add_abc(CLI::App& app);
Run add_debug(CLI::App& app);

Run add_start_sim(CLI::App& app);
Run add_stop_sim(CLI::App& app);
Run add_sim_status(CLI::App& app);
Run add_sim_variable(CLI::App& app);

}  // namespace plumb::cli::shell
