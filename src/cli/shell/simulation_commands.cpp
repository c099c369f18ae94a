#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/shell/commands.h"

namespace plumb::cli::shell {
namespace {

constexpr std::size_t kFrames = 32;
constexpr std::size_t kMaxFrames = 1'000'000;

struct SimulationOptions {
  ConfigurationOptions configuration;
  bool from_counterexample = false;
  std::optional<std::uint64_t> seed;
  std::size_t frames = kFrames;
};

std::unique_ptr<Simulation> along_counterexample(Session& session) {
  const Proving& proving = session.needed_proving();
  if (!proving.found())
    throw UserError("no counterexample: find one with `abc dprove`, `abc pdr` or `prove`, or simulate without -c");
  return std::make_unique<Simulation>(proving.design(), proving.found()->trace,
                                      fmt::format("counterexample of {}", proving.found()->engine));
}

std::unique_ptr<Simulation> at_random(Session& session, const SimulationOptions& options) {
  session.needed_source();
  if (options.frames == 0 || options.frames > kMaxFrames)
    throw UserError(fmt::format("{} frames cannot be simulated", options.frames),
                    fmt::format("from 1 to {}", kMaxFrames));
  if (session.proving && !options.configuration.is_empty())
    throw UserError("a proving session runs, and its widths and bounds are used",
                    "`stop_prove` first, or give them to start_prove");
  const tiny::Options configuration = options.configuration.applied(session.configuration);
  const auto design =
      session.proving ? session.proving->design() : std::make_shared<const Design>(*session.source, configuration);
  const std::uint64_t seed = options.seed.value_or(session.settings.seed);
  system::RandomRun run = system::random_run(design->system(), seed, options.frames);
  if (run.trace.steps.empty()) throw UserError("no choice that was tried satisfies the constraints of the first step");
  auto simulation = std::make_unique<Simulation>(
      design, std::move(run.trace),
      fmt::format("random, seed {}{}", seed, run.is_stuck ? ", stuck by constraints" : ""));
  session.configuration = configuration;
  return simulation;
}

void print_status(Session& session) {
  const Simulation& simulation = session.needed_simulation();
  session.print("Simulation of {}: {} frames ({}).\n", simulation.design().file(), simulation.frames(),
                simulation.origin());
  for (const system::Replay::Reached& reached : simulation.replay().reached) {
    const auto& properties = simulation.design().properties();
    if (std::ranges::find(properties, reached.bad) == properties.end()) continue;
    session.print("  {} is violated in frame {}.\n", simulation.design().property_name(reached.bad), reached.step);
  }
}

struct VariableOptions {
  std::vector<std::string> names;
  std::size_t from = 0;
  std::optional<std::size_t> to;
};

void show_variables(Session& session, const VariableOptions& options) {
  const Simulation& simulation = session.needed_simulation();
  if (options.names.empty()) {
    for (const std::string& name : simulation.names()) session.print("{}\n", name);
    return;
  }
  const std::size_t last = simulation.frames() - 1;
  const std::size_t to = options.to.value_or(last);
  if (options.from > to || to > last)
    throw UserError(fmt::format("there are no frames {} to {}", options.from, to),
                    fmt::format("frames are 0 to {}", last));
  std::vector<Simulation::Signal> signals;
  std::vector<std::string> head{"frame"};
  for (const std::string& name : options.names) {
    signals.push_back(simulation.signal(name));
    head.push_back(signals.back().name);
  }
  session.out << table(head, simulation.values(signals, options.from, to));
}

}  // namespace

Run add_start_sim(CLI::App& app) {
  const auto options = std::make_shared<SimulationOptions>();
  auto* along = app.add_flag("-c,--counterexample", options->from_counterexample, "Along the counterexample");
  app.add_option("--seed", options->seed, "Of the random choices; `set seed` without it")
      ->type_name("N")
      ->excludes(along);
  app.add_option("-n,--frames", options->frames, "Number of frames")
      ->type_name("N")
      ->capture_default_str()
      ->excludes(along);
  options->configuration.add_to(app);
  app.footer("Widths and bounds are those of the proving session, if one runs.");
  return [options](Session& session) {
    session.simulation = options->from_counterexample ? along_counterexample(session) : at_random(session, *options);
    print_status(session);
  };
}

Run add_stop_sim(CLI::App&) {
  return [](Session& session) {
    session.needed_simulation();
    session.simulation.reset();
    session.print("The simulation is ended.\n");
  };
}

Run add_sim_status(CLI::App&) {
  return [](Session& session) { print_status(session); };
}

Run add_sim_variable(CLI::App& app) {
  const auto options = std::make_shared<VariableOptions>();
  app.add_option("NAME", options->names, "Variables, array elements as a[3]; without one, all names are listed");
  app.add_option("-f,--from", options->from, "The first frame")->type_name("FRAME")->capture_default_str();
  app.add_option("-t,--to", options->to, "The last frame; the last one of the simulation without it")
      ->type_name("FRAME");
  return [options](Session& session) { show_variables(session, *options); };
}

}  // namespace plumb::cli::shell
