#include "interpret/undefined_bits.h"

#include <gtest/gtest.h>

#include <array>

namespace plumb::interpret {

using program::name;
namespace {

using term::Op;

/// Which bits of the result differ between two completions of the operands, by trying all of them.
BitVector differing_bits(Op op, std::span<const BitVector> values, std::span<const BitVector> undefined,
                         std::uint32_t width, std::uint32_t parameter) {
  std::vector<std::vector<BitVector>> choices(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::uint64_t x = 0; x < std::uint64_t{1} << values[i].width(); ++x)
      if (const BitVector chosen(values[i].width(), x); ((chosen ^ values[i]) & ~undefined[i]).is_zero())
        choices[i].push_back(chosen);
  BitVector can_be_one(width, 0);
  BitVector can_be_zero(width, 0);
  std::vector<std::size_t> at(values.size());
  for (;;) {
    std::vector<const BitVector*> operands;
    for (std::size_t i = 0; i < at.size(); ++i) operands.push_back(&choices[i][at[i]]);
    const BitVector result = term::evaluate(op, operands, width, parameter);
    can_be_one = can_be_one | result;
    can_be_zero = can_be_zero | ~result;
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == choices[i].size()) at[i++] = 0;
    if (i == at.size()) break;
  }
  return can_be_one & can_be_zero;
}

struct Case {
  friend void PrintTo(const Case& tested, std::ostream* out) { *out << name(tested.op); }

  Op op;
  std::uint32_t width;  ///< of the result; 0: of the operands
  std::uint32_t parameter;
  bool is_exact;
};

class UndefinedBits : public testing::TestWithParam<Case> {};

TEST_P(UndefinedBits, CoverEveryBitThatUndefinedBitsCanChange) {
  const Case& c = GetParam();
  constexpr std::uint32_t kWidth = 3;
  const unsigned arity = term::arity(c.op);
  std::array<std::uint32_t, 3> widths{kWidth, kWidth, kWidth};
  if (c.op == Op::Ite) widths[0] = 1;
  const std::uint32_t width = c.width != 0 ? c.width : term::is_predicate(c.op) ? 1 : kWidth;
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < arity; ++i) bits += 2 * widths[i];
  for (std::uint64_t n = 0; n < std::uint64_t{1} << bits; ++n) {
    std::vector<BitVector> values;
    std::vector<BitVector> undefined;
    std::uint64_t rest = n;
    for (unsigned i = 0; i < arity; ++i) {
      values.emplace_back(widths[i], rest);
      undefined.emplace_back(widths[i], rest >> widths[i]);
      rest >>= 2 * widths[i];
    }
    const BitVector said = undefined_bits(c.op, values, undefined, width, c.parameter);
    const BitVector differing = differing_bits(c.op, values, undefined, width, c.parameter);
    ASSERT_TRUE((differing & ~said).is_zero()) << name(c.op) << " of case " << n << " misses " << differing.to_binary();
    if (!c.is_exact) continue;
    ASSERT_EQ(said, differing) << name(c.op) << " of case " << n;
  }
}

// What programs do with bits that were never written on purpose has to be exact: masks, fields, copies, comparisons.
INSTANTIATE_TEST_SUITE_P(
    Operators, UndefinedBits,
    testing::Values(Case{Op::Not, 0, 0, true}, Case{Op::And, 0, 0, true}, Case{Op::Or, 0, 0, true},
                    Case{Op::Xor, 0, 0, true}, Case{Op::Neg, 0, 0, false}, Case{Op::Add, 0, 0, true},
                    Case{Op::Sub, 0, 0, true}, Case{Op::Mul, 0, 0, false}, Case{Op::Udiv, 0, 0, false},
                    Case{Op::Srem, 0, 0, false}, Case{Op::Shl, 0, 0, false}, Case{Op::Lshr, 0, 0, false},
                    Case{Op::Ashr, 0, 0, false}, Case{Op::RotateLeft, 0, 0, false}, Case{Op::Eq, 0, 0, true},
                    Case{Op::Ult, 0, 0, true}, Case{Op::Ule, 0, 0, true}, Case{Op::Slt, 0, 0, true},
                    Case{Op::Sle, 0, 0, true}, Case{Op::SaddOverflow, 0, 0, false}, Case{Op::Concat, 6, 0, true},
                    Case{Op::Extract, 2, 1, true}, Case{Op::ZeroExtend, 5, 0, true}, Case{Op::SignExtend, 5, 0, true},
                    Case{Op::Repeat, 6, 0, true}, Case{Op::Ite, 0, 0, true}),
    [](const auto& tested) {
      std::string text(name(tested.param.op));
      std::erase(text, '-');
      return text;
    });

TEST(UndefinedBitsOfShifts, AreShiftedAlongIfTheAmountIsKnown) {
  const BitVector value(8, 0b1010'0101);
  const BitVector undefined(8, 0b0000'1100);
  for (std::uint32_t amount = 0; amount < 10; ++amount) {
    const std::array values{value, BitVector(8, amount)};
    const std::array unknown{undefined, BitVector(8, 0)};
    EXPECT_EQ(undefined_bits(Op::Shl, values, unknown, 8, 0), undefined.shl(BitVector(8, amount)));
    EXPECT_EQ(undefined_bits(Op::Lshr, values, unknown, 8, 0), undefined.lshr(BitVector(8, amount)));
  }
}

TEST(UndefinedBitsOfWideValues, AreThoseOfTheirHalves) {
  const BitVector low(64, 0xF0);
  const BitVector none(64, 0);
  const std::array values{none, none};
  const std::array unknown{none, low};
  const BitVector both = undefined_bits(Op::Concat, values, unknown, 128, 0);
  EXPECT_EQ(both, none.concat(low));
  const std::array wide{BitVector(128, 0)};
  const std::array wide_unknown{both};
  EXPECT_EQ(undefined_bits(Op::Extract, wide, wide_unknown, 64, 0), low);
  EXPECT_TRUE(undefined_bits(Op::Extract, wide, wide_unknown, 64, 64).is_zero());
}

}  // namespace
}  // namespace plumb::interpret
