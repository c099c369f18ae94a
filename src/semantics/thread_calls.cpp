#include "semantics/thread_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::semantics {
namespace {

using enum ThreadCall;

constexpr std::array kCalls = std::to_array<std::pair<std::string_view, ThreadCall>>({
    {"pthread_create", Create},
    {"pthread_join", Join},
    {"pthread_exit", Exit},
    {"pthread_mutex_lock", Lock},
    {"pthread_mutex_trylock", Lock},
    {"pthread_mutex_timedlock", TimedLock},
    {"pthread_mutex_clocklock", TimedLock},
    {"pthread_mutex_unlock", Unlock},
    {"pthread_cond_wait", Wait},
    {"pthread_cond_timedwait", Wait},
    {"pthread_cond_clockwait", Wait},
    {"pthread_cond_signal", Signal},
    {"pthread_cond_broadcast", Signal},
    {"pthread_once", Once},
    {"pthread_rwlock_rdlock", Lock},
    {"pthread_rwlock_tryrdlock", Lock},
    {"pthread_rwlock_timedrdlock", TimedLock},
    {"pthread_rwlock_wrlock", Lock},
    {"pthread_rwlock_trywrlock", Lock},
    {"pthread_rwlock_timedwrlock", TimedLock},
    {"pthread_rwlock_unlock", Unlock},
    {"pthread_barrier_wait", Barrier},
    {"pthread_spin_lock", Lock},
    {"pthread_spin_trylock", Lock},
    {"pthread_spin_unlock", Unlock},
    {"sem_wait", Lock},
    {"sem_trywait", Lock},
    {"sem_timedwait", TimedLock},
    {"sem_post", Unlock},
    {"thrd_create", Create},
    {"thrd_join", Join},
    {"thrd_exit", Exit},
    {"mtx_lock", Lock},
    {"mtx_trylock", Lock},
    {"mtx_timedlock", TimedLock},
    {"mtx_unlock", Unlock},
    {"cnd_wait", Wait},
    {"cnd_timedwait", Wait},
    {"cnd_signal", Signal},
    {"cnd_broadcast", Signal},
    {"call_once", Once},
    {"__assert_fail", Exit},
    {"reach_error", Exit},
    {"__VERIFIER_error", Exit},
    {"abort", Exit},
});

}  // namespace

std::optional<ThreadCall> thread_call(std::string_view function) {
  const auto known = std::ranges::find(kCalls, function, &std::pair<std::string_view, ThreadCall>::first);
  if (known == kCalls.end()) return std::nullopt;
  return known->second;
}

std::optional<ThreadCall> thread_call(program::Intrinsic intrinsic) {
  using program::Intrinsic;
  switch (intrinsic) {
    case Intrinsic::ThreadCreate:
      return Create;
    case Intrinsic::ThreadJoin:
      return Join;
    case Intrinsic::ThreadExit:
    case Intrinsic::AssertFail:
    case Intrinsic::Error:
    case Intrinsic::Abort:
      return Exit;
    case Intrinsic::MutexLock:
    case Intrinsic::MutexTryLock:
      return Lock;
    case Intrinsic::MutexUnlock:
      return Unlock;
    case Intrinsic::CondWait:
    case Intrinsic::CondTimedWait:
      return Wait;
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
      return Signal;
    default:
      return std::nullopt;
  }
}

std::string_view name(ThreadCall call) {
  switch (call) {
    case Create:
      return "create";
    case Join:
      return "join";
    case Exit:
      return "exit";
    case Lock:
    case TimedLock:
      return "lock";
    case Unlock:
      return "unlock";
    case Wait:
      return "wait";
    case Signal:
      return "signal";
    case Barrier:
      return "barrier";
    case Once:
      return "once";
  }
  return "call";
}

}  // namespace plumb::semantics
