#include "system/to_circuit.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "circuit/aiger.h"
#include "circuit/simulator.h"
#include "random_system.h"
#include "unit/circuit/random_circuit.h"
#include "unit/term/small_stack.h"

namespace plumb::system {
namespace {

/// Bads, then constraints, in each step.
using Signals = std::vector<std::vector<bool>>;

Signals signals_of(const System& system, const Trace& trace) {
  Signals result;
  for (const std::vector<Value>& values : reference_run(system, trace)) {
    std::vector<bool>& step = result.emplace_back();
    for (std::size_t i = system.states().size() + system.wires().size(); i < values.size(); ++i)
      step.push_back(std::get<BitVector>(values[i]).is_one());
  }
  return result;
}

Signals signals_of(const circuit::Aig& aig, const CircuitTrace& trace) {
  circuit::Simulator simulator(aig);
  std::vector<std::uint64_t> free;
  for (std::size_t i = 0; i < aig.latches().size(); ++i)
    if (aig.latches()[i].init == circuit::LatchInit::Free) free.push_back(trace.latches[i] ? 1 : 0);
  simulator.reset(free);
  Signals result;
  for (const std::vector<bool>& inputs : trace.inputs) {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) simulator.set_input(i, inputs[i] ? 1 : 0);
    simulator.evaluate();
    std::vector<bool>& step = result.emplace_back();
    for (const circuit::NamedLit& bad : aig.bads()) step.push_back((simulator.value(bad.lit) & 1) != 0);
    for (const circuit::NamedLit& constraint : aig.constraints())
      step.push_back((simulator.value(constraint.lit) & 1) != 0);
    simulator.step();
  }
  return result;
}

TEST(ToCircuit, BehavesAsTheSystemThereAndBack) {
  for (const bool only_cone : {true, false}) {
    CircuitOptions options;
    options.only_cone = only_cone;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const System system = RandomSystem(seed).make();
      const SystemCircuit made = to_circuit(system, Budget(), options);
      ASSERT_EQ(made.latches.size(), made.aig.latches().size());
      ASSERT_EQ(made.inputs.size(), made.aig.inputs().size());
      const Trace trace = random_trace(system, seed, 8);
      const CircuitTrace circuit_trace = made.to_circuit(system, trace);
      ASSERT_EQ(signals_of(made.aig, circuit_trace), signals_of(system, trace)) << seed;
      ASSERT_EQ(signals_of(system, made.to_system(system, circuit_trace)), signals_of(system, trace)) << seed;
    }
  }
}

TEST(ToCircuit, AigerRoundTripBehavesTheSame) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const System system = RandomSystem(seed).make();
    const SystemCircuit made = to_circuit(system, Budget());
    const CircuitTrace trace = made.to_circuit(system, random_trace(system, seed, 8));
    for (const auto format : {circuit::AigerFormat::Ascii, circuit::AigerFormat::Binary}) {
      const circuit::Aig read = circuit::read_aiger(circuit::write_aiger(made.aig, format), "f");
      ASSERT_EQ(signals_of(read, trace), signals_of(made.aig, trace)) << seed;
      for (std::size_t i = 0; i < read.latches().size(); ++i)
        EXPECT_EQ(read.latches()[i].name, made.aig.latches()[i].name);
    }
  }
}

TEST(ToCircuit, SystemOfACircuitBehavesAsTheCircuit) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const circuit::Aig aig = circuit::random_circuit(seed, 4, 6, 60);
    if (aig.bads().empty()) continue;
    const System system = system_of(aig);
    EXPECT_TRUE(system.problems().empty());
    const SystemCircuit made = to_circuit(system, Budget(), {.only_cone = false});
    ASSERT_EQ(made.aig.latches().size(), aig.latches().size());
    const Trace trace = random_trace(system, seed, 8);
    // Latches and inputs stand in the same order, so one trace fits both circuits.
    const CircuitTrace circuit_trace = made.to_circuit(system, trace);
    ASSERT_EQ(signals_of(aig, circuit_trace), signals_of(system, trace)) << seed;
  }
}

TEST(ToCircuit, OutputsOfACircuitWithoutBadsAreItsBads) {
  circuit::Aig aig;
  aig.add_output(aig.add_input("x"), "o");
  ASSERT_EQ(system_of(aig).bads().size(), 1U);
  EXPECT_EQ(system_of(aig).bads()[0].name, "o");
  aig.add_bad(circuit::kTrue, "b");
  EXPECT_EQ(system_of(aig).bads()[0].name, "b");
  EXPECT_EQ(system_of(aig).wires()[0].name, "o");
}

