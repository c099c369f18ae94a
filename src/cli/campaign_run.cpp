#include "cli/campaign_run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "cli/campaign_options.h"
#include "cli/cli.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "instrument/fingerprint.h"
#include "replay/describe_defect.h"
#include "result/defect/defect_json.h"
#include "result/defect/defect_set.h"
#include "result/export/suite.h"
#include "solve/solver.h"

namespace plumb::cli {
namespace {

using replay::FoundError;

constexpr std::string_view kDefaultDirectory = "plumb-out";

/// With --resume: what the command line does not say is as the campaign has it.
CampaignWords take_over(CLI::App& command, const std::vector<std::string>& files, CampaignSession& session,
                        const std::filesystem::path& directory) {
  const result::StoredProgram stored = session.open();
  if (const auto begun = stored.options.find(kCommandWord);
      begun != stored.options.end() && begun->second != command.get_name())
    throw UserError(SourceLocation{directory.string()},
                    fmt::format("this campaign was begun with plumb {}", begun->second),
                    fmt::format("plumb {} --resume --out {}", begun->second, quoted_word(directory.string())));
  const bool is_same_program = files.empty();
  restore_words(command, stored.options);
  CampaignWords words = words_of(command);
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

/// What the usage calls the program: "FILE".
std::string program_word(const CLI::App& command) {
  const auto words = command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return words.empty() ? "" : words.front()->get_name(/*positional=*/true);
}

/// The inputs are what the file is.
nlohmann::ordered_json without_test(nlohmann::ordered_json object) {
  object.erase("failing_inputs");
  object.erase("failing_environment");
  return object;
}

}  // namespace

void make_absolute(std::string& name) {
  if (!name.empty()) name = std::filesystem::absolute(name).string();
}

int run_in_campaign(CLI::App& command, SearchOptions& options, const std::vector<std::string>& files,
                    const Context& given, const Budget& budget,
                    const std::function<int(const Context&, CampaignSession&, CampaignWords)>& action) {
  const std::string name = command.get_name();
  const std::string out = given.common.out.empty() ? std::string(kDefaultDirectory) : given.common.out;
  if (files.empty() && !options.is_resumed)
    throw UserError(fmt::format("no program is given: {} is missing", program_word(command)),
                    fmt::format("name it, or go on with a campaign: plumb {} --resume --out DIR", name));
  // A campaign may change the working directory, to the one that it was begun in.
  const std::filesystem::path path = options.is_resumed ? std::filesystem::absolute(out) : std::filesystem::path(out);
  if (options.is_resumed) {
    for (std::string* file : {&options.defects.sarif, &options.defects.junit, &options.input}) make_absolute(*file);
    for (std::string& file : options.defects.suppress) make_absolute(file);
  }
  std::optional<CampaignSession> session;
  std::optional<UserError> problem;
  CommonOptions common = given.common;
  common.out = path.string();
  const Context context{common, budget, given.out, given.winding_up};
  const int code = with_error_report(context, name, files, [&] {
    session.emplace(path);
    CampaignWords words = options.is_resumed ? take_over(command, files, *session, path) : words_of(command);
    words[kCommandWord] = name;
    common.seed = given.common.seed;
    const int result = action(context, *session, std::move(words));
    problem = session->problem();
    return result;
  });
  if (!problem) return code;
  given.out.flush();
  throw UserError(*problem);
}

CampaignRun::CampaignRun(std::string_view command, const SearchOptions& options, const std::vector<std::string>& files,
                         const Context& context, CampaignSession& session)
    : command_(command), options_(options), files_(files), context_(context), session_(session) {}

void CampaignRun::check_solver() const {
  term::TermStore store;
  static_cast<void>(solve::make_solver(store, options_.engine.solver));
}

std::vector<result::TestCase> CampaignRun::seeds() const {
  std::vector<result::TestCase> tests;
  if (!options_.input.empty())
    for (auto& [path, test] : result::read_test_cases(options_.input)) tests.push_back(std::move(test));
  return tests;
}

concolic::EarlierSessions CampaignRun::enter(const instrument::Subject& subject, result::StoredProgram program) {
  program.fingerprint = instrument::fingerprint(subject);
  program.directory = std::filesystem::current_path().string();
  if (options_.is_resumed) {
    concolic::EarlierSessions earlier = session_.resume(subject, program);
    const bool is_complete = earlier.search.stop == name(concolic::SearchReport::Stop::Complete);
    if (had_finished(earlier) && (is_complete || options_.engine.until != concolic::Until::Time))
      log().warn("the campaign had finished ({}): what it knows is gone through again", earlier.search.stop);
    return earlier;
  }
  if (const std::size_t old = session_.begin(subject, program); old > 0)
    log().warn("{} of an earlier run in {} replaced", old == 1 ? "1 test" : fmt::format("{} tests", old),
               session_.directory().tests().string());
  return {};
}

bool CampaignRun::had_finished(const concolic::EarlierSessions& earlier) {
  return earlier.search.stop == name(concolic::SearchReport::Stop::Complete) ||
         earlier.search.stop == name(concolic::SearchReport::Stop::AllBranches);
}

bool CampaignRun::is_suppressed(const instrument::Subject& subject, const FoundError& error, DefectFiles& files) {
  if (error.end != replay::RunEnd::Defect || error.site == 0) return false;
  const instrument::Site& site = subject.sites[error.site];
  result::Defect defect;
  defect.kind = name(replay::kind_of_defect(static_cast<std::uint32_t>(error.code)));
  defect.place = subject.program.describe(site.location);
  if (site.function != program::kNone) defect.function = subject.program.functions[site.function].name;
  files.suppress(defect);
  return defect.suppressed.has_value();
}

std::string CampaignRun::status_text(const concolic::SearchStatus& status) const {
  return fmt::format("{} of {} branches, {} runs, {} tests, {} to try{}", status.edges_covered, status.edges_total,
                     status.runs, session_.milestones().size(), status.pending,
                     session_.errors() == 0 ? "" : fmt::format(", {} errors", session_.errors()));
}

TestOutcome CampaignRun::outcome_of(const instrument::Subject& subject, const concolic::SearchReport& report,
                                    program::CheckSet checks, const concolic::EarlierSessions& earlier) const {
  TestOutcome outcome{subject, report, checks};
  outcome.milestones = session_.milestones();
  outcome.tests = session_.directory().tests();
  outcome.sessions = earlier.search.sessions + 1;
  outcome.had_finished = had_finished(earlier);
  return outcome;
}

Budget CampaignRun::confirmation_budget(std::chrono::duration<double> time) const {
  Budget budget = context_.winding_up.with_timeout(time);
  if (context_.common.memory) budget = budget.with_memory_limit(*context_.common.memory);
  return budget;
}

void CampaignRun::confirm(const Confirming& how, std::span<const result::Defect> further, DefectFiles& files,
                          TestOutcome& outcome) {
  const LiveProgress progress("replaying errors", context_.common.quiet);
  result::DefectSet found;
  for (const FoundError& error : outcome.report.errors) {
    replay::Confirmation confirmation = how.confirm(error, how.budget);
    result::Defect& defect = confirmation.defect;
    files.suppress(defect);
    if (confirmation.is_confirmed) {
      write_defect(how, error, defect);
      found.add(std::move(defect));
    } else {
      outcome.unconfirmed.push_back({std::move(defect), confirmation.reason});
      write_unconfirmed(how, error, outcome.unconfirmed.back());
    }
    for (result::Defect& other : confirmation.others) found.add(std::move(other));
  }
  for (const result::Defect& defect : further) found.add(defect);
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
    write_defect(how, error, defect);
  }
}

void CampaignRun::write_defect(const Confirming& how, const FoundError& error, result::Defect& defect) {
  session_.attempt([&] {
    defect.file = session_.directory().write_error(error, nlohmann::ordered_json::object());
    defect.replay_command = how.replay_command(defect);
    session_.directory().write_error(error, {{"defect", without_test(result::to_json(defect))}});
  });
}

void CampaignRun::write_unconfirmed(const Confirming& how, const FoundError& error, UnconfirmedDefect& unconfirmed) {
  session_.attempt([&] {
    const bool was_replayed = !how.budget.exceeded() && !(how.was_lost && how.was_lost());
    if (const auto file = session_.directory().confirmed_file(error); !was_replayed && !file.empty()) {
      unconfirmed.defect.file = file;
      unconfirmed.reason += "; an earlier session had confirmed it";
      return;
    }
    unconfirmed.defect.file = session_.directory().write_error(error, nlohmann::ordered_json::object());
    session_.directory().write_error(error, {{"unconfirmed", without_test(to_json(unconfirmed))}});
  });
}

void CampaignRun::minimise(TestOutcome& outcome) {
  if (!options_.minimise || session_.problem()) return;
  const LiveProgress progress("minimising the tests", context_.common.quiet);
  const result::MinimisedSuite suite = session_.minimise();
  outcome.kept_tests = suite.kept.size();
  outcome.is_minimal = suite.is_minimal;
}

int CampaignRun::publish_outcome(const TestOutcome& outcome, DefectFiles& files) {
  result::Report report = to_report(command_, files_, outcome);
  if (!context_.common.json) context_.out << to_text(outcome, context_.common.verbose > 0, files.sources());
  session_.attempt([&] { files.write(outcome.defects, files_, report, context_); });
  if (!session_.problem()) return publish(context_, report);
  // What was found is told as far as that is possible; that it could not be written is the error.
  report.conclusion = result::Conclusion::Error;
  report.errors = {*session_.problem()};
  try {
    return publish(context_, report);
  } catch (const UserError&) {
    return kBadInput;  // The file that could not be written first is named already.
  }
}

}  // namespace plumb::cli
