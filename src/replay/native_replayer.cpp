#include "replay/native_replayer.h"

namespace plumb::replay {

NativeRun NativeReplayer::run_test(const result::TestCase& test, const Budget& budget) {
  budget.check();
  return run_natively(builds_.plain(budget), builds_.native_test(test), limits_, builds_.directory(), budget);
}

Replay NativeReplayer::run(const Evidence& evidence, const Budget& budget) {
  Replay replay;
  replay.problem = problem_of(evidence);
  if (!replay.problem.empty()) return replay;
  replay.take(run_test(*evidence.test(), budget).ending, "the program");
  return replay;
}

}  // namespace plumb::replay
