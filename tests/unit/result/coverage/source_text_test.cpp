#include "result/coverage/source_text.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

TEST(SourceText, PositionsAndOffsetsAreInverse) {
  const SourceText text("ab\n\ncd");
  for (std::size_t i = 0; i <= 6; ++i) EXPECT_EQ(text.offset(text.position(i)), i);
  EXPECT_EQ(text.position(4), (TextPosition{3, 1}));
  EXPECT_FALSE(text.offset({4, 1}));
  EXPECT_FALSE(text.offset({1, 9}));
  EXPECT_FALSE(text.offset({0, 0}));
}

TEST(SourceText, CommentsAndLiteralsAreNoCode) {
  const SourceText text("a /* && */ || b; s = \"&& \\\" {\"; c = '\\''; // &&\n1'000 && x");
  EXPECT_EQ(text.operator_after(1), 11U);
  for (const std::size_t inside : {5U, 22U, 38U, 46U}) EXPECT_FALSE(text.has(inside, "&&"));
  EXPECT_EQ(text.operator_after(text.offset({2, 6}).value()), text.offset({2, 7}));
}

TEST(SourceText, AnOperatorIsFoundBehindClosingParentheses) {
  const SourceText text("if ((a == b) \n && c) return d;");
  EXPECT_EQ(text.operator_after(11), 15U);
  EXPECT_FALSE(text.operator_after(19));
}

TEST(SourceText, AConditionBeginsWithItsParenthesesAndNegations) {
  const SourceText text("while ( !(a) || !b)");
  EXPECT_EQ(text.before(10).first, 8U - 2U);
  EXPECT_TRUE(text.has(text.before(10).word.value(), "while"));
  EXPECT_FALSE(text.before(10).is_operator);
  EXPECT_TRUE(text.before(17).is_operator);
  EXPECT_EQ(text.before(17).word, 13U);
}

TEST(SourceText, ASwitchEndsWithItsBlock) {
  const SourceText text("switch (f(x)) { case '}': { break; } } y");
  EXPECT_EQ(text.switch_extent(0), std::pair(std::size_t{0}, std::size_t{37}));
  EXPECT_FALSE(text.switch_extent(1));
  EXPECT_FALSE(SourceText("switch (x) {").switch_extent(0));
}

}  // namespace
}  // namespace plumb::result
