#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/budget.h"
#include "cli/command.h"
#include "cli/live_progress.h"
#include "cli/serve/link_report.h"
#include "cli/serve/options.h"
#include "instrument/board_program.h"
#include "remote/server.h"

namespace plumb::cli {

/// The server together with what the command has to say about it: where it listens and what to start on the board, who
/// comes and goes, and that nobody has been there for too long.
class BoardLink {
 public:
  /// Listens, and says so on standard error. Throws UserError as remote::Server does, or if the address file cannot be
  /// written. All must outlive it.
  BoardLink(const instrument::BoardProgram& program, const ServeOptions& options, const Context& context);
  BoardLink(const BoardLink&) = delete;
  BoardLink& operator=(const BoardLink&) = delete;

  remote::Server& server() noexcept { return server_; }
  /// The command's, which ends too when no target was connected for --lost-after.
  const Budget& budget() const noexcept { return budget_; }

  /// Until as many are connected as the options ask for, or the budget is over.
  void wait_for_targets();
  /// Of the search, for the progress line.
  void set_status(std::string status);
  /// Takes the progress line away.
  void finish();
  /// The budget, which ends too when no target is connected for a few seconds.
  Budget with_patience(const Budget& budget);
  LinkReport report() const;

 private:
  void announce(const instrument::BoardProgram& program) const;
  void note(bool is_warning, const std::string& line);
  void watch(const std::stop_token& stop);
  std::string status_text(std::size_t boards, const remote::LinkStatistics& link) const;

  const ServeOptions& options_;
  const Context& context_;
  Budget budget_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string status_;
  std::string lost_;
  struct Patience {
    Budget budget;
    std::chrono::steady_clock::time_point since;
  };
  std::optional<Patience> patience_;
  std::optional<LiveProgress> progress_;
  remote::Server server_;  // after what its threads use when they tell of a target
  std::jthread watcher_;   // last: it uses all of the above
};

}  // namespace plumb::cli
