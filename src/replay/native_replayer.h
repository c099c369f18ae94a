#pragma once

#include <string>
#include <string_view>

#include "replay/builds.h"
#include "replay/native_order.h"
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
  /// With threads in the order, which has no problem.
  NativeRun run_in_order(const result::TestCase& test, const NativeOrder& order, const Budget& budget);
  /// With threads in the order of the test's schedule: the interpreter runs it first, and says which order that is.
  struct Ordered {
    NativeRun run;
    std::string problem;  ///< why the native run is not that of the schedule; else empty
    bool is_deadlock = false;
  };
  Ordered run_scheduled(const result::TestCase& test, const Budget& budget);

 private:
  Builds& builds_;
  RunLimits limits_;
};

}  // namespace plumb::replay
