#include "lang/tiny/syntax/checker.h"

#include <gtest/gtest.h>

#include "unit/lang/tiny/mistakes_of.h"

namespace plumb::tiny {
namespace {

/// The body of main, behind some globals. Columns of the body start at 1 of line 2.
std::string in_main(const std::string& body) {
  return mistakes_of("int x; int a[4]; int m[2][3]; bool b; const int C = 2; wire int w = x + 1; void main() {\n" +
                     body + "\n}");
}

TEST(TinyChecker, AcceptsTheFiguresOfThePaper) {
  EXPECT_EQ(mistakes_of("int ls (int [] a, int e, int n) {\n @pre ls {0 <= n && n <= MAX_ARRAY_SIZE}\n int i = 0;\n"
                        " while (i < n) {\n if (a[i] == e)\n return i;\n i = i + 1;\n }\n return -1;\n"
                        " @post ls { (rv >= 0 && rv < n) -> (a[rv] == e) &&\n"
                        " (rv == -1) -> (forall(int i:[0..n-1]) {a[i] != e})\n }\n}"),
            "accepted");
  EXPECT_EQ(mistakes_of("int fact(int n) { int result; if (n == 0) { result = 1; } else { result = n * fact(n - 1); } "
                        "return result; } void main() { int x; x = fact(5); }"),
            "accepted");
  EXPECT_EQ(mistakes_of("class test { int x; int y; void main () { int z; @pre add { x > 0 && y > 0; } z = x + y; "
                        "@post add { z > x && z > y; } } };"),
            "accepted");
}

TEST(TinyChecker, ReportsNamesThatAreNotDeclaredAndSuggestsSimilarOnes) {
  EXPECT_EQ(in_main("int count; cuont = 1;"), "2:12: 'cuont' is not declared | did you mean 'count'?\n");
  EXPECT_EQ(in_main("x = zebra;"), "2:5: 'zebra' is not declared\n");
  EXPECT_EQ(in_main("maim();"), "2:1: there is no function 'maim' | did you mean 'main'?\n");
  EXPECT_EQ(in_main("{ int y; } y = 1;"), "2:12: 'y' is not declared\n");
  EXPECT_EQ(in_main("int y = y;"), "2:9: 'y' is not declared\n");
  EXPECT_EQ(in_main("x = main;"), "2:5: expected a variable, found the function 'main' | write main(…) to call it\n");
  EXPECT_EQ(in_main("x(1);"), "2:1: expected a function before '(', found the variable 'x'\n");
}

TEST(TinyChecker, ReportsNamesThatAreDeclaredTwice) {
  EXPECT_EQ(in_main("int y; bool y;"), "2:13: 'y' is declared twice, first at line 2\n");
  EXPECT_EQ(mistakes_of("int x;\nint x; void main() { x = 1; }"), "2:5: 'x' is declared twice, first at line 1\n");
  EXPECT_EQ(mistakes_of("int f(int n) { int n; return n; }"), "1:20: 'n' is declared twice, first at line 1\n");
  EXPECT_EQ(mistakes_of("void f() { }\nvoid f() { }"), "2:6: the function 'f' is defined twice, first at line 1\n");
  EXPECT_EQ(mistakes_of("int f;\nvoid f() { }"),
            "1:5: 'f' is declared twice, as a variable and as a function at line 2\n");
}

TEST(TinyChecker, LetsInnerNamesHideOuterOnes) {
  const Program program =
      parsed("int x; void main() { int x = x; { int x = x + 1; x = 2; } for (int x = 0; x < 1;) x = 3; }");
  std::vector<std::string> names;
  for (const Variable& variable : program.variables) names.push_back(variable.unique_name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "main::x", "main::x#2", "main::x#3"}));
  const auto& body = program.functions[0].body->body;
  EXPECT_EQ(body[0]->value->variable, 0U);
  EXPECT_EQ(body[1]->body[0]->value->operands[0]->variable, 1U);
  EXPECT_EQ(body[1]->body[1]->target->variable, 2U);
}

