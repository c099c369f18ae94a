#pragma once

#include <cstdint>
#include <vector>

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
};

/// The mutexes that the only thread of a run holds, as terms: the rules of threads (threads.h) where there is nobody
/// else. A slot is the complement of a mutex's address, so that it is no pointer to anything, and 0 if it is free.
class HeldMutexes {
 public:
  /// So many can be held at once: more are a gap.
  static constexpr std::size_t kSlots = 4;

  HeldMutexes(term::TermStore& store, std::vector<term::Term>& slots) : store_(store), slots_(slots) {}

  /// Each needs a `guard`, the condition under which it is done at all; conditions that they give are meant under it.
  struct Locked {
    term::Term is_held;  ///< already: lock() waits for ever then, and try_lock() gives ThreadError::Busy
    term::Term is_full;  ///< not followed
  };
  Locked lock(term::Term guard, term::Term address);
  /// Gives whether it was held; ThreadError::NotPermitted if not.
  term::Term unlock(term::Term guard, term::Term address);
  term::Term is_held(term::Term address);

 private:
  term::Term name(term::Term address) { return store_.bit_not(address); }

  term::TermStore& store_;
  std::vector<term::Term>& slots_;
};

}  // namespace plumb::semantics
