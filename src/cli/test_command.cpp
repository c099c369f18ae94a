#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "cli/campaign_options.h"
#include "cli/campaign_session.h"
#include "cli/cli.h"
#include "cli/defect_files.h"
#include "cli/live_progress.h"
#include "cli/test_options.h"
#include "cli/test_report.h"
#include "concolic/build_subject.h"
#include "concolic/confirm/confirm.h"
#include "concolic/confirm/describe_defect.h"
#include "concolic/confirm/memory_check.h"
#include "concolic/search/explore.h"
#include "concolic/search/fingerprint.h"
#include "result/defect/defect_json.h"
#include "result/defect/defect_set.h"
#include "result/export/suite.h"
#include "solve/solver.h"

namespace plumb::cli {
namespace {

using concolic::FoundError;

constexpr std::string_view kDefaultDirectory = "plumb-out";
constexpr std::chrono::duration<double> kDefaultTime{60};
/// Errors are replayed after the time is over, lest they are found and not told.
constexpr std::chrono::duration<double> kConfirmationTime{30};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// All that one run of `plumb test` knows.
class TestCommand {
 public:
  /// With --resume, the session is open.
  TestCommand(const TestOptions& options, const Context& context, CampaignSession& session,
              std::map<std::string, std::string> words)
      : options_(options), context_(context), session_(session), words_(std::move(words)) {}

  int run() {
    check_solver();
    DefectFiles files(options_.defects);
    concolic::ExploreOptions explore = explore_options();
    const auto start = std::chrono::steady_clock::now();
    const concolic::Subject subject = build(explore.environment);
    const double seconds_building = seconds_since(start);
    const concolic::EarlierSessions earlier = enter(subject, explore);
    warn_of_sandbox(explore.limits.sandbox);
    if (follows_paths()) memory_.emplace(load_options(options_.program), work_.path());
    explore.ends_search = [&](const FoundError& error) { return !is_suppressed(subject, error, files); };
    const concolic::ExploreReport report = search(subject, explore, earlier);
    session_.finish(report);
    concolic::Confirmer confirmer(subject, load_options(options_.program), explore.limits, work_.path());
    TestOutcome outcome{subject, report, load_checks()};
    outcome.milestones = session_.milestones();
    outcome.seconds_building = seconds_building;
    outcome.tests = session_.directory().tests();
    outcome.sessions = earlier.search.sessions + 1;
    outcome.had_finished = had_finished(earlier);
    outcome.sandbox = explore.limits.sandbox;
    confirm(report.errors, confirmer, files, outcome);
    outcome.suppression_notes = files.notes();
    if (memory_) outcome.memory = &*memory_;
    if (options_.minimise && !session_.problem()) minimise(outcome);
    return publish_outcome(outcome, files);
  }

 private:
  program::CheckSet load_checks() const { return options_.program.load.checks; }

  /// In the interpreter, which alone knows what was never written.
  bool follows_paths() const { return options_.check_memory || load_checks().has(program::Check::Uninitialised); }

  /// A name that does not exist should be told before anything is built.
  void check_solver() const {
    term::TermStore store;
    static_cast<void>(solve::make_solver(store, options_.explore.solver));
  }

  /// Before the first run: afterwards it may be too late.
  static void warn_of_sandbox(SandboxUse use) {
    if (use == SandboxUse::Auto && !sandbox_powers().is_complete())
      log().warn("the sandbox does not keep the program under test from {}", sandbox_powers().missing());
  }

  concolic::ExploreOptions explore_options() {
    concolic::ExploreOptions explore = options_.explore;
    explore.seed = context_.common.seed;
    // One run is followed for each path, and a region has many ways in one.
    if (follows_paths() && explore.regions == concolic::RegionUse::Auto) explore.regions = concolic::RegionUse::Off;
    EnvironmentPlan plan = plan_environment(options_.environment);
    if (options_.is_resumed && plan.environment.is_empty())
      if (const auto stored = words_.find(kEnvironmentWord); stored != words_.end())
        plan.environment = environment_from_json(stored->second);
    for (const std::string& note : plan.notes) log().warn("{}", note);
    explore.environment = plan.environment;
    explore.seeds = std::move(plan.seeds);
    if (!options_.input.empty())
      for (auto& [path, test] : result::read_test_cases(options_.input)) explore.seeds.push_back(std::move(test));
    words_[kEnvironmentWord] = to_json(explore.environment);
    words_[kChecksWord] = program::to_string(load_checks());
    if (options_.is_resumed) {
      session_.check_environment(words_[kEnvironmentWord]);
      session_.check_checks(load_checks());
    }
    return explore;
  }

  concolic::Subject build(const concolic::SymbolicEnvironment& environment) const {
    const program::LoadOptions load = load_options(options_.program);
    const LiveProgress progress("building " + load.files.front(), context_.common.quiet);
    return concolic::build_subject(load, environment, work_.path(), context_.budget);
  }