TEST(TinyChecker, TellsArraysFromScalars) {
  EXPECT_EQ(in_main("x = a;"), "2:5: expected a scalar, found the array 'a' | write a[…] for an element\n");
  EXPECT_EQ(in_main("a = 1;"), "2:1: expected a scalar, found the array 'a' | write a[…] for an element\n");
  EXPECT_EQ(in_main("x = x[0];"), "2:5: expected an array before '[', found the scalar 'x'\n");
  EXPECT_EQ(in_main("x[0] = 1;"), "2:1: expected an array before '[', found the scalar 'x'\n");
  EXPECT_EQ(in_main("x = m[0];"), "2:5: expected 2 indices of the array 'm', found 1\n");
  EXPECT_EQ(in_main("a[0][1] = 1;"), "2:1: expected 1 index of the array 'a', found 2\n");
  EXPECT_EQ(in_main("x = a[b];"),
            "2:7: expected an int for an index, found a bool | write (b ? 1 : 0) for the int of a bool b\n");
}

TEST(TinyChecker, ChecksNumberAndKindOfArguments) {
  const std::string f =
      "int f(int [] p, int n, bool c) { return c ? p[n] : 0; } int x; int a[4]; int m[2][3]; bool bs[4];\n";
  const auto call = [&](const std::string& arguments) {
    return mistakes_of(f + "void main() { x = f(" + arguments + "); }");
  };
  EXPECT_EQ(call("a, x, true"), "accepted");
  EXPECT_EQ(call("a, x, x"), "accepted");
  EXPECT_EQ(call("a, x"), "2:19: expected 3 arguments of 'f', found 2\n");
  EXPECT_EQ(call("x, x, true"), "2:21: expected an array for the parameter 'p' of 'f', found the scalar 'x'\n");
  EXPECT_EQ(call("a[0], x, true"),
            "2:21: expected the name of an array for the parameter 'p' of 'f', found an expression\n");
  EXPECT_EQ(call("a, a, true"), "2:24: expected a scalar, found the array 'a' | write a[…] for an element\n");
  EXPECT_EQ(call("m, x, true"), "2:21: expected an array of 1 dimension for the parameter 'p' of 'f', found 2\n");
  EXPECT_EQ(call("bs, x, true"), "2:21: expected an array of int for the parameter 'p' of 'f', found one of bool\n");
  EXPECT_EQ(call("a, true, true"),
            "2:24: expected an int for the parameter 'n' of 'f', found a bool | write (b ? 1 : 0) "
            "for the int of a bool b\n");
  EXPECT_EQ(mistakes_of("int f(int p[3]) { return p[0]; } void main() { int a[4]; int x = f(a); }"),
            "1:68: expected an array of size 3 for the parameter 'p' of 'f', found one of size 4 | declare the "
            "parameter as 'p[]'\n");
}

TEST(TinyChecker, RefusesBoolsInArithmeticAndMixedComparisons) {
  EXPECT_EQ(in_main("x = b + 1;"),
            "2:7: expected two ints for arithmetic, found a bool on the left | write (b ? 1 : 0) "
            "for the int of a bool b\n");
  EXPECT_EQ(in_main("x = 1 & b;"),
            "2:7: expected two ints for arithmetic, found a bool on the right | '&&' is for bools\n");
  EXPECT_EQ(in_main("x = b;"),
            "2:5: expected an int for 'x', found a bool | write (b ? 1 : 0) for the int of a bool b\n");
  EXPECT_EQ(in_main("x = -b;"),
            "2:5: expected an int for '-', found a bool | write (b ? 1 : 0) for the int of a bool b\n");
  EXPECT_EQ(in_main("b = 0 <= x < 5;"),
            "2:12: expected two ints for a comparison, found a bool on the left | write a < b "
            "&& b < c for a < b < c\n");
  EXPECT_EQ(in_main("b = b == 1;"),
            "2:7: expected two values of one type, found bool and int | a bool is compared with "
            "true or false\n");
  EXPECT_EQ(in_main("x = b ? 1 : true;"), "2:7: expected two values of one type for '?', found int and bool\n");
}

