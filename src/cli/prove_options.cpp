#include "cli/prove_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel/share.h"
#include "base/subprocess.h"
#include "circuit/aiger.h"
#include "cli/live_progress.h"
#include "lang/caig/caig.h"
#include "prove/engine.h"
#include "system/btor2.h"
#include "system/to_circuit.h"

namespace plumb::cli {
namespace {

void add_result_options(CLI::App& app, ProvingOptions& options) {
  app.add_option("--certificate", options.certificate,
                 "Write why a property holds, as SMT-LIB; with several, its name is put in front of the suffix")
      ->type_name("FILE");
  app.add_option("--check-certificate", options.check_certificate,
                 "Prove nothing anew, but check this certificate with our own solver")
      ->type_name("FILE");
  app.add_option("--vcd", options.vcd, "Write the counterexample as a waveform; with several, as above")
      ->type_name("FILE");
  app.add_option("--witness", options.witness, "Write the counterexample as a BTOR2 witness; with several, as above")
      ->type_name("FILE");
  app.add_option("--replay", options.replay, "Prove nothing, but run this counterexample again")->type_name("FILE");
  app.add_flag("--full-trace", options.full_trace, "Show every signal of a counterexample");
}

/// As they were named; empty: those by default.
std::vector<std::string> wanted_engines(const ProvingOptions& options) {
  const bool is_default = options.engines.empty() || (options.engines.size() == 1 && options.engines.front() == "auto");
  return is_default ? options.default_engines : options.engines;
}

/// Throws UserError for one that does not exist.
std::vector<std::string> engines_of(const ProvingOptions& options) {
  std::vector<std::string> told_later;
  return prove::engines().resolve(wanted_engines(options), told_later);
}

bool uses_abc(const ProvingOptions& options) {
  return !options.script.empty() || std::ranges::any_of(engines_of(options), [](const std::string& name) {
    return prove::engines().find(name).needs_abc;
  });
}

std::vector<prove::Result> run_script(const system::System& system, const std::vector<std::size_t>& bads,
                                      const ProvingOptions& options, const Context& context, LiveProgress& progress) {
  std::vector<prove::Result> results;
  for (const std::size_t bad : bads) {
    progress.set_status(fmt::format("property {} of {}: abc {}", results.size() + 1, bads.size(), options.script));
    prove::AbcProveOptions abc;
    abc.abc.program = options.abc;
    abc.script = options.script;
    abc.trust_abc = options.trust_abc;
    results.push_back(
        prove::abc_prove(system, bad, parallel::share_of(context.budget, bads.size() - results.size()), abc));
  }
  return results;
}

}  // namespace

void add_proving_options(CLI::App& app, ProvingOptions& options, const std::vector<std::string>& stages) {
  app.add_option("--property", options.properties, "Only this one, by name or number from 0; may be given many times")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option(options.engine_option, options.engines,
                 fmt::format("Engines, separated by commas, that run side by side: {}. By default {}",
                             prove::engines().text(), fmt::join(engines_of(options), ", ")))
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--reduce", options.reduction, "How ABC reduces the circuit before its proofs; empty: not at all")
      ->type_name("SCRIPT")
      ->capture_default_str();
  app.add_option("--script", options.script, "ABC alone, with this script of reductions and proofs: 'scl; dc2; pdr'")
      ->type_name("SCRIPT");
  app.add_option("--bound", options.bound, "The last step that our own engines look at")->type_name("K");
  app.add_flag("--trust-abc", options.trust_abc,
               "Believe a proof of ABC that could not be re-checked; the answer says so");
  app.add_option("--abc", options.abc, "ABC, on PATH or as a path")->type_name("PROGRAM")->capture_default_str();
  add_result_options(app, options);
  app.add_option("--show", options.show, fmt::format("Prove nothing, but print: {}", fmt::join(stages, ", ")))
      ->type_name("STAGE")
      ->check(CLI::IsMember(stages));
}

void check_proving_options(const ProvingOptions& options, const CommonOptions& common) {
  if (!options.script.empty() && !options.engines.empty())
    throw UserError(fmt::format("--script is ABC alone, without {}", options.engine_option),
                    "put ABC's proofs into the script, or use --reduce");
  if (!options.show.empty() && common.json) throw UserError("--show prints text, not an object", "leave out --json");
  if (uses_abc(options) && options.show.empty() && options.replay.empty() && options.check_certificate.empty() &&
      !find_program(options.abc))
    log().warn("there is no program '{}': the engines of ABC are left out (apt-get install berkeley-abc)", options.abc);
}

std::vector<std::size_t> chosen_properties(const ProvingOptions& options,
                                           const std::vector<SystemProperty>& properties) {
  std::vector<std::size_t> chosen;
  for (const std::string& wanted : options.properties) {
    const auto named = std::ranges::find(properties, wanted, &SystemProperty::name);
    std::size_t position = static_cast<std::size_t>(named - properties.begin());
    if (named == properties.end()) {
      const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), position);
      if (error != std::errc{} || end != wanted.data() + wanted.size()) position = properties.size();
    }
    if (position >= properties.size()) {
      std::vector<std::string> names;
      for (const SystemProperty& property : properties) names.push_back(property.name);
      throw UserError(fmt::format("there is no property '{}'", wanted),
                      fmt::format("there are: {}", fmt::join(names, ", ")));
    }
    if (std::ranges::count(chosen, position) == 0) chosen.push_back(position);
  }
  if (options.properties.empty())
    for (std::size_t i = 0; i < properties.size(); ++i) chosen.push_back(i);
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<prove::Result> prove_chosen(const system::System& system, const std::vector<std::size_t>& bads,
                                        const ProvingOptions& options, const Context& context,
                                        const std::string& file) {
  LiveProgress progress("proving " + file, context.common.quiet);
  if (!options.script.empty()) return run_script(system, bads, options, context, progress);
  progress.set_status(fmt::format("{} propert{} by {}", bads.size(), bads.size() == 1 ? "y" : "ies",
                                  fmt::join(engines_of(options), ", ")));
  prove::Options wanted;
  wanted.abc.program = options.abc;
  wanted.reduction = options.reduction;
  wanted.engines = wanted_engines(options);
  if (options.bound) wanted.max_bound = *options.bound;
  wanted.seed = context.common.seed;
  wanted.trust_abc = options.trust_abc;
  return prove::prove_all(system, bads, context.budget, wanted);
}

std::string system_text(const system::System& system, const std::string& stage, const Budget& budget) {
  if (stage == "caig") return caig::write_caig(system);
  if (stage == "btor2") return system::write_btor2(system);
  INVARIANT(stage == "aiger", "--show should take no other stage of a system");
  return circuit::write_aiger(system::to_circuit(system, budget).aig, circuit::AigerFormat::Ascii);
}

}  // namespace plumb::cli