  /// Begins a campaign or goes on with one.
  concolic::EarlierSessions enter(const concolic::Subject& subject, const concolic::ExploreOptions& explore) {
    const program::LoadOptions load = load_options(options_.program);
    result::StoredProgram program;
    program.fingerprint = concolic::fingerprint(subject);
    program.directory = std::filesystem::current_path().string();
    program.files = load.files;
    program.compiler_flags = load.compiler_flags;
    program.entry = load.entry;
    program.options = words_;
    if (options_.is_resumed) {
      concolic::EarlierSessions earlier = session_.resume(subject, program);
      const bool is_complete = earlier.search.stop == name(concolic::ExploreReport::Stop::Complete);
      if (had_finished(earlier) && (is_complete || explore.until != concolic::Until::Time))
        log().warn("the campaign had finished ({}): what it knows is gone through again", earlier.search.stop);
      return earlier;
    }
    if (const std::size_t old = session_.begin(subject, program); old > 0)
      log().warn("{} of an earlier run in {} replaced", old == 1 ? "1 test" : fmt::format("{} tests", old),
                 session_.directory().tests().string());
    return {};
  }

  /// As far as that is known before the replay.
  static bool is_suppressed(const concolic::Subject& subject, const FoundError& error, DefectFiles& files) {
    if (error.end != concolic::RunEnd::Defect || error.site == 0) return false;
    const concolic::Site& site = subject.sites[error.site];
    result::Defect defect;
    defect.kind = name(concolic::kind_of_defect(static_cast<std::uint32_t>(error.code)));
    defect.place = subject.program.describe(site.location);
    if (site.function != program::kNone) defect.function = subject.program.functions[site.function].name;
    files.suppress(defect);
    return defect.suppressed.has_value();
  }

  static bool had_finished(const concolic::EarlierSessions& earlier) {
    return earlier.search.stop == name(concolic::ExploreReport::Stop::Complete) ||
           earlier.search.stop == name(concolic::ExploreReport::Stop::AllBranches);
  }

  concolic::ExploreReport search(const concolic::Subject& subject, const concolic::ExploreOptions& options,
                                 const concolic::EarlierSessions& earlier) {
    LiveProgress progress("testing " + options_.program.load.files.front(), context_.common.quiet);
    concolic::ExploreListener listener;
    session_.listen_to(listener);
    if (memory_) check_memory_in(listener, options.environment);
    listener.on_progress = [&](const concolic::ExploreStatus& status) {
      progress.set_status(fmt::format("{} of {} branches, {} runs, {} tests, {} to try{}", status.edges_covered,
                                      status.edges_total, status.runs, session_.milestones().size(), status.pending,
                                      session_.errors() == 0 ? "" : fmt::format(", {} errors", session_.errors())));
    };
    return concolic::explore(subject, options, listener, context_.budget, earlier);
  }

  void check_memory_in(concolic::ExploreListener& listener, const concolic::SymbolicEnvironment& environment) {
    listener.on_path = [this, store = listener.on_path, &environment](const concolic::PathRun& run) {
      store(run);
      for (result::Defect& defect : memory_->check(concolic::to_test(environment, run.inputs), context_.budget))
        memory_defects_.push_back(std::move(defect));
    };
  }

  void minimise(TestOutcome& outcome) {
    const LiveProgress progress("minimising the tests", context_.common.quiet);
    const result::MinimisedSuite suite = session_.minimise();
    outcome.kept_tests = suite.kept.size();
    outcome.is_minimal = suite.is_minimal;
  }

  /// Replays what was found. Of several errors that turn out to be the same defect, the best one stays.
  void confirm(const std::vector<FoundError>& errors, concolic::Confirmer& confirmer, DefectFiles& files,
               TestOutcome& outcome) {
    const LiveProgress progress("replaying errors", context_.common.quiet);
    const Budget budget = confirmation_budget();
    result::DefectSet found;
    for (const FoundError& error : errors) {
      concolic::Confirmation confirmation = confirmer.confirm(error, budget);
      result::Defect& defect = confirmation.defect;
      files.suppress(defect);
      if (confirmation.is_confirmed) {
        write_defect(error, defect);
        found.add(std::move(defect));
      } else {
        outcome.unconfirmed.push_back({std::move(defect), confirmation.reason});
        write_unconfirmed(error, outcome.unconfirmed.back());
      }
      for (result::Defect& other : confirmation.others) found.add(std::move(other));
    }
    for (const result::Defect& defect : memory_defects_) found.add(defect);
    outcome.defects = found.take();
    std::uint32_t number = 0;
    for (result::Defect& defect : outcome.defects) {
      if (!defect.file.empty()) continue;
      // Beside the errors of the search, which have places of their own.
      FoundError error;
      error.code = result::kMemoryError;
      error.site = number++;
      error.test = defect.test;
      files.suppress(defect);
      write_defect(error, defect);
    }
  }

