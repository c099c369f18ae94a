#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/steady/inflow.h"

namespace plumb::chain {

/// One round of restarted GMRES for the stationary vector, from x, with a sweep of Gauss-Seidel as preconditioner.
/// Takes up to `depth` steps and as many vectors. Returns the number of steps taken; x is normalised, entries that came
/// out negative are small positive numbers.
std::uint64_t gmres_round(const Inflow& inflow, std::vector<double>& x, unsigned depth, unsigned threads,
                          const Budget& budget);

}  // namespace plumb::chain
