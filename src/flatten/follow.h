#pragma once

#include <optional>

#include "base/budget.h"
#include "flatten/flatten.h"
#include "result/test_case.h"
#include "system/trace.h"

namespace plumb::flatten {

/// The inputs of the program, in the order in which it asks for them, that make it do what the trace does. `encoding`
/// is of the program's graph or of what simplify() made of it; the trace is one of its system. The run is followed in
/// the graph itself up to where `property` fails; nothing if it does not, as where a loop that was left out does not
/// end. Throws OutOfBudget.
std::optional<result::TestCase> follow(const Flattened& program, const system::Encoding& encoding,
                                       const system::Trace& trace, std::size_t property, const Budget& budget);

}  // namespace plumb::flatten
