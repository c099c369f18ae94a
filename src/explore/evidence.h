#pragma once

#include <functional>
#include <optional>
#include <span>

#include "explore/search.h"

namespace plumb::explore {

/// The run that goes through these steps, from the start of the program on: its inputs, and the order in which threads
/// go on. States forget where their values come from, so the steps are made once more, with variables that stay.
/// `race`, if it is not null, is what happens next. Nothing if no inputs were found in time.
std::optional<result::TestCase> run_of(Machine& machine, Choices& choices, Store& store, const Payload& payload,
                                       std::span<const StateGraph::Step> steps, const Meeting* race,
                                       const Budget& budget, std::uint64_t seed);

/// A run that goes on for ever: with the step of the schedule from which on it repeats itself, inputs included.
struct RetracedLasso {
  result::TestCase test;
  std::size_t cycle = 0;
};

/// The run through the steps of `stem`, then for ever through those of `cycle`, which lead from a state to the same.
/// The cycle is gone round as often as it takes to close for one valuation. `look` is what was done after each step,
/// before its state was saved. Nothing if no inputs were found in time.
std::optional<RetracedLasso> lasso_of(Machine& machine, Choices& choices, Store& store,
                                      std::span<const StateGraph::Step> stem, std::span<const StateGraph::Step> cycle,
                                      const std::function<void()>& look, const Budget& budget, std::uint64_t seed);

}  // namespace plumb::explore
