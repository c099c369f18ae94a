#include "circuit/words.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "word_simulation.h"

namespace plumb::circuit {
namespace {

const std::vector<std::uint32_t> kSmallWidths = {1, 2, 3, 4};
const std::vector<std::uint32_t> kLargeWidths = {7, 8, 31, 32, 33, 64, 65, 128};

using Circuit = std::function<Word(Gates&, Bits, Bits)>;
using Function = std::function<BitVector(const BitVector&, const BitVector&)>;

void expect_equal(std::uint32_t width, std::span<const Case> cases, const Circuit& circuit, const Function& function) {
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const std::vector<Word> operands = {add_inputs(aig, width), add_inputs(aig, width)};
  const Word result = circuit(gates, operands[0], operands[1]);
  const std::vector<BitVector> values = simulate(aig, operands, result, cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    ASSERT_EQ(values[i].to_binary(), function(cases[i][0], cases[i][1]).to_binary())
        << cases[i][0].to_binary() << " " << cases[i][1].to_binary();
}

void expect_equal_at_all_widths(const Circuit& circuit, const Function& function) {
  for (const std::uint32_t width : kSmallWidths)
    expect_equal(width, all_cases(std::vector{width, width}), circuit, function);
  for (const std::uint32_t width : kLargeWidths)
    expect_equal(width, random_cases(std::vector{width, width}, 256, width), circuit, function);
}

BitVector boolean(bool b) { return BitVector(1, b ? 1 : 0); }

TEST(Gates, MajorityIsTrueIfTwoOfThreeAre) {
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const std::vector<Word> operands = {add_inputs(aig, 3)};
  const Word& x = operands[0];
  std::vector<Lit> choices = {kFalse, kTrue};
  for (const Lit lit : x) choices.insert(choices.end(), {lit, ~lit});
  const std::vector<Case> cases = all_cases(std::vector{3U});
  for (const Lit a : choices) {
    for (const Lit b : choices) {
      for (const Lit c : choices) {
        const Word bits = {a, b, c, gates.majority(a, b, c)};
        for (const BitVector& v : simulate(aig, operands, bits, cases))
          ASSERT_EQ(v.bit(3), v.bit(0) + v.bit(1) + v.bit(2) >= 2) << a.code << " " << b.code << " " << c.code;
      }
    }
  }
}

TEST(Words, SumsAndDifferencesAreThoseOfValues) {
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return add(g, a, b); },
                             [](const BitVector& a, const BitVector& b) { return a + b; });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return add(g, a, b, kTrue); },
                             [](const BitVector& a, const BitVector& b) { return a + b + BitVector(a.width(), 1); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return subtract(g, a, b); },
                             [](const BitVector& a, const BitVector& b) { return a - b; });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits) { return negate(g, a); },
                             [](const BitVector& a, const BitVector&) { return -a; });
}

TEST(Words, ComparisonsAreThoseOfValues) {
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return Word{equal(g, a, b)}; },
                             [](const BitVector& a, const BitVector& b) { return boolean(a == b); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return Word{unsigned_less(g, a, b)}; },
                             [](const BitVector& a, const BitVector& b) { return boolean(a.ult(b)); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return Word{signed_less(g, a, b)}; },
                             [](const BitVector& a, const BitVector& b) { return boolean(a.slt(b)); });
}

TEST(Words, ShiftsAreThoseOfValues) {
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return shift_left(g, a, b); },
                             [](const BitVector& a, const BitVector& b) { return a.shl(b); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return shift_right(g, a, b); },
                             [](const BitVector& a, const BitVector& b) { return a.lshr(b); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return shift_right(g, a, b, a.back()); },
                             [](const BitVector& a, const BitVector& b) { return a.ashr(b); });
}

