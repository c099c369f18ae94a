#pragma once

#include "explore/explore.h"

namespace plumb::explore {

/// As explore(), by options.jobs searches that share nothing, each in a thread: one goes as it was asked to, another
/// one the other way, breadth first or depth first, and further ones depth first with the threads in other orders. The
/// first that knows about a goal decides it, and the first that is through ends it for all. So violations far from the
/// start are found sooner; a proof takes as long as one search.
Outcome explore_in_swarm(const program::Program& program, std::span<const Goal> goals, const Options& options,
                         const Budget& budget,
                         const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer);

}  // namespace plumb::explore
