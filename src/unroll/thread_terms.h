#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "program/intrinsic.h"
#include "term/term_store.h"

namespace plumb::unroll {

using term::Term;
using term::TermStore;

/// What threads have done to each other, on a path: which there are, which have ended and who holds which mutex. The
/// rules of semantics::Threads over terms; a thread that waits for a condition may always wake up, so nobody keeps who
/// waits. Nothing is done where a call blocks: who asks first knows. Mutexes are known by their addresses.
class ThreadTerms {
 public:
  explicit ThreadTerms(TermStore& terms) : has_moved(terms.boolean(false)), terms_(&terms) {}

  Term has_moved;  ///< the thread whose turn it is has gone on in this context

  struct One {
    Term is_there;  ///< it was created
    Term has_ended;
    Term was_joined;
    Term result;
  };
  std::size_t count() const noexcept { return all_.size(); }
  /// `thread` may be new; others before it that are not known here are not there.
  void create(std::size_t thread, std::uint32_t pointer_width);
  void end(std::size_t thread, Term result);
  Term is_alive(std::size_t thread) const;
  /// Some thread but this one is there and has not ended.
  Term has_others(std::size_t thread) const;

  /// A mutex that an address may be that of.
  struct Target {
    std::uint64_t address = 0;
    Term when;
  };
  struct Outcome {
    Term fails;  ///< then it gives a number that is not 0
    Term error;  ///< the number, of 32 bits
  };
  /// A MutexLock, or the second half of a CondWait, has to wait.
  Term blocks(std::size_t self, std::span<const Target> mutex) const;
  /// MutexLock, MutexTryLock or MutexUnlock; the last is also the first half of a CondWait.
  Outcome call(program::Intrinsic what, std::size_t self, std::span<const Target> mutex);
  void set_kind(std::span<const Target> mutex, Term kind);

  /// Threads are numbered from 1 on in programs.
  Term joining_blocks(std::size_t self, Term number) const;
  struct Joined {
    Outcome outcome;
    Term result;
  };
  Joined join(std::size_t self, Term number);

  /// `a` where the condition holds, `b` elsewhere.
  static ThreadTerms choice(Term condition, ThreadTerms a, const ThreadTerms& b);

 private:
  struct Mutex {
    Term owner;  ///< one more than its number; 0: nobody
    Term depth;  ///< how often it has it
    Term kind;   ///< semantics::MutexKind
  };
  static constexpr std::uint32_t kWidth = 16;

  Mutex mutex(std::uint64_t address) const;
  Term owner_of(std::size_t thread) const { return terms_->constant(kWidth, thread + 1); }
  Term may_take(std::size_t self, const Mutex& mutex) const;
  Term is_checked(std::size_t self, const Mutex& mutex) const;
  Term is_number_of(std::size_t thread, Term number) const;

  TermStore* terms_;
  std::vector<One> all_;
  std::map<std::uint64_t, Mutex> mutexes_;
};

}  // namespace plumb::unroll
