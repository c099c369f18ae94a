#include "solve/native/sweeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <tuple>

#include "circuit/multiplier.h"
#include "unit/circuit/random_circuit.h"
#include "unit/circuit/word_simulation.h"

namespace plumb::solve {
namespace {

using namespace circuit;

constexpr int kMaxConflicts = 10000;

/// Simulates all assignments of the inputs, of which there are at most ten.
std::vector<std::vector<std::uint64_t>> tables(const Aig& aig, std::span<const Lit> lits) {
  constexpr std::array<std::uint64_t, 6> kPatterns = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                      0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  const auto inputs = static_cast<std::uint32_t>(aig.inputs().size());
  Simulator simulator(aig);
  std::vector<std::vector<std::uint64_t>> result(lits.size());
  for (std::uint64_t high = 0; high < (inputs > 6 ? std::uint64_t{1} << (inputs - 6) : 1); ++high) {
    for (std::uint32_t i = 0; i < inputs; ++i)
      simulator.set_input(i, i < 6 ? kPatterns[i] : ~std::uint64_t{0} * ((high >> (i - 6)) & 1));
    simulator.evaluate();
    for (std::size_t k = 0; k < lits.size(); ++k) result[k].push_back(simulator.value(lits[k]));
  }
  return result;
}

std::vector<Lit> random_roots(const Aig& aig, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Lit> roots = {kFalse, kTrue, Lit::of(aig.size() - 1)};
  for (int i = 0; i < 8; ++i) roots.push_back(Lit{static_cast<std::uint32_t>(random() % (2 * aig.size()))});
  return roots;
}

/// a + b, carried from bit to bit; `by_choice`: a carry is an ite, otherwise an or of ands.
Word ripple_sum(Aig& aig, Bits a, Bits b, bool by_choice) {
  Word sum;
  Lit carry = kFalse;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (by_choice) {
      const Lit differ = aig.xor_(a[i], b[i]);
      sum.push_back(aig.xor_(differ, carry));
      carry = aig.ite(differ, carry, a[i]);
    } else {
      sum.push_back(aig.xor_(a[i], aig.xor_(b[i], carry)));
      carry = aig.or_(aig.and_(a[i], b[i]), aig.and_(carry, aig.or_(a[i], b[i])));
    }
  }
  return sum;
}

/// Shifted multiples, added from the lowest or from the highest.
Word shift_and_add(Aig& aig, Bits a, Bits b, bool from_top) {
  Word product(a.size(), kFalse);
  for (std::size_t k = 0; k < b.size(); ++k) {
    const std::size_t shift = from_top ? b.size() - 1 - k : k;
    Word multiple(a.size(), kFalse);
    for (std::size_t i = shift; i < a.size(); ++i) multiple[i] = aig.and_(a[i - shift], b[shift]);
    product = ripple_sum(aig, product, multiple, from_top);
  }
  return product;
}

Lit miter(Aig& aig, Bits a, Bits b) {
  Lit differ = kFalse;
  for (std::size_t i = 0; i < a.size(); ++i) differ = aig.or_(differ, aig.xor_(a[i], b[i]));
  return differ;
}

void expect_meeting(Aig& aig, Bits a, Bits b) {
  const Lit root = miter(aig, a, b);
  ASSERT_GT(root.node(), 0U) << "the two are the same before sweeping";
  const Budget budget;
  Sweeper sweeper(aig, kMaxConflicts, budget);
  EXPECT_EQ(sweeper.sweep(std::array{root}), std::vector{kFalse});
  EXPECT_GT(sweeper.merged(), 0U);
}

TEST(Sweeper, RootsKeepTheirFunction) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto inputs = static_cast<std::uint32_t>(1 + seed % 10);
    Aig aig = random_circuit(seed, inputs, 0, static_cast<std::uint32_t>(5 + seed % 300));
    const std::vector<Lit> roots = random_roots(aig, seed);
    const auto expected = tables(aig, roots);
    // After one conflict many a query stays open; the answer must be equal whatever is merged.
    const Budget budget;
    Sweeper sweeper(aig, seed % 3 == 0 ? 1 : kMaxConflicts, budget);
    ASSERT_EQ(tables(aig, sweeper.sweep(roots)), expected) << "seed " << seed;
  }
}

TEST(Sweeper, RootsOfTheSameFunctionBecomeOneLiteral) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Aig aig = random_circuit(seed, 5, 0, 120);
    std::vector<Lit> roots;
    for (std::uint32_t node = 0; node < aig.size(); ++node) roots.push_back(Lit::of(node, node % 2 == 0));
    const auto functions = tables(aig, roots);
    const Budget budget;
    Sweeper sweeper(aig, kMaxConflicts, budget);
    const std::vector<Lit> swept = sweeper.sweep(roots);
    for (std::size_t i = 0; i < roots.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        ASSERT_EQ(swept[i] == swept[k], functions[i] == functions[k]) << "seed " << seed << ": " << i << ", " << k;
  }
}

TEST(Sweeper, LatchesAreFreeLikeInputs) {
  Aig aig;
  const Lit a = aig.add_latch(LatchInit::Zero);
  const Lit b = aig.add_latch(LatchInit::One);
  const Lit x = aig.add_input();
  // (a & x) | (b & x) against (a | b) & x: equal in all states, while neither latch is its initial value.
  const std::array roots{aig.or_(aig.and_(a, x), aig.and_(b, x)), aig.and_(aig.or_(a, b), x), a, b};
  const Budget budget;
  Sweeper sweeper(aig, kMaxConflicts, budget);
  const std::vector<Lit> swept = sweeper.sweep(roots);
  EXPECT_EQ(swept[0], swept[1]);
  EXPECT_EQ(swept[2], a);
  EXPECT_EQ(swept[3], b);
}

