#include <gtest/gtest.h>

#include <string>

#include "unit/lang/tiny/lower_run.h"

namespace plumb::tiny {
namespace {

using Names = std::set<std::string>;

Options bits(std::uint32_t width, bool is_signed = false) {
  Options options;
  options.int_width = width;
  options.is_signed = is_signed;
  return options;
}

/// What fails when x and y have the values.
Names failures(const std::string& text, const Options& options, std::uint64_t x, std::uint64_t y = 0) {
  GraphRun run(text, options);
  run.set("x", {x});
  run.set("y", {y});
  EXPECT_TRUE(run.run());
  Names result = run.failed();
  result.erase("the end is reached");
  return result;
}

std::string main_with(const std::string& statements) {
  return "int x; int y; int z; int a[5]; int m[3][4]; bool p;\nvoid main() {\n" + statements + "\n}";
}

TEST(Lower, RunsArithmeticLoopsAndBranches) {
  GraphRun run(main_with("z = 0; for (int i = 0; i < x; i++) { if (i % 2 == 1) continue; if (i == 8) break; z += i; }"),
               bits(8));
  run.set("x", {100});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("z"), 0U + 2 + 4 + 6);
}

TEST(Lower, RunsDoWhileWithACallInItsCondition) {
  GraphRun run(
      "int x;\nbool more(int n) { return n < 5; }\n"
      "void main() { x = 0; do { x = x + 1; if (x == 2) continue; } while (more(x)); }",
      bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 5U);
}

TEST(Lower, ReturnsToTheSiteOfTheCall) {
  GraphRun run(
      "int x;\nint twice(int n) { return n * 2; }\nint more(int n) { return twice(n) + 1; }\n"
      "void main() { x = twice(3) + more(twice(4)) * 2; }",
      bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 6U + (16 + 1) * 2);
}

TEST(Lower, RunsRecursion) {
  GraphRun run(
      "int x;\nint fact(int n) { int result; if (n <= 1) { result = 1; } else { result = n * fact(n - 1); }"
      " return result; }\nvoid main() { x = fact(5); }",
      bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 120U);
  EXPECT_EQ(run.failed(), Names{"the end is reached"});
}

TEST(Lower, RunsRecursionThatCallsItselfTwice) {
  GraphRun run(
      "int x;\nint fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }\n"
      "void main() { x = fib(9); }",
      bits(8));
  ASSERT_TRUE(run.run(100000));
  EXPECT_EQ(run.value("x"), 34U);
}

TEST(Lower, RunsIndirectRecursionOnOneStack) {
  const std::string text =
      "int x; bool p;\nbool even(int n) { if (n == 0) return true; return odd(n - 1); }\n"
      "bool odd(int n) { if (n == 0) return false; return even(n - 1); }\nvoid main() { p = even(x); }";
  Options options = bits(4);
  options.stack_size = 8;
  for (std::uint64_t x = 0; x < 7; ++x) {
    GraphRun run(text, options);
    run.set("x", {x});
    ASSERT_TRUE(run.run());
    EXPECT_EQ(run.value("p"), x % 2 == 0 ? 1U : 0U) << x;
    EXPECT_EQ(run.failed(), Names{"the end is reached"}) << x;
  }
  GraphRun deep(text, options);
  deep.set("x", {8});
  ASSERT_TRUE(deep.run());
  EXPECT_EQ(deep.failed(), Names{"recursion depth"});
}

TEST(Lower, ReturnsFromAFunctionThatIsCalledBehindARecursiveCall) {
  GraphRun run(
      "int x;\nint other(int n) { return n + 1; }\n"
      "int f(int n) { if (n == 0) return 0; int r = f(n - 1); return other(r); }\n"
      "void main() { x = other(4) + f(3); }",
      bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 8U);
}

TEST(Lower, KeepsLocalArraysOfARecursionApart) {
  GraphRun run(
      "int x;\nint f(int n) { int b[3]; b[0] = n; b[n % 3] = n; int r = 0; if (n > 0) { r = f(n - 1); }\n"
      " return r + b[0]; }\nvoid main() { x = f(4); }",
      bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 10U);
}

TEST(Lower, CopiesDifferentArraysInAndOut) {
  GraphRun run(
      "int a[3]; int b[3];\nvoid f(int [] c, int v) { c[1] = v; c[2] = c[0]; }\n"
      "void main() { f(a, 5); f(b, 6); f(a, 7); }",
      bits(8));
  run.set("a", {1, 0, 0});
  run.set("b", {2, 0, 0});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("a", 1), 7U);
  EXPECT_EQ(run.value("a", 2), 1U);
  EXPECT_EQ(run.value("b", 1), 6U);
  EXPECT_EQ(run.value("b", 2), 2U);
}

