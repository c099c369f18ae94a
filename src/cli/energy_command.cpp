#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/energy_report.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "energy/example.h"
#include "energy/names.h"
#include "energy/scenario_file.h"

namespace plumb::cli {
namespace {

struct Options {
  std::string file;
  std::string example_directory;
  std::uint64_t replications = 500;
  unsigned threads = 0;
  double confidence = 0.95;
  std::vector<std::string> settings;
  std::vector<std::string> sweeps;
  std::vector<std::string> baselines;
  std::vector<std::string> metrics;
  std::string csv;
  std::string plot;
  std::string event_log;
};

energy::Metric metric_of(const std::string& name) {
  if (const auto metric = energy::find_metric(name)) return *metric;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < energy::kMetrics; ++i) known.emplace_back(info(energy::metric_at(i)).name);
  throw UserError(SourceLocation{"--metric"}, fmt::format("there is no metric '{}'", name),
                  energy::hint_for_name(name, known, "metrics"));
}

/// A picture's kind is known before the first run, not after the last.
void check_plot(const Options& options) {
  if (options.plot.empty()) return;
  const std::string ending = std::filesystem::path(options.plot).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UserError(SourceLocation{"--plot"}, fmt::format("'{}' ends in neither .svg nor .png", options.plot));
}

class EnergyCommand {
 public:
  EnergyCommand(const Options& options, const Context& context) : options_(options), context_(context) {}

  int run() {
    if (!options_.example_directory.empty()) return make_example();
    const auto start = std::chrono::steady_clock::now();
    check_plot(options_);
    if (!options_.event_log.empty() && !options_.sweeps.empty())
      throw UserError(SourceLocation{"--event-log"}, "a sweep has many runs",
                      "leave out --sweep, and give values with --set");
    if (!options_.baselines.empty() && options_.sweeps.empty())
      throw UserError(SourceLocation{"--baseline"}, "there is no --sweep to hold it against");
    const energy::ScenarioFile file(options_.file);
    std::vector<energy::Scenario> scenarios = prepare(file);
    if (!options_.plot.empty()) static_cast<void>(energy_plot(result_));  // an axis that is no number shows here
    run_studies(scenarios);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    write_files();
    if (!context_.common.json) context_.out << energy_text(result_);
    return publish(context_, report(seconds.count()));
  }

 private:
  int make_example() const {
    const std::filesystem::path directory = options_.example_directory;
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
      throw UserError(SourceLocation{directory.string()},
                      fmt::format("cannot make the directory: {}", error.message()));
    result::Report report("energy", {});
    report.conclusion = result::Conclusion::Written;
    for (const energy::ExampleFile& example : energy::five_days_example()) {
      write_file(directory / example.name, example.content);
      report.files.emplace_back("example", (directory / example.name).string());
      if (!context_.common.json) context_.out << (directory / example.name).string() << "\n";
    }
    return publish(context_, report);
  }

  /// The scenarios of all combinations and then of the baselines, so that a mistake in any shows before the first run.
  std::vector<energy::Scenario> prepare(const energy::ScenarioFile& file) {
    result_.confidence = options_.confidence;
    for (const std::string& name : options_.metrics) result_.metrics.push_back(metric_of(name));
    if (result_.metrics.empty())
      result_.metrics = {energy::Metric::Revenue, energy::Metric::LineLoss, energy::Metric::UnservedEnergy,
                         energy::Metric::Refusals, energy::Metric::FinalTrust};
    for (const std::string& text : options_.sweeps) result_.sweeps.push_back(energy::parse_sweep(text));
    std::vector<energy::Setting> fixed;
    for (const std::string& text : options_.settings) fixed.push_back(energy::parse_setting(text, "--set"));
    std::vector<energy::Scenario> scenarios;
    for (const std::vector<energy::Setting>& swept : energy::combinations(result_.sweeps)) {
      context_.budget.check();
      std::vector<energy::Setting> settings = fixed;
      settings.insert(settings.end(), swept.begin(), swept.end());
      scenarios.push_back(file.scenario(settings));
      result_.points.push_back({swept, {}});
    }
    for (const std::string& text : options_.baselines) {
      std::vector<energy::Setting> settings = fixed;
      for (energy::Setting& setting : energy::parse_settings(text, "--baseline"))
        settings.push_back(std::move(setting));
      scenarios.push_back(file.scenario(settings));
      result_.baselines.push_back({text, {}});
    }
    result_.scenario = scenarios.front();
    return scenarios;
  }

