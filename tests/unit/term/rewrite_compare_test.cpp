#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "operators.h"
#include "term/evaluator.h"
#include "two_level_terms.h"

namespace plumb::term {
namespace {

std::vector<Op> comparisons() { return operators_between(Op::Eq, Op::Sle); }

TEST(RewriteCompare, PreservesFunctionOnAllTwoLevelTermsOfWidth1) { expect_function_preserved(comparisons(), {1, 3}); }
TEST(RewriteCompare, PreservesFunctionOnAllTwoLevelTermsOfWidth2) { expect_function_preserved(comparisons(), {2, 2}); }
TEST(RewriteCompare, PreservesFunctionOnAllTwoLevelTermsOfWidth2WithThreeVariables) {
  expect_function_preserved(comparisons(), {2, 3});
}
TEST(RewriteCompare, PreservesFunctionOnAllTwoLevelTermsOfWidth3) { expect_function_preserved(comparisons(), {3, 2}); }

/// The terms of one operator that keeps the width, on all choices of leaves.
std::vector<Term> one_level_terms(TermStore& s, std::span<const Term> leaves) {
  std::vector<Term> result;
  for (const Op op : bit_vector_operators()) {
    if (!keeps_width(op)) continue;
    for (const Term a : leaves) {
      for (const Term b : leaves) {
        const std::array operands{a, b};
        result.push_back(s.make(op, std::span(operands).first(arity(op))));
      }
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Both sides of the comparison are operators: where rules look at two terms.
TEST(RewriteCompare, PreservesFunctionWhereBothSidesHaveAnOperator) {
  for (const std::uint32_t w : {2U, 3U}) {
    TermStore s;
    const std::array<Term, 4> leaves = {s.variable(w, "x"), s.variable(w, "y"), s.constant(w, 1), s.constant(w, 2)};
    const std::vector<Term> sides = one_level_terms(s, leaves);
    struct Comparison {
      Op op;
      Term a;
      Term b;
      Term result;
    };
    std::vector<Comparison> made;
    for (const Op op : comparisons())
      for (const Term a : sides)
        for (const Term b : sides) made.push_back({op, a, b, s.make(op, std::array{a, b})});
    for (std::uint64_t v = 0; v < (std::uint64_t{1} << (2 * w)); ++v) {
      const Assignment assignment{{leaves[0], BitVector(w, v)}, {leaves[1], BitVector(w, v >> w)}};
      Evaluator evaluator(s, assignment);
      for (const Comparison& c : made) {
        const BitVector a = evaluator.bits(c.a);
        const BitVector b = evaluator.bits(c.b);
        ASSERT_EQ(evaluator.bits(c.result), evaluate(c.op, std::array<const BitVector*, 2>{&a, &b}, 1, 0))
            << name(c.op) << " of " << name(s.op(c.a)) << " and " << name(s.op(c.b)) << " at " << v;
      }
    }
  }
}

bool has_equality_over_ite(const TermStore& s, Term root) {
  bool found = false;
  TermSet seen;
  post_order(s, std::array{root}, seen, [&](Term t) {
    if (s.op(t) == Op::Eq) found = found || s.op(s.child(t, 0)) == Op::Ite || s.op(s.child(t, 1)) == Op::Ite;
  });
  return found;
}

TEST(RewriteCompare, StateMachinesComparedWithConstantsHaveNoEqualityOverIte) {
  TermStore s;
  const Term state = s.variable(8, "state");
  Term next = state;
  for (std::uint64_t i = 0; i < 20; ++i)
    next =
        s.ite(s.bit_and(s.eq(state, s.constant(8, i)), s.variable(1, "guard")), s.constant(8, (i * 7 + 1) % 20), next);
  for (std::uint64_t i = 0; i < 21; ++i) EXPECT_FALSE(has_equality_over_ite(s, s.eq(next, s.constant(8, i)))) << i;
  EXPECT_FALSE(has_equality_over_ite(s, s.eq(s.add(next, s.one(8)), s.constant(8, 4))));
  EXPECT_TRUE(s.is_false(s.eq(s.ite(s.variable(1, "p"), s.constant(8, 1), s.constant(8, 2)), s.constant(8, 3))));
}

TEST(RewriteCompare, LinearEquationsAreSolved) {
  TermStore s;
  const Term x = s.variable(32, "x");
  const Term y = s.variable(32, "y");
  const auto c = [&](std::uint64_t v) { return s.constant(32, v); };
  EXPECT_EQ(s.eq(s.add(x, c(5)), c(7)), s.eq(x, c(2)));
  EXPECT_EQ(s.eq(s.add(x, c(5)), s.add(y, c(5))), s.eq(x, y));
  EXPECT_EQ(s.eq(s.add(x, y), x), s.eq(y, c(0)));
  EXPECT_EQ(s.eq(s.mul(x, c(3)), c(21)), s.eq(x, c(7)));
  EXPECT_TRUE(s.is_false(s.eq(s.mul(x, c(4)), c(7))));
  EXPECT_TRUE(s.is_false(s.eq(s.add(x, c(1)), x)));
  EXPECT_TRUE(s.is_true(s.eq(s.add(x, x), s.shl(x, c(1)))));
}

TEST(RewriteCompare, PolynomialIdentitiesAreTrue) {
  TermStore s;
  for (const std::uint32_t w : {8U, 32U, 64U, 128U}) {
    const Term a = s.variable(w, "a");
    const Term b = s.variable(w, "b");
    const Term c = s.variable(w, "c");
    const Term left = s.mul(a, s.add(b, c));
    const Term right = s.add(s.mul(a, b), s.mul(a, c));
    EXPECT_TRUE(s.is_true(s.eq(left, right)));
    EXPECT_TRUE(s.is_false(s.eq(left, s.add(right, s.one(w)))));
    EXPECT_TRUE(s.is_true(s.eq(s.mul(s.mul(a, b), c), s.mul(a, s.mul(c, b)))));
    const Term square = s.mul(s.add(a, b), s.add(a, b));
    EXPECT_TRUE(s.is_true(s.eq(square, s.add(s.add(s.mul(a, a), s.mul(b, b)), s.mul(s.constant(w, 2), s.mul(a, b))))));
    EXPECT_TRUE(s.is_true(s.eq(s.mul(s.add(a, b), s.sub(a, b)), s.sub(s.mul(a, a), s.mul(b, b)))));
  }
}

TEST(RewriteCompare, RemainderIsDividendMinusQuotientTimesDivisor) {
  TermStore s;
  for (const std::uint32_t w : {2U, 8U, 32U, 64U}) {
    const Term x = s.variable(w, "x");
    const Term y = s.variable(w, "y");
    EXPECT_TRUE(s.is_true(s.eq(s.urem(x, y), s.sub(x, s.mul(s.udiv(x, y), y)))));
    EXPECT_TRUE(s.is_true(s.eq(x, s.add(s.mul(s.udiv(x, y), y), s.urem(x, y)))));
    const Term three = s.constant(w, 3);
    EXPECT_TRUE(s.is_true(s.eq(s.urem(x, three), s.sub(x, s.mul(s.udiv(x, three), three)))));
  }
}

TEST(RewriteCompare, ComparisonsOfExtensionsNarrow) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const auto zero = [&](Term t) { return s.zero_extend(t, 32); };
  const auto sign = [&](Term t) { return s.sign_extend(t, 32); };
  EXPECT_EQ(s.eq(zero(x), zero(y)), s.eq(x, y));
  EXPECT_EQ(s.eq(sign(x), sign(y)), s.eq(x, y));
  EXPECT_EQ(s.ult(zero(x), zero(y)), s.ult(x, y));
  EXPECT_EQ(s.slt(zero(x), zero(y)), s.ult(x, y));
  EXPECT_EQ(s.slt(sign(x), sign(y)), s.slt(x, y));
  EXPECT_EQ(s.ule(zero(x), zero(y)), s.ule(x, y));
  EXPECT_EQ(s.sle(sign(x), sign(y)), s.sle(x, y));
}

TEST(RewriteCompare, ComparisonsOfExtensionsWithConstantsNarrow) {
  TermStore s;
  const Term x = s.variable(4, "x");
  const BitVector sixteen(8, 16);
  for (std::uint64_t v = 0; v < 256; ++v) {
    const BitVector k(8, v);
    const Term c = s.constant(k);
    for (const Term wide : {s.zero_extend(x, 8), s.sign_extend(x, 8)}) {
      const bool is_signed = s.op(wide) == Op::SignExtend;
      std::vector<Term> comparisons{s.eq(wide, c), s.slt(wide, c), s.slt(c, wide)};
      if (!is_signed) comparisons.insert(comparisons.end(), {s.ult(wide, c), s.ult(c, wide)});
      for (const Term t : comparisons) {
        TermSet seen;
        post_order(s, std::array{t}, seen, [&](Term u) { EXPECT_LE(s.width(u), 4U) << v; });
      }
      const bool fits = is_signed ? k.extract(3, 0).sign_extend(8) == k : k.ult(sixteen);
      EXPECT_EQ(s.is_constant(comparisons[0]), !fits) << v;
    }
  }
}

TEST(RewriteCompare, SurelyDistinctSeesConstantsOffsetsAndComplements) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const auto c = [&](std::uint64_t v) { return s.constant(8, v); };
  EXPECT_TRUE(s.surely_distinct(c(1), c(2)));
  EXPECT_TRUE(s.surely_distinct(x, s.add(x, c(1))));
  EXPECT_TRUE(s.surely_distinct(s.add(x, c(1)), s.add(x, c(2))));
  EXPECT_TRUE(s.surely_distinct(s.add(s.add(x, y), c(1)), s.add(y, x)));
  EXPECT_TRUE(s.surely_distinct(x, s.bit_not(x)));
  EXPECT_TRUE(s.surely_distinct(s.concat(c(1), x), s.concat(c(2), y)));
  EXPECT_TRUE(s.surely_distinct(s.concat(x, c(1)), s.concat(y, c(2))));
  EXPECT_FALSE(s.surely_distinct(x, x));
  EXPECT_FALSE(s.surely_distinct(x, y));
  EXPECT_FALSE(s.surely_distinct(x, c(1)));
  EXPECT_FALSE(s.surely_distinct(s.add(x, c(1)), s.add(y, c(2))));
  EXPECT_FALSE(s.surely_distinct(x, s.neg(x)));
  EXPECT_FALSE(s.surely_distinct(s.concat(c(1), x), s.concat(c(1), y)));
}

TEST(RewriteCompare, SurelyDistinctTermsDifferUnderEveryAssignment) {
  constexpr std::uint32_t kWidth = 3;
  TermStore s;
  const std::array<Term, 5> leaves = {s.variable(kWidth, "x"), s.variable(kWidth, "y"), s.constant(kWidth, 1),
                                      s.constant(kWidth, 4), s.concat(s.variable(1, "p"), s.constant(2, 1))};
  const std::vector<Term> terms = one_level_terms(s, leaves);
  const Term p = s.child(leaves[4], 0);
  std::size_t pairs = 0;
  for (std::uint64_t v = 0; v < 128; ++v) {
    const Assignment assignment{
        {leaves[0], BitVector(kWidth, v)}, {leaves[1], BitVector(kWidth, v >> 3)}, {p, BitVector(1, v >> 6)}};
    Evaluator evaluator(s, assignment);
    for (const Term a : terms) {
      for (const Term b : terms) {
        if (!s.surely_distinct(a, b)) continue;
        ++pairs;
        const BitVector value = evaluator.bits(a);
        ASSERT_NE(value, evaluator.bits(b));
      }
    }
  }
  EXPECT_GT(pairs, 1000U);
}

}  // namespace
}  // namespace plumb::term
