#include "circuit/multiplier.h"

#include <gtest/gtest.h>

#include <functional>

#include "word_simulation.h"

namespace plumb::circuit {
namespace {

/// One body for each way of summing the rows.
class MultiplierTest : public testing::Test {
 protected:
  /// Compares circuits on two words, which are made from inputs of these widths, with functions of the words' values.
  using Shape = std::function<std::pair<Word, Word>(Gates&, std::span<const Word>)>;
  void check(std::span<const std::uint32_t> widths, std::span<const Case> cases, const Shape& shape) {
    Aig aig;
    const Budget budget;
    Gates gates(aig, budget);
    std::vector<Word> operands;
    for (const std::uint32_t width : widths) operands.push_back(add_inputs(aig, width));
    const auto [a, b] = shape(gates, operands);
    Word result = multiply(gates, a, b);
    const std::uint32_t width = static_cast<std::uint32_t>(result.size());
    result.push_back(unsigned_multiply_overflows(gates, a, b));
    result.push_back(signed_multiply_overflows(gates, a, b));
    const std::vector<BitVector> as = simulate(aig, operands, a, cases);
    const std::vector<BitVector> bs = simulate(aig, operands, b, cases);
    const std::vector<BitVector> results = simulate(aig, operands, result, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::string what = as[i].to_binary() + " * " + bs[i].to_binary();
      ASSERT_EQ(results[i].extract(width - 1, 0).to_binary(), (as[i] * bs[i]).to_binary()) << what;
      ASSERT_EQ(results[i].bit(width), as[i].umul_overflows(bs[i])) << what;
      ASSERT_EQ(results[i].bit(width + 1), as[i].smul_overflows(bs[i])) << what;
    }
  }
};

Word constant(const BitVector& value) {
  Word word;
  for (std::uint32_t i = 0; i < value.width(); ++i) word.push_back(kFalse ^ value.bit(i));
  return word;
}

TEST_F(MultiplierTest, IsRightForAllValuesOfUpToFiveBits) {
  for (std::uint32_t width = 1; width <= 5; ++width)
    check(std::vector{width, width}, all_cases(std::vector{width, width}),
          [](Gates&, std::span<const Word> x) { return std::pair(x[0], x[1]); });
}

TEST_F(MultiplierTest, IsRightForRandomWideValues) {
  for (const std::uint32_t width : {7U, 8U, 31U, 32U, 33U, 64U, 65U, 128U})
    check(std::vector{width, width}, random_cases(std::vector{width, width}, 512, width),
          [](Gates&, std::span<const Word> x) { return std::pair(x[0], x[1]); });
}

TEST_F(MultiplierTest, SquaresAreRight) {
  const auto square = [](Gates&, std::span<const Word> x) { return std::pair(x[0], x[0]); };
  for (std::uint32_t width = 1; width <= 8; ++width) check(std::vector{width}, all_cases(std::vector{width}), square);
  for (const std::uint32_t width : {31U, 64U, 65U})
    check(std::vector{width}, random_cases(std::vector{width}, 256, width), square);
}

TEST_F(MultiplierTest, ConstantFactorsAreRightOnBothSides) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    for (std::uint64_t c = 0; c < std::uint64_t{1} << width; ++c) {
      const Word factor = constant(BitVector(width, c));
      const std::vector<Case> cases = all_cases(std::vector{width});
      check(std::vector{width}, cases, [&](Gates&, std::span<const Word> x) { return std::pair(x[0], factor); });
      check(std::vector{width}, cases, [&](Gates&, std::span<const Word> x) { return std::pair(factor, x[0]); });
    }
  }
  for (const Case& c : random_cases(std::vector{33U}, 100, 1))
    check(std::vector{33U}, random_cases(std::vector{33U}, 64, 2),
          [&](Gates&, std::span<const Word> x) { return std::pair(x[0], constant(c[0])); });
}

TEST_F(MultiplierTest, ExtendedFactorsAreRight) {
  for (std::uint32_t narrow = 1; narrow <= 4; ++narrow) {
    for (std::uint32_t wide = narrow; wide <= 2 * narrow + 1; ++wide) {
      const auto extend = [&](Bits x, bool is_signed) {
        Word result(x.begin(), x.end());
        result.resize(wide, is_signed ? x.back() : kFalse);
        return result;
      };
      for (int signs = 0; signs < 4; ++signs)
        check(std::vector{narrow, narrow}, all_cases(std::vector{narrow, narrow}),
              [&](Gates&, std::span<const Word> x) {
                return std::pair(extend(x[0], (signs & 1) != 0), extend(x[1], (signs & 2) != 0));
              });
    }
  }
}

TEST_F(MultiplierTest, StopsWhenTheBudgetEnds) {
  Aig aig;
  const Budget budget = Budget().with_timeout(std::chrono::duration<double>(0.2));
  Gates gates(aig, budget);
  const Word a = add_inputs(aig, 20000);
  const Word b = add_inputs(aig, 20000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(multiply(gates, a, b), OutOfBudget);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

/// Gates of a product of 32 bits, whose factors are made from two words of inputs.
std::uint32_t gates_of(const std::function<std::pair<Word, Word>(Word, Word)>& factors) {
  Aig aig;
  const Budget budget;
  Gates gates(aig, budget);
  const Word x = add_inputs(aig, 32);
  const Word y = add_inputs(aig, 32);
  const auto [a, b] = factors(x, y);
  multiply(gates, a, b);
  return aig.and_count();
}

TEST_F(MultiplierTest, SpecialFactorsAreCheaper) {
  const auto constant_of = [](std::uint64_t c) { return constant(BitVector(32, c)); };
  const std::uint32_t general = gates_of([](const Word& x, const Word& y) { return std::pair(x, y); });
  const std::uint32_t square = gates_of([](const Word& x, const Word&) { return std::pair(x, x); });
  EXPECT_LT(square * 3, general * 2);
  // One subtraction each, however many ones: ten gates or so a bit.
  EXPECT_LT(gates_of([&](const Word& x, const Word&) { return std::pair(x, constant_of(0x0fffffff)); }), 350U);
  EXPECT_LT(gates_of([&](const Word& x, const Word&) { return std::pair(constant_of(0xfff), x); }), 350U);
  EXPECT_EQ(gates_of([&](const Word& x, const Word&) { return std::pair(x, constant_of(0x1000)); }), 0U);
  const std::uint32_t sign_extended = gates_of([](const Word& x, Word y) {
    std::fill(y.begin() + 16, y.end(), y[15]);
    return std::pair(x, y);
  });
  EXPECT_LT(sign_extended * 5, general * 4);
}

}  // namespace
}  // namespace plumb::circuit
