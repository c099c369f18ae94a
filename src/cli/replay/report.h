#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/run.h"
#include "result/coverage/coverage.h"
#include "result/coverage/coverage_page.h"
#include "result/coverage/uncovered.h"
#include "result/report.h"

namespace plumb::cli {

/// All that `plumb replay` knows at its end.
struct ReplayOutcome {
  std::vector<std::string> files;  ///< of the program, as given
  std::filesystem::path base;      ///< that names of files are shown relative to
  std::vector<ReplayedTest> tests;
  std::size_t not_run = 0;  ///< the budget was over before
  std::optional<result::Coverage> coverage;
  std::vector<result::UncoveredSide> uncovered;
  bool has_reasons = false;              ///< the campaign says what became of branches
  std::string coverage_missing;          ///< why there is no coverage
  std::vector<std::string> assumptions;  ///< what limits the numbers
  std::filesystem::path reports;         ///< directory; empty: none were written
  double seconds_building = 0;
  double seconds_running = 0;
};

result::Judgement verdict_of(const ReplayOutcome& outcome);

/// "1 test", "2 tests".
std::string counted(std::size_t count, std::string_view noun);

/// "test 7 ended with exit code 1, the campaign saw exit code 0".
std::string difference_text(const ReplayedTest& test);

/// Of a test with a schedule: "test 1 fails in the order of its schedule: assertion", or why that cannot be said.
std::string order_text(const ReplayedTest& test);

/// The summary. `all`: every side that is not covered; else the first ten.
std::string to_text(const ReplayOutcome& outcome, bool all);
result::Report to_report(const std::vector<std::string>& inputs, const ReplayOutcome& outcome);
/// `sources`: the directory of llvm-cov's pages, as the page refers to it.
result::CoveragePage page_of(const ReplayOutcome& outcome, std::string sources);

}  // namespace plumb::cli
