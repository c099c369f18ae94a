#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "result/campaign/campaign_store.h"

namespace plumb::result {

struct MinimisedSuite {
  std::vector<std::size_t> kept;  ///< indices into the tests, rising
  bool is_minimal = false;        ///< no fewer would do; else it is only small
};

/// The fewest tests that cover all edges that `tests` cover. Tests that end in an error are always kept. Depends on the
/// tests alone, not on time: the search for the fewest is given up after a fixed amount of work.
MinimisedSuite minimise(std::span<const StoredTest> tests);

/// The same on plain sets: `is_kept` by test.
MinimisedSuite minimise(std::span<const std::vector<std::uint32_t>> edges, const std::vector<bool>& is_kept);

}  // namespace plumb::result
