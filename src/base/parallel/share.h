#pragma once

#include <cstddef>

#include "base/budget.h"

namespace plumb::parallel {

/// What the next of `count` pieces of work, one after the other, may take of the time that is left: an equal part, so
/// that one that runs out of it does not cost the others theirs, and what it leaves is for those after it. The last one
/// has all of it.
inline Budget share_of(const Budget& budget, std::size_t count) {
  const auto left = budget.time_left();
  return left && count > 1 ? budget.with_timeout(*left / static_cast<double>(count)) : budget;
}

}  // namespace plumb::parallel
