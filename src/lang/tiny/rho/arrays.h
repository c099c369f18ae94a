#pragma once

#include <vector>

#include "lang/tiny/rho/call_graph.h"

namespace plumb::tiny {

/// How arrays reach the functions that they are passed to.
struct ArrayReferences {
  /// By variable: the array that a parameter always is; itself where it is none or has to be copied.
  std::vector<VariableId> same_as;
  /// By variable: a parameter that different calls pass different arrays for: copied in and out.
  std::vector<bool> is_copied;
  /// By variable: a parameter of a recursive entry function that recursion passes on as it is.
  std::vector<bool> is_passed_on;
};

/// Throws Unsupported for a call that passes an array twice, or one that its callee names itself, and for arrays of
/// different sizes for one parameter.
ArrayReferences resolve_arrays(Program& program, const Options& options, const CallGraph& calls);

}  // namespace plumb::tiny
