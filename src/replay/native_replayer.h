#pragma once

#include <string_view>

#include "replay/builds.h"
#include "replay/native_run.h"
#include "replay/replayer.h"
#include "replay/run_limits.h"

namespace plumb::replay {

/// Runs tests natively in the plain build of a program, which says of defects no more than what the machine refuses.
class NativeReplayer : public Replayer {
 public:
  /// `builds` must outlive it.
  NativeReplayer(Builds& builds, const RunLimits& limits) : builds_(builds), limits_(limits) {}

  std::string_view name() const override { return "native run"; }
  Replay run(const Evidence& evidence, const Budget& budget) override;
  /// All that is known of the run's end.
  NativeRun run_test(const result::TestCase& test, const Budget& budget);

 private:
  Builds& builds_;
  RunLimits limits_;
};

}  // namespace plumb::replay
