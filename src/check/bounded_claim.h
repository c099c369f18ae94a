#pragma once

#include "check/engine.h"
#include "unroll/unroll.h"

namespace plumb::check {

/// What an unrolling knows about a goal, as the claim of an engine: the bound is how it was proved, or the reason.
Claim bounded_claim(std::size_t goal, const unroll::GoalResult& answer);

}  // namespace plumb::check
