#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "concolic/search/search.h"

namespace plumb::concolic {

/// Why symbolic data went on as concrete.
std::string_view reason_text(const LostPrecision& lost);
/// It happened at the call of a function that is not instrumented; else at a place in the source.
bool is_at_call(const LostPrecision& lost);
/// The function, or the place; empty if it is not known.
std::string subject_text(const Subject& subject, const LostPrecision& lost);

/// What the search did not follow: in the subject's code, at inputs that went on as concrete, and behind the end of
/// runs that were cut off. What is only about inputs is left out where no run read one.
std::vector<result::Gap> search_gaps(const Subject& subject, const SearchReport& report);

}  // namespace plumb::concolic
