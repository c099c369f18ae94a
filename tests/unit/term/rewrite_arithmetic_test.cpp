#include <gtest/gtest.h>

#include <array>

#include "byte_terms.h"
#include "operators.h"
#include "term/evaluator.h"
#include "two_level_terms.h"
#include "unit/base/random_bit_vector.h"

namespace plumb::term {
namespace {

std::vector<Op> sums_and_products() { return operators_between(Op::Neg, Op::Mul); }
std::vector<Op> divisions() { return operators_between(Op::Udiv, Op::Smod); }
std::vector<Op> shifts() { return operators_between(Op::Shl, Op::RotateRight); }
std::vector<Op> overflows() { return operators_between(Op::NegOverflow, Op::SdivOverflow); }

TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelTermsOfWidth1) {
  for (const auto& ops : {sums_and_products(), divisions(), shifts(), overflows()})
    expect_function_preserved(ops, {1, 3});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelSumsAndProductsOfWidth2) {
  expect_function_preserved(sums_and_products(), {2, 2});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelDivisionsOfWidth2) {
  expect_function_preserved(divisions(), {2, 2});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelShiftsOfWidth2) { expect_function_preserved(shifts(), {2, 2}); }
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelOverflowsOfWidth2) {
  expect_function_preserved(overflows(), {2, 2});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelTermsOfWidth2WithThreeVariables) {
  for (const auto& ops : {sums_and_products(), divisions(), shifts(), overflows()})
    expect_function_preserved(ops, {2, 3});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelSumsAndProductsOfWidth3) {
  expect_function_preserved(sums_and_products(), {3, 2});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelDivisionsOfWidth3) {
  expect_function_preserved(divisions(), {3, 2});
}
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelShiftsOfWidth3) { expect_function_preserved(shifts(), {3, 2}); }
TEST(RewriteArithmetic, PreservesFunctionOnAllTwoLevelOverflowsOfWidth3) {
  expect_function_preserved(overflows(), {3, 2});
}

TEST(RewriteArithmetic, SumsCancel) {
  TermStore s;
  for (const std::uint32_t w : {1U, 2U, 8U, 32U, 64U, 128U}) {
    const Term x = s.variable(w, "x");
    const Term a = s.variable(w, "a");
    const Term b = s.variable(w, "b");
    EXPECT_EQ(s.sub(s.add(x, s.one(w)), s.one(w)), x);
    EXPECT_EQ(s.add(s.sub(x, s.one(w)), s.one(w)), x);
    EXPECT_EQ(s.sub(s.add(a, b), s.add(b, a)), s.zero(w));
    EXPECT_EQ(s.sub(s.add(a, b), b), a);
    EXPECT_EQ(s.add(s.sub(a, b), b), a);
    EXPECT_EQ(s.add(s.add(x, s.constant(w, 3)), s.constant(w, 5)), s.add(s.constant(w, 8), x));
    EXPECT_EQ(s.neg(s.sub(a, b)), s.sub(b, a));
  }
  const Term x = s.variable(32, "x");
  EXPECT_EQ(s.add(x, s.add(x, x)), s.mul(s.constant(32, 3), x));
  EXPECT_EQ(s.sub(s.mul(s.constant(32, 5), x), s.mul(x, s.constant(32, 4))), x);
}

TEST(RewriteArithmetic, BytesPutTogetherByShiftAndAddAreAConcatenation) {
  TermStore s;
  Bytes bytes(s);
  EXPECT_EQ(s.add(bytes.at(1, 16), bytes.at(0, 16)), s.concat(bytes.b[1], bytes.b[0]));
  EXPECT_EQ(s.add(bytes.at(0, 16), bytes.at(1, 16)), s.concat(bytes.b[1], bytes.b[0]));
  Term word = bytes.at(0, 32);
  for (const unsigned i : {1U, 2U, 3U}) word = s.add(word, bytes.at(i, 32));
  EXPECT_EQ(word, bytes.word());
}

TEST(RewriteArithmetic, BytesPutTogetherFromTheHighestAreAConcatenation) {
  TermStore s;
  Bytes bytes(s);
  Term word = bytes.at(3, 32);
  for (const unsigned i : {2U, 1U, 0U}) word = s.add(word, bytes.at(i, 32));
  EXPECT_EQ(word, bytes.word());
  EXPECT_EQ(s.add(s.add(bytes.at(3, 32), bytes.at(2, 32)), s.add(bytes.at(1, 32), bytes.at(0, 32))), bytes.word());
}

bool contains(const TermStore& s, Term root, Op op) {
  bool found = false;
  TermSet seen;
  post_order(s, std::array{root}, seen, [&](Term t) { found = found || s.op(t) == op; });
  return found;
}

TEST(RewriteArithmetic, DivisionByAConstantHasNoUdiv) {
  TermStore s;
  const Term x = s.variable(8, "x");
  for (std::uint64_t d = 0; d < 256; ++d) {
    const Term quotient = s.udiv(x, s.constant(8, d));
    EXPECT_FALSE(contains(s, quotient, Op::Udiv)) << d;
    EXPECT_FALSE(contains(s, s.sdiv(x, s.constant(8, d)), Op::Udiv)) << d;
    for (std::uint64_t v = 0; v < 256; ++v) {
      const Assignment assignment{{x, BitVector(8, v)}};
      ASSERT_EQ(Evaluator(s, assignment).bits(quotient), BitVector(8, v).udiv(BitVector(8, d))) << v << " / " << d;
    }
  }
}

TEST(RewriteArithmetic, DivisionByAConstantIsExactForWideOperands) {
  RandomBitVectors random(11);
  for (const std::uint32_t w : {16U, 32U, 33U, 63U, 64U, 65U, 128U}) {
    for (int i = 0; i < 60; ++i) {
      TermStore s;
      const Term x = s.variable(w, "x");
      const BitVector d = random.next(w);
      const Term quotient = s.udiv(x, s.constant(d));
      EXPECT_FALSE(contains(s, quotient, Op::Udiv)) << d.to_decimal();
      const BitVector multiple = d * random.next(w);
      for (const BitVector& v : {random.next(w), multiple, multiple - BitVector(w, 1), BitVector::ones(w)}) {
        const Assignment assignment{{x, v}};
        ASSERT_EQ(Evaluator(s, assignment).bits(quotient), v.udiv(d)) << v.to_decimal() << " / " << d.to_decimal();
      }
    }
  }
}

TEST(RewriteArithmetic, DivisionOfAnExtendedTermByAConstantHasNoUdiv) {
  TermStore s;
  const Term x = s.variable(8, "x");
  for (const std::uint64_t d : {3ULL, 10ULL, 200ULL, 255ULL, 300ULL, 1000ULL, 1000000ULL})
    EXPECT_FALSE(contains(s, s.udiv(s.zero_extend(x, 32), s.constant(32, d)), Op::Udiv)) << d;
}

TEST(RewriteArithmetic, ShiftsByConstantsAreStructure) {
  TermStore s;
  const Term x = s.variable(8, "x");
  for (std::uint64_t k = 0; k < 256; ++k) {
    const Term amount = s.constant(8, k);
    EXPECT_FALSE(contains(s, s.shl(x, amount), Op::Shl));
    EXPECT_FALSE(contains(s, s.lshr(x, amount), Op::Lshr));
    EXPECT_FALSE(contains(s, s.ashr(x, amount), Op::Ashr));
    EXPECT_EQ(s.rotate_right(s.rotate_left(x, amount), amount), x);
  }
}

}  // namespace
}  // namespace plumb::term
