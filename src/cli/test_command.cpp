#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "cli/campaign_options.h"
#include "cli/campaign_run.h"
#include "cli/campaign_session.h"
#include "cli/compiler_gaps.h"
#include "cli/defect_files.h"
#include "cli/live_progress.h"
#include "cli/test_options.h"
#include "cli/test_report.h"
#include "concolic/search/search.h"
#include "instrument/build_subject.h"
#include "replay/confirmer.h"
#include "replay/memory_check.h"

namespace plumb::cli {
namespace {

using replay::FoundError;

constexpr std::chrono::duration<double> kDefaultTime{60};
constexpr std::chrono::duration<double> kConfirmationTime{30};
/// Runs out of time that the interpreter repeats, at up to some seconds each.
constexpr unsigned kMostHangs = 3;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// All that one run of `plumb test` knows.
class TestCommand {
 public:
  /// With --resume, the session is open.
  TestCommand(const TestOptions& options, const Context& context, CampaignSession& session, CampaignWords words)
      : options_(options),
        context_(context),
        session_(session),
        words_(std::move(words)),
        campaign_("test", options.search, options.program.load.files, context, session) {}

  int run() {
    refuse_board_programs(options_.program.load.files);
    campaign_.check_solver();
    DefectFiles files(options_.search.defects);
    concolic::SearchOptions how = search_options();
    const auto start = std::chrono::steady_clock::now();
    const instrument::Subject subject = build(how.environment);
    // No run waits for that.
    std::future<std::vector<result::Gap>> of_compiler = std::async(std::launch::async, [this] {
      return compiler_gaps(*builds_.options().compilations, load_checks(), context_.budget);
    });
    const double seconds_building = seconds_since(start);
    const concolic::EarlierSessions earlier = enter(subject);
    warn_of_sandbox(how.limits.sandbox);
    if (follows_paths()) memory_.emplace(builds_);
    how.ends_search = [&](const FoundError& error) { return !CampaignRun::is_suppressed(subject, error, files); };
    const concolic::SearchReport report = search(subject, how, earlier);
    session_.finish(report);
    TestOutcome outcome = campaign_.outcome_of(subject, report, load_checks(), earlier);
    outcome.of_compiler = of_compiler.get();
    outcome.seconds_building = seconds_building;
    outcome.sandbox = how.limits.sandbox;
    confirm(subject, how.limits, files, outcome);
    outcome.suppression_notes = files.notes();
    if (memory_) outcome.memory = &*memory_;
    campaign_.minimise(outcome);
    return campaign_.publish_outcome(outcome, files);
  }

 private:
  program::CheckSet load_checks() const { return options_.program.load.checks; }

  /// In the interpreter, which alone knows what was never written and where a pointer came from.
  bool follows_paths() const {
    return options_.check_memory || load_checks().has(program::Check::Uninitialised) ||
           load_checks().has(program::Check::PointerArithmetic);
  }

  /// Before the first run: afterwards it may be too late.
  static void warn_of_sandbox(SandboxUse use) {
    if (const std::string gaps = sandbox_gaps(use); use != SandboxUse::Off && !gaps.empty()) log().warn("{}", gaps);
  }

  concolic::SearchOptions search_options() {
    concolic::SearchOptions how = options_.search.engine;
    how.seed = context_.common.seed;
    // One run is followed for each path, and a region has many ways in one.
    if (follows_paths() && how.regions == concolic::RegionUse::Auto) how.regions = concolic::RegionUse::Off;
    EnvironmentPlan plan = plan_environment(options_.environment);
    if (options_.search.is_resumed && plan.environment.is_empty())
      if (const auto stored = words_.find(kEnvironmentWord); stored != words_.end())
        plan.environment = environment_from_json(stored->second);
    for (const std::string& note : plan.notes) log().warn("{}", note);
    how.environment = plan.environment;
    how.seeds = std::move(plan.seeds);
    for (result::TestCase& test : campaign_.seeds()) how.seeds.push_back(std::move(test));
    words_[kEnvironmentWord] = to_json(how.environment);
    words_[kChecksWord] = program::to_string(load_checks());
    if (options_.search.is_resumed) {
      session_.check_environment(words_[kEnvironmentWord]);
      session_.check_checks(load_checks());
    }
    return how;
  }

  instrument::Subject build(const instrument::SymbolicEnvironment& environment) const {
    const frontend::LoadOptions& load = builds_.options();
    const LiveProgress progress("building " + load.files.front(), context_.common.quiet);
    return instrument::build_subject(load, environment, work_.path(), context_.budget);
  }

