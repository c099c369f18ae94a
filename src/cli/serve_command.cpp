#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/campaign_options.h"
#include "cli/campaign_run.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "cli/serve/board_link.h"
#include "cli/serve/options.h"
#include "cli/serve/replay.h"
#include "concolic/search/target.h"
#include "instrument/board_program.h"
#include "remote/board_replayer.h"
#include "replay/confirmer.h"
#include "result/export/read_run.h"

namespace plumb::cli {
namespace {

using replay::FoundError;

/// For the second runs of errors, beside what each of them may take.
constexpr std::chrono::duration<double> kConfirmationTime{30};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

instrument::BoardProgram read_program(const ServeOptions& options, const Context& context) {
  const LiveProgress progress("reading " + options.program.front(), context.common.quiet);
  return instrument::read_board_program(options.program.front(), context.budget);
}

/// All that a campaign of `plumb serve` knows.
class ServeCommand {
 public:
  /// With --resume, the session is open.
  ServeCommand(const ServeOptions& options, const Context& context, CampaignSession& session, CampaignWords words)
      : options_(options),
        context_(context),
        session_(session),
        words_(std::move(words)),
        campaign_("serve", options.search, options.program, context, session) {}

  int run() {
    campaign_.check_solver();
    DefectFiles files(options_.search.defects);
    concolic::SearchOptions how = options_.search.engine;
    how.seed = context_.common.seed;
    how.seeds = campaign_.seeds();
    const auto start = std::chrono::steady_clock::now();
    const instrument::BoardProgram program = read_program(options_, context_);
    const double seconds_building = seconds_since(start);
    // Before an old campaign is replaced: what cannot be listened on leaves everything as it is.
    BoardLink link(program, options_, context_);
    const concolic::EarlierSessions earlier = enter(program);
    link.wait_for_targets();
    how.ends_search = [&](const FoundError& error) {
      return !CampaignRun::is_suppressed(program.subject, error, files);
    };
    concolic::SearchReport report = search(program.subject, how, link, earlier);
    take_account(link.server().statistics(), report);
    session_.finish(report);
    TestOutcome outcome = campaign_.outcome_of(program.subject, report, program.load.checks, earlier);
    outcome.seconds_building = seconds_building;
    confirm(program.subject, link, files, outcome);
    outcome.link = link.report();
    outcome.suppression_notes = files.notes();
    campaign_.minimise(outcome);
    const int code = campaign_.publish_outcome(outcome, files);
    context_.out.flush();  // to say goodbye to the targets may take a moment
    return code;
  }

 private:
  /// What was left out or given up may have been a way to go.
  static void take_account(const remote::LinkStatistics& link, concolic::SearchReport& report) {
    using Stop = concolic::SearchReport::Stop;
    if (link.left_out > 0 || link.runs_given_up > 0) report.is_exhaustive = false;
    if (link.runs_given_up == 0 || report.stop != Stop::Complete) return;
    report.stop = Stop::Budget;
    report.state.search.stop = name(report.stop);
  }

  concolic::EarlierSessions enter(const instrument::BoardProgram& program) {
    words_[kEnvironmentWord] = to_json(instrument::SymbolicEnvironment{});
    words_[kChecksWord] = program::to_string(program.load.checks);
    if (options_.search.is_resumed) {
      session_.check_environment(words_[kEnvironmentWord]);
      session_.check_checks(program.load.checks);
    }
    result::StoredProgram stored;
    stored.files = options_.program;
    stored.entry = program.load.entry;
    stored.options = words_;
    return campaign_.enter(program.subject, std::move(stored));
  }

  concolic::SearchReport search(const instrument::Subject& subject, const concolic::SearchOptions& options,
                                BoardLink& link, const concolic::EarlierSessions& earlier) {
    concolic::SearchListener listener;
    session_.listen_to(listener);
    listener.on_progress = [&](const concolic::SearchStatus& status) {
      link.set_status(campaign_.status_text(status));
    };
    concolic::SearchParts parts;
    parts.make_target = [&] { return link.server().make_target(options.check_traces); };
    parts.make_solver = concolic::solver_maker(options, link.budget());
    concolic::SearchReport report = concolic::search(subject, options, listener, link.budget(), parts, earlier);
    link.finish();
    return report;
  }

