#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/test_directory.h"
#include "cli/test_report.h"
#include "concolic/search/search.h"
#include "program/check_set.h"
#include "result/campaign/campaign_store.h"
#include "result/campaign/minimise.h"

namespace plumb::cli {

/// One session of a campaign: its database, and the files that follow it. A test is in the database before its file is
/// written, so after a kill at any moment the files can be made again.
class CampaignSession {
 public:
  /// Throws UserError if the directory holds something that no run of ours wrote. Changes nothing.
  explicit CampaignSession(std::filesystem::path directory);

  /// Of the campaign that is there; from then on no other process writes to it. Throws UserError if there is none.
  result::StoredProgram open();

  /// Of the one that was opened: throws UserError if its symbolic environment is another (as to_json() gives it).
  void check_environment(const std::string& environment) const;

  /// Likewise if it was begun with other checks.
  void check_checks(program::CheckSet checks) const;

  /// Replaces what is there by a new campaign. Gives the number of tests that were.
  std::size_t begin(const instrument::Subject& subject, const result::StoredProgram& program);
  /// Goes on with the one that was opened: `program` has the fingerprint of the subject and the options of this
  /// session. Throws UserError if the program has changed.
  concolic::EarlierSessions resume(const instrument::Subject& subject, const result::StoredProgram& program);

  /// Stores what the search tells. A write that fails ends the search, and is kept in problem().
  void listen_to(concolic::SearchListener& listener);
  const std::optional<UserError>& problem() const noexcept { return problem_; }
  /// What the search has found, when it is over.
  void finish(const concolic::SearchReport& report);
  /// Removes the tests that are not needed for the coverage.
  result::MinimisedSuite minimise();
  /// Runs `write`; if that fails, the problem is kept, and nothing is written any more.
  void attempt(const std::function<void()>& write);

  TestDirectory& directory() noexcept { return directory_; }
  const std::vector<Milestone>& milestones() const noexcept { return milestones_; }
  std::size_t errors() const noexcept { return errors_; }

 private:
  void store_test(const concolic::FoundTest& found);
  void store_error(const replay::FoundError& error);
  void store_state(const concolic::SearchState& state);
  std::string remedy() const;

  std::filesystem::path path_;
  TestDirectory directory_;
  std::optional<result::CampaignStore> store_;
  BranchTable branches_;
  std::vector<Milestone> milestones_;
  std::uint64_t sessions_ = 1;
  std::uint32_t covered_ = 0;
  std::size_t errors_ = 0;
  std::vector<replay::FoundError> untold_errors_;  ///< whose files are written when their test is stored
  std::optional<UserError> problem_;
};

}  // namespace plumb::cli
