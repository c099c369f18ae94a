#pragma once

#include <string>

#include "cli/shell/session.h"

namespace plumb::cli::shell {

/// What a counterexample is about, in one or several lines: the property, the place, the values that the run starts
/// with.
std::string summary(const Design& design, const Found& found);
/// All that is known of it: also the lines that were executed and the values at the end, or a table of values by step.
std::string details(const Design& design, const Found& found);
/// One verdict, in a line. `seconds` is what it took.
std::string verdict_line(const prove::Result& result, double seconds);
/// After a proof: a warning and the verdict Vacuous if no run under the precondition comes to its end.
void check_vacuity(Session& session, const Proving& proving);

}  // namespace plumb::cli::shell
