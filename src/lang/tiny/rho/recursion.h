#pragma once

#include "lang/tiny/rho/flatten.h"

namespace plumb::tiny {

/// Gives the variables of recursive functions that are live across a recursive call a dimension more, as many rows as
/// the stack may have, and puts the stack pointer in front of the indices of references that are not in the row of a
/// callee already (equation 3.2). Of the others it takes the rows away.
void deepen_recursion(RhoContext& context);

}  // namespace plumb::tiny
