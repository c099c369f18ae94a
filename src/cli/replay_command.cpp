#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "cli/campaign_options.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "cli/replay/checked.h"
#include "cli/replay/debugger.h"
#include "cli/replay/files.h"
#include "cli/replay/report.h"
#include "cli/replay/run.h"
#include "cli/search_options.h"
#include "result/campaign/campaign_store.h"
#include "result/coverage/llvm_cov.h"
#include "result/export/read_run.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;

/// Coverage is made of what ran, after the time is over too.
constexpr std::chrono::duration<double> kReportTime{120};

struct Options {
  ProgramOptions program;
  std::string directory;
  std::uint32_t test = 0;  ///< 0: all
  bool use_debugger = false;
  std::string only;
  std::string lcov;
  std::string html;
  bool no_files = false;
  bool is_checked = false;  ///< --checks
  DefectOptions defects;
  replay::RunLimits limits;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// All that one run of `plumb replay` knows.
class ReplayCommand {
 public:
  ReplayCommand(const Options& options, const Context& context)
      : options_(options), context_(context), run_(result::read_run_directory(options.directory)) {
    if (options_.use_debugger && options_.test == 0)
      throw UserError("--debugger runs a single test", "choose one with --test N");
    const DefectOptions& defects = options_.defects;
    if (!options_.is_checked && !(defects.suppress.empty() && defects.sarif.empty() && defects.junit.empty()))
      throw UserError("--suppress, --sarif and --junit are about defects that checks find",
                      "add --checks default, or leave them out");
    read_branches();
    find_program();
    for (const std::string& file : load_.files) refuse_board_programs({(base_ / file).string()});
  }

  int run() {
    if (options_.is_checked) return run_with_checks();
    if (options_.test != 0) return run_single();
    ReplayFiles files = chosen_files();
    check_writable(files);
    for (fs::path* path : {&files.lcov, &files.html})
      if (!path->empty()) *path = fs::absolute(*path);
    enter_base();
    ReplayOutcome outcome;
    outcome.files = load_.files;
    outcome.base = base_.lexically_normal();
    outcome.has_reasons = !branches_.empty();
    const auto start = std::chrono::steady_clock::now();
    replay::Builds builds(load_, work_.path());
    const ReplayProgram program = build(builds, frontend::Purpose::Coverage);
    outcome.seconds_building = seconds_since(start);
    outcome.assumptions = program.build.notes;
    if (std::string gaps = sandbox_gaps(options_.limits.sandbox); !gaps.empty())
      outcome.assumptions.push_back(std::move(gaps));
    outcome.coverage_missing = program.missing;
    RecordedRuns runs(program.build, builds, options_.limits, work_.path());
    run_all(runs, outcome);
    if (!program.build.counters.empty()) measure(program.build, runs, files, outcome);
    return publish_outcome(outcome);
  }

 private:
  void read_branches() {
    if (!result::CampaignStore::exists(options_.directory)) return;
    branches_ = result::CampaignStore(options_.directory, result::CampaignStore::Mode::Read).branches();
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(fs::path(options_.directory) / "campaign.db", error);
    if (!error) written_ = time;
  }

  /// The program that was given, or else the one that the campaign knows.
  void find_program() {
    load_ = load_options(options_.program);
    base_ = start_;
    if (!load_.files.empty()) return;
    load_.files = run_.program.files;
    load_.compiler_flags = run_.program.compiler_flags;
    load_.entry = run_.program.entry.empty() ? "main" : run_.program.entry;
    if (run_.program.word_size == 32) load_.word_size = 32;
    if (!run_.base.empty()) base_ = start_ / run_.base;
    if (load_.files.empty())
      throw UserError(SourceLocation{options_.directory}, "the run does not say which program it is of",
                      fmt::format("name it: plumb replay {} FILE.c", options_.directory));
    for (const std::string& file : load_.files)
      if (std::error_code error; !fs::exists(base_ / file, error))
        throw UserError(SourceLocation{(base_ / file).string()}, "the program of the run is gone",
                        fmt::format("name it: plumb replay {} FILE.c", options_.directory));
  }

  fs::path reports() const {
    return context_.common.out.empty() ? fs::path(options_.directory) / "coverage" : fs::path(context_.common.out);
  }

  ReplayFiles chosen_files() const {
    ReplayFiles files{options_.lcov, options_.html};
    if (options_.no_files) return files;
    if (files.lcov.empty()) files.lcov = reports() / "lcov.info";
    if (files.html.empty()) files.html = reports() / "html";
    return files;
  }

  ReplayProgram build(replay::Builds& builds, frontend::Purpose purpose) const {
    const LiveProgress progress("building " + load_.files.front(), context_.common.quiet);
    return build_replay_program(builds, purpose, written_, context_.budget);
  }

