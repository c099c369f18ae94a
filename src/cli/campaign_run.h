#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/campaign_session.h"
#include "cli/command.h"
#include "cli/defect_files.h"
#include "cli/search_options.h"
#include "cli/test_report.h"
#include "concolic/search/search.h"
#include "replay/confirmer.h"
#include "result/test_case.h"

namespace plumb::cli {

/// What a campaign was begun with, by name (campaign_options.h).
using CampaignWords = std::map<std::string, std::string>;

/// Runs `action` in the campaign of --out, which with --resume is opened, and whose options are taken over where the
/// command line says nothing. `files` are the words that name the program, an option's. Errors become the result
/// object; what could not be written is thrown after everything else was told.
int run_in_campaign(CLI::App& command, SearchOptions& options, const std::vector<std::string>& files,
                    const Context& given, const Budget& budget,
                    const std::function<int(const Context&, CampaignSession&, CampaignWords)>& action);

/// The path that a file has if the working directory changes; empty if there is none.
void make_absolute(std::string& name);

/// The parts of a search that do not depend on where the program under test runs: `plumb test` and `plumb serve` put
/// them together.
class CampaignRun {
 public:
  /// `command` is the word for results, `files` name the program. All must outlive it.
  CampaignRun(std::string_view command, const SearchOptions& options, const std::vector<std::string>& files,
              const Context& context, CampaignSession& session);

  /// Throws UserError: a name that does not exist should be told before anything is built.
  void check_solver() const;
  /// Of --input.
  std::vector<result::TestCase> seeds() const;

  /// Begins a campaign or goes on with one. `program` needs no fingerprint and no directory.
  concolic::EarlierSessions enter(const instrument::Subject& subject, result::StoredProgram program);
  static bool had_finished(const concolic::EarlierSessions& earlier);

  /// Whether a defect does not count, as far as that is known before the replay.
  static bool is_suppressed(const instrument::Subject& subject, const replay::FoundError& error, DefectFiles& files);

  /// "3 of 10 branches, 17 runs, 4 tests, 2 to try, 1 errors".
  std::string status_text(const concolic::SearchStatus& status) const;

  /// What is known when the search is over.
  TestOutcome outcome_of(const instrument::Subject& subject, const concolic::SearchReport& report,
                         program::CheckSet checks, const concolic::EarlierSessions& earlier) const;

  struct Confirming {
    std::function<replay::Confirmation(const replay::FoundError&, const Budget&)> confirm;
    std::function<std::string(const result::Defect&)> replay_command;
    Budget budget;
    std::function<bool()> was_lost{};  ///< the last run came to no end, with time left; may be empty
  };
  /// Replays what was found, and writes it. Of several errors that turn out to be the same defect, the best one stays.
  /// `further` are defects that need no replay.
  void confirm(const Confirming& how, std::span<const result::Defect> further, DefectFiles& files,
               TestOutcome& outcome);
  /// Errors are replayed after the time is over, lest they are found and not told.
  Budget confirmation_budget(std::chrono::duration<double> time) const;

  void minimise(TestOutcome& outcome);
  /// Prints and writes everything. Gives the exit code.
  int publish_outcome(const TestOutcome& outcome, DefectFiles& files);

 private:
  void write_defect(const Confirming& how, const replay::FoundError& error, result::Defect& defect);
  void write_unconfirmed(const Confirming& how, const replay::FoundError& error, UnconfirmedDefect& unconfirmed);

  std::string command_;
  const SearchOptions& options_;
  const std::vector<std::string>& files_;
  const Context& context_;
  CampaignSession& session_;
};

}  // namespace plumb::cli