  void confirm(const instrument::Subject& subject, BoardLink& link, DefectFiles& files, TestOutcome& outcome) {
    remote::BoardReplayer replayer(subject, link.server());
    replay::Confirmer confirmer(replayer);
    const std::string lost = link.report().lost;
    const auto time = lost.empty() ? kConfirmationTime + 2.0 * static_cast<double>(outcome.report.errors.size()) *
                                                             options_.search.engine.limits.time
                                   : std::chrono::duration<double>(0);
    bool was_lost = false;
    const CampaignRun::Confirming how{
        [&](const FoundError& error, const Budget& budget) {
          const std::uint64_t given_up = link.server().statistics().runs_given_up;
          replay::Confirmation confirmation = confirmer.confirm(subject, error, budget);
          was_lost = link.server().statistics().runs_given_up > given_up;
          if (confirmation.is_confirmed) return confirmation;
          if (was_lost) confirmation.reason = "its second run was given up after its targets were lost";
          if (budget.exceeded() == Stop::Cancelled) confirmation.reason = "no target was connected for a second run";
          if (!lost.empty()) confirmation.reason = lost;
          return confirmation;
        },
        [&](const result::Defect& defect) { return replay_command(defect); },
        link.with_patience(campaign_.confirmation_budget(time)), [&] { return was_lost; }};
    campaign_.confirm(how, {}, files, outcome);
  }

  std::string replay_command(const result::Defect& defect) const {
    std::string words;
    for (const std::string& address : options_.listen) words += " --listen " + quoted_word(address);
    for (const std::string& device : options_.serial) words += " --serial " + quoted_word(device);
    if (!options_.token_file.empty()) words += " --token-file " + quoted_word(options_.token_file);
    return fmt::format("plumb serve --replay {}{} {}", quoted_word(defect.file.string()), words,
                       quoted_word(options_.program.front()));
  }

  const ServeOptions& options_;
  const Context& context_;
  CampaignSession& session_;
  CampaignWords words_;  ///< options that the campaign goes on with
  CampaignRun campaign_;
};

int replay(const ServeOptions& options, const Context& context) {
  DefectFiles files(options.search.defects);
  if (std::error_code error; !std::filesystem::exists(options.replay, error))
    throw UserError(SourceLocation{options.replay}, "there is no such file or directory",
                    "name a test, such as plumb-out/errors/error-001.json, or a directory of tests");
  const result::RunDirectory tests = result::read_run_directory(options.replay);
  const instrument::BoardProgram program = read_program(options, context);
  BoardLink link(program, options, context);
  link.wait_for_targets();
  const CheckedOutcome outcome = replay_on_board(program, link, tests.tests, files, context);
  result::Report report = to_report("serve", options.program, outcome);
  report["link"] = to_json(link.report());
  if (!context.common.json) context.out << to_text(outcome, files.sources());
  files.write(outcome.defects, options.program, report, context);
  const int code = publish(context, report);
  context.out.flush();
  return code;
}

}  // namespace

Action add_serve_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "As test, with the program running on boards that connect");
  add_serve_options(*command, *options, common);
  return [options, command](const Context& given) {
    if (!options->replay.empty()) {
      if (options->program.empty() || options->search.is_resumed)
        throw UserError("--replay needs the program, and has nothing to go on with",
                        "plumb serve --replay FILE PROGRAM");
      return with_error_report(given, "serve", options->program, [&] { return replay(*options, given); });
    }
    if (options->search.is_resumed)
      for (std::string* file : {&options->token_file, &options->address_file}) make_absolute(*file);
    return run_in_campaign(*command, options->search, options->program, given, given.budget,
                           [&](const Context& context, CampaignSession& session, CampaignWords words) {
                             return ServeCommand(*options, context, session, std::move(words)).run();
                           });
  };
}

}  // namespace plumb::cli