TEST(Lower, StoresTwoDimensionsRowByRow) {
  GraphRun run(main_with("m[1][2] = 7; m[2][3] = m[1][2] + 1; z = m[x][y];"), bits(8));
  run.set("x", {2});
  run.set("y", {3});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("m", 6), 7U);
  EXPECT_EQ(run.value("m", 11), 8U);
  EXPECT_EQ(run.value("z"), 8U);
}

TEST(Lower, DoesABlockTogetherOnTheValuesBefore) {
  GraphRun run(main_with("x = 1; y = 2; @do_together { x = y; y = x; if (x < y) { a[x] = y; } else { a[0] = 1; } }"),
               bits(8));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("x"), 2U);
  EXPECT_EQ(run.value("y"), 1U);
  EXPECT_EQ(run.value("a", 1), 2U);
  EXPECT_EQ(run.value("a", 0), 0U);
}

TEST(Lower, ChecksIndicesOfEachDimension) {
  const Names index{"index in bounds"};
  for (std::uint64_t x = 0; x < 16; ++x) {
    EXPECT_EQ(failures(main_with("z = a[x];"), bits(4), x), x < 5 ? Names{} : index) << x;
    EXPECT_EQ(failures(main_with("a[x] = 1;"), bits(4), x), x < 5 ? Names{} : index) << x;
    EXPECT_EQ(failures(main_with("z = m[x][y];"), bits(4), x, 3), x < 3 ? Names{} : index) << x;
    EXPECT_EQ(failures(main_with("z = m[y][x];"), bits(4), x, 2), x < 4 ? Names{} : index) << x;
    EXPECT_EQ(failures(main_with("p = x < 5 && a[x] == 0;"), bits(4), x), Names{}) << x;
    EXPECT_EQ(failures(main_with("p = x >= 5 || a[x] == 0;"), bits(4), x), Names{}) << x;
    EXPECT_EQ(failures(main_with("z = x < 5 ? a[x] : 0;"), bits(4), x), Names{}) << x;
  }
}

TEST(Lower, ReadsTheLastElementAndDropsWritesOutOfBounds) {
  Options options = bits(4);
  options.check_index = false;
  GraphRun run(main_with("a[x] = 3; z = a[x]; m[1][7] = 5; y = m[1][7];"), options);
  run.set("x", {9});
  run.set("a", {1, 2, 4, 5, 6});
  run.set("m", {0, 0, 0, 0, 0, 0, 0, 9});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("z"), 6U);
  EXPECT_EQ(run.value("y"), 9U);
  EXPECT_EQ(run.failed(), Names{"the end is reached"});
}

/// By all pairs of values, an operator against integers.
void expect_overflow(const std::string& expression, bool is_signed,
                     const std::function<std::int64_t(std::int64_t, std::int64_t)>& exact) {
  const std::int64_t low = is_signed ? -4 : 0;
  for (std::int64_t x = low; x < low + 8; ++x) {
    for (std::int64_t y = low; y < low + 8; ++y) {
      const std::int64_t value = exact(x, y);
      const bool fits = value >= low && value < low + 8;
      EXPECT_EQ(failures(main_with("z = " + expression + ";"), bits(3, is_signed), static_cast<std::uint64_t>(x),
                         static_cast<std::uint64_t>(y)),
                fits ? Names{} : Names{"overflow"})
          << expression << " at " << x << ", " << y;
    }
  }
}

TEST(Lower, ChecksOverflowAsIntegersSay) {
  for (const bool is_signed : {false, true}) {
    expect_overflow("x + y", is_signed, [](auto x, auto y) { return x + y; });
    expect_overflow("x - y", is_signed, [](auto x, auto y) { return x - y; });
    expect_overflow("x * y", is_signed, [](auto x, auto y) { return x * y; });
    expect_overflow("-x", is_signed, [](auto x, auto) { return -x; });
  }
  expect_overflow("y == 0 ? 0 : x / y", true, [](auto x, auto y) { return y == 0 ? 0 : x / y; });
}

