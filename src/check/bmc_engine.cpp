#include "check/bounded_claim.h"
#include "check/engine.h"
#include "unroll/unroll.h"

namespace plumb::check {
namespace {

EngineRemarks run_bmc(const EngineTask& task) {
  unroll::Options options;
  options.unwind = task.settings.unwind;
  options.seed = task.settings.seed;
  const auto tell = [&](std::size_t goal, const unroll::GoalResult& answer) { task.tell(bounded_claim(goal, answer)); };
  const unroll::Outcome outcome = unroll::unroll(task.program, task.goals, options, task.budget, tell);
  for (std::size_t goal = 0; goal < outcome.answers.size(); ++goal) tell(goal, outcome.answers[goal]);
  return {.assumptions = outcome.assumptions};
}

}  // namespace

constinit const Engine bmc_engine = {
    .info = {.name = "bmc",
             .takes = result::EngineInput::Program,
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the program is unrolled, all paths merged; a loop 1, 2, 4, … times, or `--unwind K` times. It "
                        "holds if no run needs more rounds",
             .by_default = {"bmc"}},
    .run = run_bmc,
    .memory_part = 0.7};

}  // namespace plumb::check
