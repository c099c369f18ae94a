#pragma once

#include "instrument/prepared_module.h"

namespace plumb::instrument {

/// In programs for boards: before each call of a function that allocates or frees, and of a model of a library
/// function, its site goes to __plumb_call_site, so that the runtime can tell without call stacks where an object comes
/// from, and who gave a model what it fails on:
///
///     %p = call ptr @__plumb_malloc(…)       store i32 17, ptr @__plumb_call_site
///                                      =>    %p = call ptr @__plumb_malloc(…)
///
/// Calls through pointers that may lead to such functions are named too. Outside of such calls it is 0. Models leave
/// what their caller has told, and hide it from code that is none (what qsort() calls). To be called after all other
/// changes of code.
void name_call_sites(PreparedModule& prepared);

}  // namespace plumb::instrument
