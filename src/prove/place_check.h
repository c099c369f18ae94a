#pragma once

#include "prove/certificate.h"
#include "prove/locations.h"

namespace plumb::prove {

/// Behind a step with the invariant and without the bad, do the invariant and the absence of the bad hold? As
/// check_invariant() asks, but way by way between the values of the control state: with that value folded, what the
/// invariant says about a place stands alone, and equations between words can be put to use. A system without a control
/// state is one place. May throw OutOfBudget.
Check check_steps_by_place(System& system, Term bad, Term invariant, const Budget& budget);

}  // namespace plumb::prove
