#pragma once

#include "instrument/prepared_module.h"

namespace plumb::instrument {

/// What a module needs to run again and again in the same memory, without an operating system:
/// - constructors are called by the entry, in every run;
/// - exit() and its like are __plumb_exit of the runtime; handlers for the end are not called, which is counted as lost
///   (a C library would keep those of all runs);
/// - variables of a thread are plain ones;
/// - the table __plumb_images has what every variable holds at the start (runtime/checks/bare/bare.h).
/// The last change of a module.
void prepare_for_bare_metal(PreparedModule& prepared);

}  // namespace plumb::instrument
