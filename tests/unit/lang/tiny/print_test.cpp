#include <gtest/gtest.h>

#include <random>

#include "unit/lang/tiny/mistakes_of.h"
#include "unit/lang/tiny/random_program.h"
#include "unit/lang/tiny/same_program.h"

namespace plumb::tiny {
namespace {

/// Prints and parses again; says where the trees differ. What is printed twice is equal.
std::string round_trip(const std::string& text) {
  const Program program = parsed(text);
  const std::string printed = print(program);
  try {
    const Program again = parsed(printed);
    if (print(again) != printed) return "printed differently:\n" + printed + print(again);
    const std::string found = difference(program, again);
    return found.empty() ? "" : found + "\n" + printed;
  } catch (const Mistakes& mistakes) {
    return std::string(mistakes.what()) + "\n" + printed;
  }
}

TEST(TinyPrint, RoundTripsEveryConstruct) {
  EXPECT_EQ(round_trip("void main() { }"), "");
  EXPECT_EQ(
      round_trip(
          "class t { const int N = 3; wire bool w = a[0] < N; wire int free; int a[N]; int g = 2; int f(int [] b, "
          "int n) { @pre f { n >= 0; } for (int i = 0, j = 2; i < n; i++, j--) { if (b[i] == 0x1) return j; "
          "else if (b[i]) continue; else break; } for (;;) { break; } do n--; while (n > 0 && w); @do_together "
          "{ n = 1; if (n) a[n] = 2; else if (g) g = 1; } assert(n ? true : false); assume(!nondet_bool()); "
          "{ const bool K = true; bool [][4] m; m[0][n] = K; } h(); return -1; @post f { rv < n -> (exists(int "
          "k:[0..n-1]) { p(k) }) && n == 2 } } p(int x) = x << 1 != 2; void h() { free2 = nondet() + free + "
          "MAX_ARRAY_SIZE; return; } int free2; };"),
      "");
}

TEST(TinyPrint, KeepsTheOrderOfGlobalsAndFunctions) {
  const std::string text =
      "int x;\n\nvoid f() {\n  x = y;\n}\n\nvoid g(int n) {\n  x = n;\n}\nint y;\n\nvoid main() {\n  f();\n  "
      "g(y);\n}\n";
  EXPECT_EQ(print(parsed(text)), text);
}

TEST(TinyPrint, WritesOnlyTheParenthesesThatAreNeeded) {
  const auto expression = [](const std::string& value) {
    const std::string text = print(parsed("int a; int b; bool p; bool q; void main() { p = " + value + "; }"));
    const std::size_t begin = text.find("p = ") + 4;
    return text.substr(begin, text.find(';', begin) - begin);
  };
  EXPECT_EQ(expression("((a + (b * 2)) - (a - b)) < (-(-a))"), "a + b * 2 - (a - b) < -(-a)");
  EXPECT_EQ(expression("(p -> q) -> (p -> q)"), "(p -> q) -> p -> q");
  EXPECT_EQ(expression("p -> q && q"), "(p -> q) && q");
  EXPECT_EQ(expression("p -> (q && q)"), "p -> (q && q)");
  EXPECT_EQ(expression("(p ? p : q) ? q : (p ? q : p)"), "(p ? p : q) ? q : p ? q : p");
  EXPECT_EQ(expression("!(p && !q)"), "!(p && !q)");
  EXPECT_EQ(expression("a && !b"), "a && !b");
}

/// A random expression with all its parentheses, over the names of the program below.
class RandomExpression {
 public:
  explicit RandomExpression(std::uint32_t seed) : random_(seed) {}

  std::string of_bool(int depth) {
    if (depth == 0) return pick({"p", "q", "true", "false", "nondet_bool()", "bs[x]"});
    const auto a = [&] { return of_bool(depth - 1); };
    const auto i = [&] { return of_int(depth - 1); };
    switch (below(8)) {
      case 0:
        return "(!" + a() + ")";
      case 1:
        return "(" + a() + pick({" && ", " || ", " -> "}) + a() + ")";
      case 2:
        return "(" + i() + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) + i() + ")";
      case 3:
        return "(" + a() + pick({" == ", " != "}) + a() + ")";
      case 4:
        return "(" + a() + " ? " + a() + " : " + a() + ")";
      case 5:
        return pick({"forall", "exists"}) + "(int x:[" + i() + ".." + i() + "]) {" + a() + "}";
      case 6:
        return "even(" + i() + ", ns)";
      default:
        return "(" + i() + pick({" && ", " || ", " -> "}) + a() + ")";  // an int as a condition
    }
  }

