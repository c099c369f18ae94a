#pragma once

#include <cstdint>
#include <optional>

#include "paths/dpvs.h"
#include "paths/statistics.h"
#include "paths/strategy.h"
#include "unroll/decider.h"

namespace plumb::paths {

struct Options {
  /// Algorithm 1 as printed, with POP in this order.
  std::optional<QueueOrder> as_printed;
  Strategy strategy = Strategy::Both;
  std::uint64_t seed = 1;
};

/// A decider that looks for one path to an event instead of making one formula of all: constraint-based bounded model
/// checking. `statistics` must outlive it.
unroll::DeciderMaker decider(const Options& options, Statistics& statistics);

}  // namespace plumb::paths
