#include "explore/explore.h"

#include "base/error.h"
#include "explore/search.h"
#include "explore/swarm.h"

namespace plumb::explore {

Outcome explore(const program::Program& program, std::span<const Goal> goals, const Options& options,
                const Budget& budget,
                const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer) {
  if (program.entry == program::kNone) throw UserError("the program has no entry function", "name one with --entry");
  if (options.jobs > 1) return explore_in_swarm(program, goals, options, budget, on_answer);
  return Search(program, goals, options, budget, on_answer).run();
}

}  // namespace plumb::explore
