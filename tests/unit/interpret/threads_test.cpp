#include <gtest/gtest.h>

#include <cerrno>

#include "thread_programs.h"

namespace plumb::interpret {
namespace {

TEST(InterpreterThreads, TakeTurnsWhereTheyBlockInTheOrderOfCreation) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId first = Scene::create(b, 1);
    const ValueId second = Scene::create(b, 2);
    s.note(b, 1);
    const ValueId null = b.constant(64, 0);
    Scene::join(b, second, null);
    Scene::join(b, first, null);
    s.check_log(b, 123'23);
  });
  for (const std::uint64_t digit : {2, 3})
    s.thread("worker", [&](FunctionBuilder& b) {
      s.note(b, digit);
      intrinsic(b, Intrinsic::ThreadYield, {}, 32);
      s.note(b, digit);
    });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 1);
}

TEST(InterpreterThreads, JoinGivesTheResultOnce) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId thread = Scene::create(b, 1, 77);
    const ValueId slot = b.allocate(b.constant(64, 8), 8);
    Scene::join(b, thread, slot);
    const ValueId again = Scene::join(b, thread, slot);
    const ValueId nobody = Scene::join(b, b.constant(64, 99), slot);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {again, b.constant(32, EINVAL)})});
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {nobody, b.constant(32, ESRCH)})});
    give(b, b.op(Op::Extract, {b.load(slot, 64, 8)}, 32));
  });
  s.thread("worker", [](FunctionBuilder&) {});
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 77);
}

TEST(InterpreterThreads, MutexesKeepOthersOut) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    s.lock(b, s.mutex);
    const ValueId thread = Scene::create(b, 1);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);  // the worker runs into the mutex
    s.note(b, 1);
    s.unlock(b, s.mutex);
    Scene::join(b, thread, b.constant(64, 0));
    const ValueId error = s.unlock(b, s.mutex);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {error, b.constant(32, EPERM)})});
    s.check_log(b, 512);
  });
  s.thread("worker", [&](FunctionBuilder& b) {
    const ValueId busy = intrinsic(b, Intrinsic::MutexTryLock, {b.global_address(s.mutex, 64)}, 32);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {busy, b.constant(32, EBUSY)})});
    s.note(b, 5);
    s.lock(b, s.mutex);
    s.note(b, 2);
    s.unlock(b, s.mutex);
  });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 1);
}

TEST(InterpreterThreads, ConditionsWakeTheirWaitersWithTheMutexHeld) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId first = Scene::create(b, 1);
    const ValueId second = Scene::create(b, 2);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);  // both wait now
    s.lock(b, s.mutex);
    s.note(b, 1);
    intrinsic(b, Intrinsic::CondBroadcast, {b.global_address(s.condition, 64)}, 32);
    s.note(b, 2);
    s.unlock(b, s.mutex);
    const ValueId null = b.constant(64, 0);
    Scene::join(b, first, null);
    Scene::join(b, second, null);
    s.check_log(b, 34'12'56);
  });
  for (const std::uint64_t digit : {3, 4})
    s.thread("waiter", [&](FunctionBuilder& b) {
      s.lock(b, s.mutex);
      s.note(b, digit);
      intrinsic(b, Intrinsic::CondWait, {b.global_address(s.condition, 64), b.global_address(s.mutex, 64)}, 32);
      s.note(b, digit + 2);
      const ValueId status = s.unlock(b, s.mutex);
      intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {status, b.constant(32, 0)})});
    });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 1);
}

TEST(InterpreterThreads, DeadlocksNameWhatEachThreadWaitsFor) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    s.lock(b, s.mutex);
    Scene::create(b, 1);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.lock(b, s.other_mutex);
    give_number(b, 0);
  });
  s.thread("worker", [&](FunctionBuilder& b) {
    s.lock(b, s.other_mutex);
    s.lock(b, s.mutex);
  });
  const RunResult result = s.p.run();
  EXPECT_EQ(kinds(result), Kinds{"deadlock"});
  EXPECT_EQ(result.faults[0].message,
            "no thread can go on: thread 1 waits for mutex 'other', held by thread 2, thread 2 waits for mutex "
            "'mutex', held by thread 1");
}

