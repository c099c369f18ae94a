#include <fmt/format.h>

#include "check/engine.h"
#include "explore/explore.h"

namespace plumb::check {
namespace {

EngineRemarks run_explore(const EngineTask& task) {
  explore::Options options = task.settings.exploration;
  options.seed = task.settings.seed;
  std::vector<bool> is_told(task.goals.size(), false);
  const auto tell = [&](std::size_t goal, const explore::GoalResult& answer) {
    if (is_told[goal]) return;
    is_told[goal] = is_final(answer.verdict);
    Claim claim{
        .goal = goal, .verdict = answer.verdict, .reason = answer.reason, .test = answer.test, .gaps = answer.gaps};
    task.tell(std::move(claim));
  };
  const explore::Outcome outcome = explore::explore(task.program, task.goals, options, task.budget, tell);
  for (std::size_t goal = 0; goal < outcome.answers.size(); ++goal) tell(goal, outcome.answers[goal]);
  return {.assumptions = outcome.assumptions, .explored = outcome.statistics};
}

}  // namespace

constinit const Engine explore_engine = {
    .info = {.name = "explore",
             .takes = result::EngineInput::Program,
             .can_hold = true,
             .can_violate = true,
             .summary =
                 "all orders of threads and all inputs: control is explicit, what depends on inputs symbolic. By "
                 "default for programs with threads"},
    .run = run_explore,
    .memory_part = 0.8,
    .follows_threads = true};

}  // namespace plumb::check
