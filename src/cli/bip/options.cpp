#include "cli/bip/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/error.h"

namespace plumb::cli {
namespace {

void add_property_options(CLI::App& app, BipOptions& options) {
  app.add_option("--prop", options.properties,
                 "A property: 'timer.t <= timer.n', 'p leads to q within 5', 'forall a in Atm: …'; may be given many "
                 "times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  app.add_option("--props", options.property_files, "A file of properties, one a line; may be given many times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--contract", options.contract, "A file with a precondition and a postcondition, on two lines")
      ->type_name("FILE");
  app.add_flag("--deadlock", options.deadlock, "Deadlock freedom too; without other properties it is the default");
  app.add_flag("--no-deadlock", options.no_deadlock, "Not deadlock freedom");
  app.add_flag("--no-vacuity-check", options.no_vacuity,
               "Do not ask whether a premise can ever hold, or a state be visible");
}

void add_emulation_options(CLI::App& app, BipOptions& options) {
  const std::string group = "Options for emulation";
  app.add_option("--emulate", options.emulate,
                 "Prove nothing, but run the model for N interactions, each chosen at random (--seed); 0 or less: "
                 "without a bound")
      ->type_name("N")
      ->group(group);
  app.add_option("--guide", options.guide,
                 "Emulate what this file says, then go on as --emulate asks; such a file is what --guide-out writes")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--interactive", options.is_interactive, "Emulate, and ask for each interaction")->group(group);
  app.add_option("--emit-cpp", options.emit_cpp,
                 "Write an emulator of the model as a C++ program; - for standard output")
      ->type_name("FILE")
      ->group(group);
}

/// Options that belong to proofs, and whether they were given.
std::vector<std::pair<const char*, bool>> proof_options(const ProvingOptions& options) {
  return {{"--vcd", !options.vcd.empty()},
          {"--witness", !options.witness.empty()},
          {"--certificate", !options.certificate.empty()},
          {"--check-certificate", !options.check_certificate.empty()},
          {"--script", !options.script.empty()},
          {"--property", !options.properties.empty()},
          {"--show", !options.show.empty()}};
}

void check_emulation(const BipOptions& options, const CommonOptions& common) {
  for (const auto& [name, is_given] : proof_options(options.proving))
    if (is_given)
      throw UserError(fmt::format("{} is not for an emulation", name), "leave it out, or leave out --emulate");
  if (options.is_interactive && common.json)
    throw UserError("--interactive prints text, not an object", "leave out --json");
}

/// Standard input can be read once.
void check_standard_input(const BipOptions& options) {
  std::vector<std::string> readers = options.property_files;
  readers.insert(readers.end(), {options.file, options.contract, options.guide});
  if (std::ranges::count(readers, "-") + (options.is_interactive ? 1 : 0) > 1)
    throw UserError("standard input is read for two things", "give one of them as a file");
}

}  // namespace

void add_bip_options(CLI::App& app, BipOptions& options) {
  app.add_option("FILE", options.file, "A model in BIP 2; - for standard input");
  app.add_option("--top", options.model.top,
                 "The compound type to take, with its arguments: Top or 'Top(3)'. If not given, the one that no other "
                 "contains")
      ->type_name("NAME");
  app.add_option("-b,--bits", options.model.bits, "Width of an int, 2 to 62, signed")
      ->type_name("BITS")
      ->check(CLI::Range(2, 62))
      ->capture_default_str();
  app.add_flag("--initialize-vars", options.model.initialize_variables,
               "Data that nothing initialises starts with 0 or false instead of any value");
  add_property_options(app, options);
  app.add_option(
         "--engine", options.engine,
         "The engine of BIP: two-cycle (an interaction, then its transitions), one-cycle (both in one step), "
         "parallel (one-cycle, and interactions that do not conflict may be fired together), auto (parallel, or "
         "one-cycle where a bounded response counts interactions)")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "two-cycle", "one-cycle", "parallel"}))
      ->capture_default_str();
  app.add_flag(
      "--keep-width", options.keep_width,
      "Proofs keep all bits of data that is only moved and compared; else it has as many as tell values apart");
  options.proving.engine_option = "--provers";
  options.proving.default_engines = prove::machine_engines();
  options.proving.reduction = prove::kMachineReduction;
  add_proving_options(app, options.proving, {"model", "caig", "btor2", "aiger"});
  app.remove_option(app.get_option("--replay"));  // a counterexample runs again by --guide
  app.add_option("--guide-out", options.proving.guide,
                 "Write the counterexample, or the run of an emulation, as a guide; with several, as above")
      ->type_name("FILE");
  app.add_option("--dot", options.dot,
                 "Draw components, connectors and automata for Graphviz, to FILE or standard output")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-");
  add_emulation_options(app, options);
}

void check_bip_options(BipOptions& options, const CommonOptions& common) {
  if (options.dot && options.dot->empty()) options.dot = "-";
  if (options.file.empty() && options.dot && *options.dot != "-") options.file = std::exchange(*options.dot, "-");
  if (options.file.empty()) throw UserError("no model was given", "plumb bip FILE.bip; - is standard input");
  if (options.deadlock && options.no_deadlock)
    throw UserError("--deadlock and --no-deadlock exclude each other", "leave out one of them");
  const bool prints_text = (options.dot && *options.dot == "-") || options.emit_cpp == "-";
  if (prints_text && common.json)
    throw UserError("a program or a picture is text, not an object", "leave out --json, or name a file");
  check_standard_input(options);
  if (options.is_emulation()) check_emulation(options, common);
}

}  // namespace plumb::cli