TEST(Lower, ChecksShiftAmounts) {
  for (std::uint64_t y = 0; y < 16; ++y) {
    const Names expected = y < 4 ? Names{} : Names{"overflow"};
    EXPECT_EQ(failures(main_with("z = x << y;"), bits(4), 5, y), expected) << y;
    EXPECT_EQ(failures(main_with("z = x >> y;"), bits(4, true), 5, y), expected) << y;
  }
}

TEST(Lower, ChecksDivision) {
  for (std::uint64_t y = 0; y < 8; ++y) {
    const Names expected = y == 0 ? Names{"division by zero"} : Names{};
    EXPECT_EQ(failures(main_with("z = x / y;"), bits(3), 3, y), expected) << y;
    EXPECT_EQ(failures(main_with("z = x % y;"), bits(3), 3, y), expected) << y;
  }
}

TEST(Lower, ChecksAssertionsAndContracts) {
  EXPECT_EQ(failures(main_with("assert(x < 3);"), bits(3), 2), Names{});
  EXPECT_EQ(failures(main_with("assert(x < 3);"), bits(3), 3), Names{"assertion at line 3"});
  const std::string contract = main_with("@pre c { x < 3 }\nz = x + x;\nassert(z < 5);\n@post c { z < 4 }");
  EXPECT_EQ(failures(contract, bits(3), 1), Names{});
  EXPECT_EQ(failures(contract, bits(3), 2), Names{"postcondition c"});
  EXPECT_EQ(failures(contract, bits(3), 7), Names{});
}

TEST(Lower, CountsChecksOnlyUnderAllPreconditionsOfTheEntry) {
  const std::string text =
      main_with("@pre c { x < 3 }\n@pre d { y < 3 }\nz = x + y + 5;\n@post c { false }\n@post d { false }");
  EXPECT_EQ(failures(text, bits(3), 2, 1), (Names{"overflow", "postcondition c", "postcondition d"}));
  EXPECT_EQ(failures(text, bits(3), 2, 3), Names{"postcondition c"});
  EXPECT_EQ(failures(text, bits(3), 3, 2), Names{"postcondition d"});
  EXPECT_EQ(failures(text, bits(3), 7, 7), Names{});
}

TEST(Lower, MakesAPreconditionFalseWhereAnIndexCheckFailsInIt) {
  const std::string text = main_with("@pre c { a[x] == 0 }\nassert(false);");
  EXPECT_EQ(failures(text, bits(3), 4), Names{"assertion at line 4"});
  EXPECT_EQ(failures(text, bits(3), 5), Names{});
}

TEST(Lower, EvaluatesFinalPostconditionsAtEachReturn) {
  const std::string text =
      "int x; int y;\nint f(int n) { if (n == 1) return 5; return n;\n@post f { rv == n } }\n"
      "void main() { y = f(x); }";
  EXPECT_EQ(failures(text, bits(3), 1), Names{"postcondition f"});
  EXPECT_EQ(failures(text, bits(3), 2), Names{});
}

/// A quantifier unrolled and as a loop: the same value and the same failures from all starts.
void expect_same_unrolled(const std::string& statements, const Options& options) {
  Options looped = options;
  looped.unroll_quantifiers = false;
  GraphRun one(main_with(statements), options);
  GraphRun other(main_with(statements), looped);
  for (std::uint64_t x = 0; x < 8; ++x) {
    for (std::uint64_t y = 0; y < 8; ++y) {
      for (const std::vector<std::uint64_t>& a :
           {std::vector<std::uint64_t>{1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}, {0, 7, 1, 7, 2}, {0, 0, 0, 0, 1}}) {
        for (GraphRun* run : {&one, &other}) {
          run->restart();
          run->set("x", {x});
          run->set("y", {y});
          run->set("a", a);
          ASSERT_TRUE(run->run());
        }
        EXPECT_EQ(one.value("p"), other.value("p")) << statements << " at " << x << ", " << y;
        EXPECT_EQ(one.failed(), other.failed()) << statements << " at " << x << ", " << y;
        EXPECT_EQ(one.places(), other.places()) << statements << " at " << x << ", " << y;
        EXPECT_LE(one.statements(), other.statements());
      }
    }
  }
}