TEST(InterpreterThreads, NobodyElseRunsInsideAnAtomicSection) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId thread = Scene::create(b, 1);
    for (int i = 0; i < 2; ++i) intrinsic(b, Intrinsic::AtomicBegin, {});
    intrinsic(b, Intrinsic::AtomicEnd, {});
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.note(b, 1);
    intrinsic(b, Intrinsic::AtomicEnd, {});
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.note(b, 3);
    Scene::join(b, thread, b.constant(64, 0));
    s.check_log(b, 123);
  });
  s.thread("worker", [&](FunctionBuilder& b) { s.note(b, 2); });
  EXPECT_EQ(s.p.run().exit_code, 1);
}

TEST(InterpreterThreads, WhoBlockedInsideAnAtomicSectionGoesOnBeforeAllOthers) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    s.lock(b, s.mutex);
    const ValueId free = Scene::create(b, 1);
    const ValueId atomic = Scene::create(b, 2);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.note(b, 2);
    s.unlock(b, s.mutex);
    s.note(b, 5);
    Scene::join(b, free, b.constant(64, 0));
    Scene::join(b, atomic, b.constant(64, 0));
    s.check_log(b, 123456);
  });
  s.thread("free", [&](FunctionBuilder& b) {
    s.note(b, 1);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.note(b, 6);
  });
  s.thread("atomic", [&](FunctionBuilder& b) {
    intrinsic(b, Intrinsic::AtomicBegin, {});
    s.lock(b, s.mutex);
    s.note(b, 3);
    intrinsic(b, Intrinsic::ThreadYield, {}, 32);
    s.note(b, 4);
    intrinsic(b, Intrinsic::AtomicEnd, {});
  });
  EXPECT_EQ(s.p.run().exit_code, 1);
}

TEST(InterpreterThreads, LockingTwiceIsADeadlock) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    s.lock(b, s.mutex);
    s.lock(b, s.mutex);
    give_number(b, 0);
  });
  EXPECT_EQ(kinds(s.p.run()), Kinds{"deadlock"});
}

TEST(InterpreterThreads, EachHasItsOwnThreadLocalObjects) {
  Scene s;
  const auto increment = [&](FunctionBuilder& b) {
    const ValueId address = b.global_address(s.own, 64);
    b.store(address, b.op(Op::Add, {b.load(address, 64, 8), b.constant(64, 1)}), 8);
    return b.load(address, 64, 8);
  };
  s.p.main([&](FunctionBuilder& b) {
    increment(b);
    increment(b);
    const ValueId thread = Scene::create(b, 1);
    const ValueId slot = b.allocate(b.constant(64, 8), 8);
    Scene::join(b, thread, slot);
    const ValueId theirs = b.load(slot, 64, 8);
    const ValueId ours = b.load(b.global_address(s.own, 64), 64, 8);
    give(b, b.op(Op::Extract, {b.op(Op::Add, {b.op(Op::Mul, {ours, b.constant(64, 10)}), theirs})}, 32));
  });
  s.thread("worker", [&](FunctionBuilder& b) { give(b, increment(b)); });
  EXPECT_EQ(s.p.run().exit_code, 32);
}

TEST(InterpreterThreads, TheProgramEndsWithTheLastThreadIfMainLeavesByThreadExit) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    Scene::create(b, 1);
    intrinsic(b, Intrinsic::AtExit, {b.function_address(2, 64)}, 32);
    intrinsic(b, Intrinsic::ThreadExit, {b.constant(64, 0)});
    give_number(b, 9);
  });
  s.thread("worker", [&](FunctionBuilder& b) { s.note(b, 1); });
  s.p.add("last", {}, [&](FunctionBuilder& b) {
    const ValueId value = b.load(b.global_address(s.log, 64), 64, 8);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {value, b.constant(64, 1)})});
    b.return_values({});
  });
  const RunResult result = s.p.run();
  EXPECT_EQ(result.end, RunResult::End::Exit);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(kinds(result), Kinds{});
}

}  // namespace
}  // namespace plumb::interpret
