#pragma once

#include "concolic/instrument/prepared_module.h"

namespace plumb::concolic {

/// In programs for boards: before each call of a function that allocates or frees, its site goes to __plumb_call_site,
/// so that the runtime can tell where an object comes from without call stacks:
///
///     %p = call ptr @__plumb_malloc(…)       store i32 17, ptr @__plumb_call_site
///                                      =>    %p = call ptr @__plumb_malloc(…)
///
/// A model of a library function (strdup) leaves what its caller has told. To be called after all other changes of
/// code.
void name_call_sites(PreparedModule& prepared);

}  // namespace plumb::concolic
