#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/read_system.h"
#include "prove/prove.h"

namespace plumb::cli {

/// Options of the commands that prove properties of systems.
struct ProvingOptions {
  std::vector<std::string> properties;       ///< names or numbers; all if empty
  std::vector<std::string> engines;          ///< empty or "auto": those by default
  std::vector<std::string> default_engines;  ///< empty: those of prove::engines()
  std::string engine_option = "--engine";    ///< the name of the option for `engines`
  std::string reduction{prove::kDefaultReduction};
  std::string script;  ///< of ABC, alone
  std::optional<std::size_t> bound;
  bool trust_abc = false;
  std::string abc = circuit::AbcOptions().program;
  std::string certificate;
  std::string check_certificate;
  std::string vcd;
  std::string witness;
  std::string guide;  ///< of a BIP model: the counterexample as a guide
  std::string replay;
  bool full_trace = false;
  std::string show;  ///< a stage to print
};
/// `stages`: what --show takes.
void add_proving_options(CLI::App& app, ProvingOptions& options, const std::vector<std::string>& stages);

/// What is wrong with the options as such, before anything is read: throws UserError. Warns of a missing ABC.
void check_proving_options(const ProvingOptions& options, const CommonOptions& common);

/// Positions of the properties that the options choose. Throws UserError for one that does not exist.
std::vector<std::size_t> chosen_properties(const ProvingOptions& options,
                                           const std::vector<SystemProperty>& properties);

/// A result for each of the bads, with a progress line. `file` is for that line.
std::vector<prove::Result> prove_chosen(const system::System& system, const std::vector<std::size_t>& bads,
                                        const ProvingOptions& options, const Context& context, const std::string& file);

/// A system as text, for --show: "caig", "btor2" or "aiger".
std::string system_text(const system::System& system, const std::string& stage, const Budget& budget);

}  // namespace plumb::cli
