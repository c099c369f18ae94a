#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "replay/defect_replay.h"
#include "replay/run_limits.h"
#include "replay/symboliser.h"
#include "result/test_case.h"

namespace plumb::replay {

/// A line of the report that a checked build writes (runtime/checks/report.h).
struct ToldDefect {
  std::uint32_t kind = 0;         ///< enum plumb_defect
  std::uint32_t access = 0;       ///< as in checks.h; 0: none
  std::uint32_t object_kind = 0;  ///< enum plumb_object_kind
  std::uint64_t address = 0;
  std::uint64_t object_base = 0;
  std::uint64_t object_size = 0;
  std::uint64_t a = 0, b = 0;  ///< of a bad value or index; a: of a leak, 0 if exit() was called before main returned
  std::vector<std::uint64_t> stack;
  std::vector<std::uint64_t> allocated;
  std::vector<std::uint64_t> freed;
};

/// All complete lines; what else stands in the text is skipped, for the program under test may have written it.
std::vector<ToldDefect> parse_report(std::string_view text);

/// Runs tests natively in the checked build of a program (build_checked_replay), which tells of defects and goes on.
/// The build is made by the first run, whose UserError it is if it cannot be. Not thread-safe.
class CheckedRuns {
 public:
  /// `directory` is for files of its own and must exist.
  CheckedRuns(frontend::LoadOptions options, RunLimits limits, std::filesystem::path directory);
  ~CheckedRuns();
  CheckedRuns(const CheckedRuns&) = delete;
  CheckedRuns& operator=(const CheckedRuns&) = delete;

  /// Everything wrong that the run does, of the kinds that the options ask for; leaks only if the entry function
  /// returned. Throws OutOfBudget.
  DefectReplay run(const result::TestCase& test, const Budget& budget);

 private:
  result::Defect describe(const ToldDefect& told);

  frontend::LoadOptions options_;
  RunLimits limits_;
  std::filesystem::path directory_;
  std::filesystem::path executable_;
  std::unique_ptr<Symboliser> symboliser_;
};

}  // namespace plumb::replay
