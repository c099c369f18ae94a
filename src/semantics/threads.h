#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "semantics/one_thread.h"

namespace plumb::semantics {

/// The rules of threads, without their code: who may run, and what locking, waiting, joining and ending do. Which of
/// the threads that may run goes on is up to whoever follows them. `Address` names mutexes and condition variables;
/// equal ones are the same. `Result` is what a thread leaves to who joins it. The program's bytes of a mutex are never
/// looked at. A value: states are compared and copied.
///
/// What blocks has no effect but that the thread waits: once it can run, and before anything else, it is resumed() and
/// makes the same call again.
template <typename Address, typename Result>
class Threads {
 public:
  using Id = std::size_t;

  /// What a thread waits for.
  struct Wait {
    enum class Kind : std::uint8_t { Nothing, Thread, Mutex, Condition, Change };
    Kind kind = Kind::Nothing;
    Id thread = 0;
    Address what{};            ///< of a Mutex or Condition
    std::uint64_t ticket = 0;  ///< of a Condition: who waits longest has the least; of a Change: what was known
    bool is_timed = false;     ///< of a Condition or Change: its time may be over
    friend bool operator==(const Wait&, const Wait&) = default;
  };
  /// Nothing: it blocks.
  using Outcome = std::optional<ThreadError>;

  Id create() {
    threads_.emplace_back();
    return threads_.size() - 1;
  }
  std::size_t count() const noexcept { return threads_.size(); }
  bool has_ended(Id t) const { return threads_[t].has_ended; }
  bool have_all_ended() const { return std::ranges::all_of(threads_, &State::has_ended); }
  bool was_joined(Id t) const { return threads_[t].was_joined; }
  const Wait& wait_of(Id t) const { return threads_[t].wait; }
  /// Of one that has ended.
  const Result& result(Id t) const { return threads_[t].result; }
  std::optional<Id> owner(const Address& mutex) const {
    const auto held = find(mutex);
    return held == held_.end() ? std::nullopt : std::optional(held->second);
  }

  /// The mutexes that it has.
  std::vector<Address> held_by(Id t) const {
    std::vector<Address> all;
    for (const auto& [mutex, holder] : held_)
      if (holder == t) all.push_back(mutex);
    return all;
  }

  /// What it waits for is there.
  bool can_run(Id t) const {
    const State& state = threads_[t];
    if (state.has_ended) return false;
    switch (state.wait.kind) {
      case Wait::Kind::Nothing:
        return true;
      case Wait::Kind::Thread:
        return threads_[state.wait.thread].has_ended;
      case Wait::Kind::Mutex:
        return !owner(state.wait.what);
      case Wait::Kind::Condition:
        break;
      case Wait::Kind::Change:
        return state.wait.ticket != changes_;
    }
    return false;
  }
  /// It waits, and its time may be over.
  bool can_time_out(Id t) const { return !threads_[t].has_ended && threads_[t].wait.is_timed && !can_run(t); }
  /// And no other one is inside an atomic section. One that blocks there lets others run: nobody could go on else. They
  /// may begin sections meanwhile, which do not keep each other out then. So if some thread can run, some thread may.
  bool may_run(Id t) const {
    if (!can_run(t) || is_atomic(t)) return can_run(t);
    for (Id other = 0; other < threads_.size(); ++other)
      if (is_atomic(other) && can_run(other)) return false;
    return true;
  }
  /// There are threads left, and none of them can run, now or later.
  bool is_deadlock() const {
    for (Id t = 0; t < threads_.size(); ++t)
      if (can_run(t) || can_time_out(t)) return false;
    return !have_all_ended();
  }
  void resumed(Id t) { threads_[t].wait = {}; }

  /// What locking it again does; mutexes of which nothing is said are Normal.
  void set_kind(const Address& mutex, MutexKind kind) {
    std::erase_if(kinds_, [&](const auto& known) { return known.first == mutex; });
    if (kind != MutexKind::Normal) kinds_.emplace_back(mutex, kind);
  }
  MutexKind kind(const Address& mutex) const {
    const auto known = std::ranges::find(kinds_, mutex, &std::pair<Address, MutexKind>::first);
    return known == kinds_.end() ? MutexKind::Normal : known->second;
  }

  Outcome lock(Id self, const Address& mutex) {
    if (owner(mutex) == self && kind(mutex) == MutexKind::Checked) return ThreadError::Deadlock;
    if (owner(mutex) && !is_counted(self, mutex)) return block(self, {Wait::Kind::Mutex, 0, mutex, 0});
    held_.emplace_back(mutex, self);
    return ThreadError::None;
  }
  ThreadError try_lock(Id self, const Address& mutex) {
    if (owner(mutex) && !is_counted(self, mutex)) return ThreadError::Busy;
    held_.emplace_back(mutex, self);
    return ThreadError::None;
  }
  ThreadError unlock(Id self, const Address& mutex) {
    if (owner(mutex) != self) return ThreadError::NotPermitted;
    held_.erase(find(mutex));
    return ThreadError::None;
  }

