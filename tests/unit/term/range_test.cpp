#include "term/range.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace plumb::term {
namespace {

bool contains(const Range& range, std::uint32_t width, std::uint64_t value) {
  const Range one = Range::of(width, value);
  return range.low <= value && value <= range.high && range.least <= one.least && one.least <= range.greatest;
}

/// The smallest range of some of the values.
Range range_over(std::uint32_t width, const std::vector<std::uint64_t>& values) {
  Range range = Range::of(width, values.front());
  for (const std::uint64_t value : values) range = joined(range, Range::of(width, value));
  return range;
}

std::vector<std::uint64_t> random_values(std::mt19937& random, std::uint32_t width) {
  std::vector<std::uint64_t> values;
  const std::uint64_t mask = Range::all(width).high;
  const std::uint64_t base = std::uniform_int_distribution<std::uint64_t>()(random);
  const std::size_t count = 1 + random() % 6;
  const std::uint64_t spread = 1 + random() % (random() % 2 == 0 ? 4 : 64);
  for (std::size_t i = 0; i < count; ++i) values.push_back((base + random() % spread) & mask);
  return values;
}

/// Whatever the operands are, the result is in the range that the operator gives for their ranges.
void expect_sound(Op op, std::uint32_t width, std::mt19937& random) {
  TermStore store;
  std::vector<Term> operands;
  std::vector<std::vector<std::uint64_t>> values;
  for (unsigned i = 0; i < arity(op); ++i) {
    const std::uint32_t own = op == Op::Ite && i == 0 ? 1 : width;
    operands.push_back(store.variable(own, "x"));
    values.push_back(random_values(random, own));
  }
  const std::uint32_t part = 1 + static_cast<std::uint32_t>(random() % width);
  const std::uint32_t result = op == Op::Extract ? part : op == Op::SignExtend ? std::min(64U, width + 3) : width;
  const std::uint32_t parameter = op == Op::Extract ? static_cast<std::uint32_t>(random() % (width - part + 1)) : 0;
  const Term t = store.make(op, operands, result, parameter);
  if (store.op(t) != op) return;  // expressed by others
  std::vector<Range> ranges;
  std::vector<const Range*> pointers;
  for (unsigned i = 0; i < store.arity(t); ++i) {
    std::size_t which = 0;
    while (operands[which] != store.child(t, i)) ++which;
    ranges.push_back(range_over(store.width(operands[which]), values[which]));
  }
  for (const Range& range : ranges) pointers.push_back(&range);
  const Range found = range_of(store, t, pointers.data());
  for (int sample = 0; sample < 60; ++sample) {
    std::vector<BitVector> chosen;
    std::vector<const BitVector*> arguments;
    for (unsigned i = 0; i < store.arity(t); ++i) {
      std::size_t which = 0;
      while (operands[which] != store.child(t, i)) ++which;
      chosen.emplace_back(store.width(operands[which]), values[which][random() % values[which].size()]);
    }
    for (const BitVector& value : chosen) arguments.push_back(&value);
    const std::uint64_t value = evaluate(op, arguments, store.width(t), store.parameter(t)).to_uint64();
    ASSERT_TRUE(contains(found, store.width(t), value)) << name(op) << " of " << width << " bits gives " << value;
  }
}

TEST(Range, ContainsEveryResultOfEveryOperator) {
  std::mt19937 random(5);
  for (int o = static_cast<int>(Op::Not); o <= static_cast<int>(Op::Ite); ++o)
    for (const std::uint32_t width : {1U, 2U, 3U, 5U, 8U, 31U, 32U, 33U, 63U, 64U})
      for (int i = 0; i < 60; ++i) {
        const Op op = static_cast<Op>(o);
        if (op == Op::Concat && width > 32) continue;
        if (op == Op::Repeat) continue;
        expect_sound(op, width, random);
        if (HasFatalFailure()) return;
      }
}

TEST(Range, KnowsWhatFollowsForTheOtherInterval) {
  EXPECT_EQ(Range::of_unsigned(8, 0, 100)->least, 0);
  EXPECT_EQ(Range::of_signed(8, -3, -1)->low, 253U);
  EXPECT_EQ(Range::of_unsigned(8, 100, 200)->least, -128);
  EXPECT_FALSE(common(8, *Range::of_unsigned(8, 0, 10), *Range::of_signed(8, -5, -1)));
}

TEST(Range, AStepDownFromAPositiveNumberStaysBelowIt) {
  const Range minus_one = Range::of(32, 0xFFFFFFFF);
  EXPECT_EQ(sum(32, *Range::of_unsigned(32, 1, 10), minus_one), *Range::of_unsigned(32, 0, 9));
  EXPECT_EQ(sum(32, *Range::of_unsigned(32, 0, 10), minus_one), *Range::of_signed(32, -1, 9));
}

}  // namespace
}  // namespace plumb::term
