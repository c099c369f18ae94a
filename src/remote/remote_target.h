#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "concolic/search/target.h"
#include "remote/order_queue.h"
#include "remote/run_memory.h"

namespace plumb::remote {

/// A target of the search whose runs are made by whoever takes orders from the queue. `events` counts the records of
/// complete runs; runs that `memory` knows are not made again, without one all are. All must outlive it.
std::unique_ptr<concolic::Target> make_remote_target(const instrument::Subject& subject,
                                                     const concolic::RunLimits& limits, OrderQueue& orders,
                                                     std::atomic<std::uint64_t>& events, RunMemory* memory,
                                                     bool check_traces);

}  // namespace plumb::remote
