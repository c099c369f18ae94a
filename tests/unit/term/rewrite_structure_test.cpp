#include <gtest/gtest.h>

#include <array>

#include "operators.h"
#include "term/term_store.h"
#include "two_level_terms.h"

namespace plumb::term {
namespace {

std::vector<Op> structure() { return operators_between(Op::Concat, Op::Repeat); }

TEST(RewriteStructure, PreservesFunctionOnAllTwoLevelTermsOfWidth1) { expect_function_preserved(structure(), {1, 3}); }
TEST(RewriteStructure, PreservesFunctionOnAllTwoLevelTermsOfWidth2) { expect_function_preserved(structure(), {2, 2}); }
TEST(RewriteStructure, PreservesFunctionOnAllTwoLevelTermsOfWidth2WithThreeVariables) {
  expect_function_preserved(structure(), {2, 3});
}
TEST(RewriteStructure, PreservesFunctionOnAllTwoLevelTermsOfWidth3) { expect_function_preserved(structure(), {3, 2}); }

TEST(RewriteStructure, ReadingBackAPartOfAConcatenationIsThePart) {
  TermStore s;
  std::array<Term, 8> b{};
  for (Term& byte : b) byte = s.variable(8, "b");
  Term word = b[0];
  for (unsigned i = 1; i < 8; ++i) word = s.concat(b[i], word);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(s.extract(word, 8 * i + 7, 8 * i), b[i]);
    EXPECT_EQ(s.extract(s.lshr(word, s.constant(64, 8 * i)), 7, 0), b[i]);
    EXPECT_EQ(s.extract(word, 8 * i + 5, 8 * i + 2), s.extract(b[i], 5, 2));
  }
  EXPECT_EQ(s.extract(word, 31, 16), s.concat(b[3], b[2]));
}

TEST(RewriteStructure, PartsPutTogetherAgainAreTheWhole) {
  TermStore s;
  const Term x = s.variable(32, "x");
  Term whole = s.extract(x, 7, 0);
  for (std::uint32_t i = 1; i < 4; ++i) whole = s.concat(s.extract(x, 8 * i + 7, 8 * i), whole);
  EXPECT_EQ(whole, x);
  Term bits = s.bit(x, 31);
  for (std::uint32_t i = 31; i-- > 0;) bits = s.concat(bits, s.bit(x, i));
  EXPECT_EQ(bits, x);
}

TEST(RewriteStructure, ConcatenationsInEitherGroupingAreOneTerm) {
  TermStore s;
  const Term a = s.variable(3, "a");
  const Term b = s.variable(5, "b");
  const Term c = s.variable(7, "c");
  EXPECT_EQ(s.concat(s.concat(a, b), c), s.concat(a, s.concat(b, c)));
  EXPECT_EQ(s.concat(s.concat(a, s.constant(2, 1)), s.concat(s.constant(3, 5), c)),
            s.concat(a, s.concat(s.constant(5, 13), c)));
}

TEST(RewriteStructure, ExtensionsOfExtensionsAreOneExtension) {
  TermStore s;
  const Term x = s.variable(8, "x");
  EXPECT_EQ(s.sign_extend(s.sign_extend(x, 16), 32), s.sign_extend(x, 32));
  EXPECT_EQ(s.zero_extend(s.zero_extend(x, 16), 32), s.zero_extend(x, 32));
  EXPECT_EQ(s.sign_extend(s.zero_extend(x, 16), 32), s.zero_extend(x, 32));
  EXPECT_EQ(s.extract(s.sign_extend(x, 32), 7, 0), x);
  EXPECT_EQ(s.extract(s.sign_extend(x, 32), 15, 0), s.sign_extend(x, 16));
  EXPECT_EQ(s.extract(s.sign_extend(x, 32), 31, 31), s.bit(x, 7));
}

TEST(RewriteStructure, SumsComputedInAWiderTypeNarrow) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  const auto low = [&](Term t) { return s.extract(t, 7, 0); };
  for (const bool is_signed : {false, true}) {
    const Term a = is_signed ? s.sign_extend(x, 32) : s.zero_extend(x, 32);
    const Term b = is_signed ? s.sign_extend(y, 32) : s.zero_extend(y, 32);
    EXPECT_EQ(low(s.add(a, b)), s.add(x, y));
    EXPECT_EQ(low(s.mul(a, b)), s.mul(x, y));
    EXPECT_EQ(low(s.add(a, s.constant(32, 1))), s.add(x, s.constant(8, 1)));
    EXPECT_EQ(low(s.neg(a)), s.neg(x));
  }
}

}  // namespace
}  // namespace plumb::term
