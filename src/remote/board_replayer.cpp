#include "remote/board_replayer.h"

#include <utility>

#include "instrument/board_program.h"
#include "runtime/concolic/protocol.h"

namespace plumb::remote {

BoardReplayer::BoardReplayer(const instrument::Subject& subject, Server& server)
    : subject_(subject), target_(server.make_repeating_target()) {}

replay::Replay BoardReplayer::run(const replay::Evidence& evidence, const Budget& budget) {
  replay::Replay replay;
  replay.problem = problem_of(evidence);
  if (!replay.problem.empty()) return replay;
  target_->reset();
  concolic::TargetRun run =
      target_->run({.inputs = evidence.test()->inputs, .random_seed = 0, .modes = {}, .max_nodes = 0}, budget);
  replay.take({run.end, run.code}, "the run on the target");
  replay.seen = std::move(run.trace.defects);
  replay.error_site = run.error_site;
  // On bare metal the program's objects are in the runtime's own memory: with more of it, the pointer were not null.
  replay.lacks_memory =
      run.trace.lost.contains({PLUMB_PIN_FULL, 0}) && instrument::is_bare_metal(subject_.program.layout.triple);
  return replay;
}

}  // namespace plumb::remote