  concolic::EarlierSessions enter(const instrument::Subject& subject) {
    const frontend::LoadOptions load = load_options(options_.program);
    result::StoredProgram program;
    program.files = load.files;
    program.compiler_flags = load.compiler_flags;
    program.entry = load.entry;
    program.options = words_;
    return campaign_.enter(subject, std::move(program));
  }

  concolic::SearchReport search(const instrument::Subject& subject, const concolic::SearchOptions& options,
                                const concolic::EarlierSessions& earlier) {
    LiveProgress progress("testing " + options_.program.load.files.front(), context_.common.quiet);
    concolic::SearchListener listener;
    session_.listen_to(listener);
    if (memory_) check_memory_in(listener, options.environment);
    look_for_deadlocks_in(listener, options.environment);
    listener.on_progress = [&](const concolic::SearchStatus& status) {
      progress.set_status(campaign_.status_text(status));
    };
    return concolic::search(subject, options, listener, context_.budget, earlier);
  }

  void check_memory_in(concolic::SearchListener& listener, const instrument::SymbolicEnvironment& environment) {
    listener.on_path = [this, store = listener.on_path, &environment](const concolic::PathRun& run) {
      store(run);
      for (result::Defect& defect : memory_->check(instrument::to_test(environment, run.inputs), context_.budget))
        memory_defects_.push_back(std::move(defect));
    };
  }

  /// A run that is out of time says nothing more; the interpreter sees whether its threads wait for each other.
  void look_for_deadlocks_in(concolic::SearchListener& listener, const instrument::SymbolicEnvironment& environment) {
    listener.on_path = [this, before = listener.on_path, &environment](const concolic::PathRun& run) {
      if (before) before(run);
      if (run.end != replay::RunEnd::Timeout || hangs_seen_ == kMostHangs) return;
      ++hangs_seen_;
      if (auto found = hangs_.find_deadlock(instrument::to_test(environment, run.inputs), context_.budget))
        memory_defects_.push_back(std::move(*found));
    };
  }

  void confirm(const instrument::Subject& subject, const replay::RunLimits& limits, DefectFiles& files,
               TestOutcome& outcome) {
    replay::Confirmer confirmer(builds_, limits);
    const CampaignRun::Confirming how{
        [&](const FoundError& error, const Budget& budget) { return confirmer.confirm(subject, error, budget); },
        [&](const result::Defect& defect) { return replay_command(defect); },
        campaign_.confirmation_budget(kConfirmationTime)};
    campaign_.confirm(how, memory_defects_, files, outcome);
  }

  /// The interpreter says most, but it stops at the first defect and has no surroundings.
  std::string replay_command(const result::Defect& defect) const {
    const bool is_interpreted = defect.shown_by == "interpreter" && !defect.is_after_another &&
                                defect.test.environment == result::Environment{};
    if (is_interpreted || defect.kind == name(program::FaultKind::UninitialisedRead))
      return fmt::format("plumb run {} --input {}", command_words(options_.program), defect.file.string());
    std::string words = command_words(options_.program);
    if (load_checks() == program::CheckSet::defaults()) words += " --checks=default";
    return fmt::format("plumb replay {} {}", defect.file.string(), words);
  }

  const TestOptions& options_;
  const Context& context_;
  CampaignSession& session_;
  CampaignWords words_;  ///< options that the campaign goes on with
  CampaignRun campaign_;
  TemporaryDirectory work_;
  replay::Builds builds_{load_options(options_.program), work_.path()};
  std::optional<replay::MemoryCheck> memory_;
  replay::MemoryCheck hangs_{builds_};
  unsigned hangs_seen_ = 0;
  std::vector<result::Defect> memory_defects_;  ///< that the interpreter alone shows
};

}  // namespace

Action add_test_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<TestOptions>();
  CLI::App* command =
      app.add_subcommand("test", "Generate tests that cover the branches of a program and reach its errors");
  add_test_options(*command, *options, common);
  return [options, command](const Context& given) {
    const Budget budget = given.common.timeout ? given.budget : given.budget.with_timeout(kDefaultTime);
    return run_in_campaign(*command, options->search, options->program.load.files, given, budget,
                           [&](const Context& context, CampaignSession& session, CampaignWords words) {
                             return TestCommand(*options, context, session, std::move(words)).run();
                           });
  };
}

}  // namespace plumb::cli
