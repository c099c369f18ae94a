#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "replay/run_end.h"
#include "replay/run_limits.h"
#include "result/test_case.h"
#include "runtime/checks/report.h"

namespace plumb::replay {

/// Of the environment: the file that a checked build (build_checked_replay) tells its defects in.
inline constexpr const char* kReportVariable = PLUMB_REPORT_VARIABLE;
/// Likewise, the bytes of memory beyond which it limits itself: its address space is too large for a limit from
/// outside.
inline constexpr const char* kMemoryVariable = PLUMB_REPORT_MEMORY;

/// How a program without instrumentation ended on a test.
struct NativeRun {
  Ending ending;
  std::string output;
  std::string error;  ///< standard error, at most its first 64 KiB
};

/// Runs an executable that is linked with the replay runtime (build_replay) on a test, as the traced run was: in a
/// fresh directory with the test's files alone, with its standard input as a file (/dev/null if it has none), its
/// arguments and variables in a small fixed environment, the inputs for the runtime, and the calls that fail.
/// `directory` must exist; what is made in it is removed again. `variables` are added to the environment, for instance
/// {kCountersVariable, path}. An executable without that runtime runs too, as long as the test has neither inputs nor
/// failing calls. Throws UserError if the program cannot be started.
NativeRun run_natively(const std::filesystem::path& executable, const result::TestCase& test, const RunLimits& limits,
                       const std::filesystem::path& directory, const Budget& budget,
                       std::span<const std::pair<std::string, std::string>> variables = {});

}  // namespace plumb::replay