  /// Gives the mutex back and waits; once woken it locks the mutex again. A timed one that nobody woke says TimedOut.
  Outcome wait(Id self, const Address& condition, const Address& mutex, bool is_timed = false) {
    State& state = threads_[self];
    if (state.was_woken) {
      const Outcome locked = lock(self, mutex);
      if (!locked) return locked;
      state.was_woken = false;
      return std::exchange(state.has_timed_out, false) ? ThreadError::TimedOut : *locked;
    }
    if (unlock(self, mutex) != ThreadError::None) return ThreadError::NotPermitted;
    return block(self, {Wait::Kind::Condition, 0, condition, next_ticket_++, is_timed});
  }
  /// Those that wait for the condition, the one that has waited longest first.
  std::vector<Id> waiting(const Address& condition) const {
    std::vector<Id> found;
    for (Id t = 0; t < threads_.size(); ++t)
      if (threads_[t].wait.kind == Wait::Kind::Condition && threads_[t].wait.what == condition) found.push_back(t);
    std::ranges::sort(found, {}, [&](Id t) { return threads_[t].wait.ticket; });
    return found;
  }
  /// One that waits for a condition.
  void wake(Id t) {
    INVARIANT(threads_[t].wait.kind == Wait::Kind::Condition, "a thread that is woken should wait for a condition");
    threads_[t].wait = {};
    threads_[t].was_woken = true;
  }
  /// Likewise, though nobody woke it: a spurious wake-up, or its time is over.
  void wake_unasked(Id t) {
    threads_[t].has_timed_out = threads_[t].wait.is_timed;
    wake(t);
  }
  /// Wakes the one that has waited longest. (POSIX leaves open which one: an explorer chooses among waiting().)
  void signal(const Address& condition) {
    if (const std::vector<Id> all = waiting(condition); !all.empty()) wake(all.front());
  }
  void broadcast(const Address& condition) {
    for (const Id t : waiting(condition)) wake(t);
  }

  /// Done: `other` has ended, and its result can be taken.
  Outcome join(Id self, Id other) {
    if (other >= threads_.size()) return ThreadError::NoSuchThread;
    if (threads_[other].was_joined) return ThreadError::Invalid;
    if (other == self) return ThreadError::Deadlock;
    if (!threads_[other].has_ended) return block(self, {Wait::Kind::Thread, other, {}, 0});
    threads_[other].was_joined = true;
    return ThreadError::None;
  }
  /// It keeps what it has locked.
  void end(Id self, Result result) {
    threads_[self].has_ended = true;
    threads_[self].result = std::move(result);
  }

  void begin_atomic(Id self) { ++threads_[self].atomic_depth; }
  void end_atomic(Id self) {
    if (threads_[self].atomic_depth > 0) --threads_[self].atomic_depth;
  }
  bool is_atomic(Id t) const { return !threads_[t].has_ended && threads_[t].atomic_depth > 0; }
  /// The section that was begun last cannot go on, and was not begun: it waits until something has changed().
  Outcome retract_section(Id self, bool is_timed) {
    end_atomic(self);
    return block(self, {Wait::Kind::Change, 0, {}, changes_, is_timed});
  }
  /// A thread has done something that may let sections go on. (Whoever looks at all orders needs it not.)
  void changed() { ++changes_; }

  friend bool operator==(const Threads&, const Threads&) = default;

  /// All that decides what can happen from here on, as numbers: equal for rules that behave alike. Who waits for a
  /// condition counts by the order alone. `Address` and `Result` must be numbers.
  void append_to(std::vector<std::uint64_t>& words) const {
    std::vector<std::uint64_t> tickets;
    for (const State& t : threads_)
      if (t.wait.kind == Wait::Kind::Condition) tickets.push_back(t.wait.ticket);
    std::ranges::sort(tickets);
    words.push_back(threads_.size());
    for (const State& t : threads_) {
      const auto rank = std::ranges::lower_bound(tickets, t.wait.ticket) - tickets.begin();
      const bool waits = t.wait.kind == Wait::Kind::Condition;
      words.insert(words.end(),
                   {static_cast<std::uint64_t>(t.wait.kind), t.wait.thread, t.wait.what,
                    waits ? static_cast<std::uint64_t>(rank) : 0, t.atomic_depth, t.result,
                    std::uint64_t{t.was_woken} | std::uint64_t{t.has_ended} << 1 | std::uint64_t{t.was_joined} << 2 |
                        std::uint64_t{t.wait.is_timed} << 3 | std::uint64_t{t.has_timed_out} << 4});
    }
    Held held = held_;
    std::ranges::sort(held);
    words.push_back(held.size());
    for (const auto& [mutex, owner] : held) words.insert(words.end(), {mutex, owner});
    auto kinds = kinds_;
    std::ranges::sort(kinds);
    for (const auto& [mutex, kind] : kinds) words.insert(words.end(), {mutex, static_cast<std::uint64_t>(kind)});
  }

 private:
  struct State {
    Wait wait;
    bool was_woken = false;      ///< from a Condition: what is left to do is to lock the mutex again
    bool has_timed_out = false;  ///< likewise, and nobody woke it
    bool has_ended = false;
    bool was_joined = false;
    std::uint32_t atomic_depth = 0;
    Result result{};
    friend bool operator==(const State&, const State&) = default;
  };
  using Held = std::vector<std::pair<Address, Id>>;

  Outcome block(Id self, Wait wait) {
    threads_[self].wait = std::move(wait);
    return std::nullopt;
  }
  /// It holds the mutex, and may hold it once more.
  bool is_counted(Id self, const Address& mutex) const {
    return owner(mutex) == self && kind(mutex) == MutexKind::Counted;
  }
  typename Held::const_iterator find(const Address& mutex) const {
    return std::ranges::find(held_, mutex, &std::pair<Address, Id>::first);
  }

  std::vector<State> threads_;
  Held held_;                                         ///< mutexes and who has them, as often as they do
  std::vector<std::pair<Address, MutexKind>> kinds_;  ///< of those that are not Normal
  std::uint64_t next_ticket_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace plumb::semantics
