#include "system/simulator.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "random_system.h"
#include "unit/term/small_stack.h"

namespace plumb::system {
namespace {

/// What the simulator says of each step, in the order of reference_run().
std::vector<std::vector<Value>> simulated_run(const System& system, const Trace& trace) {
  std::vector<std::vector<Value>> run;
  Simulator simulator(system);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    std::vector<Value>& values = run.emplace_back();
    for (const State& state : system.states()) values.push_back(simulator.value(state.variable));
    for (const NamedTerm& wire : system.wires()) values.push_back(simulator.value(wire.term));
    for (const NamedTerm& bad : system.bads()) values.push_back(simulator.value(bad.term));
    for (const NamedTerm& constraint : system.constraints()) values.push_back(simulator.value(constraint.term));
  }
  return run;
}

TEST(Simulator, AgreesWithTheEvaluatorOnRandomSystems) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const System system = RandomSystem(seed).make();
    ASSERT_TRUE(system.problems().empty()) << seed << ": " << system.problems().front();
    const Trace trace = random_trace(system, seed, 12);
    ASSERT_EQ(simulated_run(system, trace), reference_run(system, trace)) << seed;
  }
}

TEST(Simulator, AgreesWithTheEvaluatorOnArraysTooLargeForCells) {
  RandomSystem::Shape shape;
  shape.max_index_width = 70;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const System system = RandomSystem(seed, shape).make();
    const Trace trace = random_trace(system, seed, 8);
    ASSERT_EQ(simulated_run(system, trace), reference_run(system, trace)) << seed;
  }
}

TEST(Simulator, SwapsStatesAndArraysAtOnce) {
  System system;
  const Term x = system.add_state({8, 0}, "x");
  const Term y = system.add_state({8, 0}, "y");
  const Term a = system.add_state({8, 2}, "a");
  const Term b = system.add_state({8, 2}, "b");
  TermStore& s = system.store();
  system.set_init(0, s.constant(8, 1));
  system.set_init(1, s.constant(8, 2));
  system.set_init(2, s.constant_array(2, s.constant(8, 3)));
  system.set_init(3, s.constant_array(2, s.constant(8, 4)));
  system.set_next(0, y);
  system.set_next(1, x);
  system.set_next(2, s.store(b, s.zero(2), x));
  system.set_next(3, a);
  Simulator simulator(system);
  simulator.evaluate();
  simulator.step();
  simulator.evaluate();
  EXPECT_EQ(simulator.bits(x), BitVector(8, 2));
  EXPECT_EQ(simulator.bits(y), BitVector(8, 1));
  term::ArrayValue expected{2, BitVector(8, 4), {{BitVector(2, 0), BitVector(8, 1)}}};
  EXPECT_EQ(std::get<term::ArrayValue>(simulator.value(a)), expected);
  EXPECT_EQ(std::get<term::ArrayValue>(simulator.value(b)), (term::ArrayValue{2, BitVector(8, 3), {}}));
}

TEST(Simulator, AQueueOfRegistersBehavesAsAQueue) {
  System system;
  TermStore& s = system.store();
  const Term memory = system.add_state({8, 3}, "memory");
  const Term head = system.add_state({3, 0}, "head");
  const Term count = system.add_state({4, 0}, "count");
  const Term push = system.add_input({1, 0}, "push");
  const Term pop = system.add_input({1, 0}, "pop");
  const Term data = system.add_input({8, 0}, "data");
  const Term pushes = s.bit_and(push, s.ult(count, s.constant(4, 8)));
  const Term pops = s.bit_and(pop, s.distinct(count, s.zero(4)));
  const Term tail = s.add(head, s.extract(count, 2, 0));
  system.set_init(1, s.zero(3));
  system.set_init(2, s.zero(4));
  system.set_next(0, s.ite(pushes, s.store(memory, tail, data), memory));
  system.set_next(1, s.add(head, s.zero_extend(pops, 3)));
  system.set_next(2, s.sub(s.add(count, s.zero_extend(pushes, 4)), s.zero_extend(pops, 4)));
  system.add_wire(s.select(memory, head), "front");
  system.add_bad(s.ult(s.constant(4, 8), count), "overflow");
  std::deque<std::uint64_t> queue;
  std::mt19937_64 random(1);
  Simulator simulator(system);
  for (int i = 0; i < 2000; ++i) {
    const bool is_push = random() % 5 < (i / 100 % 2 == 0 ? 4U : 1U);
    const bool is_pop = random() % 2 == 0;
    const std::uint64_t value = random() % 256;
    simulator.set_input(0, BitVector(1, is_push));
    simulator.set_input(1, BitVector(1, is_pop));
    simulator.set_input(2, BitVector(8, value));
    simulator.evaluate();
    ASSERT_EQ(simulator.bits(count), BitVector(4, queue.size()));
    if (!queue.empty()) {
      ASSERT_EQ(simulator.bits(system.wires()[0].term), BitVector(8, queue.front()));
    }
    ASSERT_FALSE(simulator.is_bad(0));
    const bool is_full = queue.size() == 8;
    if (is_pop && !queue.empty()) queue.pop_front();
    if (is_push && !is_full) queue.push_back(value);
    simulator.step();
  }
}

TEST(Simulator, RunsAHundredThousandOperatorsOnASmallStack) {
  term::run_on_small_stack([] {
    System system;
    TermStore& s = system.store();
    const Term x = system.add_state({32, 0}, "x");
    const Term a = system.add_state({32, 4}, "a");
    const Term in = system.add_input({32, 0}, "in");
    Term sum = x;
    Term memory = a;
    for (std::uint32_t i = 0; i < 100000; ++i) {
      sum = s.bit_xor(s.mul(sum, s.add(in, s.constant(32, 2 * i + 1))), in);
      memory = s.store(memory, s.extract(s.add(in, s.constant(32, i)), 3, 0), sum);
    }
    system.set_init(0, s.one(32));
    system.set_next(0, sum);
    system.set_next(1, memory);
    system.add_bad(s.eq(s.select(memory, s.zero(4)), s.constant(32, 7)), "seven");
    system.check();
    const Trace trace = random_trace(system, 1, 3);
    EXPECT_EQ(simulated_run(system, trace), reference_run(system, trace));
  });
}

}  // namespace
}  // namespace plumb::system