TEST(ToCircuit, NamesBitsAndElements) {
  System system;
  TermStore& s = system.store();
  const Term a = system.add_state({2, 1}, "a");
  const Term x = system.add_state({1, 0}, "x");
  const Term in = system.add_input({2, 0}, "in");
  system.set_init(0, s.constant_array(1, s.constant(2, 1)));
  system.set_next(0, s.store(a, x, in));
  system.set_next(1, s.bit_not(x));
  system.add_bad(s.eq(s.select(a, x), s.ones(2)), "ones");
  const SystemCircuit made = to_circuit(system, Budget());
  std::vector<std::string> names;
  std::vector<circuit::LatchInit> inits;
  for (const circuit::Latch& latch : made.aig.latches()) {
    names.push_back(latch.name);
    inits.push_back(latch.init);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a[0][0]", "a[0][1]", "a[1][0]", "a[1][1]", "x"}));
  using enum circuit::LatchInit;
  EXPECT_EQ(inits, (std::vector<circuit::LatchInit>{One, Zero, One, Zero, Free}));
  EXPECT_EQ(made.aig.inputs()[1].name, "in[1]");
  EXPECT_EQ(made.latches[3].state, (BitPlace{0, 1, 1}));
  EXPECT_EQ(made.latches[4].choice, (BitPlace{1, 0, 0}));
}

TEST(ToCircuit, AFreeChoiceThatOnlyInitialisesAStateIsAFreeLatch) {
  System system;
  TermStore& s = system.store();
  const Term chosen = system.add_state({4, 0}, "chosen");
  const Term x = system.add_state({4, 0}, "x");
  system.set_init(1, chosen);
  system.set_next(1, s.add(x, s.one(4)));
  system.add_bad(s.eq(x, s.constant(4, 9)), "nine");
  const SystemCircuit made = to_circuit(system, Budget());
  EXPECT_EQ(made.aig.latches().size(), 4U);
  EXPECT_TRUE(made.aig.inputs().empty());
  CircuitTrace trace;
  trace.latches = {false, false, false, true};  // starts at 8
  trace.inputs.resize(2);
  const Replay replayed = replay(system, made.to_system(system, trace));
  ASSERT_TRUE(replayed.reaches(0));
  EXPECT_EQ(replayed.reached[0].step, 1U);
}

TEST(ToCircuit, InitialValuesThatAreComputedAreTakenInTheFirstStepAlone) {
  System system;
  TermStore& s = system.store();
  const Term chosen = system.add_state({4, 0}, "chosen");
  const Term x = system.add_state({4, 0}, "x");
  system.set_init(1, s.bit_not(chosen));
  system.set_next(1, s.add(x, s.one(4)));
  system.add_bad(s.eq(x, s.constant(4, 9)), "nine");
  const SystemCircuit made = to_circuit(system, Budget());
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    Trace trace = random_trace(system, seed, 12);
    trace.initial[0] = BitVector(4, seed);
    ASSERT_EQ(signals_of(made.aig, made.to_circuit(system, trace)), signals_of(system, trace)) << seed;
  }
}

TEST(ToCircuit, LeavesOutWhatNoPropertyNeeds) {
  System system;
  TermStore& s = system.store();
  const Term x = system.add_state({8, 0}, "x");
  const Term y = system.add_state({8, 0}, "y");
  system.set_next(0, s.add(x, s.one(8)));
  system.set_next(1, s.add(y, x));
  system.add_bad(s.bit(x, 1), "b");
  EXPECT_EQ(to_circuit(system, Budget()).aig.latches().size(), 2U);
  EXPECT_EQ(to_circuit(system, Budget(), {.only_cone = false}).aig.latches().size(), 16U);
}

TEST(ToCircuit, RefusesArraysThatAreTooLargeWithTheirSize) {
  System system;
  TermStore& s = system.store();
  const Term memory = system.add_state({8, 32}, "memory");
  system.add_bad(s.eq(s.select(memory, s.zero(32)), s.zero(8)), "b");
  try {
    to_circuit(system, Budget());
    FAIL() << "a memory of 4 GiB was accepted";
  } catch (const Unsupported& error) {
    EXPECT_NE(std::string(error.what()).find("array 'memory' has 2^32 elements of 8 bits"), std::string::npos)
        << error.what();
  }
}

TEST(ToCircuit, BlastsAHundredThousandOperatorsOnASmallStack) {
  term::run_on_small_stack([] {
    System system;
    TermStore& s = system.store();
    const Term x = system.add_state({4, 0}, "x");
    const Term a = system.add_state({4, 1}, "a");
    const Term in = system.add_input({4, 0}, "in");
    Term t = x;
    Term memory = a;
    for (std::uint32_t i = 0; i < 100000; ++i) {
      t = s.bit_xor(s.bit_and(t, in), s.add(x, s.constant(4, i)));
      if (i % 100 == 0) memory = s.store(memory, s.bit(t, 0), t);
    }
    system.set_next(0, t);
    system.set_next(1, memory);
    system.add_bad(s.eq(s.select(memory, s.zero(1)), s.ones(4)), "b");
    const SystemCircuit made = to_circuit(system, Budget());
    const Trace trace = random_trace(system, 1, 4);
    EXPECT_EQ(signals_of(made.aig, made.to_circuit(system, trace)), signals_of(system, trace));
  });
}

}  // namespace
}  // namespace plumb::system
