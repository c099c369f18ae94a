#include <gtest/gtest.h>

#include <array>

#include "byte_terms.h"
#include "term/term_store.h"
#include "two_level_terms.h"

namespace plumb::term {
namespace {

constexpr std::array kOps = {Op::Not, Op::And, Op::Or, Op::Xor, Op::Ite};

TEST(RewriteBitwise, PreservesFunctionOnAllTwoLevelTermsOfWidth1) { expect_function_preserved(kOps, {1, 3}); }
TEST(RewriteBitwise, PreservesFunctionOnAllTwoLevelTermsOfWidth2) { expect_function_preserved(kOps, {2, 2}); }
TEST(RewriteBitwise, PreservesFunctionOnAllTwoLevelTermsOfWidth2WithThreeVariables) {
  expect_function_preserved(kOps, {2, 3});
}
TEST(RewriteBitwise, PreservesFunctionOnAllTwoLevelTermsOfWidth3) { expect_function_preserved(kOps, {3, 2}); }

TEST(RewriteBitwise, DisjunctionAndConjunctionObeyTheLattice) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  EXPECT_EQ(s.bit_and(x, s.bit_or(x, y)), x);
  EXPECT_EQ(s.bit_or(x, s.bit_and(y, x)), x);
  EXPECT_EQ(s.bit_and(x, s.bit_not(x)), s.zero(8));
  EXPECT_EQ(s.bit_or(s.bit_not(y), y), s.ones(8));
  EXPECT_EQ(s.bit_not(s.bit_or(x, y)), s.bit_and(s.bit_not(x), s.bit_not(y)));
  EXPECT_EQ(s.bit_xor(s.bit_xor(x, y), x), y);
}

TEST(RewriteBitwise, BytesPutTogetherByShiftAndOrAreAConcatenation) {
  TermStore s;
  Bytes bytes(s);
  EXPECT_EQ(s.bit_or(bytes.at(1, 16), bytes.at(0, 16)), s.concat(bytes.b[1], bytes.b[0]));
  EXPECT_EQ(s.bit_or(bytes.at(0, 16), bytes.at(1, 16)), s.concat(bytes.b[1], bytes.b[0]));
  Term word = bytes.at(0, 32);
  for (const unsigned i : {1U, 2U, 3U}) word = s.bit_or(word, bytes.at(i, 32));
  EXPECT_EQ(word, bytes.word());
}

TEST(RewriteBitwise, BytesPutTogetherFromTheHighestAreAConcatenation) {
  TermStore s;
  Bytes bytes(s);
  Term word = bytes.at(3, 32);
  for (const unsigned i : {2U, 1U, 0U}) word = s.bit_or(word, bytes.at(i, 32));
  EXPECT_EQ(word, bytes.word());
  EXPECT_EQ(s.bit_or(s.bit_or(bytes.at(3, 32), bytes.at(2, 32)), s.bit_or(bytes.at(1, 32), bytes.at(0, 32))),
            bytes.word());
}

TEST(RewriteBitwise, MasksOfARunOfOnesAreExtracts) {
  TermStore s;
  const Term x = s.variable(32, "x");
  EXPECT_EQ(s.bit_and(x, s.constant(32, 0xff)), s.zero_extend(s.extract(x, 7, 0), 32));
  EXPECT_EQ(s.lshr(s.bit_and(x, s.constant(32, 0xff00)), s.constant(32, 8)), s.zero_extend(s.extract(x, 15, 8), 32));
  EXPECT_EQ(s.bit_or(s.bit_and(x, s.constant(32, 0xffff0000)), s.bit_and(x, s.constant(32, 0xffff))), x);
}

TEST(RewriteBitwise, ChoiceBetweenEqualTermsIsTheTerm) {
  TermStore s;
  const Term p = s.variable(1, "p");
  const Term q = s.variable(1, "q");
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  EXPECT_EQ(s.ite(p, x, x), x);
  EXPECT_EQ(s.ite(s.bit_not(p), x, y), s.ite(p, y, x));
  EXPECT_EQ(s.ite(s.eq(x, y), x, y), y);
  EXPECT_EQ(s.ite(p, s.ite(p, x, y), y), s.ite(p, x, y));
  EXPECT_EQ(s.ite(p, x, s.ite(q, x, y)), s.ite(s.bit_or(p, q), x, y));
  EXPECT_EQ(s.ite(p, s.boolean(true), s.boolean(false)), p);
  EXPECT_EQ(s.ite(p, s.boolean(false), s.boolean(true)), s.bit_not(p));
}

TEST(RewriteBitwise, BalancedConjunctionsAreShallow) {
  TermStore s;
  std::vector<Term> terms;
  for (int i = 0; i < 1024; ++i) terms.push_back(s.variable(1, "p"));
  for (const bool all : {true, false}) {
    Term t = all ? s.all_of(terms) : s.bit_not(s.any_of(terms));
    unsigned levels = 0;
    for (; s.arity(t) > 0; t = s.child(t, 0)) levels += s.op(t) == Op::And ? 1 : 0;
    EXPECT_EQ(levels, 10U);
  }
  EXPECT_TRUE(s.is_true(s.all_of({})));
  EXPECT_TRUE(s.is_false(s.any_of({})));
  EXPECT_EQ(s.all_of(std::span(terms).first(1)), terms[0]);
}

}  // namespace
}  // namespace plumb::term
