#include "semantics/float_terms.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "term/evaluator.h"

namespace plumb::semantics {
namespace {

using program::FloatOp;

constexpr FloatOp kComparisons[] = {FloatOp::Equal, FloatOp::Less, FloatOp::LessEqual, FloatOp::Unordered};

/// The comparisons as terms over two variables, to be evaluated for many operands.
class Comparisons {
 public:
  explicit Comparisons(std::uint32_t width)
      : a_(store_.variable(width, "a")), b_(store_.variable(width, "b")), evaluator_(store_, assignment_) {
    for (const FloatOp op : kComparisons) terms_.push_back(*float_result(store_, op, std::array{a_, b_}, 1));
  }

  void expect_agreement(const BitVector& a, const BitVector& b) {
    assignment_[a_] = a;
    assignment_[b_] = b;
    evaluator_.clear();
    const std::vector<const BitVector*> operands{&a, &b};
    for (std::size_t i = 0; i < terms_.size(); ++i)
      ASSERT_EQ(evaluator_.is_true(terms_[i]), evaluate(kComparisons[i], operands, 1).is_one())
          << name(kComparisons[i]) << " of " << a.to_hex() << " and " << b.to_hex();
  }

 private:
  term::TermStore store_;
  term::Term a_, b_;
  term::Assignment assignment_;
  term::Evaluator evaluator_;
  std::vector<term::Term> terms_;
};

/// Zeros, the least and largest of subnormal and normal numbers, infinity, quiet and signalling NaN; of both signs.
std::vector<BitVector> special_values(std::uint32_t width) {
  const std::uint32_t mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const std::uint64_t infinity = BitVector::ones(width - 1 - mantissa).to_uint64() << mantissa;
  const std::uint64_t least_normal = std::uint64_t{1} << mantissa;
  std::vector<BitVector> values;
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, least_normal - 1, least_normal, least_normal + 1, infinity - 1, infinity,
        infinity + 1, infinity + least_normal / 2, infinity + least_normal - 1, infinity / 2, infinity / 2 + 1}) {
    values.emplace_back(width, bits);
    values.emplace_back(width, bits | std::uint64_t{1} << (width - 1));
  }
  return values;
}

class FloatTerms : public testing::TestWithParam<std::uint32_t> {};

TEST_P(FloatTerms, AgreeWithIeeeOnSpecialValues) {
  Comparisons comparisons(GetParam());
  const std::vector<BitVector> values = special_values(GetParam());
  for (const BitVector& a : values)
    for (const BitVector& b : values) comparisons.expect_agreement(a, b);
}

TEST_P(FloatTerms, AgreeWithIeeeOnRandomAndNeighbouringValues) {
  Comparisons comparisons(GetParam());
  std::mt19937_64 random(7);
  for (int i = 0; i < 5000; ++i) {
    const BitVector a(GetParam(), random());
    comparisons.expect_agreement(a, BitVector(GetParam(), random()));
    comparisons.expect_agreement(a, a + BitVector(GetParam(), random() % 3 - 1));
    comparisons.expect_agreement(a, a ^ BitVector::min_signed(GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatTerms, testing::Values(16U, 32U, 64U), testing::PrintToStringParamName());

TEST(FloatTermsOfHalves, AgreeWithIeeeForEveryThirdValueAgainstSpecialOnes) {
  Comparisons comparisons(16);
  for (const BitVector& b : special_values(16))
    for (std::uint64_t bits = 0; bits < 0x10000; bits += 3) comparisons.expect_agreement(BitVector(16, bits), b);
}

TEST(FloatTermsOfHalves, AreComparisonsAndWiderNumbersOfThreeFormatsOnly) {
  EXPECT_TRUE(is_float_term(FloatOp::Less, 64, 1));
  EXPECT_FALSE(is_float_term(FloatOp::Less, 80, 1));
  EXPECT_FALSE(is_float_term(FloatOp::Less, 128, 1));
  EXPECT_FALSE(is_float_term(FloatOp::Add, 32, 32));
  EXPECT_TRUE(is_float_term(FloatOp::Convert, 32, 64));
  EXPECT_FALSE(is_float_term(FloatOp::Convert, 64, 32));
  EXPECT_FALSE(is_float_term(FloatOp::Convert, 64, 80));
}

void expect_widened(std::uint32_t from, std::uint32_t to, const std::vector<BitVector>& values) {
  term::TermStore store;
  const term::Term x = store.variable(from, "x");
  const term::Term wide = *float_result(store, FloatOp::Convert, std::array{x}, to);
  term::Assignment assignment;
  term::Evaluator evaluator(store, assignment);
  for (const BitVector& value : values) {
    assignment[x] = value;
    evaluator.clear();
    const std::vector<const BitVector*> operands{&value};
    ASSERT_EQ(evaluator.bits(wide), evaluate(FloatOp::Convert, operands, to)) << value.to_hex();
  }
}

TEST(FloatTerm, WideningGivesTheBitsThatTheMachineGives) {
  std::vector<BitVector> halves;
  for (std::uint64_t bits = 0; bits < 1U << 16; ++bits) halves.emplace_back(16, bits);
  expect_widened(16, 32, halves);
  expect_widened(16, 64, halves);
  std::vector<BitVector> floats = special_values(32);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) floats.emplace_back(32, random() & 0xffffffff);
  for (int i = 0; i < 2'000; ++i) floats.emplace_back(32, random() & 0x807fffff);  // subnormal
  expect_widened(32, 64, floats);
}

TEST(FloatTerm, IsNothingWhereSomethingIsRoundedUnlessItIsConstant) {
  term::TermStore store;
  const term::Term x = store.variable(64, "x");
  const term::Term two = store.constant(64, 0x4000000000000000);
  EXPECT_FALSE(float_result(store, FloatOp::Add, std::array{x, two}, 64));
  EXPECT_FALSE(float_result(store, FloatOp::Convert, std::array{x}, 32));
  EXPECT_EQ(float_result(store, FloatOp::Add, std::array{two, two}, 64), store.constant(64, 0x4010000000000000));
}

}  // namespace
}  // namespace plumb::semantics
