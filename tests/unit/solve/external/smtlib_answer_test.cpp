#include "solve/external/smtlib_answer.h"

#include <gtest/gtest.h>

#include "term/smtlib_printer.h"

namespace plumb::solve {
namespace {

using term::ArrayValue;
using term::Sort;
using term::Value;

std::optional<Value> parse(const std::string& value, Sort sort) {
  const Sort sorts[] = {sort};
  auto values = parse_values("((x " + value + "))", sorts);
  if (!values) return std::nullopt;
  return values->at(0);
}

TEST(ParseValues, KnowsAllSpellingsOfABitVector) {
  const Value expected = BitVector(8, 0x2a);
  for (const std::string text : {"#x2a", "#x2A", "#b00101010", "(_ bv42 8)", "(let ((a #x2a)) a)"})
    EXPECT_EQ(parse(text, Sort{8, 0}), expected) << text;
  EXPECT_EQ(parse("true", Sort{1, 0}), Value(BitVector(1, 1)));
  EXPECT_EQ(parse("#b0", Sort{1, 0}), Value(BitVector(1, 0)));
}

TEST(ParseValues, RefusesWhatIsNoValueOfTheSort) {
  for (const std::string text : {"#x2", "#b101", "(_ bv256 8)", "(_ bv1 9)", "true", "x", "()", "#xzz",
                                 "(let ((a a)) a)", "((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00)", "#x00 #x00"})
    EXPECT_FALSE(parse(text, Sort{8, 0})) << text;
  for (const std::string text : {"#x2a", "(store a #x0 #x00)", "(_ as-array k!0)", "(lambda ((i (_ BitVec 4))) #x00)",
                                 "((as const (Array (_ BitVec 4) (_ BitVec 8))) #x0)"})
    EXPECT_FALSE(parse(text, Sort{8, 4})) << text;
}

TEST(ParseValues, TheOutermostStoreToAnIndexCounts) {
  const std::string base = "((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07)";
  const ArrayValue expected{
      4, BitVector(8, 7), {{BitVector(4, 1), BitVector(8, 3)}, {BitVector(4, 2), BitVector(8, 9)}}};
  EXPECT_EQ(parse("(store (store (store " + base + " #x1 #xff) #x2 #x09) #x1 #b00000011)", Sort{8, 4}),
            Value(expected));
  EXPECT_EQ(parse("(let ((a!1 (store " + base + " #x1 #xff))) (let ((a!2 (store a!1 #x2 #x09))) (store a!2 #x1 #x03)))",
                  Sort{8, 4}),
            Value(expected));
}

TEST(ParseValues, ReadsBackWhatThePrinterWrites) {
  ArrayValue array{12, BitVector::ones(70), {}};
  for (std::uint64_t i = 0; i < 4096; i += 3) array.elements.emplace(BitVector(12, i), BitVector(70, i * i));
  EXPECT_EQ(parse(term::to_smtlib(Value(array)), Sort{70, 12}), Value(array));
}

TEST(ParseValues, DeepAnswersNeedNoStack) {
  std::string text;
  for (int i = 0; i < 500000; ++i) text += "(store ";
  text += "((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07)";
  for (int i = 0; i < 500000; ++i) text += " #x1 #x03)";
  EXPECT_EQ(parse(text, Sort{8, 4}), Value(ArrayValue{4, BitVector(8, 7), {{BitVector(4, 1), BitVector(8, 3)}}}));
}

TEST(ParseValues, ACutAnswerIsNoAnswer) {
  const Sort sorts[] = {Sort{8, 0}, Sort{1, 0}};
  const std::string whole = "((|a )b| #x2a)\n (p true))";
  ASSERT_TRUE(parse_values(whole, sorts));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(parse_values(whole.substr(0, length), sorts)) << length;
}

TEST(AnswerEnd, SeesParenthesesOutsideQuotesOnly) {
  AnswerEnd word;
  EXPECT_TRUE(word.feed("sat"));
  AnswerEnd list;
  EXPECT_FALSE(list.feed("((|a)))| #x0)"));
  EXPECT_FALSE(list.feed(" (b \")\" "));
  EXPECT_TRUE(list.feed("))"));
}

TEST(ParseSymbols, ReadsAListOfSymbolsOnly) {
  EXPECT_EQ(parse_symbols("(a0.1 |b c|)"), (std::vector<std::string>{"a0.1", "b c"}));
  EXPECT_EQ(parse_symbols("()"), std::vector<std::string>{});
  EXPECT_FALSE(parse_symbols("((not a))"));
  EXPECT_FALSE(parse_symbols("a"));
}

}  // namespace
}  // namespace plumb::solve
