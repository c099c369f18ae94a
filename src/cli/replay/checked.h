#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/defect_files.h"
#include "cli/replay/report.h"
#include "frontend/load.h"
#include "replay/run_limits.h"
#include "result/campaign/campaign_store.h"
#include "result/defect/defect.h"

namespace plumb::cli {

/// What `plumb replay --checks` saw.
struct CheckedOutcome {
  std::vector<std::string> files;       ///< of the program
  std::vector<result::Defect> defects;  ///< one a kind and place, by place; suppressed ones too
  struct Test {
    std::uint32_t number = 0;
    std::string end;      ///< "exit code 0", "SIGSEGV"
    std::string problem;  ///< why it did not come to its end; else empty
    std::size_t defects = 0;
    bool is_failure = false;  ///< ended by a signal or a failed property
  };
  std::vector<Test> tests;
  std::size_t not_run = 0;  ///< the budget was over before
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  double seconds = 0;
};

/// Runs each test in a build with checks (build_checked_replay), which tells of every defect that a run has. Files of
/// the program are relative to the working directory; `directory` is for files of its own. Throws UserError if the
/// program cannot be built.
CheckedOutcome run_checked(const frontend::LoadOptions& load, std::span<const result::StoredTest> tests,
                           const replay::RunLimits& limits, const std::filesystem::path& directory, DefectFiles& files,
                           const Context& context);

result::Judgement verdict_of(const CheckedOutcome& outcome);
std::string to_text(const CheckedOutcome& outcome, result::SourceLines& sources);
result::Report to_report(std::string_view command, const std::vector<std::string>& inputs,
                         const CheckedOutcome& outcome);

}  // namespace plumb::cli
