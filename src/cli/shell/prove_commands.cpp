#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/shell/commands.h"
#include "cli/shell/report.h"
#include "prove/engine.h"
#include "system/waveform.h"

namespace plumb::cli::shell {
namespace {

using prove::Verdict;

/// A property by its name, a part of it that is only one's, or its number.
std::size_t property_of(const Design& design, const std::string& name) {
  std::vector<std::string> names;
  std::vector<std::size_t> parts;
  for (const std::size_t bad : design.properties()) {
    names.push_back(design.property_name(bad));
    if (names.back() == name) return bad;
    if (names.back().find(name) != std::string::npos) parts.push_back(bad);
  }
  if (parts.size() == 1) return parts.front();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size() && number < design.properties().size())
    return design.properties()[number];
  throw UserError(fmt::format("'{}' names {} properties", name, parts.empty() ? "no" : "several"),
                  fmt::format("properties are: {}", fmt::join(names, "; ")));
}

void start_prove(Session& session, const ConfigurationOptions& changes, const std::string& property) {
  const Source& source = session.needed_source();
  const tiny::Options options = changes.applied(session.configuration);
  const auto design = std::make_shared<const Design>(source, options);
  std::vector<std::size_t> properties = design->properties();
  if (properties.empty()) throw UserError(fmt::format("{} has no property to prove", source.file));
  if (!property.empty()) properties = {property_of(*design, property)};
  auto proving = std::make_unique<Proving>(design, std::move(properties), session.settings.abc, session.budget);
  if (session.proving) session.print("The former proving session is ended.\n");
  if (const tiny::Subject* subject = design->subject())
    for (const tiny::Warning& warning : subject->warnings)
      session.print("warning: {}: {}\n", warning.location.to_string(), warning.message);
  session.out << configuration_table(options, design.get(), source.language);
  session.print("Properties:\n");
  for (const std::size_t bad : proving->properties()) session.print("  {}\n", design->property_name(bad));
  session.print("{}\n", proving->statistics());
  session.configuration = options;
  session.proving = std::move(proving);
}

void print_sizes(Session& session, const Proving& proving) {
  for (const circuit::AbcDriver::Reduction& reduction : proving.sizes())
    session.print("  {:<24} lat = {:5}  and = {:7}  lev = {:4}\n", reduction.step.empty() ? "as made" : reduction.step,
                  reduction.size.latches, reduction.size.ands, reduction.size.levels);
}

void print_status(Session& session) {
  const Proving& proving = session.needed_proving();
  session.print("Proving {} for {:.1f} s, {} properties, {} bits.\nCircuit:\n", proving.design()->file(),
                proving.seconds(), proving.properties().size(), proving.design()->options().int_width);
  print_sizes(session, proving);
  if (!proving.last()) {
    session.print("Nothing was tried yet.\n");
  } else {
    session.print("Last answer: {}{}.\n", result::to_string(proving.last()->verdict),
                  proving.last()->engine.empty() ? "" : " (" + proving.last()->engine + ")");
  }
  if (proving.found()) session.print("There is a counterexample: `debug` shows it.\n");
}

struct ProveOptions {
  std::string timeout;
  std::vector<std::string> engines;
  std::string property;
  std::uint64_t bound = ~std::uint64_t{0};
};

void prove_properties(Session& session, const ProveOptions& options) {
  Proving& proving = session.needed_proving();
  const Design& design = *proving.design();
  std::vector<std::size_t> bads = proving.properties();
  if (!options.property.empty()) bads = {property_of(design, options.property)};
  prove::Options engines;
  engines.abc = session.settings.abc;
  engines.seed = session.settings.seed;
  engines.trust_abc = session.settings.trust_abc;
  engines.max_bound = options.bound;
  engines.engines = options.engines;
  Budget budget = session.budget;
  if (!options.timeout.empty()) budget = budget.with_timeout(parse_duration(options.timeout));
  const prove::Stopwatch watch;
  std::vector<Verdict> verdicts;
  const std::vector<prove::Result> results = prove::prove_all(design.system(), bads, budget, engines);
  for (std::size_t i = 0; i < bads.size(); ++i) {
    session.print("{}: ", design.property_name(bads[i]));
    verdicts.push_back(results[i].verdict);
    proving.conclude(results[i], bads[i]);
    if (results[i].verdict == Verdict::Violated) {
      session.print("violated, by {}\n", results[i].engine);
      session.out << summary(design, *proving.found());
    } else {
      session.out << verdict_line(results[i], watch.seconds());
    }
  }
  session.last_verdict = result::worst(verdicts);
  if (session.last_verdict == Verdict::Holds) check_vacuity(session, proving);
}

void debug(Session& session, const std::string& file) {
  const Proving& proving = session.needed_proving();
  if (!proving.found())
    throw UserError("no counterexample: find one with `abc dprove`, `abc pdr` or `prove`",
                    proving.last() && is_proof(proving.last()->verdict) ? "the last answer was a proof" : "");
  session.out << details(*proving.design(), *proving.found());
  if (file.empty()) return;
  system::WaveformOptions options;
  options.top = std::filesystem::path(proving.design()->file()).stem().string();
  write_file(file, system::write_vcd(proving.design()->system(), proving.found()->trace, options));
  session.print("Waveform written to {}.\n", file);
}

}  // namespace

Run add_start_prove(CLI::App& app) {
  struct Options {
    ConfigurationOptions configuration;
    std::string property;
  };
  const auto options = std::make_shared<Options>();
  options->configuration.add_to(app);
  app.add_option("-p,--property", options->property, "This property alone, by name or number; all without it")
      ->type_name("NAME");
  app.footer("What is not given stays as it was: `print_conf` shows it. Example: start_prove -b 4 --array 7");
  return [options](Session& session) { start_prove(session, options->configuration, options->property); };
}

Run add_stop_prove(CLI::App&) {
  return [](Session& session) {
    session.needed_proving();
    session.proving.reset();
    session.print("The proving session is ended.\n");
  };
}

Run add_prove_status(CLI::App&) {
  return [](Session& session) { print_status(session); };
}

Run add_prove(CLI::App& app) {
  const auto options = std::make_shared<ProveOptions>();
  app.add_option("-t,--timeout", options->timeout, "Stop after this time: 30, 500ms, 5m")->type_name("TIME");
  app.add_option("-e,--engine", options->engines, prove::engines().text() + "; the portfolio without it")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("-p,--property", options->property, "This property alone, by name or number")->type_name("NAME");
  app.add_option("-k,--bound", options->bound, "The last step that engines look at")->type_name("STEP");
  app.footer("Works on the circuit before reductions; each engine of ABC reduces by the default script.");
  return [options](Session& session) { prove_properties(session, *options); };
}

Run add_debug(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  app.add_option("-o,--output", *file, "Write the counterexample as a waveform (VCD), for GTKWave")->type_name("FILE");
  return [file](Session& session) { debug(session, *file); };
}

}  // namespace plumb::cli::shell