TEST(Sweeper, TwoAddersMeet) {
  for (const std::uint32_t width : {2U, 8U, 32U}) {
    Aig aig;
    const Word a = add_inputs(aig, width);
    const Word b = add_inputs(aig, width);
    expect_meeting(aig, ripple_sum(aig, a, b, false), ripple_sum(aig, a, b, true));
  }
}

TEST(Sweeper, SumsInDifferentOrdersMeet) {
  Aig aig;
  const Word a = add_inputs(aig, 6);
  const Word b = add_inputs(aig, 6);
  const Word c = add_inputs(aig, 6);
  const Word left = ripple_sum(aig, ripple_sum(aig, a, b, false), c, false);
  expect_meeting(aig, left, ripple_sum(aig, a, ripple_sum(aig, c, b, true), true));
}

TEST(Sweeper, TwoMultipliersMeet) {
  for (const std::uint32_t width : {3U, 4U, 5U}) {
    Aig aig;
    const Budget budget;
    Gates gates(aig, budget);
    const Word a = add_inputs(aig, width);
    const Word b = add_inputs(aig, width);
    const Word product = shift_and_add(aig, a, b, false);
    expect_meeting(aig, product, shift_and_add(aig, a, b, true));
    expect_meeting(aig, product, shift_and_add(aig, b, a, false));
    expect_meeting(aig, shift_and_add(aig, a, b, true), multiply(gates, a, b));
  }
}

TEST(Sweeper, TwoXorTreesMeet) {
  Aig aig;
  Word bits = add_inputs(aig, 12);
  Lit chain = kFalse;
  for (const Lit bit : bits) chain = aig.xor_(chain, bit);
  // A balanced tree, from the other end.
  std::reverse(bits.begin(), bits.end());
  while (bits.size() > 1) {
    Word halves;
    for (std::size_t i = 0; i + 1 < bits.size(); i += 2) halves.push_back(aig.xor_(bits[i], bits[i + 1]));
    if (bits.size() % 2 == 1) halves.push_back(bits.back());
    bits = std::move(halves);
  }
  expect_meeting(aig, std::array{chain}, bits);
}

TEST(Sweeper, FindsConstants) {
  Aig aig;
  const Word a = add_inputs(aig, 8);
  const Word b = add_inputs(aig, 8);
  const Budget budget;
  Gates gates(aig, budget);
  // The borrows of a - b and b - a are never both there; one of a < b, a = b and b < a always is.
  const Lit less = unsigned_less(gates, a, b);
  const Lit greater = unsigned_less(gates, b, a);
  const std::array roots{aig.and_(less, greater), aig.or_(equal(gates, a, b), aig.or_(less, greater)), less};
  ASSERT_NE(roots[0], kFalse);
  ASSERT_NE(roots[1], kTrue);
  Sweeper sweeper(aig, kMaxConflicts, budget);
  const std::vector<Lit> swept = sweeper.sweep(roots);
  EXPECT_EQ(swept[0], kFalse);
  EXPECT_EQ(swept[1], kTrue);
  EXPECT_NE(swept[2].node(), 0U);
}

TEST(Sweeper, ARareDifferenceIsNotMerged) {
  // The and of 40 inputs is false in every pattern that chance will find, but not constant.
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const Word a = add_inputs(aig, 40);
  const Lit all = all_of(gates, a);
  Sweeper sweeper(aig, kMaxConflicts, budget);
  EXPECT_EQ(sweeper.sweep(std::array{all}), std::vector{all});
  EXPECT_EQ(sweeper.merged(), 0U);
}

TEST(Sweeper, NothingToSweepGivesNothing) {
  Aig aig;
  const Budget budget;
  EXPECT_TRUE(Sweeper(aig, kMaxConflicts, budget).sweep({}).empty());
  EXPECT_EQ(Sweeper(aig, kMaxConflicts, budget).sweep(std::array{kTrue, kFalse}), (std::vector{kTrue, kFalse}));
}

TEST(Sweeper, ACancelledBudgetStillGivesEqualLiterals) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Aig aig = random_circuit(seed, 8, 0, 200);
    const std::vector<Lit> roots = random_roots(aig, seed);
    const auto expected = tables(aig, roots);
    const Budget budget;
    budget.cancel();
    Sweeper sweeper(aig, kMaxConflicts, budget);
    ASSERT_EQ(tables(aig, sweeper.sweep(roots)), expected) << "seed " << seed;
    EXPECT_EQ(sweeper.merged(), 0U);
  }
}

TEST(Sweeper, ABudgetThatEndsMeanwhileStillGivesEqualLiterals) {
  for (const double milliseconds : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    Aig aig;
    const Word a = add_inputs(aig, 5);
    const Word b = add_inputs(aig, 5);
    const Word product = shift_and_add(aig, a, b, false);
    Word roots = shift_and_add(aig, a, b, true);
    roots.insert(roots.end(), product.begin(), product.end());
    const auto expected = tables(aig, roots);
    const Budget budget = Budget().with_timeout(std::chrono::duration<double, std::milli>(milliseconds));
    Sweeper sweeper(aig, kMaxConflicts, budget);
    ASSERT_EQ(tables(aig, sweeper.sweep(roots)), expected);
  }
}

TEST(Sweeper, IsDeterministic) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto swept = [&] {
      Aig aig = random_circuit(seed, 9, 2, 300);
      const Budget budget;
      Sweeper sweeper(aig, 100, budget);
      const std::vector<Lit> lits = sweeper.sweep(random_roots(aig, seed));
      return std::tuple(lits, sweeper.merged(), aig.size());
    };
    EXPECT_EQ(swept(), swept()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plumb::solve
