#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "replay/native_run.h"
#include "result/campaign/campaign_store.h"

namespace plumb::cli {

/// A plain build of a program that tests are replayed on.
struct ReplayProgram {
  std::filesystem::path executable;
  std::filesystem::path counters;  ///< of clang's coverage, which all runs share; empty: there is none
  std::string missing;             ///< why there is no coverage; empty if there is
  std::vector<std::string> notes;  ///< what else limits it, a sentence each
};

enum class WithCoverage : bool { No, Yes };

/// Builds the program in `directory`, which must exist. Files are relative to `base`; `written` is when the campaign
/// was last written to, for sources that are newer. If it cannot be built for coverage, it is built without; if that
/// fails as well and it is an executable, that one is taken as it is. Throws UserError if nothing can be run.
ReplayProgram build_replay_program(const frontend::LoadOptions& load, const std::filesystem::path& base,
                                   std::optional<std::filesystem::file_time_type> written, WithCoverage coverage,
                                   const std::filesystem::path& directory, const Budget& budget);

/// How a test ended, beside what the campaign saw.
struct ReplayedTest {
  result::StoredTest stored;
  replay::NativeRun run;
  bool is_failure = false;     ///< a crash, or a property of the program that does not hold
  bool is_different = false;   ///< not as recorded
  bool is_unfinished = false;  ///< cut off, and the campaign saw it end
};
ReplayedTest compare(result::StoredTest stored, replay::NativeRun run);
/// "exit code 0", "assertion", "timeout": how the campaign saw it end; empty if it does not say.
std::string recorded_end(const result::StoredTest& stored);

/// Runs tests one after another on one program.
class Replayer {
 public:
  /// `directory` is for files of its own.
  Replayer(const ReplayProgram& program, const replay::RunLimits& limits, std::filesystem::path directory);

  ReplayedTest run(const result::StoredTest& test, const Budget& budget);
  /// What all runs so far counted, as LLVM's tools read it. Needs a program with coverage.
  std::filesystem::path write_profile(const Budget& budget);

 private:
  void restore_counters();

  const ReplayProgram& program_;
  replay::RunLimits limits_;
  std::filesystem::path directory_;
  std::string counted_;  ///< the counters after the last run
};

}  // namespace plumb::cli
