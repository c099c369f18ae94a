#pragma once

#include "base/budget.h"
#include "instrument/prepared_module.h"

namespace plumb::instrument {

/// Compiles the symbolic bookkeeping into a prepared module: what SymCC does, with regions.
///
/// Each scalar that can depend on input gets a shadow, an i32 beside it: the id of its expression, 0 if it is concrete
/// in this run. The code of the program itself stays as it is; shadows are computed after it, a stretch at a time:
///
///     %c = add i32 %a, %b                 %c = add i32 %a, %b
///     %d = mul i32 %c, 3           =>     %d = mul i32 %c, 3
///                                         %any = or i32 %a.s, %b.s
///                                         br (%any != 0), symbolic, next            (unlikely)
///                                       symbolic:
///                                         %c.1 = call @__plumb_binary(…)
///                                         %d.1 = call @__plumb_binary(…)
///                                       next:
///                                         %c.s = phi [0, …], [%c.1, symbolic]
///
/// Loads and stores test the filter of runtime.h inline; innermost loops without calls go on in a copy without any test
/// if nothing in their reach is symbolic (shadow_loops.h). Every edge of a branch or switch sets its byte of coverage,
/// in both versions of a region. Throws Unsupported for what cannot be instrumented at all, and OutOfBudget.
void instrument(PreparedModule& prepared, const Budget& budget = {});

}  // namespace plumb::instrument
