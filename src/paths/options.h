#pragma once

#include <cstdint>
#include <optional>

namespace plumb::paths {

/// From which end a path is chosen: from the property backwards, from the start, or now from one and now from the
/// other, with all that was learnt.
enum class Strategy : std::uint8_t { Dpvs, Cpbpv, Both };

/// Which variable POP of Algorithm 1 takes from the queue: the one that was put there first, the one that the program
/// defines last, or the one with the fewest definitions.
enum class QueueOrder : std::uint8_t { First, Latest, FewestDefinitions };

/// Stores that are asked, from cheap to dear. Intervals are what choices are seen by, and bit-vectors have the last
/// word: both are always there.
struct Stores {
  bool orders = true;
  bool linear = false;
};

struct Options {
  Strategy strategy = Strategy::Both;
  Stores stores;
  /// Algorithm 1 as printed, with POP in this order and bit-vectors as the store.
  std::optional<QueueOrder> as_printed;
  std::uint64_t seed = 1;
};

}  // namespace plumb::paths
