#include "lang/tiny/syntax/parser.h"

#include <gtest/gtest.h>

#include <array>

#include "unit/lang/tiny/mistakes_of.h"
#include "unit/lang/tiny/same_program.h"

namespace plumb::tiny {
namespace {

/// An expression over ints a..d and bools p..s, with all its parentheses.
std::string shape(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::Number:
      return std::to_string(e.number);
    case Expression::Kind::Name:
      return e.name;
    case Expression::Kind::Unary:
      return fmt::format("{}{}",
                         e.op == Operator::Negate ? "-"
                         : e.op == Operator::Not  ? "!"
                                                  : "~",
                         shape(*e.operands[0]));
    case Expression::Kind::Binary: {
      constexpr std::array<std::string_view, 19> kSymbols = {"+", "-",  "*", "/",  "%",  "<<", ">>", "&",  "|", "^",
                                                             "<", "<=", ">", ">=", "==", "!=", "&&", "||", "->"};
      const auto position = static_cast<std::size_t>(e.op) - static_cast<std::size_t>(Operator::Add);
      return fmt::format("({}{}{})", shape(*e.operands[0]), kSymbols[position], shape(*e.operands[1]));
    }
    case Expression::Kind::Conditional:
      return fmt::format("({}?{}:{})", shape(*e.operands[0]), shape(*e.operands[1]), shape(*e.operands[2]));
    case Expression::Kind::ToBool:
      return shape(*e.operands[0]);
    case Expression::Kind::Quantified:
      return fmt::format("{} {}[{},{}]{{{}}}", e.is_forall ? "A" : "E", e.name, shape(*e.operands[0]),
                         shape(*e.operands[1]), shape(*e.operands[2]));
    default:
      return "?";
  }
}

std::string shape_of(const std::string& condition) {
  const Program program =
      parsed("int a; int b; int c; int d; bool p; bool q; bool r; bool s; void main() { assert(" + condition + "); }");
  return shape(*program.functions[0].body->body[0]->value);
}

std::string shape_of_property(const std::string& properties) {
  const Program program = parsed("int a; int b; int c; int d; bool p; bool q; bool r; bool s; void main() { @post x {" +
                                 properties + "} }");
  return shape(*program.functions[0].body->body[0]->value);
}

TEST(TinyParser, FollowsThePrecedenceOfC) {
  EXPECT_EQ(shape_of("a + b * c - d == a % b << 1"), "(((a+(b*c))-d)==((a%b)<<1))");
  EXPECT_EQ(shape_of("(a | b ^ c & d) < 1"), "((a|(b^(c&d)))<1)");
  EXPECT_EQ(shape_of("!p && -a < ~b"), "(!p&&(-a<~b))");
  EXPECT_EQ(shape_of("p || q && r"), "(p||(q&&r))");
  EXPECT_EQ(shape_of("p ? q : r ? s : p"), "(p?q:(r?s:p))");
  EXPECT_EQ(shape_of("a - b - c < a / b / c"), "(((a-b)-c)<((a/b)/c))");
}

TEST(TinyParser, BindsImplicationBetweenComparisonsAndConjunction) {
  EXPECT_EQ(shape_of("(p) -> (q) && (r) -> (s)"), "((p->q)&&(r->s))");
  EXPECT_EQ(shape_of("p -> q || r -> s"), "((p->q)||(r->s))");
  EXPECT_EQ(shape_of("a < b -> c == d"), "((a<b)->(c==d))");
  EXPECT_EQ(shape_of("p -> q -> r"), "(p->(q->r))");
  EXPECT_EQ(shape_of("(a | b) > 0 -> p ? q : r"), "((((a|b)>0)->p)?q:r)");
}

TEST(TinyParser, WarnsOfImplicationsBesideConnectivesWhoseSidesAreNotClear) {
  const auto warnings = [](const std::string& property) {
    return warnings_of("int a; bool p; bool q; void main() { assert(" + property + " && p && q && a == 0); }");
  };
  EXPECT_EQ(warnings("(p) -> (q) && (a == 1) -> (q)"), "");
  EXPECT_EQ(warnings("p -> !q"), "");
  EXPECT_EQ(warnings("(a == 1 -> q)"), "");
  EXPECT_NE(warnings("a == 1 -> q").find("1:52: '->' binds tighter than '&&' here"), std::string::npos);
  EXPECT_NE(warnings("(q || p -> a == 1)").find("'->' binds tighter than '||' here"), std::string::npos);
}

TEST(TinyParser, ReadsAllSpellingsOfQuantifiers) {
  const std::string expected = "A i[0,(a-1)]{(i<b)}";
  EXPECT_EQ(shape_of_property("forall(int i:[0..a-1]) {i < b}"), expected);
  EXPECT_EQ(shape_of_property("forall (i : [0 .. a-1]) { i < b; }"), expected);
  EXPECT_EQ(shape_of_property("forall(i [0...a-1]) {i < b};"), expected);
  EXPECT_EQ(shape_of_property("exists(int i:[0..a]) { exists(int j:[0..b]) { i == j } }"),
            "E i[0,a]{E j[0,b]{(i==j)}}");
  EXPECT_EQ(shape_of_property("exists(int i:[0..a], j:[0..b]) { i == j }"), "E i[0,a]{E j[0,b]{(i==j)}}");
}

TEST(TinyParser, ConjoinsSeveralProperties) {
  EXPECT_EQ(shape_of_property("p; q; r;"), "((p&&q)&&r)");
  EXPECT_EQ(shape_of_property("p\nq"), "(p&&q)");
  EXPECT_EQ(shape_of_property("forall(i:[0..a]) { p } q"), "(A i[0,a]{p}&&q)");
  EXPECT_EQ(shape_of_property("forall(i:[0..a]) { p; i < b }"), "A i[0,a]{(p&&(i<b))}");
}

/// Each program must be the same as the first.
void expect_same(const std::vector<std::string>& programs) {
  const Program first = parsed(programs.front());
  for (const std::string& text : programs) EXPECT_EQ(difference(first, parsed(text)), "") << text;
}

TEST(TinyParser, TakesSizesBehindTheTypeAndBehindTheName) {
  expect_same({"int f(int [] a, bool [][3] m) { int b[5]; b[0] = a[0]; return b[0]; }",
               "int f(int a[], bool m[][3]) { int [5] b; b[0] = a[0]; return b[0]; }",
               "int f(int a[MAX_ARRAY_SIZE], bool m[][1 + 2]) { int b[0x5]; b[0] = a[0]; return b[0]; }"});
}

TEST(TinyParser, TakesTheClassWrapperInAllItsForms) {
  expect_same({"int x; void main() { x = 1; }", "class test { int x; void main() { x = 1; } };",
               "class test { int x; void main(void) { x = 1; } }", "class t { int x;; void main() { ; x = 1;; }; };"});
}

TEST(TinyParser, TakesBothNamesOfSynchronousBlocks) {
  expect_same({"int x; int y; void main() { @do_together { x = y; if (x) y = x; } }",
               "int x, y; void main() { @dotogether { x = y; if (x) { y = x; } } }"});
}

TEST(TinyParser, TakesBodiesWithoutBraces) {
  expect_same({"void main() { int x = 0; if (x) { x = 1; } else { while (x) { x = 2; } } do { x++; } while (x); }",
               "void main() { int x = 0; if (x) x = 1; else while (x) x = 2; do x = x + 1; while (x); }"});
}

TEST(TinyParser, GivesAnElseToTheNearestIf) {
  expect_same({"void main() { int x = 0; if (x) { if (x) { x = 1; } else { x = 2; } } }",
               "void main() { int x = 0; if (x) if (x) x = 1; else x = 2; }"});
}

TEST(TinyParser, TakesPredicatesWithAndWithoutTypeAndSemicolonBeforeAndBehindTheirUse) {
  const Program program = parsed(
      "small(int x) = x < 3 void main() { int x; assert(small(x) -> big(x)); } "
      "bool big(int y) = small(y);");
  ASSERT_EQ(program.functions.size(), 3U);
  EXPECT_TRUE(program.functions[0].is_predicate);
  EXPECT_TRUE(program.functions[2].is_predicate);
  EXPECT_EQ(program.functions[0].return_variable, kNone);
  EXPECT_EQ(program.entry, 1U);
}

TEST(TinyParser, WritesCompoundAssignmentsOut) {
  expect_same(
      {"int a[3]; void main() { int x = 0; x += 2; x -= 2; x *= 2; x /= 2; x %= 2; x <<= 2; x >>= 2; x &= 2; "
       "x |= 2; x ^= 2; x++; --x; a[x] += x - 1; }",
       "int a[3]; void main() { int x = 0; x = x + 2; x = x - 2; x = x * 2; x = x / 2; x = x % 2; x = x << 2; "
       "x = x >> 2; x = x & 2; x = x | 2; x = x ^ 2; x = x + 1; x = x - 1; a[x] = a[x] + (x - 1); }"});
}

TEST(TinyParser, TakesForLoopsWithAnyPartMissing) {
  const Program program = parsed(
      "void main() { int k; for (;;) break; for (int i = 0, j = 1; i < j; i++, j--) continue; for (k = 0; k < 3;) k++; "
      "}");
  const auto& body = program.functions[0].body->body;
  EXPECT_EQ(body[1]->value, nullptr);
  EXPECT_EQ(body[1]->body[0]->body.size(), 0U);
  EXPECT_EQ(body[2]->body[0]->body.size(), 2U);
  EXPECT_EQ(body[2]->body[1]->body.size(), 2U);
  EXPECT_EQ(body[3]->body[0]->kind, Statement::Kind::Assign);
}

TEST(TinyParser, KeepsTheTextOfAssertions) {
  const Program program = parsed("void main() { int x; assert( x<1  ||x > 2 ); }");
  EXPECT_EQ(program.functions[0].body->body[1]->name, "x<1  ||x > 2");
}

TEST(TinyParser, GivesOperatorsTheirOwnPlaces) {
  const Program program = parsed("void main() { int x;\n x = x + x * x; }");
  const Expression& sum = *program.functions[0].body->body[1]->value;
  EXPECT_EQ(sum.place, (Place{2, 8}));
  EXPECT_EQ(sum.operands[1]->place, (Place{2, 12}));
}

// --- Mistakes ---

TEST(TinyParser, ReportsAMissingSemicolonWhereItIsMissing) {
  EXPECT_EQ(mistakes_of("void main() {\n  int x = 3\n  x = 4;\n}"), "2:12: expected ';' behind '3', found 'x'\n");
  EXPECT_EQ(mistakes_of("void main() { int x = 3; x = 4 }"), "1:31: expected ';' behind '4', found '}'\n");
  EXPECT_EQ(mistakes_of("void main() { int x = 3 x = 4; }"), "1:25: expected ';', found 'x'\n");
}

TEST(TinyParser, ReportsUnbalancedBraces) {
  EXPECT_EQ(mistakes_of("void main() {\n  while (true) {\n"),
            "3:1: expected '}' of the '{' at line 2, column 16, found the end of the file\n");
  EXPECT_EQ(mistakes_of("void main() { } }\n"),
            "1:17: this '}' closes nothing | expected a declaration; look for a brace too many above\n");
  EXPECT_EQ(mistakes_of("void f() {\n  if (true) {\n}\nvoid main() { f(); }\n"),
            "4:6: expected a statement, found the function 'main' | functions stand side by side; look for a missing "
            "'}' above\n5:1: expected '}' of the '{' at line 1, column 10, found the end of the file\n");
  EXPECT_EQ(mistakes_of("void main() { int x = (1 + 2; }"),
            "1:29: expected ')' of the '(' at line 1, column 23, found ';'\n");
}

TEST(TinyParser, ReportsTheRemainsOfABrokenFunctionOnce) {
  EXPECT_EQ(mistakes_of("void main()\n  int x = 5;\n  x += 3;\n  x -= 1;\n}\nvoid f() { y = ; }\n"),
            "2:3: expected '{' and the body of the function, found 'int'\n6:16: expected an expression, found ';'\n");
  EXPECT_EQ(mistakes_of("void main() { int x = 1; }\n  x += 3;\n  x -= 1;\n}\n"),
            "2:3: expected a declaration: a variable, a function or a predicate, found 'x' | statements stand inside "
            "functions\n");
}

TEST(TinyParser, HintsAtComparisonWhereAConditionIsAnAssignment) {
  EXPECT_EQ(mistakes_of("void main() { int x; if (x = 1) x = 2; }"),
            "1:28: expected ')' of the '(' at line 1, column 25, found '=' | '==' compares; an assignment is a "
            "statement of its own\n");
  EXPECT_EQ(mistakes_of("void main() { int x; x == 1; }"),
            "1:24: expected '=', '+=', '++' or their like, found '==' | '=' assigns, '==' compares\n");
}

TEST(TinyParser, FindsSeveralMistakesInOrderWithoutFollowOns) {
  EXPECT_EQ(mistakes_of("int f(int x) {\n"
                        "  int y = 3\n"
                        "  if (x = 1) y = unknown;\n"
                        "  y = (x + ;\n"
                        "  while (x < 3 { x++; }\n"
                        "  @pre p { x > ; y }\n"
                        "  return y;\n"
                        "}\n"
                        "int g(int x) { return x +* 2; }\n"
                        "int h(int x) { return nothing; }\n"),
            "2:12: expected ';' behind '3', found 'if'\n"
            "3:9: expected ')' of the '(' at line 3, column 6, found '=' | '==' compares; an assignment is a statement "
            "of its own\n"
            "4:12: expected an expression, found ';'\n"
            "5:16: expected ')' of the '(' at line 5, column 9, found '{'\n"
            "6:16: expected an expression, found ';'\n"
            "9:26: expected an expression, found '*'\n");
}

TEST(TinyParser, ListsTheOtherMistakesBelowTheFirst) {
  try {
    std::vector<Warning> warnings;
    parse("void main() { x = ; }\nint 3;\n", "f.tiny", warnings);
    FAIL();
  } catch (const Mistakes& mistakes) {
    EXPECT_EQ(mistakes.all().size(), 2U);
    EXPECT_STREQ(mistakes.what(),
                 "f.tiny:1:19: error: expected an expression, found ';'\n"
                 "f.tiny:2:5: error: expected the name of a variable, found '3'");
  }
}

TEST(TinyParser, RefusesWhatCHasAndTinyHasNot) {
  EXPECT_EQ(mistakes_of("void main() { int x; int y; x = y = 1; }"),
            "1:35: expected ';', found '=' | write one assignment a statement\n");
  EXPECT_EQ(mistakes_of("void main() { int x; int y; y = x++; }"),
            "1:34: expected ';', found '++' | '++' is a statement of its own, not an expression\n");
  EXPECT_EQ(mistakes_of("void main() { switch (1) { } }"),
            "1:15: 'switch' is no word of Tiny | write it with if and else\n");
  EXPECT_EQ(mistakes_of("unsigned x; void main() { x = 1; }"),
            "1:1: 'unsigned' is no word of Tiny | types are int and bool; whether an int has a sign is an option\n");
  EXPECT_EQ(mistakes_of("int f(int x); int f(int x) { return x; }"),
            "1:13: expected '{' and the body of the function, found ';' | functions may be used before they are "
            "defined: leave this out\n");
  EXPECT_EQ(mistakes_of("void main() { int a[2] = 1; }"),
            "1:24: expected ';' or ',', found '=' | an array has no initial value: assign its elements\n");
  EXPECT_EQ(mistakes_of("int x; x = 1; void main() { }"),
            "1:8: expected a declaration: a variable, a function or a predicate, found 'x' | statements stand inside "
            "functions\n");
}

TEST(TinyParser, RefusesAThirdDimensionAndASizeOfZero) {
  EXPECT_EQ(mistakes_of("int a[2][2][2]; void main() { a[0][0] = 1; }"),
            "1:12: an array has at most two dimensions, found a third | compute one index of two\n");
  EXPECT_EQ(mistakes_of("int a[0]; void main() { a[0] = 1; }"),
            "1:7: expected the size of an array, found 0 | an array has at least one element\n");
}

TEST(TinyParser, WantsASeparatorBetweenPropertiesOfALine) {
  EXPECT_EQ(mistakes_of("int a; void main() { @post p { a > 0 a < 3 } }"),
            "1:38: expected an operator, ';' or '}', found 'a'\n");
  EXPECT_EQ(mistakes_of("void main() { @post p { } }"),
            "1:25: expected a property, found '}' | write 'true' for a property that always holds\n");
  EXPECT_EQ(mistakes_of("void main() { @post { true } }"), "1:21: expected the name of the postcondition, found '{'\n");
  EXPECT_EQ(mistakes_of("void main() { @then x { true } }"),
            "1:15: expected '@pre', '@post' or '@do_together', found '@then'\n");
}

TEST(TinyParser, RefusesCallsInTheIndexOfACompoundAssignment) {
  EXPECT_EQ(mistakes_of("int a[2]; void main() { a[nondet()]++; }"),
            "1:25: the index of a compound assignment has a call in it | assign the index to a variable first\n");
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

TEST(TinyParser, ReportsNestingThatIsTooDeepOnce) {
  const std::size_t n = 10000;
  const std::string hint = " | split the expression or the block into smaller ones\n";
  const auto is_one_report = [&](const std::string& text) {
    const std::string mistakes = mistakes_of(text);
    return mistakes.find("nested too deeply") != std::string::npos && mistakes.find('\n') == mistakes.size() - 1 &&
           mistakes.ends_with(hint);
  };
  EXPECT_TRUE(is_one_report("void main() { int x = " + repeated("(", n) + "1" + repeated(")", n) + "; }"));
  EXPECT_TRUE(is_one_report("void main() { int x = " + repeated("-(", n) + "1" + repeated(")", n) + "; }"));
  EXPECT_TRUE(is_one_report("void main() { bool x = " + repeated("!", n) + "true; }"));
  EXPECT_TRUE(is_one_report("void main() { int x = 1" + repeated(" + 1", n) + "; }"));
  EXPECT_TRUE(is_one_report("void main() { bool x = true" + repeated(" -> true", n) + "; }"));
  EXPECT_TRUE(is_one_report("void main() { int x = 1; x = " + repeated("x ? 1 : ", n) + "x; }"));
  EXPECT_TRUE(is_one_report("int a[3]; void main() { a[0] = " + repeated("a[", n) + "0" + repeated("]", n) + "; }"));
  EXPECT_TRUE(is_one_report("void main() " + repeated("{", n) + repeated("}", n)));
  EXPECT_TRUE(is_one_report("void main() { int x = 1; " + repeated("if (x) ", n) + "x = 2; }"));
  EXPECT_TRUE(is_one_report("void main() { int x = 1; " + repeated("if (x) { } else ", n) + "x = 2; }"));
  EXPECT_TRUE(is_one_report("void main() { @post p { " + repeated("forall(i:[0..1]) {", n) + "true" + repeated("}", n) +
                            "} }"));
}

TEST(TinyParser, AcceptsNestingBelowTheLimit) {
  const std::size_t n = 300;
  EXPECT_EQ(mistakes_of("void main() { int x = " + repeated("(", n) + "1" + repeated(" + 1)", n) + "; x = x; }"),
            "accepted");
  EXPECT_EQ(mistakes_of("void main() { int x = 1; " + repeated("if (x) { ", n) + "x = 2;" + repeated("}", n) + " }"),
            "accepted");
}

/// Every prefix of a program, and every program with one word left out, is accepted or refused with places.
TEST(TinyParser, AnswersEveryBrokenProgramWithLocatedMistakes) {
  const std::string text =
      "class t { const int N = 3; wire bool w = a[0] < N; int a[N]; int f(int [] b, int n) { @pre f { n >= 0; } "
      "for (int i = 0; i < n; i++) { if (b[i] == 0x1) return i; else continue; } do n--; while (n > 0 && w); "
      "@do_together { n = 1; if (n) a[n] = 2; } assert(n ? true : false); return -1; @post f { rv < n -> "
      "(exists(int k:[0..n-1]) { p(k) }) } } p(int x) = x << 1 != 2 };";
  ASSERT_EQ(mistakes_of(text), "accepted");
  std::vector<UserError> none;
  const std::vector<Token> tokens = scan(text, "f", none);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto begin = static_cast<std::size_t>(tokens[i].text.data() - text.data());
    const std::string prefix = mistakes_of(text.substr(0, begin));
    EXPECT_NE(prefix, "accepted") << i;
    EXPECT_TRUE(i == 0 || prefix.rfind("1:", 0) == 0) << i << ": " << prefix;
    const std::string without = mistakes_of(text.substr(0, begin) + " " + text.substr(begin + tokens[i].text.size()));
    EXPECT_TRUE(without == "accepted" || without.rfind("1:", 0) == 0) << tokens[i].text << ": " << without;
  }
}

}  // namespace
}  // namespace plumb::tiny
