#include "replay/simulator_replayer.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::replay {

Replay SimulatorReplayer::run(const Evidence& evidence, const Budget& budget) {
  budget.check();
  Replay replay;
  if (evidence.trace() == nullptr) {
    replay.problem = "the run of a program is no run of a system";
    return replay;
  }
  system::Replay simulated = system::replay(system_, *evidence.trace());
  if (const auto& broken = simulated.violation)
    replay.problem =
        fmt::format("this is no run of the system: step {} breaks assumption {}", broken->step, broken->constraint);
  replay.reached = std::move(simulated.reached);
  replay.end = replay.reached.empty()
                   ? fmt::format("no bad in {} steps", evidence.trace()->steps.size())
                   : fmt::format("bad {} in step {}", replay.reached.front().bad, replay.reached.front().step);
  return replay;
}

}  // namespace plumb::replay