  std::string of_int(int depth) {
    if (depth == 0) return pick({"x", "y", "0", "7", "MAX_ARRAY_SIZE", "nondet()", "ns[y]", "mn[x][y]"});
    const auto i = [&] { return of_int(depth - 1); };
    switch (below(6)) {
      case 0:
        return "(-" + i() + ")";
      case 1:
        return "(~" + i() + ")";
      case 2:
        return "(" + of_bool(depth - 1) + " ? " + i() + " : " + i() + ")";
      case 3:
        return "ns[" + i() + "]";
      case 4:
        return "f(" + i() + ", " + of_bool(depth - 1) + ")";
      default:
        return "(" + i() + pick({" + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " | ", " ^ "}) + i() + ")";
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string pick(const std::vector<std::string>& words) { return words[below(words.size())]; }
  std::mt19937 random_;
};

TEST(TinyPrint, RoundTripsRandomExpressions) {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    RandomExpression random(seed);
    const int depth = static_cast<int>(seed % 6);
    const std::string text =
        "bool p; bool q; int x; int y; int ns[7]; int mn[2][3]; bool bs[4]; int f(int n, bool c) { return c ? "
        "n : 0; } even(int n, int [] t) = t[n % 2] == 0; void main() { q = " +
        random.of_bool(depth) + "; x = " + random.of_int(depth) + "; }";
    ASSERT_EQ(round_trip(text), "") << text;
  }
}

/// Random statements around a few fixed expressions.
std::string random_statement(std::mt19937& random, int depth, bool in_loop) {
  const auto inner = [&](bool loop) { return random_statement(random, depth - 1, loop); };
  const std::string name(1, static_cast<char>('a' + random() % 3));
  switch (random() % (depth == 0 ? 6 : 13)) {
    case 0:
      return name + " = " + name + " + 1;";
    case 1:
      return "t[" + name + "]++;";
    case 2:
      return in_loop ? "break;" : "assert(" + name + " < 3);";
    case 3:
      return in_loop ? "continue;" : "assume(" + name + ");";
    case 4:
      return "step(" + name + ");";
    case 5:
      return "@do_together { a = b; if (c) b = a; else if (b) { t[0] = a; t[1] = b; } }";
    case 6:
      return "{ int a = b; " + inner(in_loop) + " }";
    case 7:
      return "if (" + name + ") { " + inner(in_loop) + " }";
    case 8:
      return "if (" + name + ") " + inner(in_loop) + " else " + inner(in_loop);
    case 9:
      return "while (" + name + " != 2) " + inner(true);
    case 10:
      return "do { " + inner(true) + inner(true) + " } while (!" + name + ");";
    case 11:
      return "for (int a = 0, d = a; a < d; a += 2, d--) { " + inner(true) + " }";
    default:
      return "for (; " + name + "; ) " + inner(true);
  }
}

TEST(TinyPrint, RoundTripsRandomStatements) {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::string body;
    for (int i = 0; i < 3; ++i) body += random_statement(random, static_cast<int>(seed % 5), false) + "\n";
    const std::string text =
        "int a; int b; int c; int t[]; void step(int n) { t[n] = n; }\nvoid main() {\n" + body + "}";
    ASSERT_EQ(round_trip(text), "") << text;
  }
}

TEST(TinyPrint, RoundTripsRandomPrograms) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomProgram::Shape shape;
    shape.is_signed = seed % 2 == 0;
    const std::string text = RandomProgram(seed, shape).make();
    ASSERT_EQ(round_trip(text), "") << text;
  }
}

/// A program that no source can give: made by hand as rho makes it of a recursive function.
TEST(TinyPrint, WritesWhatRhoMakesInTheNotationOfThePaper) {
  Program program =
      parsed("int sp; int n[3]; void fact() { n[sp + 1] = n[sp] - 1; fact2(); sp = sp - 1; } void fact2() { }");
  program.variables[0].name = program.variables[0].unique_name = "fact::sp";
  program.variables[1].name = program.variables[1].unique_name = "fact::n";
  Statement& call = *program.functions[0].body->body[1];
  call.kind = Statement::Kind::CallFunction;
  call.function = 1;
  call.value = nullptr;
  EXPECT_EQ(print(program),
            "int fact::sp;\nint fact::n[3];\n\nvoid fact() {\n  fact::n[fact::sp + 1] = fact::n[fact::sp] - 1;\n"
            "  call_func(fact2);\n  fact::sp = fact::sp - 1;\n}\n\nvoid fact2() {\n}\n");
}

TEST(TinyPrint, ShowsRecursionAsFigure33Does) {
  Options options;
  options.stack_size = 5;
  const Program program = parsed(
      "int fact(int n) { int result; if (n == 0) result = 1; else result = n * fact(n - 1); return result; } "
      "void main() { int x; x = fact(3); }");
  const std::string text = print(rho(program, options));
  for (const char* line : {"int fact::n[5];", "int fact::sp;", "fact::n[fact::sp + 1] = fact::n[fact::sp] - 1;",
                           "fact::sp = fact::sp + 1;", "call_func(fact);", "fact::sp = fact::sp - 1;",
                           "fact::n[0] = 3;", "main::x = fact::rv;"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

}  // namespace
}  // namespace plumb::tiny
