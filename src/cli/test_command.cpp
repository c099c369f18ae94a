#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/defect_report.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "cli/test_directory.h"
#include "cli/test_report.h"
#include "concolic/build_subject.h"
#include "concolic/confirm/confirm.h"
#include "concolic/search/explore.h"
#include "solve/solver.h"

namespace plumb::cli {
namespace {

using concolic::FoundError;
using concolic::FoundTest;

constexpr std::string_view kDefaultDirectory = "plumb-out";
constexpr std::chrono::duration<double> kDefaultTime{60};
/// Errors are replayed after the time is over, lest they are found and not told.
constexpr std::chrono::duration<double> kConfirmationTime{30};

struct Options {
  ProgramOptions program;
  concolic::ExploreOptions explore;
  std::string input;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// All that one run of `plumb test` knows.
class TestCommand {
 public:
  TestCommand(const Options& options, const Context& context)
      : options_(options), context_(context), directory_(context.common.out) {}

  int run() {
    check_solver();
    concolic::ExploreOptions explore = options_.explore;
    explore.seed = context_.common.seed;
    if (!options_.input.empty())
      for (auto& [path, test] : result::read_test_cases(options_.input)) explore.seeds.push_back(std::move(test));
    const auto start = std::chrono::steady_clock::now();
    const concolic::Subject subject = build();
    const double seconds_building = seconds_since(start);
    if (const std::size_t old = directory_.prepare(); old > 0)
      log().warn("{} of an earlier run in {} replaced", old == 1 ? "1 test" : fmt::format("{} tests", old),
                 directory_.tests().string());
    const concolic::ExploreReport report = search(subject, explore);
    concolic::Confirmer confirmer(subject, load_options(options_.program), explore.limits, work_.path());
    TestOutcome outcome{subject, report, confirmer};
    outcome.milestones = milestones_;
    outcome.seconds_building = seconds_building;
    outcome.tests = directory_.tests();
    confirm(report.errors, confirmer, outcome);
    return publish_outcome(outcome);
  }

 private:
  /// A name that does not exist should be told before anything is built.
  void check_solver() const {
    term::TermStore store;
    static_cast<void>(solve::make_solver(store, options_.explore.solver));
  }

  concolic::Subject build() const {
    const program::LoadOptions load = load_options(options_.program);
    const LiveProgress progress("building " + load.files.front(), context_.common.quiet);
    return concolic::build_subject(load, work_.path(), context_.budget);
  }

  concolic::ExploreReport search(const concolic::Subject& subject, const concolic::ExploreOptions& options) {
    LiveProgress progress("testing " + options_.program.load.files.front(), context_.common.quiet);
    concolic::ExploreListener listener;
    listener.on_test = [&](const FoundTest& found) {
      directory_.write_test(subject, found);
      milestones_.push_back({found.number, found.seconds, count_of(subject, found.new_edges)});
    };
    listener.on_error = [&](const FoundError& error) {
      directory_.write_error(error, nlohmann::ordered_json::object());
      errors_.insert(key_of(error));
    };
    listener.on_progress = [&](const concolic::ExploreStatus& status) {
      progress.set_status(fmt::format("{} of {} branches, {} runs, {} tests, {} to try{}", status.edges_covered,
                                      status.edges_total, status.runs, milestones_.size(), status.pending,
                                      errors_.empty() ? "" : fmt::format(", {} errors", errors_.size())));
    };
    return concolic::explore(subject, options, listener, context_.budget);
  }

  static std::size_t count_of(const concolic::Subject& subject, const std::vector<concolic::EdgeId>& edges) {
    return static_cast<std::size_t>(
        std::ranges::count_if(edges, [&](concolic::EdgeId edge) { return subject.site_of_edge(edge).is_counted; }));
  }

  /// Of several errors that turn out to be the same defect, the one with the shortest input stays.
  void confirm(const std::vector<FoundError>& errors, concolic::Confirmer& confirmer, TestOutcome& outcome) {
    const LiveProgress progress("replaying errors", context_.common.quiet);
    const Budget budget = confirmation_budget();
    std::map<std::tuple<program::FaultKind, std::string, std::uint32_t, std::uint32_t>, std::size_t> known;
    for (const FoundError& error : errors) {
      Finding finding{error, confirmer.confirm(error, budget), {}};
      finding.file = directory_.write_error(error, nlohmann::ordered_json::object());
      nlohmann::ordered_json object = to_json(outcome, finding);
      object.erase("failing_inputs");  // they are what the file is
      directory_.write_error(error, {{finding.confirmation.is_confirmed ? "defect" : "unconfirmed", object}});
      if (!finding.confirmation.is_confirmed) {
        outcome.unconfirmed.push_back(std::move(finding));
        continue;
      }
      const SourceLocation place = place_of_finding(confirmer, finding.confirmation);
      const auto [at, is_new] = known.try_emplace(
          {finding.confirmation.fault.kind, place.file, place.line, place.column}, outcome.defects.size());
      if (is_new) {
        outcome.defects.push_back(std::move(finding));
      } else if (length(error) < length(outcome.defects[at->second].error)) {
        outcome.defects[at->second] = std::move(finding);
      }
    }
  }

