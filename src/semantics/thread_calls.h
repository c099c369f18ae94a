#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "program/program.h"

namespace plumb::semantics {

/// What a call of the library of threads does, as other threads see it; Exit: of the thread, or of all for a failure.
enum class ThreadCall : std::uint8_t { Create, Join, Exit, Lock, TimedLock, Unlock, Wait, Signal, Barrier, Once };

/// Of a function of <pthread.h>, <semaphore.h> or <threads.h> whose calls always do something that others see.
std::optional<ThreadCall> thread_call(std::string_view function);
/// Likewise, of a call that became an intrinsic.
std::optional<ThreadCall> thread_call(program::Intrinsic intrinsic);
/// "create", "lock", "wait".
std::string_view name(ThreadCall call);

}  // namespace plumb::semantics