TEST(TinyChecker, TakesAnIntForACondition) {
  const Program program = parsed("int x; bool b; void main() { if (x) b = x; while (!x && b) b = x -> x; }");
  const auto& body = program.functions[0].body->body;
  EXPECT_EQ(body[0]->value->kind, Expression::Kind::ToBool);
  EXPECT_EQ(body[0]->body[0]->body[0]->value->kind, Expression::Kind::ToBool);
  EXPECT_EQ(body[1]->value->operands[0]->operands[0]->kind, Expression::Kind::ToBool);
  EXPECT_EQ(body[1]->value->operands[1]->kind, Expression::Kind::Name);
}

TEST(TinyChecker, RefusesAssignmentsToWhatCannotChange) {
  EXPECT_EQ(in_main("C = 1;"), "2:1: 'C' is a constant and cannot be assigned to\n");
  EXPECT_EQ(in_main("w = 1;"),
            "2:1: 'w' is a wire and cannot be assigned to | define it where it is declared: wire … w = …;\n");
  EXPECT_EQ(mistakes_of("int f() { rv = 1; return 1; }"),
            "1:11: 'rv' cannot be assigned to | 'return' sets the value that a function returns\n");
}

TEST(TinyChecker, KnowsRvInFinalPostconditionsAlone) {
  const std::string hint = " | rv is what a function returns, in the @post at the end of its body\n";
  EXPECT_EQ(mistakes_of("int f() { if (nondet()) return 2; return 1; @post p { rv > 0 } @post q { rv < 3 } }"),
            "accepted");
  EXPECT_EQ(mistakes_of("int f() { return rv; }"), "1:18: 'rv' has no value here" + hint);
  EXPECT_EQ(mistakes_of("int f() { @post p { rv > 0 } return 1; }"), "1:21: 'rv' has no value here" + hint);
  EXPECT_EQ(mistakes_of("void f() { @post p { rv > 0 } }"), "1:22: there is no 'rv' here: nothing is returned" + hint);
}

TEST(TinyChecker, RefusesALocalInAPostconditionThatAnEarlierReturnLeavesWithoutValue) {
  EXPECT_EQ(
      mistakes_of("int f(int n) { if (n) return 0; int y = 1; return y; @post p { y == 1 } }"),
      "1:64: 'y' has no value in this @post where an earlier return is taken | declare it before the first return\n");
  EXPECT_EQ(mistakes_of("int f(int n) { int y = 1; if (n) return 0; return y; @post p { y == 1 } }"), "accepted");
}

TEST(TinyChecker, ChecksReturns) {
  EXPECT_EQ(in_main("return 1;"), "2:8: expected ';' behind 'return', found a value: 'main' returns none\n");
  EXPECT_EQ(mistakes_of("int f() { return; }"), "1:11: expected the value that 'f' returns behind 'return'\n");
  EXPECT_EQ(mistakes_of("int f() { return true; }"),
            "1:18: expected an int for the value of 'f', found a bool | write (b ? "
            "1 : 0) for the int of a bool b\n");
  EXPECT_EQ(mistakes_of("int main() { return 1; }"),
            "1:5: expected 'void main', found 'int main' | the entry of a program returns nothing; any other name may "
            "return a value\n");
}

TEST(TinyChecker, WantsAReturnOnEveryPath) {
  const std::string missing =
      "1:5: not every path through 'f' returns a value | expected a 'return' at the end of its body\n";
  const auto f = [](const std::string& body) { return mistakes_of("int f(int n) { " + body + " }"); };
  EXPECT_EQ(f("if (n) return 1;"), missing);
  EXPECT_EQ(f("if (n) return 1; else n = 2;"), missing);
  EXPECT_EQ(f("while (n) return 1;"), missing);
  EXPECT_EQ(f("while (true) { if (n) break; }"), missing);
  EXPECT_EQ(f("for (;;) { do { break; } while (true); break; }"), missing);
  EXPECT_EQ(f("@post p { n > 0 }"), missing);
  EXPECT_EQ(f("if (n) return 1; else return 2;"), "accepted");
  EXPECT_EQ(f("while (true) { if (n) return 1; n = n + 1; }"), "accepted");
  EXPECT_EQ(f("for (;;) { while (n) break; if (n) return 2; }"), "accepted");
  EXPECT_EQ(f("do { return n; } while (n);"), "accepted");
  EXPECT_EQ(f("return 1; @post p { rv == 1 }"), "accepted");
}

