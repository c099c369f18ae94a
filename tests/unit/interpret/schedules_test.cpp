#include <gtest/gtest.h>

#include "thread_programs.h"

namespace plumb::interpret {
namespace {

using result::Schedule;

/// Main makes two workers, each of which adds to "log" what its digit says, by a load and a store that are no section.
struct Adders : Scene {
  Adders() {
    p.main([&](FunctionBuilder& b) {
      const ValueId first = create(b, 1);
      const ValueId second = create(b, 2);
      join(b, first, b.constant(64, 0));
      join(b, second, b.constant(64, 0));
      give(b, b.op(Op::Extract, {b.load(b.global_address(log, 64), 64, 8)}, 32));
    });
    for (const std::uint64_t digit : {1U, 2U})
      thread("adder", [&](FunctionBuilder& b) {
        const ValueId address = b.global_address(log, 64);
        b.store(address, b.op(Op::Add, {b.load(address, 64, 8), b.constant(64, digit)}), 8);
      });
  }
  RunResult run(const Schedule& schedule) {
    InterpreterOptions options;
    options.schedule = &schedule;
    return p.run(options);
  }
};

/// Main's operations up to its first join: two calls of create, each with the load of its result.
constexpr std::uint64_t kUpToJoin = 4;

TEST(Schedules, DecideWhatALostUpdateLeaves) {
  Adders s;
  EXPECT_EQ(s.run({}).exit_code, 3);
  EXPECT_EQ(s.run({{0, kUpToJoin}, {1, 2}, {2, 2}}).exit_code, 3);
  EXPECT_EQ(s.run({{0, kUpToJoin}, {1, 1}, {2, 2}, {1, 1}}).exit_code, 1);
  EXPECT_EQ(s.run({{0, kUpToJoin}, {1, 1}, {2, 1}, {1, 1}, {2, 1}}).exit_code, 2);
}

TEST(Schedules, OfNoStepsAndStepsOfOneThreadAreFollowed) {
  Adders s;
  EXPECT_EQ(s.run({{0, 2}, {0, 0}, {0, 2}, {1, 1}, {1, 0}, {2, 1}, {2, 1}, {1, 1}}).exit_code, 1);
}

TEST(Schedules, EndWithTheirRunOrAreTakenUpByTurns) {
  Adders s;
  const RunResult shorter = s.run({{0, kUpToJoin}, {1, 1}});
  EXPECT_EQ(shorter.exit_code, 3) << "the first adder goes on behind its load";
  EXPECT_EQ(shorter.steps_left, 0U);
  EXPECT_EQ(s.run({{0, kUpToJoin}, {1, 9}, {2, 9}, {0, 99}, {0, 1}}).steps_left, 2U);
}

TEST(Schedules, StopBeforeAReturnThatEndsVariables) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    const ValueId made = Scene::create(b, 1);
    const ValueId at = b.load(b.global_address(s.log, 64), 64, 8);
    b.load(at, 64, 8);
    Scene::join(b, made, b.constant(64, 0));
    give_number(b, 0);
  });
  s.thread("publish",
           [&](FunctionBuilder& b) { b.store(b.global_address(s.log, 64), b.allocate(b.constant(64, 8), 8), 8); });
  const auto end = [&](const Schedule& schedule) {
    InterpreterOptions options;
    options.schedule = &schedule;
    return kinds(s.p.run(options));
  };
  EXPECT_EQ(end({{0, 2}, {1, 1}, {0, 3}}), Kinds{});
  EXPECT_EQ(end({{0, 2}, {1, 2}, {0, 2}}), Kinds{"use-after-return"});
}

