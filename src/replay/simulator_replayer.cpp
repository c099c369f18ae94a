#include "replay/simulator_replayer.h"

#include <fmt/format.h>

namespace plumb::replay {

Replay SimulatorReplayer::run(const Evidence& evidence, const Budget& budget) {
  budget.check();
  Replay replay;
  if (evidence.trace() == nullptr) {
    replay.problem = "the run of a program is no run of a system";
    return replay;
  }
  const system::Replay simulated = system::replay(system_, *evidence.trace());
  if (!simulated.reached.empty()) {
    const auto& [bad, step] = simulated.reached.front();
    replay.end = fmt::format("bad {} in step {}", bad, step);
  } else if (simulated.violation) {
    const auto& [constraint, step] = *simulated.violation;
    replay.end = fmt::format("constraint {} is false in step {}", constraint, step);
  } else {
    replay.end = fmt::format("no bad in {} steps", evidence.trace()->steps.size());
  }
  return replay;
}

}  // namespace plumb::replay