  static SourceLocation place_of_finding(const concolic::Confirmer& confirmer, const concolic::Confirmation& found) {
    if (found.stack.empty()) return found.place;
    return place_of(confirmer.program(), blamed_point(confirmer.program(), Defect{found.fault, found.stack}));
  }

  static std::size_t length(const FoundError& error) {
    std::size_t bytes = 0;
    for (const result::TestInput& input : error.test.inputs) bytes += input.bytes.size();
    return bytes;
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
    publish(context_, object);
    return verdict_of(outcome).code;
  }

  const Options& options_;
  const Context& context_;
  TestDirectory directory_;
  TemporaryDirectory work_;
  std::vector<Milestone> milestones_;
  std::set<ErrorKey> errors_;
};

/// An option that takes one of some words.
template <typename Value>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::map<std::string, Value>& words,
                const std::string& help, const std::string& shown) {
  const auto take = [name, &value, words, shown](const std::string& word) {
    const auto found = words.find(word);
    if (found == words.end()) throw CLI::ValidationError(name, fmt::format("takes {}, not '{}'", shown, word));
    value = found->second;
  };
  app.add_option_function<std::string>(name, take, help)->type_name(shown)->option_text(shown);
}

void add_duration(CLI::App& app, const std::string& name, std::chrono::duration<double>& value,
                  const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_duration(text); }, help)
      ->type_name("TIME");
}

void add_size(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_size(text); }, help)
      ->type_name("SIZE");
}

void add_search_options(CLI::App& app, concolic::ExploreOptions& options) {
  using concolic::RegionUse;
  using concolic::Strategy;
  using concolic::Until;
  add_choice<RegionUse>(
      app, "--regions", options.regions, {{"off", RegionUse::Off}, {"on", RegionUse::On}, {"auto", RegionUse::Auto}},
      "Summarise regions without loops by formulas; auto (the default) gives up those that cost too much",
      "off|on|auto");
  add_choice<Strategy>(app, "--strategy", options.strategy,
                       {{"interleaved", Strategy::Interleaved},
                        {"dfs", Strategy::DepthFirst},
                        {"generational", Strategy::Generational},
                        {"coverage", Strategy::Coverage},
                        {"random-path", Strategy::RandomPath}},
                       "Which way to try next; interleaved (the default) takes turns among the last three",
                       "interleaved|dfs|generational|coverage|random-path");
  add_choice<Until>(app, "--until", options.until,
                    {{"all-branches", Until::AllBranches}, {"error", Until::Error}, {"time", Until::Time}},
                    "Stop when all branches are covered (the default), at the first error, or when the time is over",
                    "all-branches|error|time");
  app.add_option("--jobs", options.jobs, "Workers; with one the result depends on the seed alone")
      ->type_name("N")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  app.add_option("--depth", options.max_depth, "Decisions of a run that are followed; 0: as many as help")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--loop", options.max_loop, "Times that one branch is turned on a path; 0: no bound")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--solver", options.solver, "native, z3, cvc5, portfolio, or the command of an SMT-LIB solver")
      ->type_name("NAME")
      ->capture_default_str();
  add_duration(app, "--query-timeout", options.query_time, "For one question to the solver (10s)");
  app.add_flag("--check-traces", options.check_traces,
               "Hold every run against the formulas made of it (to look for bugs of plumb itself)");
}

void add_limit_options(CLI::App& app, concolic::RunLimits& limits) {
  add_duration(app, "--run-timeout", limits.time, "For one run of the program (1s)");
  add_size(app, "--run-memory", limits.memory, "For one run of the program (1G)");
  add_size(app, "--run-file-size", limits.file_size, "Of a file that the program writes (16M)");
  app.add_option("--run-processes", limits.processes, "That one run may start")->type_name("N")->capture_default_str();
}

}  // namespace

Action add_test_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("test", "Generate tests that cover the branches of a program and reach its errors");
  add_program_options(*command, options->program);
  command->add_option("--input", options->input, "Begin with this test, or all tests of this directory")
      ->type_name("FILE|DIR");
  add_search_options(*command, options->explore);
  add_limit_options(*command, options->explore.limits);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb test lexer.c\n"
      "  plumb test driver.c list.c -Iinclude --until error --timeout 5m --out found\n"
      "Inputs are what the program asks for with the functions of plumb/plumb.h, __VERIFIER_nondet_… or\n"
      "klee_make_symbolic. Without --timeout it stops after 60 s, without --out results go to plumb-out:\n"
      "tests/test-000001.json and on, errors/error-001.json and on, result.json. Files of these names are replaced.\n"
      "Exit code 10 if a defect was found and confirmed; 0 if not and all branches are covered or no path is left;\n"
      "20 if the budget was over before that.");
  return [options](const Context& given) {
    CommonOptions common_options = given.common;
    if (common_options.out.empty()) common_options.out = kDefaultDirectory;
    const Context context{common_options, given.common.timeout ? given.budget : given.budget.with_timeout(kDefaultTime),
                          given.out, given.winding_up};
    return with_error_object(context, "test", options->program.load.files,
                             [&] { return TestCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
