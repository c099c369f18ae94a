#include <gtest/gtest.h>

#include "thread_programs.h"

namespace plumb::interpret {
namespace {

using result::Schedule;
using Kind = OperationEvent::Kind;

/// Main makes a thread and locks; the thread locks, adds 1 to "log" and gives the mutex back.
struct Locker : Scene {
  Locker() {
    p.main([&](FunctionBuilder& b) {
      const ValueId made = create(b, 1);
      lock(b, mutex);
      unlock(b, mutex);
      join(b, made, b.constant(64, 0));
      give_number(b, 0);
    });
    thread("worker", [&](FunctionBuilder& b) {
      lock(b, mutex);
      const ValueId address = b.global_address(log, 64);
      b.store(address, b.op(Op::Add, {b.load(address, 64, 8), b.constant(64, 1)}), 8);
      unlock(b, mutex);
    });
  }
  std::vector<OperationEvent> events(const Schedule& schedule) {
    std::vector<OperationEvent> seen;
    InterpreterOptions options;
    options.schedule = &schedule;
    options.on_operation = [&](const OperationEvent& event) { seen.push_back(event); };
    EXPECT_EQ(p.run(options).end, RunResult::End::Exit);
    return seen;
  }
};

TEST(Operations, AreToldOfInTheirOrderWithTheMemoryThatTheyTouch) {
  Locker s;
  std::string order;
  for (const OperationEvent& event : s.events({{0, 2}, {1, 4}, {0, 3}})) {
    order += std::to_string(event.thread);
    if (event.kind == Kind::End) order += "e";
    if (!event.memory[0] || event.memory[0]->global != s.log) continue;
    EXPECT_EQ(event.memory[0]->size, 8U);
    EXPECT_EQ(event.memory[0]->bytes.front(), event.memory[0]->is_write ? 1 : 0);
    order += event.memory[0]->is_write ? "w" : "r";
  }
  EXPECT_EQ(order, "0011r1w11e0000");
}

TEST(Operations, ThatBlockAreTakenBack) {
  Locker s;
  std::string order;
  for (const OperationEvent& event : s.events({{0, 2}, {1, 1}, {0, 1}, {1, 3}, {0, 3}}))
    order += std::to_string(event.thread) + (event.taken_back > 0 ? "b" : event.kind == Kind::End ? "e" : "");
  EXPECT_EQ(order, "0010b1111e0000") << "main waits for the mutex";
}

TEST(Operations, OfTheLibraryHaveTheirFirstArgument) {
  Locker s;
  for (const OperationEvent& event : s.events({{0, 2}, {1, 4}, {0, 3}})) {
    const program::Function& in = s.p.program.functions[event.at.function];
    const program::Instruction& i = in.instructions[event.at.instruction];
    if (i.kind != program::Kind::Intrinsic || i.intrinsic() != Intrinsic::MutexLock) continue;
    ASSERT_TRUE(event.subject.has_value());
    EXPECT_EQ(event.subject->global, s.mutex);
  }
}

}  // namespace
}  // namespace plumb::interpret