  void write_defect(const FoundError& error, result::Defect& defect) {
    session_.attempt([&] {
      defect.file = session_.directory().write_error(error, nlohmann::ordered_json::object());
      defect.replay_command = replay_command(defect);
      session_.directory().write_error(error, {{"defect", without_test(result::to_json(defect))}});
    });
  }

  void write_unconfirmed(const FoundError& error, UnconfirmedDefect& unconfirmed) {
    session_.attempt([&] {
      unconfirmed.defect.file = session_.directory().write_error(error, nlohmann::ordered_json::object());
      session_.directory().write_error(error, {{"unconfirmed", without_test(to_json(unconfirmed))}});
    });
  }

  /// The inputs are what the file is.
  static nlohmann::ordered_json without_test(nlohmann::ordered_json object) {
    object.erase("failing_inputs");
    object.erase("failing_environment");
    return object;
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

  Budget confirmation_budget() const {
    Budget budget = context_.winding_up.with_timeout(kConfirmationTime);
    if (context_.common.memory) budget = budget.with_memory_limit(*context_.common.memory);
    return budget;
  }

  int publish_outcome(const TestOutcome& outcome, DefectFiles& files) {
    nlohmann::ordered_json object = result_object("test", options_.program.load.files);
    put_outcome(object, outcome);
    if (!context_.common.json) context_.out << to_text(outcome, context_.common.verbose > 0, files.sources());
    const TestVerdict verdict = verdict_of(outcome);
    session_.attempt([&] {
      files.write(outcome.defects, {options_.program.load.files, verdict.reason, verdict.code, assumptions_of(outcome)},
                  context_);
    });
    if (!session_.problem()) {
      publish(context_, object);
      return verdict.code;
    }
    // What was found is told as far as that is possible; that it could not be written is the error.
    object["verdict"] = "error";
    object["error"] = {{"message", utf8(session_.problem()->what())}};
    try {
      publish(context_, object);
    } catch (const UserError&) {
      // The file that could not be written first is named already.
    }
    return kBadInput;
  }

  const TestOptions& options_;
  const Context& context_;
  CampaignSession& session_;
  std::map<std::string, std::string> words_;  ///< options that the campaign goes on with
  TemporaryDirectory work_;
  std::optional<concolic::MemoryCheck> memory_;
  std::vector<result::Defect> memory_defects_;
};

/// With --resume: what the command line does not say is as the campaign has it.
std::map<std::string, std::string> take_over(CLI::App& command, const TestOptions& options, CampaignSession& session) {
  const result::StoredProgram stored = session.open();
  const bool is_same_program = options.program.load.files.empty();
  restore_words(command, stored.options);
  std::map<std::string, std::string> words = words_of(command);
  if (const auto environment = stored.options.find(kEnvironmentWord); environment != stored.options.end())
    words[kEnvironmentWord] = environment->second;
  std::error_code error;
  if (is_same_program && !stored.directory.empty()) std::filesystem::current_path(stored.directory, error);
  if (error)
    throw UserError(
        SourceLocation{stored.directory},
        fmt::format("the campaign was begun in this directory, which cannot be entered: {}", error.message()),
        "name the files of the program");
  return words;
}

void make_absolute(DefectOptions& options) {
  const auto absolute = [](std::string& name) {
    if (!name.empty()) name = std::filesystem::absolute(name).string();
  };
  absolute(options.sarif);
  absolute(options.junit);
  for (std::string& file : options.suppress) absolute(file);
}

}  // namespace

Action add_test_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<TestOptions>();
  CLI::App* command =
      app.add_subcommand("test", "Generate tests that cover the branches of a program and reach its errors");
  add_test_options(*command, *options, common);
  return [options, command](const Context& given) {
    const std::string out = given.common.out.empty() ? std::string(kDefaultDirectory) : given.common.out;
    if (options->program.load.files.empty() && !options->is_resumed)
      throw UserError("no program is given: FILE is missing",
                      "name its files, or go on with a campaign: plumb test --resume --out DIR");
    // A campaign may change the working directory, to the one that it was begun in.
    const std::filesystem::path path =
        options->is_resumed ? std::filesystem::absolute(out) : std::filesystem::path(out);
    if (options->is_resumed) make_absolute(options->defects);
    std::optional<CampaignSession> session;
    std::optional<UserError> problem;
    CommonOptions common_options = given.common;
    common_options.out = path.string();
    const Context context{common_options, given.common.timeout ? given.budget : given.budget.with_timeout(kDefaultTime),
                          given.out, given.winding_up};
    const int code = with_error_object(context, "test", options->program.load.files, [&] {
      session.emplace(path);
      auto words = options->is_resumed ? take_over(*command, *options, *session) : words_of(*command);
      common_options.seed = given.common.seed;
      const int result = TestCommand(*options, context, *session, std::move(words)).run();
      problem = session->problem();
      return result;
    });
    if (!problem) return code;
    given.out.flush();
    throw UserError(*problem);
  };
}

}  // namespace plumb::cli
