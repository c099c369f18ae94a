#include <fmt/format.h>

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
#include "cli/defect_report.h"
#include "cli/live_progress.h"
#include "cli/test_options.h"
#include "cli/test_report.h"
#include "concolic/build_subject.h"
#include "concolic/confirm/confirm.h"
#include "concolic/confirm/memory_check.h"
#include "concolic/search/explore.h"
#include "concolic/search/fingerprint.h"
#include "result/test_size.h"
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
    const concolic::ExploreOptions explore = explore_options();
    const auto start = std::chrono::steady_clock::now();
    const concolic::Subject subject = build(explore.environment);
    const double seconds_building = seconds_since(start);
    const concolic::EarlierSessions earlier = enter(subject, explore);
    warn_of_sandbox(explore.limits.sandbox);
    if (options_.check_memory) memory_.emplace(load_options(options_.program), work_.path());
    const concolic::ExploreReport report = search(subject, explore, earlier);
    session_.finish(report);
    concolic::Confirmer confirmer(subject, load_options(options_.program), explore.limits, work_.path());
    TestOutcome outcome{subject, report, confirmer};
    outcome.milestones = session_.milestones();
    outcome.seconds_building = seconds_building;
    outcome.tests = session_.directory().tests();
    outcome.sessions = earlier.search.sessions + 1;
    outcome.had_finished = had_finished(earlier);
    outcome.sandbox = explore.limits.sandbox;
    confirm(report.errors, confirmer, outcome);
    tell_memory_defects(outcome);
    if (options_.minimise && !session_.problem()) minimise(outcome);
    return publish_outcome(outcome);
  }

 private:
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
    if (options_.is_resumed) session_.check_environment(words_[kEnvironmentWord]);
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
      if (auto defect = memory_->check(concolic::to_test(environment, run.inputs), context_.budget))
        memory_defects_.push_back(std::move(*defect));
    };
  }

  void tell_memory_defects(TestOutcome& outcome) {
    if (!memory_) return;
    outcome.memory = &*memory_;
    for (concolic::MemoryDefect& defect : memory_defects_) {
      // Beside the errors of the search, which have places of their own.
      FoundError error;
      error.code = -1;
      error.site = static_cast<concolic::SiteId>(outcome.memory_defects.size());
      error.test = defect.test;
      MemoryFinding& finding = outcome.memory_defects.emplace_back(std::move(defect), std::filesystem::path());
      session_.attempt([&] {
        finding.file = session_.directory().write_error(error, nlohmann::ordered_json::object());
        nlohmann::ordered_json object = to_json(outcome, finding);
        object.erase("failing_inputs");  // they are what the file is
        object.erase("failing_environment");
        session_.directory().write_error(error, {{"defect", object}});
      });
    }
  }

  void minimise(TestOutcome& outcome) {
    const LiveProgress progress("minimising the tests", context_.common.quiet);
    const result::MinimisedSuite suite = session_.minimise();
    outcome.kept_tests = suite.kept.size();
    outcome.is_minimal = suite.is_minimal;
  }

  /// Of several errors that turn out to be the same defect, the one with the shortest input stays.
  void confirm(const std::vector<FoundError>& errors, concolic::Confirmer& confirmer, TestOutcome& outcome) {
    const LiveProgress progress("replaying errors", context_.common.quiet);
    const Budget budget = confirmation_budget();
    std::map<std::tuple<program::FaultKind, std::string, std::uint32_t, std::uint32_t>, std::size_t> known;
    for (const FoundError& error : errors) {
      Finding finding{error, confirmer.confirm(error, budget), {}};
      session_.attempt([&] { write_finding(outcome, finding); });
      if (!finding.confirmation.is_confirmed) {
        outcome.unconfirmed.push_back(std::move(finding));
        continue;
      }
      const SourceLocation place = place_of_finding(confirmer, finding.confirmation);
      const auto [at, is_new] = known.try_emplace(
          {finding.confirmation.fault.kind, place.file, place.line, place.column}, outcome.defects.size());
      if (is_new) {
        outcome.defects.push_back(std::move(finding));
      } else if (size_of(error.test) < size_of(outcome.defects[at->second].error.test)) {
        outcome.defects[at->second] = std::move(finding);
      }
    }
  }

  void write_finding(const TestOutcome& outcome, Finding& finding) {
    finding.file = session_.directory().write_error(finding.error, nlohmann::ordered_json::object());
    nlohmann::ordered_json object = to_json(outcome, finding);
    object.erase("failing_inputs");  // they are what the file is
    object.erase("failing_environment");
    session_.directory().write_error(finding.error,
                                     {{finding.confirmation.is_confirmed ? "defect" : "unconfirmed", object}});
  }

  static SourceLocation place_of_finding(const concolic::Confirmer& confirmer, const concolic::Confirmation& found) {
    if (found.stack.empty()) return found.place;
    return place_of(confirmer.program(), blamed_point(confirmer.program(), Defect{found.fault, found.stack}));
  }

  Budget confirmation_budget() const {
    Budget budget = context_.winding_up.with_timeout(kConfirmationTime);
    if (context_.common.memory) budget = budget.with_memory_limit(*context_.common.memory);
    return budget;
  }

  int publish_outcome(const TestOutcome& outcome) const {
    nlohmann::ordered_json object = result_object("test", options_.program.load.files);
    put_outcome(object, outcome);
    if (!context_.common.json) context_.out << to_text(outcome, context_.common.verbose > 0);
    if (!session_.problem()) {
      publish(context_, object);
      return verdict_of(outcome).code;
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
  std::vector<concolic::MemoryDefect> memory_defects_;
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
