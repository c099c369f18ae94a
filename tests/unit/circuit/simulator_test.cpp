#include "circuit/simulator.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/error.h"
#include "random_circuit.h"

namespace plumb::circuit {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// One run on single bits, each node evaluated on demand from the definition of a node.
class NaiveRun {
 public:
  explicit NaiveRun(const Aig& aig) : aig_(aig), inputs_(aig.inputs().size()), latches_(aig.latches().size()) {}

  void reset(const std::vector<bool>& free) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < latches_.size(); ++i) {
      const LatchInit init = aig_.latches()[i].init;
      latches_[i] = init == LatchInit::Free ? free[used++] : init == LatchInit::One;
    }
    known_.assign(aig_.size(), -1);
  }
  void set_input(std::uint32_t i, bool value) { inputs_[i] = value; }
  bool value(Lit lit) { return node_value(lit.node()) != lit.complemented(); }
  void forget() { known_.assign(aig_.size(), -1); }
  void step() {
    std::vector<bool> next;
    for (const Latch& latch : aig_.latches()) next.push_back(value(latch.next));
    latches_ = next;
    forget();
  }

 private:
  bool node_value(std::uint32_t node) {
    if (known_[node] >= 0) return known_[node] == 1;
    bool value = false;
    if (aig_.is_and(node)) value = this->value(aig_.fanin0(node)) && this->value(aig_.fanin1(node));
    if (aig_.is_input(node)) value = inputs_[aig_.ordinal(node)];
    if (aig_.is_latch(node)) value = latches_[aig_.ordinal(node)];
    known_[node] = value ? 1 : 0;
    return value;
  }

  const Aig& aig_;
  std::vector<bool> inputs_;
  std::vector<bool> latches_;
  std::vector<int> known_;
};

TEST(Simulator, AllSixtyFourRunsAgreeWithBitwiseEvaluationOnRandomCircuits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Aig aig = random_circuit(seed, 6, 8, 150);
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> free(aig.latches().size());
    for (std::uint64_t& word : free) word = random();
    Simulator simulator(aig);
    simulator.reset(free);
    std::vector<NaiveRun> runs(64, NaiveRun(aig));
    for (unsigned k = 0; k < 64; ++k) {
      std::vector<bool> bits;
      for (const std::uint64_t word : free) bits.push_back((word >> k & 1) != 0);
      runs[k].reset(bits);
    }
    for (int step = 0; step < 6; ++step) {
      for (std::uint32_t i = 0; i < aig.inputs().size(); ++i) {
        const std::uint64_t word = random();
        simulator.set_input(i, word);
        for (unsigned k = 0; k < 64; ++k) runs[k].set_input(i, (word >> k & 1) != 0);
      }
      simulator.evaluate();
      for (unsigned k = 0; k < 64; ++k)
        for (std::uint32_t node = 0; node < aig.size(); ++node)
          for (const bool sign : {false, true})
            ASSERT_EQ((simulator.value(Lit::of(node, sign)) >> k & 1) != 0, runs[k].value(Lit::of(node, sign)))
                << "seed " << seed << " step " << step << " run " << k << " node " << node;
      simulator.step();
      for (NaiveRun& run : runs) run.step();
    }
  }
}

TEST(Simulator, CounterCountsInEachRunByItsOwnEnable) {
  constexpr std::uint32_t kBits = 5;
  Aig aig;
  Lit carry = aig.add_input("enable");
  std::vector<Lit> bits;
  for (std::uint32_t i = 0; i < kBits; ++i) bits.push_back(aig.add_latch());
  for (const Lit bit : bits) {
    aig.set_next(bit, aig.xor_(bit, carry));
    carry = aig.and_(bit, carry);
  }
  Simulator simulator(aig);
  std::mt19937_64 random(3);
  std::array<unsigned, 64> expected{};
  for (int step = 0; step < 100; ++step) {
    const std::uint64_t enable = random();
    simulator.set_input(0, enable);
    simulator.evaluate();
    for (unsigned k = 0; k < 64; ++k) {
      unsigned count = 0;
      for (std::uint32_t i = 0; i < kBits; ++i) count |= static_cast<unsigned>(simulator.value(bits[i]) >> k & 1) << i;
      ASSERT_EQ(count, expected[k]);
      expected[k] = (expected[k] + static_cast<unsigned>(enable >> k & 1)) % (1U << kBits);
    }
    simulator.step();
  }
}

TEST(Simulator, LatchesThatFeedEachOtherExchangeTheirValues) {
  Aig aig;
  const Lit a = aig.add_latch(LatchInit::Zero);
  const Lit b = aig.add_latch(LatchInit::One);
  aig.set_next(a, b);
  aig.set_next(b, a);
  Simulator simulator(aig);
  for (int step = 0; step < 4; ++step) {
    simulator.evaluate();
    EXPECT_EQ(simulator.value(a), step % 2 == 0 ? 0 : kAll);
    EXPECT_EQ(simulator.value(b), step % 2 == 0 ? kAll : 0);
    simulator.step();
  }
}

TEST(Simulator, ResetGivesFreeLatchesTheirWordsInOrderAndZeroWhereNoneIsLeft) {
  Aig aig;
  const Lit first = aig.add_latch(LatchInit::Free);
  const Lit one = aig.add_latch(LatchInit::One);
  const Lit second = aig.add_latch(LatchInit::Free);
  const Lit third = aig.add_latch(LatchInit::Free);
  Simulator simulator(aig);
  simulator.reset(std::array<std::uint64_t, 3>{1, 2, 3});
  simulator.reset(std::array<std::uint64_t, 2>{0x1234, 0x5678});
  EXPECT_EQ(simulator.value(first), 0x1234U);
  EXPECT_EQ(simulator.value(one), kAll);
  EXPECT_EQ(simulator.value(second), 0x5678U);
  EXPECT_EQ(simulator.value(third), 0U);
  simulator.reset();
  EXPECT_EQ(simulator.value(first), 0U);
}

TEST(Simulator, NodesAddedLaterArePickedUpAndOldLatchesKeepTheirState) {
  Aig aig;
  const Lit toggle = aig.add_latch();
  aig.set_next(toggle, ~toggle);
  Simulator simulator(aig);
  simulator.evaluate();
  simulator.step();
  const Lit input = aig.add_input();
  const Lit late = aig.add_latch(LatchInit::One);
  const Lit gate = aig.and_(aig.and_(input, late), toggle);
  simulator.set_input(0, 0xff);
  simulator.evaluate();
  EXPECT_EQ(simulator.value(toggle), kAll);
  EXPECT_EQ(simulator.value(late), kAll);
  EXPECT_EQ(simulator.value(gate), 0xffU);
}

TEST(Simulator, ConstantsHaveTheirValues) {
  const Aig aig;
  const Simulator simulator(aig);
  EXPECT_EQ(simulator.value(kFalse), 0U);
  EXPECT_EQ(simulator.value(kTrue), kAll);
}

TEST(Simulator, MisuseIsAnInternalError) {
  Aig aig;
  aig.add_input();
  Simulator simulator(aig);
  EXPECT_THROW(simulator.set_input(1, 0), InternalError);
  aig.add_latch();
  EXPECT_THROW(simulator.step(), InternalError);
}

}  // namespace
}  // namespace plumb::circuit
