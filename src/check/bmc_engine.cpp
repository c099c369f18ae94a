#include <fmt/format.h>

#include "check/engine.h"
#include "unroll/unroll.h"

namespace plumb::check {

EngineRemarks run_bmc_engine(const EngineTask& task) {
  unroll::Options options;
  options.unwind = task.settings.unwind;
  options.seed = task.settings.seed;
  const auto tell = [&](std::size_t goal, const unroll::GoalResult& answer) {
    const std::string bound = fmt::format("unwinding {}", answer.bound);
    Claim claim{.goal = goal, .verdict = answer.verdict, .reason = answer.reason, .test = answer.test};
    if (is_proof(answer.verdict)) claim.detail = bound;
    if (answer.verdict == Verdict::HoldsUpTo)
      claim.reason = answer.reason.empty() ? bound : fmt::format("{}: {}", bound, answer.reason);
    task.tell(std::move(claim));
  };
  const unroll::Outcome outcome = unroll::unroll(task.program, task.goals, options, task.budget, tell);
  for (std::size_t goal = 0; goal < outcome.answers.size(); ++goal) tell(goal, outcome.answers[goal]);
  return {.assumptions = outcome.assumptions};
}

}  // namespace plumb::check
