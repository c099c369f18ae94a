#include "lang/bip/syntax/lexer.h"

#include <gtest/gtest.h>

namespace plumb::bip {
namespace {

std::string texts(const std::string& text) {
  Tokens tokens(text, "f");
  std::string result;
  while (!tokens.is_at_end()) result += (result.empty() ? "" : " ") + std::string(tokens.next().text);
  return result;
}

std::string error_of(const std::string& text) {
  try {
    const Tokens tokens(text, "f");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BipLexer, TakesTheLongestSymbol) {
  EXPECT_EQ(texts("a<<=b>>=c<=d=>e==f++g--h&&i||j"), "a <<= b >>= c <= d => e == f ++ g -- h && i || j");
  EXPECT_EQ(texts("c0:*<*:*"), "c0 : * < * : *");
  EXPECT_EQ(texts("define(a b)'c'"), "define ( a b ) ' c '");
}

TEST(BipLexer, SkipsBlanksAndComments) {
  EXPECT_EQ(texts(" a // b */ \n /* c \n // */ d\t\r\n/**/"), "a d");
  EXPECT_EQ(texts("a // the end"), "a");
}

TEST(BipLexer, PlacesCountFromOneAcrossLinesAndComments) {
  const std::string text = "a /* \n\n */ bc\n\td";
  Tokens tokens(text, "f");
  EXPECT_EQ(tokens.next().place, (Place{1, 1}));
  const Token second = tokens.next();
  EXPECT_EQ(second.place, (Place{3, 5}));
  EXPECT_EQ(second.offset, text.find("bc"));
  EXPECT_EQ(tokens.next().place, (Place{4, 2}));
  EXPECT_EQ(tokens.peek().place, (Place{4, 3}));
}

TEST(BipLexer, ReadsNumbersUpToTheLargest) {
  const std::string text = "0 7 9223372036854775807 0x7fffFFFFffffFFFF 0X10";
  Tokens tokens(text, "f");
  EXPECT_EQ(tokens.next().number, 0);
  EXPECT_EQ(tokens.next().number, 7);
  EXPECT_EQ(tokens.next().number, INT64_MAX);
  EXPECT_EQ(tokens.next().number, INT64_MAX);
  EXPECT_EQ(tokens.next().number, 16);
}

TEST(BipLexer, NumbersWithFractionsAndStringsAreVerbatim) {
  for (const std::string text : {"3.14", "3.", ".5", "1e5", "2.5E-3", "\"a \\\" b\"", "\"\""}) {
    Tokens tokens(text, "f");
    EXPECT_EQ(tokens.peek().kind, Token::Kind::Verbatim) << text;
    EXPECT_EQ(tokens.next().text, text);
    EXPECT_TRUE(tokens.is_at_end()) << text;
  }
}

TEST(BipLexer, ErrorsTellThePlaceAndTheRemedy) {
  EXPECT_EQ(error_of("a\n 9223372036854775808"),
            "f:2:2: error: this number does not fit in 63 bits\n  hint: the largest is 9223372036854775807");
  EXPECT_EQ(error_of("0x8000000000000000"),
            "f:1:1: error: this number does not fit in 63 bits\n  hint: the largest is 9223372036854775807");
  EXPECT_EQ(error_of("x = 012"),
            "f:1:5: error: the number '012' starts with a zero\n  hint: leave out the zero; numbers are decimal, or "
            "hexadecimal with '0x'");
  EXPECT_EQ(error_of("12ab"),
            "f:1:1: error: '12ab' is neither a number nor a name\n  hint: names start with a letter or '_'");
  EXPECT_EQ(error_of("0xg"),
            "f:1:1: error: '0xg' is neither a number nor a name\n  hint: names start with a letter or '_'");
  EXPECT_EQ(error_of("0x"),
            "f:1:1: error: '0x' is neither a number nor a name\n  hint: names start with a letter or '_'");
  EXPECT_EQ(error_of("a\n  /* b"), "f:2:3: error: this comment does not end\n  hint: end it with '*/'");
  EXPECT_EQ(error_of("@x(\"a\n\")"),
            "f:1:4: error: this string does not end\n  hint: end it with '\"' on the same line");
  EXPECT_EQ(error_of("a $"),
            "f:1:3: error: unexpected character '$'\n  hint: names are of letters, digits and '_'; comments start with "
            "'//'");
  EXPECT_EQ(error_of("\xc3\xa4"),
            "f:1:1: error: unexpected character with the code 0xc3\n  hint: names are of letters, digits and '_'; "
            "comments start with '//'");
}

TEST(BipLexer, TheEndIsRepeatedAndPositionsCanBeTakenBack) {
  const std::string text = "a b";
  Tokens tokens(text, "f");
  const std::size_t start = tokens.position();
  EXPECT_TRUE(tokens.accept("a"));
  EXPECT_FALSE(tokens.accept("a"));
  EXPECT_TRUE(tokens.accept("b"));
  EXPECT_EQ(tokens.next().kind, Token::Kind::End);
  EXPECT_EQ(tokens.next().kind, Token::Kind::End);
  EXPECT_EQ(tokens.peek(100).kind, Token::Kind::End);
  tokens.set_position(start);
  EXPECT_TRUE(tokens.is("a"));
  EXPECT_TRUE(tokens.peek(1).is("b"));
}

TEST(BipLexer, PlacesAreShownAsTheUserOfTheTokensWants) {
  const std::string text = "a b";
  Tokens tokens(text, [](Place place) { return SourceLocation{"g", place.line + 10, place.column + 5}; });
  tokens.next();
  try {
    tokens.expect("c", "behind 'a'", "add it");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "g:11:8: error: expected 'c' behind 'a', found 'b'\n  hint: add it");
  }
}

}  // namespace
}  // namespace plumb::bip
