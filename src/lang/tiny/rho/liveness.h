#pragma once

#include <set>
#include <vector>

#include "lang/tiny/rho/call_graph.h"

namespace plumb::tiny {

/// Variables of recursive functions that an activation still needs when another one of the same recursion may have
/// written them: only they need a row for each activation. By variable. On bodies without calls in expressions, before
/// the stack pointer stands in references.
std::vector<bool> live_across_recursion(const Program& program, const CallGraph& calls);

/// The reference is to the row of a callee: made by rho, its first index is the stack pointer plus one, or a number.
bool is_in_callees_row(const Expression& expression);

}  // namespace plumb::tiny
