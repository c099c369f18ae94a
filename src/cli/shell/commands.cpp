#include "cli/shell/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

namespace plumb::cli::shell {
namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"read", "Read a program or a system from a file", add_read, Arguments::Files},
    {"start_prove", "Start a proving session: make the circuit of the program", add_start_prove},
    {"abc", "Reduce or prove the circuit with a command of ABC", add_abc, Arguments::AbcCommands},
    {"prove", "Decide every property with all engines side by side", add_prove},
    {"prove_status", "Show where the proving session stands", add_prove_status},
    {"debug", "Show the counterexample, and write it as a waveform", add_debug, Arguments::Files},
    {"stop_prove", "End the proving session", add_stop_prove},
    {"start_sim", "Start a simulation: at random, or along the counterexample", add_start_sim},
    {"sim_variable", "Show values of variables over frames of the simulation", add_sim_variable, Arguments::Variables},
    {"sim_status", "Show what is simulated", add_sim_status},
    {"stop_sim", "End the simulation", add_stop_sim},
    {"write", "Write the program, the system or the circuit in another format", add_write, Arguments::Formats},
    {"print_conf", "Show widths, bounds and checks", add_print_conf},
    {"print_time", "Show the time of the last command and of all", add_print_time},
    {"set", "Show or change settings: time limit, memory, seed, ABC", add_set, Arguments::Settings},
    {"echo", "Print the arguments", add_echo},
    {"help", "List the commands, or show the help of one", add_help, Arguments::Commands},
    {"quit", "Leave", add_quit},
    {"exit", "Leave", add_quit},
});

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

std::unique_ptr<CLI::App> make_app(const Command& command, Run& run) {
  auto app = std::make_unique<CLI::App>(std::string(command.summary) + ".", std::string(command.name));
  run = command.add(*app);
  return app;
}

std::string help_text(const Command& command) {
  Run run;
  return make_app(command, run)->help();
}

}  // namespace plumb::cli::shell
