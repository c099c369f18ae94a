// Programs of a few calls a thread, under every schedule.
#include "semantics/threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>

namespace plumb::semantics {
namespace {

using Rules = Threads<int, int>;

/// A call of a thread: "l1" locks mutex 1, and so on with t, u (try, unlock), w12 waits for condition 1 with mutex 2,
/// s1 and b1 signal it, j1 joins thread 1, ( and ) are an atomic section, + adds to a counter.
using Script = std::vector<std::string>;

struct Ends {
  std::set<std::string> logs;  ///< of runs to the end: what calls gave, by thread, and + marks
  std::size_t runs = 0;
  std::size_t deadlocks = 0;
};

/// Makes the call; nothing if it blocks.
Rules::Outcome call(Rules& rules, std::size_t self, const std::string& text) {
  const int first = text.size() > 1 ? text[1] - '0' : 0;
  switch (text[0]) {
    case 'l':
      return rules.lock(self, first);
    case 't':
      return rules.try_lock(self, first);
    case 'u':
      return rules.unlock(self, first);
    case 'w':
      return rules.wait(self, first, text[2] - '0');
    case 's':
      rules.signal(first);
      break;
    case 'b':
      rules.broadcast(first);
      break;
    case 'j':
      return rules.join(self, static_cast<std::size_t>(first));
    case '(':
      rules.begin_atomic(self);
      break;
    case ')':
      rules.end_atomic(self);
      break;
    default:
      break;
  }
  return ThreadError::None;
}

void explore(const std::vector<Script>& scripts, Rules rules, std::vector<std::size_t> at, std::string log,
             Ends& ends) {
  if (rules.have_all_ended()) {
    ++ends.runs;
    ends.logs.insert(log);
    return;
  }
  if (rules.is_deadlock()) {
    ++ends.runs;
    ++ends.deadlocks;
    return;
  }
  bool has_moved = false;
  for (std::size_t t = 0; t < scripts.size(); ++t) {
    if (!rules.may_run(t)) continue;
    has_moved = true;
    Rules next = rules;
    next.resumed(t);
    std::vector<std::size_t> place = at;
    std::string told = log;
    if (place[t] == scripts[t].size()) {
      next.end(t, static_cast<int>(t) * 10);
    } else {
      const std::string& text = scripts[t][place[t]];
      const Rules::Outcome outcome = call(next, t, text);
      if (outcome) {
        ++place[t];
        told += std::to_string(t) + text + "=" + std::to_string(static_cast<int>(*outcome)) + " ";
      } else {
        EXPECT_FALSE(next.can_run(t) && text[0] == 'l') << "a lock that blocks should have an owner";
      }
    }
    explore(scripts, std::move(next), std::move(place), std::move(told), ends);
  }
  EXPECT_TRUE(has_moved) << "without a deadlock some thread may run";
}

Ends run(const std::vector<Script>& scripts) {
  Rules rules;
  for (std::size_t t = 0; t < scripts.size(); ++t) EXPECT_EQ(rules.create(), t);
  Ends ends;
  explore(scripts, rules, std::vector<std::size_t>(scripts.size()), "", ends);
  EXPECT_GT(ends.runs, 0U);
  return ends;
}

/// Of a log: how often "+" of one thread stands between those of another, where a mutex should forbid it.
bool is_interleaved(const std::string& log) {
  std::string marks;
  for (std::size_t i = 1; i < log.size(); ++i)
    if (log[i] == '+') marks += log[i - 1];
  return marks != "0011" && marks != "1100";
}

TEST(Threads, AMutexKeepsTwoThreadsApartInEverySchedule) {
  const Script with = {"l1", "+", "+", "u1"};
  const Ends locked = run({with, with});
  EXPECT_EQ(locked.deadlocks, 0U);
  for (const std::string& log : locked.logs) EXPECT_FALSE(is_interleaved(log)) << log;
  const Ends free = run({{"+", "+"}, {"+", "+"}});
  EXPECT_TRUE(std::ranges::any_of(free.logs, is_interleaved));
}

TEST(Threads, AnAtomicSectionKeepsOthersOutUnlessItBlocks) {
  const Ends ends = run({{"(", "+", "+", ")"}, {"+", "+"}});
  for (const std::string& log : ends.logs) EXPECT_EQ(log.find("0+=0 1+=0 0+"), std::string::npos) << log;
  // Thread 1 holds the mutex; 0 blocks inside its section, and 1 can still give it back.
  EXPECT_EQ(run({{"(", "l1", "u1", ")"}, {"l1", "u1"}}).deadlocks, 0U);
  // It may be inside a section of its own then.
  EXPECT_EQ(run({{"(", "l1", "u1", ")"}, {"l1", "(", "u1", ")"}}).deadlocks, 0U);
}

TEST(Threads, LocksInOppositeOrderDeadlockInSomeSchedulesAndInTheSameOrderInNone) {
  const Ends opposite = run({{"l1", "l2", "u2", "u1"}, {"l2", "l1", "u1", "u2"}});
  EXPECT_GT(opposite.deadlocks, 0U);
  EXPECT_LT(opposite.deadlocks, opposite.runs);
  EXPECT_EQ(run({{"l1", "l2", "u2", "u1"}, {"l1", "l2", "u2", "u1"}}).deadlocks, 0U);
  EXPECT_EQ(run({{"l1", "l1"}}).deadlocks, run({{"l1", "l1"}}).runs);
}

TEST(Threads, ASignalBeforeTheWaitIsLost) {
  const Ends ends = run({{"l1", "w21", "u1"}, {"l1", "s2", "u1"}});
  EXPECT_GT(ends.deadlocks, 0U);
  EXPECT_FALSE(ends.logs.empty());
  for (const std::string& log : ends.logs) EXPECT_LT(log.find("1s2"), log.find("0w21=0")) << log;
}

TEST(Threads, ASignalWakesTheOneThatWaitsLongestAndABroadcastAll) {
  Rules rules;
  for (int t = 0; t < 3; ++t) rules.create();
  for (const std::size_t t : {2U, 0U}) {
    EXPECT_EQ(rules.lock(t, 1), ThreadError::None);
    EXPECT_EQ(rules.wait(t, 5, 1), std::nullopt);
    EXPECT_FALSE(rules.can_run(t));
  }
  EXPECT_EQ(rules.waiting(5), (std::vector<std::size_t>{2, 0}));
  Rules all = rules;
  rules.signal(5);
  EXPECT_TRUE(rules.can_run(2) && !rules.can_run(0));
  EXPECT_EQ(rules.lock(1, 1), ThreadError::None);
  EXPECT_EQ(rules.wait(2, 5, 1), std::nullopt) << "who is woken needs the mutex again";
  EXPECT_FALSE(rules.can_run(2));
  EXPECT_EQ(rules.unlock(1, 1), ThreadError::None);
  EXPECT_TRUE(rules.can_run(2));
  rules.resumed(2);
  EXPECT_EQ(rules.wait(2, 5, 1), ThreadError::None);
  EXPECT_EQ(rules.owner(1), 2U);
  all.broadcast(5);
  EXPECT_TRUE(all.can_run(0) && all.can_run(2));
  EXPECT_NE(all, rules);
}

TEST(Threads, JoinWaitsForTheEndOnce) {
  const Ends ends = run({{"j1", "j1", "j0", "j9"}, {"+"}});
  EXPECT_EQ(ends.deadlocks, 0U);
  for (const std::string& log : ends.logs) EXPECT_EQ(log, "1+=0 0j1=0 0j1=22 0j0=35 0j9=3 ");
  EXPECT_EQ(run({{"j1"}, {"j0"}}).deadlocks, run({{"j1"}, {"j0"}}).runs);
  Rules rules;
  rules.create();
  rules.end(rules.create(), 7);
  EXPECT_EQ(rules.join(0, 1), ThreadError::None);
  EXPECT_EQ(rules.result(1), 7);
}

TEST(Threads, OnlyTheOwnerUnlocks) {
  const Ends ends = run({{"l1"}, {"t1", "u1"}});
  for (const std::string& log : ends.logs)
    EXPECT_EQ(log.find("1t1=16") != std::string::npos, log.find("1u1=1") != std::string::npos) << log;
}

Effect effect_of(char call) {
  switch (call) {
    case 'l':
      return Effect::Lock;
    case 't':
      return Effect::TryLock;
    case 'u':
      return Effect::Unlock;
    default:
      return Effect::Wait;
  }
}

/// One thread and all lists of calls on two mutexes: the terms for it say what the rules say.
TEST(Threads, LockAgainWhatCountsOrIsChecked) {
  Rules rules;
  const auto self = rules.create(), other = rules.create();
  rules.set_kind(1, MutexKind::Counted);
  rules.set_kind(2, MutexKind::Checked);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(rules.lock(self, 1), ThreadError::None);
  EXPECT_EQ(rules.try_lock(self, 1), ThreadError::None);
  EXPECT_EQ(rules.try_lock(other, 1), ThreadError::Busy);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rules.unlock(self, 1), ThreadError::None);
  EXPECT_EQ(rules.unlock(self, 1), ThreadError::NotPermitted);
  EXPECT_EQ(rules.lock(self, 2), ThreadError::None);
  EXPECT_EQ(rules.lock(self, 2), ThreadError::Deadlock);
  EXPECT_EQ(rules.try_lock(self, 2), ThreadError::Busy);
  rules.set_kind(2, MutexKind::Normal);
  EXPECT_EQ(rules.lock(self, 2), std::nullopt) << "it waits for itself";
}

TEST(Threads, ThatWaitForATimeAreInNoDeadlock) {
  Rules rules;
  const auto self = rules.create();
  rules.lock(self, 2);
  EXPECT_EQ(rules.wait(self, 1, 2, true), std::nullopt);
  EXPECT_FALSE(rules.can_run(self));
  EXPECT_FALSE(rules.is_deadlock());
  rules.wake_unasked(self);
  EXPECT_EQ(rules.wait(self, 1, 2, true), ThreadError::TimedOut);
  EXPECT_EQ(rules.wait(self, 1, 2), std::nullopt);
  EXPECT_TRUE(rules.is_deadlock());
  rules.wake_unasked(self);
  EXPECT_EQ(rules.wait(self, 1, 2), ThreadError::None) << "a spurious wake-up";
}

TEST(Threads, ASectionThatCannotGoOnWaitsForAChange) {
  Rules rules;
  const auto self = rules.create(), other = rules.create();
  rules.begin_atomic(self);
  EXPECT_FALSE(rules.may_run(other));
  rules.retract_section(self, false);
  EXPECT_TRUE(rules.may_run(other));
  EXPECT_FALSE(rules.can_run(self));
  rules.end(other, 0);
  EXPECT_TRUE(rules.is_deadlock());
  rules.changed();
  EXPECT_TRUE(rules.may_run(self));
}

TEST(HeldMutexes, AreTheRulesOfThreadsWithOneThread) {
  const std::vector<std::string> calls = {"l1", "l2", "t1", "t2", "u1", "u2", "w31", "w32"};
  std::size_t compared = 0;
  const std::function<void(Rules, std::vector<term::Term>, term::TermStore&, int)> go =
      [&](const Rules& rules, const std::vector<term::Term>& slots, term::TermStore& store, int depth) {
        if (depth == 0) return;
        for (const std::string& text : calls) {
          Rules next = rules;
          std::vector<term::Term> after = slots;
          HeldMutexes held(store, after);
          const Rules::Outcome expected = call(next, 0, text);
          std::vector<term::Term> operands;
          for (const char digit : text.substr(1))
            operands.push_back(store.constant(8, static_cast<std::uint64_t>(digit - '0')));
          ++compared;
          const HeldMutexes::Outcome outcome = held.call(effect_of(text[0]), operands);
          EXPECT_TRUE(store.is_false(outcome.is_full));
          EXPECT_EQ(store.is_true(outcome.blocks), !expected.has_value()) << text;
          if (!expected) continue;
          EXPECT_EQ(store.is_true(outcome.fails) ? outcome.error : ThreadError::None, *expected) << text;
          EXPECT_EQ(store.is_true(held.is_held(operands.back())), next.owner(text.back() - '0').has_value());
          go(next, after, store, depth - 1);
        }
      };
  term::TermStore store;
  Rules rules;
  rules.create();
  go(rules, std::vector<term::Term>(HeldMutexes::kSlots, store.zero(8)), store, 5);
  EXPECT_GT(compared, 1000U);
}

TEST(HeldMutexes, SayWhenThereAreTooMany) {
  term::TermStore store;
  std::vector<term::Term> slots(HeldMutexes::kSlots, store.zero(8));
  HeldMutexes held(store, slots);
  const auto is_full = [&](std::uint64_t mutex) {
    return held.call(Effect::Lock, std::array{store.constant(8, mutex)}).is_full;
  };
  for (std::uint64_t m = 0; m < HeldMutexes::kSlots; ++m) EXPECT_TRUE(store.is_false(is_full(m)));
  EXPECT_TRUE(store.is_true(is_full(100)));
  EXPECT_TRUE(store.is_false(is_full(1))) << "it is held already";
}

}  // namespace
}  // namespace plumb::semantics
