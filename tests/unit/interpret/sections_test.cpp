#include <gtest/gtest.h>

#include "thread_programs.h"

namespace plumb::interpret {
namespace {

/// A semaphore in the global "log": taking waits in a section until it is not 0.
struct Semaphore : Scene {
  void take(FunctionBuilder& b, Intrinsic wait = Intrinsic::ThreadWait) {
    const ValueId address = b.global_address(log, 64);
    const auto check = b.add_block("check"), blocked = b.add_block("blocked"), free = b.add_block("free");
    intrinsic(b, Intrinsic::AtomicBegin, {});
    b.jump({check, {}});
    b.select(check);
    const ValueId value = b.load(address, 64, 8);
    b.branch(b.op(Op::Eq, {value, b.constant(64, 0)}), {blocked, {}}, {free, {}});
    b.select(blocked);
    if (wait == Intrinsic::ThreadWait) {
      intrinsic(b, wait, {});
      b.jump({check, {}});
    } else {
      const ValueId is_over = intrinsic(b, wait, {}, 32);
      const auto late = b.add_block("late");
      b.branch(b.op(Op::Eq, {is_over, b.constant(32, 1)}), {late, {}}, {check, {}});
      b.select(late);
      intrinsic(b, Intrinsic::AtomicEnd, {});
      give_number(b, 3);
    }
    b.select(free);
    b.store(address, b.op(Op::Sub, {value, b.constant(64, 1)}), 8);
    intrinsic(b, Intrinsic::AtomicEnd, {});
  }
  void post(FunctionBuilder& b) const {
    const ValueId address = b.global_address(log, 64);
    intrinsic(b, Intrinsic::AtomicBegin, {});
    b.store(address, b.op(Op::Add, {b.load(address, 64, 8), b.constant(64, 1)}), 8);
    intrinsic(b, Intrinsic::AtomicEnd, {});
  }
};

TEST(Sections, ThatWaitAreMadeOnceTheyCan) {
  Semaphore s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId first = Scene::create(b, 1);
    const ValueId second = Scene::create(b, 1);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);  // both wait
    s.post(b);
    s.post(b);
    Scene::join(b, first, b.constant(64, 0));
    Scene::join(b, second, b.constant(64, 0));
    s.check_log(b, 0);
  });
  s.thread("taker", [&](FunctionBuilder& b) { s.take(b); });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 1);
}

TEST(Sections, ThatWaitForNobodyAreADeadlock) {
  Semaphore s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId first = Scene::create(b, 1);
    s.post(b);
    s.take(b);
    Scene::join(b, first, b.constant(64, 0));
    give_number(b, 0);
  });
  s.thread("taker", [&](FunctionBuilder& b) { s.take(b); });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{"deadlock"});
  EXPECT_EQ(result.faults[0].message,
            "no thread can go on: thread 1 waits for thread 2 to end, thread 2 waits for others in taker()");
}

TEST(Sections, WhoseTimeMayBeOverAreNone) {
  Semaphore s;
  s.p.main([&](FunctionBuilder& b) {
    s.take(b, Intrinsic::ThreadTimedWait);
    give_number(b, 0);
  });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 3);
}

TEST(Sections, ThatFailedAreNotInTheSchedule) {
  Semaphore s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId first = Scene::create(b, 1);
    const ValueId second = Scene::create(b, 2);
    Scene::join(b, first, b.constant(64, 0));
    Scene::join(b, second, b.constant(64, 0));
    s.check_log(b, 0);
  });
  s.thread("taker", [&](FunctionBuilder& b) { s.take(b); });
  s.thread("poster", [&](FunctionBuilder& b) { s.post(b); });
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    InterpreterOptions options;
    options.random_order = RandomOrder{seed, seed % 2 == 0, 12};
    const RunResult result = s.p.run(options);
    EXPECT_EQ(kinds(result), Kinds{});
    std::uint64_t operations = 0;
    for (const result::ScheduleStep& step : result.schedule) operations += step.operations;
    EXPECT_EQ(operations, result.operations);
    EXPECT_EQ(result.operations, 4U + 4U + 4U + 4U) << "of main, taker, poster, and main's joins, load and return";
    InterpreterOptions again;
    again.schedule = &result.schedule;
    EXPECT_EQ(s.p.run(again).exit_code, 1) << seed;
  }
}

TEST(Mutexes, DoWhatTheirKindSaysWhenLockedAgain) {
  for (const int kind : {1, 2}) {
    Scene s;
    s.p.main([&](FunctionBuilder& b) {
      intrinsic(b, Intrinsic::MutexKind,
                {b.global_address(s.mutex, 64), b.constant(32, static_cast<std::uint64_t>(kind))});
      s.lock(b, s.mutex);
      const ValueId again = s.lock(b, s.mutex);
      s.unlock(b, s.mutex);
      const ValueId second = s.unlock(b, s.mutex);
      give(b, b.op(Op::Add, {again, b.op(Op::Mul, {second, b.constant(32, 100)})}));
    });
    EXPECT_EQ(s.p.run().exit_code, kind == 1 ? 0 : 35 + 100);
  }
}

TEST(Conditions, ThatAreWaitedForForATimeEndSoIfNobodyWakes) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    s.lock(b, s.mutex);
    give(b, intrinsic(b, Intrinsic::CondTimedWait, {b.global_address(s.condition, 64), b.global_address(s.mutex, 64)},
                      32));
  });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 110);
}

}  // namespace
}  // namespace plumb::interpret