  void run_all(RecordedRuns& runs, ReplayOutcome& outcome) {
    const auto start = std::chrono::steady_clock::now();
    LiveProgress progress(fmt::format("running {} tests", run_.tests.size()), context_.common.quiet);
    for (const result::StoredTest& test : run_.tests) {
      context_.winding_up.check();
      if (context_.budget.exceeded()) break;
      try {
        ReplayedTest replayed = runs.run(test, context_.budget);
        replayed.run.output = {};  // of many tests it would be too much
        replayed.run.error = {};
        outcome.tests.push_back(std::move(replayed));
      } catch (const OutOfBudget&) {
        break;
      }
      progress.set_status(fmt::format("{} of {}", outcome.tests.size(), run_.tests.size()));
    }
    context_.winding_up.check();
    outcome.not_run = run_.tests.size() - outcome.tests.size();
    outcome.seconds_running = seconds_since(start);
  }

  void measure(const replay::SourceBuild& program, RecordedRuns& runs, const ReplayFiles& files,
               ReplayOutcome& outcome) {
    const LiveProgress progress("measuring coverage", context_.common.quiet);
    const Budget budget = context_.winding_up.with_timeout(kReportTime);
    const result::LlvmCov tool(program.executable, runs.write_profile(budget), work_.path(), budget);
    outcome.coverage = result::parse_coverage(tool.exported(budget));
    if (!options_.only.empty()) outcome.coverage = result::restricted(*outcome.coverage, options_.only);
    if (outcome.coverage->files.empty())
      outcome.assumptions.push_back(options_.only.empty() ? "no function of the program was measured"
                                                          : fmt::format("no file matches '{}'", options_.only));
    outcome.uncovered = result::uncovered_sides(*outcome.coverage, branches_, outcome.base);
    write_files(files, outcome, tool, budget);
    if (!options_.no_files) outcome.reports = reports();
  }

  int publish_outcome(const ReplayOutcome& outcome) const {
    if (!context_.common.json) context_.out << to_text(outcome, context_.common.verbose > 0);
    return publish_in(options_.no_files ? "" : (start_ / reports()).string(), to_report({options_.directory}, outcome));
  }

  int publish_in(const fs::path& out, const result::Report& report) const {
    CommonOptions common = context_.common;
    common.out = out.string();
    return publish({common, context_.budget, context_.out, context_.winding_up}, report);
  }

  /// What --out names, wherever we are.
  fs::path out() const { return context_.common.out.empty() ? fs::path() : start_ / context_.common.out; }

  const result::StoredTest& chosen_test() const {
    const auto found = std::ranges::find(run_.tests, options_.test, &result::StoredTest::number);
    if (found == run_.tests.end())
      throw UserError(SourceLocation{options_.directory}, fmt::format("there is no test {}", options_.test),
                      fmt::format("the last one is {}", run_.tests.back().number));
    return *found;
  }

  /// Looks for defects instead of coverage.
  int run_with_checks() {
    DefectFiles files(options_.defects);
    std::vector<result::StoredTest> tests = run_.tests;
    if (options_.test != 0) tests = {chosen_test()};
    load_.checks = options_.program.load.checks;
    load_.marks_unset =
        std::ranges::any_of(tests, [](const result::StoredTest& test) { return !test.test.unset.empty(); });
    enter_base();
    const CheckedOutcome outcome = run_checked(load_, tests, options_.limits, work_.path(), files, context_);
    result::Report report = to_report("replay", {options_.directory}, outcome);
    if (!context_.common.json) context_.out << to_text(outcome, files.sources());
    files.write(outcome.defects, load_.files, report, context_);
    return publish_in(out(), report);
  }

  /// Names of files, in options of the build and in defects, are relative to where the program is.
  void enter_base() const {
    std::error_code error;
    fs::current_path(base_, error);
    if (error)
      throw UserError(SourceLocation{base_.string()},
                      fmt::format("the program's directory cannot be entered: {}", error.message()),
                      "name the files of the program");
  }

  /// With its output, and without coverage.
  int run_single() {
    const result::StoredTest& chosen = chosen_test();
    enter_base();
    replay::Builds builds(load_, work_.path());
    const ReplayProgram program = build(builds, frontend::Purpose::Run);
    if (options_.use_debugger) return debug_test(program.build.executable, chosen.test, work_.path());
    RecordedRuns runs(program.build, builds, options_.limits, work_.path());
    ReplayOutcome outcome;
    outcome.files = load_.files;
    outcome.tests.push_back(runs.run(chosen, context_.budget));
    const ReplayedTest& test = outcome.tests.front();
    if (!context_.common.json) {
      context_.out << test.run.output;
      context_.out.flush();
      static_cast<void>(std::fwrite(test.run.error.data(), 1, test.run.error.size(), stderr));
      static_cast<void>(std::fflush(stderr));
      log().info("test {}: {}", options_.test, short_text(test.stored.test, 200));
      if (!context_.common.quiet)
        static_cast<void>(std::fputs(fmt::format("plumb: {}\n", end_of(test)).c_str(), stderr));
    }
    return publish_in(out(), to_report({options_.directory}, outcome));
  }