TEST(Words, DivisionIsThatOfValuesAlsoByZero) {
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return divide(g, a, b).quotient; },
                             [](const BitVector& a, const BitVector& b) { return a.udiv(b); });
  expect_equal_at_all_widths([](Gates& g, Bits a, Bits b) { return divide(g, a, b).remainder; },
                             [](const BitVector& a, const BitVector& b) { return a.urem(b); });
}

/// A word whose bits are those of `a` where `mask` has a 2, else the constants 0 and 1.
Word fixed(Bits a, std::uint32_t mask) {
  Word result(a.begin(), a.end());
  for (Lit& bit : result) {
    if (mask % 3 != 2) bit = kFalse ^ (mask % 3 == 1);
    mask /= 3;
  }
  return result;
}

TEST(Words, DivisionIsRightForAllPatternsOfConstantBits) {
  const std::vector<Case> cases = all_cases(std::vector{3U, 3U});
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const std::vector<Word> operands = {add_inputs(aig, 3), add_inputs(aig, 3)};
  for (std::uint32_t mask_a = 0; mask_a < 27; ++mask_a) {
    for (std::uint32_t mask_b = 0; mask_b < 27; ++mask_b) {
      const Word a = fixed(operands[0], mask_a);
      const Word b = fixed(operands[1], mask_b);
      const auto [quotient, remainder] = divide(gates, a, b);
      const std::vector<BitVector> as = simulate(aig, operands, a, cases);
      const std::vector<BitVector> bs = simulate(aig, operands, b, cases);
      const std::vector<BitVector> quotients = simulate(aig, operands, quotient, cases);
      const std::vector<BitVector> remainders = simulate(aig, operands, remainder, cases);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        ASSERT_EQ(quotients[i], as[i].udiv(bs[i])) << mask_a << " " << mask_b;
        ASSERT_EQ(remainders[i], as[i].urem(bs[i])) << mask_a << " " << mask_b;
      }
    }
  }
}

TEST(Words, DivisionByAConstantOnlySubtractsItsBits) {
  const auto gates_to_divide = [](Bits divisor, Aig& aig) {
    const Budget budget;
    Gates gates(aig, budget);
    divide(gates, add_inputs(aig, 64), divisor);
    return aig.and_count();
  };
  Word ten(64, kFalse);
  ten[1] = ten[3] = kTrue;
  Aig by_constant;
  Aig by_variable;
  const std::uint32_t constant = gates_to_divide(ten, by_constant);
  const std::uint32_t variable = gates_to_divide(add_inputs(by_variable, 64), by_variable);
  EXPECT_LT(constant, 64U * 60U);
  EXPECT_LT(constant * 10, variable);
}

TEST(Words, ConstantShiftsAndComplementedComparisonsCostNothing) {
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const Word a = add_inputs(aig, 32);
  Word five(32, kFalse);
  five[0] = five[2] = kTrue;
  shift_left(gates, a, five);
  shift_right(gates, a, five, a.back());
  EXPECT_EQ(equal(gates, a, complement(a)), kFalse);
  EXPECT_EQ(equal(gates, a, a), kTrue);
  EXPECT_EQ(unsigned_less(gates, a, a), kFalse);
  EXPECT_EQ(signed_less(gates, a, a), kFalse);
  EXPECT_EQ(aig.and_count(), 0U);
}

TEST(Words, ComparisonSharesTheGatesOfTheDifference) {
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const Word a = add_inputs(aig, 32);
  const Word b = add_inputs(aig, 32);
  subtract(gates, a, b);
  const std::uint32_t before = aig.and_count();
  unsigned_less(gates, a, b);
  EXPECT_LE(aig.and_count() - before, 3U);
}

TEST(Words, DivisionStopsWhenTheBudgetEnds) {
  Aig aig;
  const Budget budget = Budget().with_timeout(std::chrono::duration<double>(0.1));
  Gates gates(aig, budget);
  const Word a = add_inputs(aig, 20000);
  const Word b = add_inputs(aig, 20000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(divide(gates, a, b), OutOfBudget);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

}  // namespace
}  // namespace plumb::circuit