TEST(Lower, UnrollsQuantifiersToWhatTheirLoopsAre) {
  for (const bool is_signed : {false, true}) {
    const Options options = bits(3, is_signed);
    for (const std::string q : {"forall", "exists"}) {
      expect_same_unrolled("p = " + q + "(int i:[x..y]) { a[i] == 1 };", options);
      expect_same_unrolled("p = " + q + "(int i:[x-1..y+1]) { a[i] == i };", options);
      expect_same_unrolled("p = " + q + "(int i:[0..y-1]) { a[i] <= a[i+1] };", options);
      expect_same_unrolled("@pre c { " + q + "(int i:[x..y]) { a[i+1] < i } }\np = true;\n@post c { false }", options);
      expect_same_unrolled("@pre c { !" + q + "(int i:[x..y]) { a[i] > i } }\np = true;\n@post c { false }", options);
      expect_same_unrolled("p = " + q + "(int i:[1..3]) { a[i] / x == i || 6 / i == y };", options);
      expect_same_unrolled("p = " + q + "(int i:[x..4]) { exists(int j:[i+1..y]) { a[i] == a[j] } };", options);
    }
  }
}

TEST(Lower, EvaluatesRangesThatAreEmptyAsTheLanguageSays) {
  for (const bool unroll : {false, true}) {
    Options options = bits(3);
    options.unroll_quantifiers = unroll;
    GraphRun run(main_with("bool q; p = forall(int i:[0..x-1]) { false }; q = exists(int i:[x..x-1]) { true };"),
                 options);
    ASSERT_TRUE(run.run());
    EXPECT_EQ(run.value("p"), 1U);
    EXPECT_EQ(run.value("main::q"), 0U);
    EXPECT_EQ(run.failed(), Names{"the end is reached"});
  }
}

TEST(Lower, TakesFreeChoicesFromInputs) {
  GraphRun run(main_with("z = 0; while (z < 6) { int k; z = z + k + nondet(); }"), bits(4));
  run.choose("main::k", 2);
  run.choose("nondet@3:43", 1);
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.value("z"), 6U);
  EXPECT_EQ(run.lowered().inputs.count("x"), 1U);
}

TEST(Lower, OrdersPropertiesByKindAndPlace) {
  GraphRun run(
      "int x; int a[3];\nint f(int n) { if (n == 0) return 0; assert(n > 0); return f(n - 1); @post g { true } }\n"
      "void main() { @post a { true }\nassert(x < 3); x = a[x] / x + f(x);\n@post b { true } }",
      bits(3));
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  for (const auto& p : run.lowered().properties) {
    kinds.push_back(p.kind);
    names.push_back(p.name);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"postcondition", "postcondition", "postcondition", "assertion",
                                             "assertion", "index", "overflow", "division", "recursion", "cover"}));
  EXPECT_EQ(names[0], "postcondition g");
  EXPECT_EQ(names[1], "postcondition a");
  EXPECT_EQ(names[2], "postcondition b");
  EXPECT_EQ(names[3], "assertion at line 2");
  EXPECT_EQ(run.lowered().cover, 9U);
}

TEST(Lower, HasNoCoverWhereTheEntryNeverEnds) {
  GraphRun run(main_with("while (true) { x = 1; }"), bits(3));
  EXPECT_FALSE(run.lowered().cover.has_value());
  EXPECT_FALSE(run.run(100));
}

TEST(Lower, NamesWhatControlNeverComesTo) {
  GraphRun behind(main_with("assume(x != x); assert(x == 5);"), bits(3));
  ASSERT_EQ(behind.lowered().properties.front().kind, "assertion");
  EXPECT_TRUE(behind.lowered().properties.front().is_unreachable);
  GraphRun before(main_with("assert(x == 5); assume(x != x);"), bits(3));
  EXPECT_FALSE(before.lowered().properties.front().is_unreachable);
}

TEST(Lower, GivesEachStatementItsSourceLine) {
  GraphRun run(main_with("x = 1;\n  y = x;"), bits(3));
  EXPECT_EQ(run.lowered().graph.statements[0].text, "x = 1;");
  EXPECT_EQ(run.lowered().graph.statements[1].text, "y = x;");
  EXPECT_EQ(run.lowered().graph.statements[1].location.line, 4U);
}

}  // namespace
}  // namespace plumb::tiny