TEST(TinyChecker, RefusesBreakAndContinueOutsideOfLoops) {
  EXPECT_EQ(in_main("break;"), "2:1: 'break' stands outside of a loop\n");
  EXPECT_EQ(in_main("while (x) break; if (x) { continue; }"), "2:27: 'continue' stands outside of a loop\n");
}

TEST(TinyChecker, FindsSeveralMistakesInOrderWithoutFollowOns) {
  EXPECT_EQ(
      in_main("y = z + true;\nx = f(y) + a * 2;\nif (a == b) x = 1;\nbreak;"),
      "2:1: 'y' is not declared\n2:5: 'z' is not declared\n"
      "2:7: expected two ints for arithmetic, found a bool on the right | write (b ? 1 : 0) for the int of a bool b\n"
      "3:5: there is no function 'f'\n"
      "3:12: expected a scalar, found the array 'a' | write a[…] for an element\n"
      "4:5: expected a scalar, found the array 'a' | write a[…] for an element\n"
      "5:1: 'break' stands outside of a loop\n");
}

TEST(TinyChecker, NamesTheCircleOfWires) {
  const std::string hint = " | a definition in a circle has no value; use a variable for what changes step by step\n";
  EXPECT_EQ(mistakes_of("wire int u = v + 1; wire int v = w; wire int w = u; void main() { }"),
            "1:10: the wire 'u' is defined by itself: u -> v -> w -> u" + hint);
  EXPECT_EQ(mistakes_of("wire int u = u + 1; void main() { }"),
            "1:10: the wire 'u' is defined by itself: u -> u" + hint);
  EXPECT_EQ(mistakes_of("wire bool u = p(1); p(int x) = u && x; void main() { }"),
            "1:11: the wire 'u' is defined by itself: u -> p -> u" + hint);
  EXPECT_EQ(mistakes_of("const int A = B; const int B = A; int t[A]; void main() { t[0] = 1; }"),
            "1:11: the constant 'A' is defined by itself: A -> B -> A" + hint);
  EXPECT_EQ(mistakes_of("wire int u = v + 1; int x; wire int v = x; void main() { x = u; }"), "accepted");
}

TEST(TinyChecker, RefusesCallsAndChoicesInWiresAndConstants) {
  const std::string f = "int f() { return 1; } p(int n) = n == f();\n";
  EXPECT_EQ(mistakes_of(f + "wire int w = f(); void main() { assert(p(1)); }"),
            "2:14: a call of 'f' cannot stand in the definition of a wire\n");
  EXPECT_EQ(mistakes_of(f + "wire bool w = p(1); void main() { }"),
            "2:15: the wire 'w' calls the function 'f' through the predicate 'p'\n");
  EXPECT_EQ(mistakes_of(f + "wire int w = nondet(); void main() { }"),
            "2:14: nondet() cannot stand in the definition of a wire\n");
  EXPECT_EQ(mistakes_of("int x; const int C = x; void main() { }"),
            "1:22: expected a constant in a constant expression, found 'x', a global variable\n");
  EXPECT_EQ(mistakes_of("int x = nondet(); void main() { x = 1; }"),
            "1:9: nondet() cannot stand in a constant expression\n");
}

TEST(TinyChecker, RefusesPredicatesThatCallThemselves) {
  const std::string hint = " | a definition in a circle has no value; use a variable for what changes step by step\n";
  EXPECT_EQ(mistakes_of("p(int n) = n == 0 || p(n - 1); void main() { assert(p(2)); }"),
            "1:1: the predicate 'p' calls itself: p -> p" + hint);
  EXPECT_EQ(mistakes_of("p(int n) = q(n); q(int n) = p(n); void main() { assert(p(2)); }"),
            "1:1: the predicate 'p' calls itself: p -> q -> p" + hint);
  EXPECT_EQ(
      mistakes_of("p(int n) = f(n) == 0; int f(int n) { if (p(n)) return 1; return 0; } void main() { int x = f(1); }"),
      "1:1: the predicate 'p' calls itself | write a recursive function that returns a bool\n");
}