  void run_studies(const std::vector<energy::Scenario>& scenarios) {
    LiveProgress progress("energy " + options_.file, context_.common.quiet);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      energy::StudyOptions study;
      study.replications = options_.replications;
      study.seed = context_.common.seed;
      study.threads = options_.threads;
      study.wants_profile = !options_.plot.empty() && options_.sweeps.empty();
      study.on_progress = [&, i](std::uint64_t done) {
        progress.set_status(fmt::format("combination {} of {}, {} of {} replications", i + 1, scenarios.size(), done,
                                        options_.replications));
      };
      energy::Summary& summary =
          i < result_.points.size() ? result_.points[i].summary : result_.baselines[i - result_.points.size()].summary;
      summary = run_study(scenarios[i], study, context_.budget);
    }
  }

  void write_files() const {
    if (!options_.event_log.empty()) {
      EnergyEventLog events(result_.scenario);
      static_cast<void>(simulate(result_.scenario, context_.common.seed, 0, context_.budget, &events));
      write_file(options_.event_log, events.text());
    }
    if (!options_.csv.empty()) write_file(options_.csv, energy_csv(result_));
    if (!options_.plot.empty()) result::write_plot(energy_plot(result_), options_.plot, context_.budget);
  }

  result::Report report(double seconds) const {
    result::Report report("energy", {options_.file});
    report.conclusion = result::Conclusion::Answered;
    if (!result_.scenario.name.empty()) report["scenario"] = utf8(result_.scenario.name);
    report["confidence"] = result_.confidence;
    report["seed"] = context_.common.seed;
    report["results"] = energy_json(result_);
    for (const auto& [kind, path] : {std::pair<std::string_view, const std::string&>{"table", options_.csv},
                                     {"plot", options_.plot},
                                     {"events", options_.event_log}})
      if (!path.empty()) report.files.emplace_back(std::string(kind), path);
    std::uint64_t events = 0;
    for (const EnergyPoint& point : result_.points) events += point.summary.events;
    for (const EnergyBaseline& baseline : result_.baselines) events += baseline.summary.events;
    report["stats"] = {{"seconds", seconds},
                       {"events", events},
                       {"loads", result_.scenario.loads.size()},
                       {"providers", result_.scenario.providers.size()},
                       {"windows", result_.scenario.windows},
                       {"jobs", result_.scenario.job_count()}};
    return report;
  }

  const Options& options_;
  const Context& context_;
  EnergyResult result_;
};

}  // namespace

Action add_energy_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("energy", "Simulate loads and power providers behind an energy router");
  CLI::Option* file = command->add_option("SCENARIO", options->file, "A scenario in TOML (docs/energy.md)");
  command->add_option("--make-example", options->example_directory, "Write the five-day example to this directory")
      ->type_name("DIR")
      ->excludes(file);
  command->add_option("--replications", options->replications, "Independent runs of the scenario")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--confidence", options->confidence, "Of the intervals")
      ->type_name("P")
      ->check(CLI::Range(0.5, 0.999999))
      ->capture_default_str();
  command->add_option("--set", options->settings, "Another value than in the file: trust.beta=2, loads.NAME.priority=1")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--sweep", options->sweeps, "Several values: trust.beta=1:1:3, router.policy=nearest,random")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  command
      ->add_option("--baseline", options->baselines, "One more run without the sweeps, to compare: pricing.scheme=time")
      ->type_name("KEY=VALUE,...")
      ->allow_extra_args(false);
  command->add_option("--metric", options->metrics, "What tables over sweeps show; the first is plotted")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--csv", options->csv, "Write all results to this file")->type_name("FILE");
  command->add_option("--plot", options->plot, "Draw a metric over the last --sweep, or power over time: .svg or .png")
      ->type_name("FILE");
  command
      ->add_option("--event-log", options->event_log, "Write the events of the first replication to this file, as CSV")
      ->type_name("FILE");
  command->add_option("--threads", options->threads, "0: as many as there are cores; results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(0U, 1024U));
  add_common_options(*command, common);
  command->footer(
      "Example:\n"
      "  plumb energy --make-example example\n"
      "  plumb energy example/five_days.toml --sweep trust.beta=1:1:3 --sweep loads.expected_price_factor=1:0.1:2 \\\n"
      "    --baseline pricing.scheme=time --metric revenue --plot revenue.svg");
  return [options](const Context& context) {
    if (options->file.empty() && options->example_directory.empty())
      throw UserError("SCENARIO is required", "`plumb energy --make-example DIR` writes one to begin with");
    return with_error_report(context, "energy", {options->file},
                             [&] { return EnergyCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
