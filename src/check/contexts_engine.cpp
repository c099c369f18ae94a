#include <fmt/format.h>

#include "check/engine.h"
#include "unroll/unroll.h"

namespace plumb::check {
namespace {

EngineRemarks run_contexts(const EngineTask& task) {
  unroll::Options options;
  options.unwind = task.settings.unwind;
  options.contexts = task.settings.contexts.value_or(0);
  options.seed = task.settings.seed;
  // What is lost at the end of a program is not looked at where threads may still run.
  std::vector<Goal> goals;
  std::vector<std::size_t> number_of;
  for (std::size_t goal = 0; goal < task.goals.size(); ++goal) {
    if (task.goals[goal].kind == program::GoalKind::Leak) continue;
    goals.push_back(task.goals[goal]);
    number_of.push_back(goal);
  }
  const auto tell = [&](std::size_t goal, const unroll::GoalResult& answer) {
    const std::string bound = fmt::format("{} contexts of each thread, unwinding {}", answer.contexts, answer.bound);
    Claim claim{.goal = number_of[goal],
                .verdict = answer.verdict,
                .reason = answer.reason,
                .test = answer.test,
                .gaps = answer.gaps};
    if (is_proof(answer.verdict)) claim.detail = bound;
    if (answer.verdict == Verdict::HoldsUpTo)
      claim.reason = answer.reason.empty() ? bound : fmt::format("{}: {}", bound, answer.reason);
    task.tell(std::move(claim));
  };
  const unroll::Outcome outcome = unroll::unroll(task.program, goals, options, task.budget, tell);
  for (std::size_t goal = 0; goal < outcome.answers.size(); ++goal) tell(goal, outcome.answers[goal]);
  return {.assumptions = outcome.assumptions, .reason = "it does not look at what is lost at the end of the program"};
}

}  // namespace

constinit const Engine contexts_engine = {
    .info = {.name = "contexts",
             .takes = result::EngineInput::Program,
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the program with its threads is unrolled as one formula: they take turns, 2, 3, 4, … times "
                        "each, or `--contexts K` times, and stop anywhere. It holds if no run needs more turns. By "
                        "default for programs with threads"},
    .run = run_contexts,
    .memory_part = 0.7};

}  // namespace plumb::check
