#pragma once

#include <vector>

#include "program/analysis/governors.h"
#include "program/analysis/liveness.h"
#include "program/program.h"

namespace plumb::program {

/// AccVars of a governed region: what its instructions access. In SSA form variables inside are renamed already, so
/// what matters is what enters, what leaves, and memory. The governor's own condition, and the arguments of its edges,
/// are used in the governor and not here; arguments of edges into destinations are used here.
struct AccessedVariables {
  LiveValues values;                  ///< ins: defined outside, used in the region; outs: the other way round
  std::vector<InstructionId> reads;   ///< Load and CopyMemory, in the region's order
  std::vector<InstructionId> writes;  ///< Store, CopyMemory and FillMemory, likewise
};

/// Costs the size of the region and the uses of what it defines, times a logarithm.
AccessedVariables accessed_variables(const Function& function, const Uses& uses, const Governor& governor);

}  // namespace plumb::program
