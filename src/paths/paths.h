#pragma once

#include <cstdint>

#include "paths/dpvs.h"
#include "unroll/decider.h"

namespace plumb::paths {

struct Options {
  QueueOrder order = QueueOrder::First;
  std::uint64_t seed = 1;
};

/// What a search did, in all its questions.
struct Statistics {
  std::uint64_t questions = 0;  ///< events that were asked for
};

/// A decider that looks for one path to an event instead of making one formula of all: constraint-based bounded model
/// checking. `statistics` must outlive it.
unroll::DeciderMaker decider(const Options& options, Statistics& statistics);

}  // namespace plumb::paths
