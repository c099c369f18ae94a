#pragma once

#include <filesystem>
#include <string>

#include "base/budget.h"
#include "cli/replay/report.h"
#include "result/coverage/llvm_cov.h"

namespace plumb::cli {

/// Where reports of coverage go. Empty: not asked for.
struct ReplayFiles {
  std::filesystem::path lcov;  ///< a file
  std::filesystem::path html;  ///< a directory
};

/// Makes the directories that files go to. Throws UserError if one cannot be written to, or if `html` holds what was
/// not written by this command: before the work, so that none of it is for nothing.
void check_writable(const ReplayFiles& files);

/// Each is written aside and put in the place of what an earlier replay left there.
void write_files(const ReplayFiles& files, const ReplayOutcome& outcome, const result::LlvmCov& tool,
                 const Budget& budget);

}  // namespace plumb::cli
