#pragma once

#include <string>

#include "cli/shell/proving.h"

namespace plumb::cli::shell {

/// What a counterexample is about, in one or several lines: the property, the place, the values that the run starts
/// with.
std::string summary(const Design& design, const Found& found);
/// All that is known of it: also the lines that were executed and the values at the end, or a table of values by step.
std::string details(const Design& design, const Found& found);
/// One verdict, in a line. `seconds` is what it took.
std::string verdict_line(const prove::Result& result, double seconds);
/// Behind a proof: a warning if it says nothing because no run under the precondition comes to its end; otherwise
/// empty.
std::string vacuity_note(const Proving& proving, const Budget& budget);

}  // namespace plumb::cli::shell
