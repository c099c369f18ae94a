#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "replay/builds.h"
#include "replay/replayer.h"
#include "replay/run_limits.h"

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

/// Runs tests natively in the checked build of a program, which tells of defects and goes on: everything wrong that the
/// run does, of the kinds that the options of the builds ask for; leaks only if the entry function returned.
class CheckedReplayer : public Replayer {
 public:
  /// `builds` must outlive it.
  CheckedReplayer(Builds& builds, const RunLimits& limits) : builds_(builds), limits_(limits) {}

  std::string_view name() const override { return "checked build"; }
  Replay run(const Evidence& evidence, const Budget& budget) override;

 private:
  Builds& builds_;
  RunLimits limits_;
};

}  // namespace plumb::replay
