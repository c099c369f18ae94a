#pragma once

#include "interpret/code.h"

namespace plumb::interpret {

/// The intrinsics of threads, ThreadCreate to AtomicEnd.
Decoded* thread_create(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_join(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_exit(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_self(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_yield(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_wait(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* thread_timed_wait(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* mutex_call(Decoded* at, std::uint64_t* slots, Machine& machine);  ///< MutexLock to MutexUnlock
Decoded* mutex_kind(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* cond_wait(Decoded* at, std::uint64_t* slots, Machine& machine);  ///< and CondTimedWait
Decoded* cond_signal(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* cond_broadcast(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* atomic_begin(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* atomic_end(Decoded* at, std::uint64_t* slots, Machine& machine);

}  // namespace plumb::interpret
