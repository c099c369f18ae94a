#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semantics/intrinsics.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// Linux's numbers of what the functions of threads return.
enum class ThreadError : std::uint8_t {
  None = 0,
  NotPermitted = 1,
  NoSuchThread = 3,
  Busy = 16,
  Invalid = 22,
  Deadlock = 35,
  TimedOut = 110,
};

/// What locking a mutex again does, by PTHREAD_MUTEX_NORMAL, _RECURSIVE and _ERRORCHECK.
enum class MutexKind : std::uint8_t {
  Normal = 0,   ///< blocks for ever
  Counted = 1,  ///< counts: it is to be unlocked as often
  Checked = 2,  ///< gives ThreadError::Deadlock
};

/// What an Effect::Self gives, made of any value.
term::Term thread_self(term::TermStore& store, term::Term any);

/// The mutexes that the only thread of a run holds, as terms: the rules of threads (threads.h) where there is nobody
/// else. A slot is the complement of a mutex's address, so that it is no pointer to anything, and 0 if it is free.
class HeldMutexes {
 public:
  /// So many can be held at once: more are a gap.
  static constexpr std::size_t kSlots = 4;

  HeldMutexes(term::TermStore& store, std::vector<term::Term>& slots) : store_(store), slots_(slots) {}

  /// What comes of a call, where it is followed and does not block.
  struct Outcome {
    term::Term fails;  ///< then it gives `error`, else 0
    ThreadError error = ThreadError::None;
    term::Term blocks;   ///< for ever
    term::Term is_full;  ///< not followed
  };
  /// A Lock, TryLock, Unlock or Wait with these operands.
  Outcome call(Effect effect, std::span<const term::Term> operands);
  term::Term is_held(term::Term address);

 private:
  term::Term name(term::Term address) { return store_.bit_not(address); }
  /// The first slot that holds `from` holds `to` then; gives whether there was none.
  term::Term replace(term::Term when, term::Term from, term::Term to);

  term::TermStore& store_;
  std::vector<term::Term>& slots_;
};

}  // namespace plumb::semantics
