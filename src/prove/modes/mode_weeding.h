#pragma once

#include <vector>

#include "base/budget.h"
#include "prove/modes/wandering.h"

namespace plumb::prove {

/// The relations that hold in the first step and follow from each other in the step before, if that was not bad: the
/// greatest such set (Houdini, as inductive_subset()). A state that satisfies what is left, but not what comes behind
/// it, refutes relations; runs that wander on from it refute more of them for the price of a step. Throws OutOfBudget.
std::vector<ModeTable::Relation> inductive_relations(System& system, Wandering& wandering,
                                                     std::vector<ModeTable::Relation> relations, const Budget& budget);

}  // namespace plumb::prove