  static std::string end_of(const ReplayedTest& test) {
    if (test.is_different) return difference_text(test);
    if (test.is_ordered || !test.order_problem.empty()) return order_text(test);
    return fmt::format("test {} ended with {}{}", test.stored.number, describe(test.run.ending),
                       test.stored.end.empty() ? "" : ", as recorded");
  }

  const Options& options_;
  const Context& context_;
  result::RunDirectory run_;
  std::vector<result::StoredBranch> branches_;
  std::optional<fs::file_time_type> written_;  ///< the campaign
  frontend::LoadOptions load_;
  fs::path start_ = fs::current_path();
  fs::path base_;  ///< of the program's files
  TemporaryDirectory work_;
};

void add_limit_options(CLI::App& app, replay::RunLimits& limits) {
  const auto add = [&](const std::string& name, const std::string& type, auto&& take, const std::string& help) {
    app.add_option_function<std::string>(name, std::forward<decltype(take)>(take), help)->type_name(type);
  };
  add(
      "--run-timeout", "TIME", [&limits](const std::string& text) { limits.time = parse_duration(text); },
      "Of a traced run (1s); without instrumentation four times that, and a second, are allowed");
  add(
      "--run-memory", "SIZE", [&limits](const std::string& text) { limits.memory = parse_size(text); },
      "For one run of the program (1G)");
  add(
      "--run-file-size", "SIZE", [&limits](const std::string& text) { limits.file_size = parse_size(text); },
      "Of a file that the program writes (16M)");
}

void add_replay_options(CLI::App& app, Options& options) {
  app.add_option("--test", options.test, "Run this test alone and show what it prints")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_flag("--debugger", options.use_debugger, "Start gdb on the test that --test names");
  app.add_option("--only", options.only, "Coverage of files whose name this regular expression finds")
      ->type_name("REGEX");
  app.add_option("--lcov", options.lcov, "Write lcov's tracefile here")->type_name("FILE");
  app.add_option("--html", options.html, "Write pages here")->type_name("DIR");
  app.add_flag("--no-files", options.no_files, "Only print; write what --lcov and --html name and nothing else");
  add_checks_option(app, options.program);
  add_defect_options(app, options.defects);
  add_limit_options(app, options.limits);
  add_sandbox_option(app, options.limits.sandbox);
}

/// What the campaign ran its program with, unless something else is given.
void restore_sandbox(CLI::App& app, const std::string& directory) {
  if (!result::CampaignStore::exists(directory)) return;
  const result::StoredProgram program = result::CampaignStore(directory, result::CampaignStore::Mode::Read).program();
  if (const auto stored = program.options.find("--sandbox"); stored != program.options.end())
    restore_words(app, {*stored});
}

}  // namespace

Action add_replay_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "Run tests on a plain build of the program and measure coverage");
  command->add_option("DIR", options->directory, "What `plumb test` wrote, a directory of tests, or a test")
      ->required();
  add_program_options(*command, options->program, FilesNeeded::No);
  add_replay_options(*command, *options);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb replay plumb-out                     run all tests, measure, write plumb-out/coverage\n"
      "  plumb replay tests lexer.c -Iinclude       tests of a directory, on this program\n"
      "  plumb replay plumb-out --test 7            one test, with its output\n"
      "  plumb replay plumb-out --test 7 --debugger\n"
      "  plumb replay plumb-out --checks default    look for defects in the runs, with reports\n"
      "  plumb replay out --json --no-files --only '/src/[^/]*\\.c$'\n"
      "Coverage is clang's own (lines, branches, MC/DC conditions), of the sources compiled again without our\n"
      "instrumentation. With --checks nothing is measured: the program is built with checks, and every defect of the\n"
      "runs is reported. Exit code 10 if a test fails or has a defect; 0 if all ran as recorded; 20 if some did not, "
      "or if coverage\n"
      "is missing.");
  return [options, command](const Context& context) {
    options->is_checked = command->count("--checks") > 0;
    return with_error_report(context, "replay", {options->directory}, [&] {
      restore_sandbox(*command, options->directory);
      return ReplayCommand(*options, context).run();
    });
  };
}

}  // namespace plumb::cli
