#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>

#include "paths/domains.h"

namespace plumb::paths {

/// How Booleans were decided before, which is how they are tried again: the same one, or else the last one of the same
/// shape. A loop makes the same condition in each round, over other terms; what was right in one round often is in the
/// next.
class Habits {
 public:
  explicit Habits(const Domains& domains) : domains_(domains) {}

  void remember(Cell boolean, bool value);
  std::optional<bool> of(Cell boolean);

 private:
  /// Operators and constants near the top of the cell's term.
  std::uint64_t shape(Cell c);

  const Domains& domains_;
  absl::flat_hash_map<Cell, std::uint64_t> shapes_;
  absl::flat_hash_map<Cell, bool> own_;
  absl::flat_hash_map<std::uint64_t, bool> of_shape_;
};

}  // namespace plumb::paths
