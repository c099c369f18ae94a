#include "lang/tiny/syntax/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "unit/lang/tiny/mistakes_of.h"

namespace plumb::tiny {
namespace {

std::string words(const std::string& text) {
  std::vector<UserError> errors;
  std::vector<std::string> all;
  for (const Token& token : scan(text, "f", errors)) all.emplace_back(token.text);
  EXPECT_TRUE(errors.empty()) << text;
  return fmt::format("{}", fmt::join(all, " "));
}

std::string errors_of(const std::string& text) {
  std::vector<UserError> errors;
  scan(text, "f", errors);
  std::string lines;
  for (const UserError& error : errors)
    lines += fmt::format("{}:{}: {}\n", error.location().line, error.location().column, error.message());
  return lines;
}

TEST(TinyLexer, TakesTheLongestSymbol) {
  EXPECT_EQ(words("a<<=b>>=c<=d->e--f-g"), "a <<= b >>= c <= d -> e -- f - g ");
  EXPECT_EQ(words("i++ +j&&k&l||m|n"), "i ++ + j && k & l || m | n ");
}

TEST(TinyLexer, ReadsRangesWithAndWithoutBlanks) {
  EXPECT_EQ(words("[0..n-1]"), "[ 0 .. n - 1 ] ");
  EXPECT_EQ(words("[0 .. n-1]"), "[ 0 .. n - 1 ] ");
  EXPECT_EQ(words("[0...n-1]"), "[ 0 ... n - 1 ] ");
}

TEST(TinyLexer, ReadsDecimalAndHexadecimalNumbers) {
  std::vector<UserError> errors;
  const std::vector<Token> tokens = scan("0 42 0x2A 0XfF 18446744073709551615 0xffffffffffffffff", "f", errors);
  ASSERT_EQ(tokens.size(), 7U);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(tokens[0].number, 0U);
  EXPECT_EQ(tokens[1].number, 42U);
  EXPECT_EQ(tokens[2].number, 42U);
  EXPECT_EQ(tokens[3].number, 255U);
  EXPECT_EQ(tokens[4].number, ~std::uint64_t{0});
  EXPECT_EQ(tokens[5].number, ~std::uint64_t{0});
}

TEST(TinyLexer, RefusesWhatIsNoNumber) {
  EXPECT_EQ(errors_of("12x 0x 08 18446744073709551616 0x10000000000000000"),
            "1:1: '12x' is no number\n"
            "1:5: '0x' is no number\n"
            "1:8: '08' starts with a zero; there are no octal numbers\n"
            "1:11: 18446744073709551616 does not fit in 64 bits\n"
            "1:32: 0x10000000000000000 does not fit in 64 bits\n");
}

TEST(TinyLexer, SkipsCommentsAndKeepsPlaces) {
  std::vector<UserError> errors;
  const std::vector<Token> tokens = scan("// ünï /* \n/* a\n b */ x /**/\ty", "f", errors);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(tokens[0].place, (Place{3, 7}));
  EXPECT_EQ(tokens[1].place, (Place{3, 14}));
  EXPECT_EQ(tokens[2].place, (Place{3, 15}));
}

TEST(TinyLexer, ReportsACommentWithoutEndWhereItStarts) {
  EXPECT_EQ(errors_of("x\n  /* never"), "2:3: this comment does not end: expected '*/', found the end of the file\n");
}

TEST(TinyLexer, ReportsEachRunOfUnknownCharactersOnce) {
  EXPECT_EQ(
      errors_of("a $$$ b ≤≥ c \xff d"),
      "1:3: '$$$' starts no word of Tiny\n1:9: '≤≥' starts no word of Tiny\n1:18: '\\xff' starts no word of Tiny\n");
}

TEST(TinyLexer, SaysThatThereIsNoPreprocessorAndNoText) {
  EXPECT_EQ(errors_of("#define N 5\nint s = \"a b\";"),
            "1:1: '#' starts no word of Tiny: there is no preprocessor\n"
            "2:9: \" starts no word of Tiny: there are no texts or characters\n");
}

TEST(TinyLexer, RefusesAFileThatIsNotTextAtItsFirstSuchByte) {
  EXPECT_EQ(errors_of(std::string("int x;\n\0\0\x01", 10)), "2:1: this file is not text: it has a byte 0x00\n");
  EXPECT_EQ(mistakes_of(std::string("\x7f"
                                    "ELF\x02\x01",
                                    6)),
            "1:1: this file is not text: it has a byte 0x7f | Tiny programs are plain text\n");
}

TEST(TinyLexer, ReadsWindowsLinesAndAByteOrderMark) {
  std::vector<UserError> errors;
  const std::vector<Token> tokens = scan("\xef\xbb\xbfint\r\nx", "f", errors);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(tokens[0].place, (Place{1, 1}));
  EXPECT_EQ(tokens[1].place, (Place{2, 1}));
}

}  // namespace
}  // namespace plumb::tiny
