#include "check/bounded_claim.h"
#include "check/engine.h"
#include "paths/paths.h"
#include "unroll/unroll.h"

namespace plumb::check {
namespace {

EngineRemarks run_paths(const EngineTask& task) {
  unroll::Options options;
  options.unwind = task.settings.unwind;
  options.seed = task.settings.seed;
  const auto tell = [&](std::size_t goal, const unroll::GoalResult& answer) { task.tell(bounded_claim(goal, answer)); };
  paths::Options search = task.settings.paths;
  search.seed = task.settings.seed;
  paths::Statistics statistics;
  const unroll::Outcome outcome =
      unroll::unroll(task.program, task.goals, options, task.budget, tell, paths::decider(search, statistics));
  for (std::size_t goal = 0; goal < outcome.answers.size(); ++goal) tell(goal, outcome.answers[goal]);
  return {.assumptions = outcome.assumptions, .searched = statistics};
}

}  // namespace

constinit const Engine paths_engine = {
    .info = {.name = "paths",
             .takes = result::EngineInput::Program,
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the program is unrolled as by bmc, and its property followed backwards: one path after the "
                        "other is collected as constraints, and cut off where these contradict each other"},
    .run = run_paths,
    .memory_part = 0.7};

}  // namespace plumb::check
