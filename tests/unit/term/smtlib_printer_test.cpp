#include "term/smtlib_printer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace plumb::term {
namespace {

bool is_balanced(std::string_view text) {
  std::size_t depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && depth-- == 0) return false;
  }
  return depth == 0;
}

std::size_t nesting(std::string_view text) {
  std::size_t depth = 0;
  std::size_t most = 0;
  for (const char c : text) {
    if (c == '(') most = std::max(most, ++depth);
    if (c == ')') --depth;
  }
  return most;
}

TEST(SmtlibPrinter, WidthOneIsBoolWhereItCanBe) {
  TermStore store;
  const Term p = store.variable(1, "p");
  const Term q = store.variable(1, "q");
  const Term x = store.variable(8, "x");
  EXPECT_EQ(to_smtlib(store, store.bit_not(p)), "(not p)");
  EXPECT_EQ(to_smtlib(store, store.boolean(true)), "true");
  EXPECT_EQ(to_smtlib(store, store.ult(x, store.constant(8, 16))), "(bvult x #x10)");
  // Structure needs bits, so a Boolean is converted.
  const std::string text = to_smtlib(store, store.concat(p, q));
  EXPECT_NE(text.find("(ite p #b1 #b0)"), std::string::npos) << text;
  // A bit of a word is bits, so a connective converts it.
  const std::string bit = to_smtlib(store, store.bit_and(store.bit(x, 3), p));
  EXPECT_NE(bit.find("(= ((_ extract 3 3) x) #b1)"), std::string::npos) << bit;
}

TEST(SmtlibPrinter, ArraysOfBitsKeepBitVectorElements) {
  TermStore store;
  const Term a = store.variable(Sort{1, 1}, "a");
  const Term b = store.variable(Sort{1, 1}, "b");
  const Term p = store.variable(1, "p");
  EXPECT_EQ(to_smtlib(store, store.select(a, p)), "(select a (ite p #b1 #b0))");
  const std::string equality = to_smtlib(store, store.eq(a, b));
  EXPECT_TRUE(equality == "(= a b)" || equality == "(= b a)") << equality;
  EXPECT_EQ(to_smtlib(store, store.ite(p, a, b)), "(ite p a b)");
  EXPECT_EQ(to_smtlib(Sort{1, 1}, true), "(Array (_ BitVec 1) (_ BitVec 1))");
}

TEST(SmtlibPrinter, ValuesAreConstants) {
  EXPECT_EQ(to_smtlib(Value(BitVector(8, 0xa5))), "#xa5");
  EXPECT_EQ(to_smtlib(Value(BitVector(3, 5))), "#b101");
  const ArrayValue array{4, BitVector(8, 0), {{BitVector(4, 1), BitVector(8, 7)}, {BitVector(4, 2), BitVector(8, 0)}}};
  EXPECT_EQ(to_smtlib(Value(array)), "(store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x1 #x07)");
}

TEST(SmtlibPrinter, SymbolsAreQuotedOnlyIfTheyMustBe) {
  EXPECT_EQ(quote_symbol("x!1"), "x!1");
  EXPECT_EQ(quote_symbol("a b"), "|a b|");
  EXPECT_EQ(quote_symbol(""), "||");
  EXPECT_EQ(quote_symbol("1x"), "|1x|");
  EXPECT_EQ(quote_symbol("let"), "|let|");
  EXPECT_EQ(quote_symbol("a|b\\c"), "|a_b_c|");
}

TEST(SmtlibPrinter, AScriptTellsVariablesOfOneNameApart) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const Term other = store.variable(8, "x");
  const Term clash = store.variable(8, "x!1");
  const Term word = store.variable(8, "bvadd");
  const std::array<Term, 2> assertions{store.ult(x, store.add(other, clash)), store.ult(word, x)};
  const std::string script = to_smtlib_script(store, assertions);
  std::vector<std::string> names;
  for (std::size_t at = script.find("(declare-const "); at != std::string::npos;
       at = script.find("(declare-const ", at + 1)) {
    const std::size_t start = at + 15;
    names.push_back(script.substr(start, script.find(' ', start) - start));
  }
  ASSERT_EQ(names.size(), 4U) << script;
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::unique(names).size(), 0U) << script;
  EXPECT_EQ(std::ranges::count(names, "bvadd"), 0) << script;
}

TEST(SmtlibPrinter, ATermThatIsExponentialAsATreePrintsLinearly) {
  TermStore store;
  const Term x = store.variable(32, "x");
  const Term y = store.variable(32, "y");
  Term t = x;
  for (int i = 0; i < 1000; ++i) t = store.udiv(store.bit_xor(store.mul(t, t), y), t);
  const std::string text = to_smtlib(store, t);
  EXPECT_LT(text.size(), 400'000U);
  EXPECT_TRUE(is_balanced(text));
  const std::array<Term, 1> assertions{store.ult(t, x)};
  EXPECT_LT(to_smtlib_script(store, assertions).size(), 400'000U);
}

TEST(SmtlibPrinter, AMillionDeepTermPrintsAndAScriptOfItStaysFlat) {
  TermStore store;
  const Term x = store.variable(16, "x");
  const Term y = store.variable(16, "y");
  Term t = x;
  for (int i = 0; i < 1'000'000; ++i) t = i % 2 == 0 ? store.udiv(t, y) : store.urem(y, t);
  EXPECT_GT(store.size(), 1'000'000U);
  EXPECT_TRUE(is_balanced(to_smtlib(store, t)));
  const std::array<Term, 1> assertions{store.ult(t, x)};
  const std::string script = to_smtlib_script(store, assertions);
  EXPECT_TRUE(is_balanced(script));
  EXPECT_LT(nesting(script), 1000U);
}

TEST(SmtlibPrinter, AssumptionsGetNames) {
  TermStore store;
  const Term p = store.variable(1, "p");
  const Term q = store.variable(1, "q");
  const std::array<Term, 1> assertions{store.bit_or(p, q)};
  const std::array<Term, 2> assumptions{store.bit_not(p), store.bit_and(p, q)};
  const std::string script = to_smtlib_script(store, assertions, assumptions);
  EXPECT_NE(script.find("(check-sat-assuming ($"), std::string::npos) << script;
  EXPECT_EQ(script.find("(check-sat)"), std::string::npos);
}

}  // namespace
}  // namespace plumb::term