TEST(TinyChecker, FindsRecursionThatNeverEnds) {
  const std::string hint = " | every path through it calls it again; return before the call on one of them\n";
  const auto f = [](const std::string& body) {
    return mistakes_of("int f(int n) { " + body + " } void main() { int x = f(1); }");
  };
  EXPECT_EQ(f("return f(n - 1) + 1;"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(f("int y; if (f(n)) return 1; else return 2;"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(f("if (n) { n = f(n); } else { f(2); } return n;"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(f("return n > 0 ? f(n - 1) : f(n + 1);"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(f("return n > 0 ? f(n - 1) : 0;"), "accepted");
  EXPECT_EQ(f("while (n > 0) { n = f(n - 1); } return n;"), "accepted");
  EXPECT_EQ(f("bool b = n > 0 && f(n - 1) > 0; return b ? 1 : 0;"), "accepted");
  EXPECT_EQ(f("do { n = f(n - 1); } while (n > 0); return n;"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(f("return 1; @post p { f(n) == 1 }"), "1:5: recursion of f never ends" + hint);
  EXPECT_EQ(mistakes_of("int f(int n) { return g(n); } int g(int n) { return f(n); } void main() { int x = f(1); }"),
            "1:5: recursion of f never ends" + hint + "1:35: recursion of g never ends" + hint);
  EXPECT_EQ(
      mistakes_of("int f(int n) { return g(n); } int g(int n) { return n ? f(n) : 0; } void main() { int x = f(1); }"),
      "accepted");
}

TEST(TinyChecker, KnowsRecursiveFunctions) {
  const Program program = parsed(
      "int f(int n) { return n ? g(n) : 0; } int g(int n) { return h(f(n)); } int h(int n) { return n; } "
      "void main() { int x = f(1); }");
  EXPECT_TRUE(program.functions[0].is_recursive);
  EXPECT_TRUE(program.functions[1].is_recursive);
  EXPECT_FALSE(program.functions[2].is_recursive);
  EXPECT_FALSE(program.functions[3].is_recursive);
}

TEST(TinyChecker, FindsTheEntry) {
  const auto entry = [](const std::string& text) {
    const Program program = parsed(text);
    return program.functions[program.entry].name;
  };
  EXPECT_EQ(entry("void f() { } void main() { }"), "main");
  EXPECT_EQ(entry("int f() { return g(); } int g() { return 1; }"), "f");
  EXPECT_EQ(entry("int f(int n) { return n ? f(n - 1) : 0; } p(int n) = n > 0;"), "f");
  EXPECT_EQ(entry("void f() { } void g() { @post p { true } }"), "g");
}

TEST(TinyChecker, AsksWhereTheEntryIsAmbiguous) {
  EXPECT_EQ(
      mistakes_of("void f() { }\nint g() { return 1; }"),
      "1:6: which function is the entry? There is no main, and it could be 'f' (line 1) or 'g' (line 2) | name one "
      "of them main, call the others from it, or give one of them a @pre and a @post\n");
  EXPECT_EQ(mistakes_of(""), "0:0: there is no function in this file | a program is at least 'void main() { }'\n");
  EXPECT_EQ(mistakes_of("// nothing\n"),
            "0:0: there is no function in this file | a program is at least 'void main() { }'\n");
  EXPECT_EQ(mistakes_of("p(int x) = x > 0;"),
            "0:0: there is no function in this file, only predicates | a program is at least 'void main() { }'\n");
}

TEST(TinyChecker, ChecksSynchronousBlocks) {
  EXPECT_EQ(in_main("int y; @do_together { x = y; y = x; a[0] = 1; a[0] = 2; if (b) x = 3; else x = 4; }"), "accepted");
  EXPECT_EQ(in_main("@do_together { x = 1;\n x = 2; }"),
            "3:2: 'x' is assigned twice in one @do_together block, first at line 2\n");
  EXPECT_EQ(in_main("@do_together { while (x) x = 1; if (b) { return; } }"),
            "2:16: expected an assignment or an if in a @do_together block, found another statement\n"
            "2:42: expected an assignment or an if in a @do_together block, found another statement\n");
  EXPECT_EQ(mistakes_of("int x; int f() { return 1; } void main() { @do_together { x = f(); } }"),
            "1:63: a call of 'f' cannot stand in a @do_together block\n");
}

TEST(TinyChecker, RefusesEffectsInProperties) {
  EXPECT_EQ(
      mistakes_of("int x; int f() { x = 1; return 1; } int g() { return f(); } void main() { @post p { g() == 1 } }"),
      "1:85: 'g' changes 'x' and cannot be called in a property | a property only looks at the program's variables\n");
  EXPECT_EQ(
      mistakes_of("int f(int [] p) { p[0] = 1; return 1; } int g(int [] q) { return f(q); } void main() { int a[3]; "
                  "@post p { g(a) == 1 } }"),
      "1:108: 'g' changes 'q' and cannot be called in a property | a property only looks at the program's "
      "variables\n");
  EXPECT_EQ(
      mistakes_of("int f(int n) { int t[2]; t[0] = n; n = 2; return t[0]; } void main() { @post p { f(1) == 1 } }"),
      "accepted");
  EXPECT_EQ(in_main("@pre p { nondet() > 0 }"), "2:10: nondet() cannot stand in a precondition\n");
}

TEST(TinyChecker, RefusesArraysUnderTwoNames) {
  EXPECT_EQ(mistakes_of("void f(int [] p, int [] q) { p[0] = q[0]; } void main() { int a[3]; f(a, a); }"),
            "1:74: the array 'a' is passed to 'f' twice | arrays are passed by reference, and each has one name inside "
            "the function\n");
  EXPECT_EQ(
      mistakes_of("int a[3]; void g() { a[1] = 2; } void f(int [] p) { p[0] = 1; g(); } void main() { f(a); }"),
      "1:86: the array 'a' is passed to 'f', which also uses it by its own name | arrays are passed by reference, "
      "and each has one name inside the function\n");
  EXPECT_EQ(
      mistakes_of("int a[3]; p(int [] x, int [] y) = x[0] == y[0] && a[0] == 1; void main() { assert(p(a, a)); }"),
      "accepted");
}

TEST(TinyChecker, ComputesSizesFromConstants) {
  const Program program = parsed(
      "const int N = 2 * M; const int M = 3; int a[N + 1][M]; void main() { const int K = N - 1; "
      "int b[K]; b[0] = a[0][0]; }");
  EXPECT_EQ(program.variables[2].dimensions, (std::vector<std::optional<std::uint64_t>>{7, 3}));
  EXPECT_EQ(program.variables[4].dimensions, (std::vector<std::optional<std::uint64_t>>{5}));
  EXPECT_EQ(mistakes_of("const int N = 2; int a[N - 2]; void main() { a[0] = 1; }"),
            "1:26: expected the size of an array, found 0 | an array has at least one element\n");
  EXPECT_EQ(mistakes_of("int n; int a[n]; void main() { a[0] = n; }"),
            "1:14: expected a constant in the size of an array, found 'n', a global variable\n");
}

TEST(TinyChecker, WarnsOfWhatIsUnlikelyToBeMeant) {
  EXPECT_EQ(warnings_of("int x;\nvoid main() { int y; }"),
            "1:5: 'x', a global variable, is never used\n2:19: 'y', a local variable, is never used\n");
  EXPECT_EQ(warnings_of("void main() { int x; @pre p { x > 0 }\n@post q { x > 0 } }"),
            "1:22: @pre p of 'main' has no @post of the same name\n"
            "2:1: @post q of 'main' has no @pre of the same name: it has to hold on all runs\n");
  EXPECT_EQ(warnings_of("int x; wire int w = x; void main() { @pre p { x > 0 } @post p { x > 0 } }"), "");
}

TEST(TinyChecker, RefusesTwoPreconditionsOfOneName) {
  EXPECT_EQ(in_main("@pre p { b }\n@pre p { x > 0 }\n@post p { b }"),
            "3:1: the precondition 'p' of 'main' stands twice, first at line 2 | write both properties in one @pre\n");
}

}  // namespace
}  // namespace plumb::tiny
