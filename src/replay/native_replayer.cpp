#include "replay/native_replayer.h"

#include <fmt/format.h>

namespace plumb::replay {

NativeRun NativeReplayer::run_test(const result::TestCase& test, const Budget& budget) {
  budget.check();
  return run_natively(builds_.plain(budget), test, limits_, builds_.directory(), budget);
}

Replay NativeReplayer::run(const Evidence& evidence, const Budget& budget) {
  Replay replay;
  replay.problem = problem_of(evidence);
  if (!replay.problem.empty()) return replay;
  const NativeRun end = run_test(*evidence.test(), budget);
  replay.end = describe(end);
  if (end.end != ProcessResult::End::Exited && end.end != ProcessResult::End::Signalled)
    replay.problem = fmt::format("the program ran {}", replay.end);
  return replay;
}

}  // namespace plumb::replay