TEST(Schedules, ThatDoNotFitEndTheRunWithTheStep) {
  Adders s;
  const auto reason = [&](const Schedule& schedule) {
    const RunResult result = s.run(schedule);
    EXPECT_EQ(result.end, RunResult::End::Unsupported);
    EXPECT_NE(result.remedy, "");
    return result.reason;
  };
  EXPECT_EQ(reason({{1, 1}}), R"(step 1 of the schedule is of "thread": 1, which was not created)");
  EXPECT_EQ(reason({{0, 4}, {1, 2}, {1, 1}}), R"(step 3 of the schedule is of "thread": 1, which has ended)");
  EXPECT_EQ(reason({{0, 5}, {0, 1}}), R"(step 2 of the schedule is of "thread": 0, which waits for another one)");
}

/// Two threads wait for the condition; main signals it.
struct Waiters : Scene {
  Waiters() {
    p.main([&](FunctionBuilder& b) {
      const ValueId first = create(b, 1);
      create(b, 1);
      intrinsic(b, Intrinsic::CondSignal, {b.global_address(condition, 64)}, 32);
      join(b, first, b.constant(64, 0));
      give_number(b, 7);
    });
    thread("waiter", [&](FunctionBuilder& b) {
      lock(b, mutex);
      intrinsic(b, Intrinsic::CondWait, {b.global_address(condition, 64), b.global_address(mutex, 64)}, 32);
      unlock(b, mutex);
    });
  }
};

TEST(Schedules, ChooseWhoASignalWakes) {
  Waiters s;
  InterpreterOptions options;
  Schedule schedule = {{0, 4}, {1, 2}, {2, 2}, {0, 1, 1}};
  options.schedule = &schedule;
  EXPECT_EQ(s.p.run(options).exit_code, 7);
  schedule.back().woken = 2;
  EXPECT_EQ(kinds(s.p.run(options)), Kinds{"deadlock"}) << "nobody wakes the first waiter";
  schedule.back().woken = 0;
  EXPECT_EQ(s.p.run(options).end, RunResult::End::Unsupported);
}

TEST(Schedules, WakeWhoWaitsThoughNobodyDid) {
  Waiters s;
  InterpreterOptions options;
  const Schedule schedule = {{0, 4}, {1, 2}, {2, 2}, {1, 0}, {0, 1, 2}};
  options.schedule = &schedule;
  EXPECT_EQ(s.p.run(options).exit_code, 7);
}

TEST(Schedules, WakeWhoWaitsThoughNobodyCouldGoOn) {
  Waiters s;
  InterpreterOptions options;
  Schedule schedule = {{0, 4}, {1, 2}, {2, 2}, {0, 1, 2}, {2, 2}, {1, 0}};
  options.schedule = &schedule;
  EXPECT_EQ(s.p.run(options).exit_code, 7) << "main waits for the first waiter";
  schedule.pop_back();
  EXPECT_EQ(kinds(s.p.run(options)), Kinds{"deadlock"});
}

TEST(RandomOrders, FindALostUpdateAndSayHow) {
  Adders s;
  std::set<int> found;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    InterpreterOptions options;
    options.random_order = RandomOrder{seed, seed % 2 == 0, 12};
    const RunResult result = s.p.run(options);
    found.insert(result.exit_code);
    EXPECT_GT(result.operations, 0U);
    EXPECT_EQ(s.run(result.schedule).exit_code, result.exit_code) << seed;
  }
  EXPECT_EQ(found, (std::set{1, 2, 3}));
}

TEST(RandomOrders, OfConditionsAreFollowedAgain) {
  Waiters s;
  std::set<std::string> ends;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    InterpreterOptions options;
    options.random_order = RandomOrder{seed, seed % 2 == 0, 12};
    const RunResult result = s.p.run(options);
    InterpreterOptions again;
    again.schedule = &result.schedule;
    const RunResult second = s.p.run(again);
    EXPECT_EQ(kinds(second), kinds(result)) << seed;
    EXPECT_EQ(second.instructions, result.instructions) << seed;
    ends.insert(result.faults.empty() ? "exit" : "deadlock");
  }
  EXPECT_EQ(ends.size(), 2U);
}

}  // namespace
}  // namespace plumb::interpret
