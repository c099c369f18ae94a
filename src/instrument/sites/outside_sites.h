#pragma once

#include "instrument/subject.h"

namespace plumb::instrument {

/// Sets Site::depends_on_outside of branches and switches whose condition can depend on what is no input of a test: the
/// arguments of main, results and writes of functions without a body, external variables, values that were never set,
/// and whether an allocation succeeded.
void mark_outside_sites(Subject& subject);

}  // namespace plumb::instrument
