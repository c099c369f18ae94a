#pragma once

#include <optional>
#include <span>

#include "explore/search.h"

namespace plumb::explore {

/// The run that goes through these steps, from the start of the program on: its inputs, and the order in which threads
/// go on. States forget where their values come from, so the steps are made once more, with variables that stay.
/// `race`, if it is not null, is what happens next. Nothing if no inputs were found in time.
std::optional<result::TestCase> run_of(Machine& machine, Choices& choices, Store& store,
                                       std::span<const StateGraph::Step> steps, const Meeting* race,
                                       const Budget& budget, std::uint64_t seed);

}  // namespace plumb::explore
