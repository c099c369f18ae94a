#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "replay/builds.h"
#include "replay/native_run.h"
#include "result/campaign/campaign_store.h"

namespace plumb::cli {

/// Tests are replayed on what clang alone makes of the sources. If that fails, on the plain build, without coverage; if
/// that fails as well and the program is an executable, on that one as it is.
struct ReplayProgram {
  replay::SourceBuild build;
  std::string missing;  ///< why there is no coverage; empty if there is
};

/// `written` is when the campaign was last written to, for sources that are newer. Throws UserError if nothing can be
/// run.
ReplayProgram build_replay_program(replay::Builds& builds, frontend::Purpose purpose,
                                   std::optional<std::filesystem::file_time_type> written, const Budget& budget);

/// How a test ended, beside what the campaign saw.
struct ReplayedTest {
  result::StoredTest stored;
  replay::NativeRun run;
  bool is_failure = false;      ///< a crash, or a property of the program that does not hold
  bool is_different = false;    ///< not as recorded
  bool is_unfinished = false;   ///< cut off, and the campaign saw it end; or its threads left their order
  bool is_ordered = false;      ///< its threads went on in the order of its schedule
  std::string order_problem{};  ///< why they did not, if the test has a schedule; else empty
  bool is_deadlock = false;     ///< they did, up to a deadlock
};
ReplayedTest compare(result::StoredTest stored, replay::NativeRun run);
/// "exit code 0", "assertion", "timeout": how the campaign saw it end; empty if it does not say.
std::string recorded_end(const result::StoredTest& stored);

/// Runs tests one after another on one program.
class RecordedRuns {
 public:
  /// `directory` is for files of its own. Tests with an order of threads run in a build of their own, of `builds`,
  /// which counts nothing.
  RecordedRuns(const replay::SourceBuild& program, replay::Builds& builds, const replay::RunLimits& limits,
               std::filesystem::path directory);

  ReplayedTest run(const result::StoredTest& test, const Budget& budget);
  /// What all runs so far counted, as LLVM's tools read it. Needs a program with coverage.
  std::filesystem::path write_profile(const Budget& budget);

 private:
  void restore_counters();
  ReplayedTest run_in_order(const result::StoredTest& test, const Budget& budget);

  const replay::SourceBuild& program_;
  replay::Builds& builds_;
  replay::RunLimits limits_;
  std::filesystem::path directory_;
  std::string counted_;  ///< the counters after the last run
};

}  // namespace plumb::cli
