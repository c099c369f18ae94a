#pragma once

#include "base/budget.h"
#include "system/control_graph.h"

namespace plumb::system {

/// Gives variables the width that their values need: a counter below 100 has 7 bits, whatever its type. Which values a
/// variable has where it is read is found by intervals, along the control flow and with what conditions say. Narrowed
/// variables hold the lowest bits of what they held; where they are read they are extended. Targets that cannot be
/// taken get the condition false, unless they are the last. Variables and inputs keep their positions, and every
/// property fails in the same runs. Graphs that are too large for it are left as they are.
void narrow(ControlGraph& graph, const Budget& budget);

}  // namespace plumb::system
