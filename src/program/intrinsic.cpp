#include "program/intrinsic.h"

#include <absl/container/flat_hash_map.h>

#include <array>

namespace plumb::program {
namespace {

constexpr std::array<std::string_view, kIntrinsicCount> kNames = {"nondet",
                                                                  "make-symbolic",
                                                                  "assume",
                                                                  "check",
                                                                  "assert-fail",
                                                                  "error",
                                                                  "abort",
                                                                  "exit",
                                                                  "quick-exit",
                                                                  "at-exit",
                                                                  "malloc",
                                                                  "calloc",
                                                                  "realloc",
                                                                  "aligned-alloc",
                                                                  "free",
                                                                  "stack-save",
                                                                  "stack-restore",
                                                                  "enter-scope",
                                                                  "leave-scope",
                                                                  "va-start",
                                                                  "set-jump",
                                                                  "long-jump",
                                                                  "thread-create",
                                                                  "thread-join",
                                                                  "thread-exit",
                                                                  "thread-self",
                                                                  "thread-yield",
                                                                  "thread-wait",
                                                                  "thread-timed-wait",
                                                                  "mutex-lock",
                                                                  "mutex-try-lock",
                                                                  "mutex-unlock",
                                                                  "mutex-kind",
                                                                  "cond-wait",
                                                                  "cond-timed-wait",
                                                                  "cond-signal",
                                                                  "cond-broadcast",
                                                                  "atomic-begin",
                                                                  "atomic-end",
                                                                  "fence",
                                                                  "host-read",
                                                                  "host-write",
                                                                  "host-open",
                                                                  "host-close",
                                                                  "host-seek",
                                                                  "host-clock",
                                                                  "host-any",
                                                                  "host-gap",
                                                                  "unset-value",
                                                                  "unset-memory",
                                                                  "check-pointer"};

using Table = absl::flat_hash_map<std::string_view, Intrinsic>;

const Table& table() {
  static const Table kTable = {
      {"__VERIFIER_nondet_memory", Intrinsic::MakeSymbolic},
      {"__VERIFIER_assume", Intrinsic::Assume},
      {"__VERIFIER_assert", Intrinsic::Check},
      {"__VERIFIER_error", Intrinsic::Error},
      {"reach_error", Intrinsic::Error},
      {"__VERIFIER_atomic_begin", Intrinsic::AtomicBegin},
      {"__VERIFIER_atomic_end", Intrinsic::AtomicEnd},
      {"plumb_atomic_begin", Intrinsic::AtomicBegin},
      {"plumb_atomic_end", Intrinsic::AtomicEnd},
      {"__CPROVER_assume", Intrinsic::Assume},
      {"__CPROVER_assert", Intrinsic::Check},
      {"__ESBMC_assume", Intrinsic::Assume},
      {"__ESBMC_assert", Intrinsic::Check},
      {"assert", Intrinsic::Check},  // without its header
      {"klee_make_symbolic", Intrinsic::MakeSymbolic},
      {"klee_assume", Intrinsic::Assume},
      {"plumb_symbolic", Intrinsic::MakeSymbolic},
      {"plumb_assume", Intrinsic::Assume},
      {"plumb_check", Intrinsic::Check},
      {"plumb_check_termination", Intrinsic::Check},  // lower/marks.h
      {"plumb_check_vla", Intrinsic::Check},          // vla_checks.h
      {"__assert_fail", Intrinsic::AssertFail},
      {"abort", Intrinsic::Abort},
      {"exit", Intrinsic::Exit},
      {"_exit", Intrinsic::QuickExit},
      {"_Exit", Intrinsic::QuickExit},
      {"quick_exit", Intrinsic::QuickExit},
      {"atexit", Intrinsic::AtExit},
      {"plumb_host_at_exit", Intrinsic::AtExit},
      {"malloc", Intrinsic::Malloc},
      {"_Znwm", Intrinsic::Malloc},
      {"_Znam", Intrinsic::Malloc},
      {"_Znwj", Intrinsic::Malloc},
      {"_Znaj", Intrinsic::Malloc},
      {"calloc", Intrinsic::Calloc},
      {"realloc", Intrinsic::Realloc},
      {"aligned_alloc", Intrinsic::AlignedAlloc},
      {"free", Intrinsic::Free},
      {"_ZdlPv", Intrinsic::Free},
      {"_ZdaPv", Intrinsic::Free},
      {"_ZdlPvm", Intrinsic::Free},
      {"_ZdaPvm", Intrinsic::Free},
      {"_ZdlPvj", Intrinsic::Free},
      {"_ZdaPvj", Intrinsic::Free},
      {"setjmp", Intrinsic::SetJump},
      {"_setjmp", Intrinsic::SetJump},
      {"__sigsetjmp", Intrinsic::SetJump},
      {"sigsetjmp", Intrinsic::SetJump},
      {"longjmp", Intrinsic::LongJump},
      {"_longjmp", Intrinsic::LongJump},
      {"siglongjmp", Intrinsic::LongJump},
      {"__longjmp_chk", Intrinsic::LongJump},
      {"pthread_create", Intrinsic::ThreadCreate},
      {"pthread_join", Intrinsic::ThreadJoin},
      {"pthread_exit", Intrinsic::ThreadExit},
      {"pthread_self", Intrinsic::ThreadSelf},
      {"sched_yield", Intrinsic::ThreadYield},
      {"pthread_yield", Intrinsic::ThreadYield},
      {"plumb_thread_create", Intrinsic::ThreadCreate},
      {"plumb_thread_exit", Intrinsic::ThreadExit},
      {"plumb_thread_wait", Intrinsic::ThreadWait},
      {"plumb_thread_timed_wait", Intrinsic::ThreadTimedWait},
      {"pthread_mutex_lock", Intrinsic::MutexLock},
      {"pthread_mutex_trylock", Intrinsic::MutexTryLock},
      {"pthread_mutex_unlock", Intrinsic::MutexUnlock},
      {"plumb_mutex_kind", Intrinsic::MutexKind},
      {"pthread_cond_wait", Intrinsic::CondWait},
      {"plumb_cond_timed_wait", Intrinsic::CondTimedWait},
      {"pthread_cond_signal", Intrinsic::CondSignal},
      {"pthread_cond_broadcast", Intrinsic::CondBroadcast},
      {"plumb_host_read", Intrinsic::HostRead},
      {"plumb_host_write", Intrinsic::HostWrite},
      {"plumb_host_open", Intrinsic::HostOpen},
      {"plumb_host_close", Intrinsic::HostClose},
      {"plumb_host_seek", Intrinsic::HostSeek},
      {"plumb_host_clock", Intrinsic::HostClock},
      {"plumb_host_any", Intrinsic::HostAny},
      {"plumb_host_gap", Intrinsic::HostGap},
  };
  return kTable;
}

}  // namespace

std::string_view name(Intrinsic intrinsic) { return kNames[static_cast<std::size_t>(intrinsic)]; }

std::optional<Intrinsic> intrinsic_of(std::string_view function) {
  if (const auto it = table().find(function); it != table().end()) return it->second;
  if (function.starts_with("__VERIFIER_nondet_") || function.starts_with("plumb_nondet_") || function == "klee_int")
    return Intrinsic::Nondet;
  return std::nullopt;
}

bool is_final(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::AssertFail:
    case Intrinsic::Error:
    case Intrinsic::Abort:
    case Intrinsic::Exit:
    case Intrinsic::QuickExit:
    case Intrinsic::LongJump:
    case Intrinsic::ThreadExit:
      return true;
    default:
      return false;
  }
}

}  // namespace plumb::program
