#include <gtest/gtest.h>

#include <algorithm>

#include "flatten/instances.h"
#include "unit/flatten/programs.h"

namespace plumb::flatten {
namespace {

std::string limit_text(const Subject& subject, const Ending& ending) {
  return ending.kind == Ending::Kind::Limit ? subject.flattened.limits[ending.goal].text : "";
}

TEST(Instances, FunctionsAreCopiedForEachCallUnlessTheyAreRecursive) {
  const Program program = program_of(
      "static int leaf(int x) { return x + 1; }\n"
      "static int middle(int x) { return leaf(x) * leaf(x + 1); }\n"
      "static int down(int x) { return x <= 0 ? 0 : down(x - 1) + leaf(x); }\n"
      "int main(void) { return middle(1) + middle(2) + down(3) + down(4); }");
  const program::CallGraph calls(program);
  const Instances instances(program, calls, {});
  std::map<std::string, int> counts;
  for (const Instance& instance : instances.all()) ++counts[program.functions[instance.function].name];
  EXPECT_EQ(counts["main"], 1);
  EXPECT_EQ(counts["middle"], 2);
  EXPECT_EQ(counts["leaf"], 5);
  EXPECT_EQ(counts["down"], 1);
  EXPECT_EQ(instances.component_count(), 1U);
  Options few;
  few.max_copied = 0;
  const Instances single(program, calls, few);
  EXPECT_EQ(single.all().size(), 4U);
}

TEST(Instances, PointersToFunctionsOfOtherTypesCloseNoCircle) {
  const Program program = program_of(
      "static int (*hook)(int); static void (*other)(void);\n"
      "static int one(int x) { if (other) other(); return x; }\n"
      "static void two(void) { }\n"
      "int main(void) { hook = one; other = two; return hook(1); }");
  const Instances instances(program, program::CallGraph(program), {});
  for (const Instance& instance : instances.all()) EXPECT_FALSE(instance.is_recursive);
}

TEST(Calls, AResultThatIsAnArgumentStaysWhenTheLoopGoesOn) {
  const Subject subject(
      "static int same(int x) { return x; }\n"
      "static int last(u8 n) { int v = 0, r; do { r = same(v); v += 3; } while (n-- > 0); return same(r); }\n"
      "int main(void) { int r, v = 5; do { r = last(__VERIFIER_nondet_uchar()); v = r; }\n"
      "while (__VERIFIER_nondet_uchar()); CHECK(r != 6); return 0; }");
  for (std::uint64_t n = 0; n <= 3; ++n)
    EXPECT_EQ(expect_same_run(subject, listed({n})).kind == Ending::Kind::Goal, n == 2) << n;
}

TEST(Calls, RecursionKeepsTheValuesOfOpenCalls) {
  const Subject subject(
      "static int power(int base, int n) { if (n == 0) return 1; int half = power(base, n / 2);\n"
      "  int all = half * half; if (n & 1) all *= base; return all; }\n"
      "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
      "int main(void) { int x = __VERIFIER_nondet_uchar() % 11; int p = power(3, x);\n"
      "CHECK(p != 6561); CHECK(fib(x) != 55); return 0; }");
  for (std::uint64_t x = 0; x <= 10; ++x)
    EXPECT_EQ(expect_same_run(subject, listed({x})).kind == Ending::Kind::Goal, x == 8 || x == 10) << x;
}

TEST(Calls, FunctionsThatCallEachOtherShareAStack) {
  const Subject subject(
      "static int odd(int n, int tag); static int count;\n"
      "static int even(int n, int tag) { if (n == 0) return tag; int r = odd(n - 1, tag + 1); return r + tag; }\n"
      "static int odd(int n, int tag) { if (n == 0) return -1; int mine = tag * 2; int r = even(n - 1, mine); return r "
      "- mine + tag; }\n"
      "int main(void) { int x = __VERIFIER_nondet_uchar() % 12; int r = even(x, 1); CHECK(r != 5); CHECK(x != 9); "
      "return 0; }");
  for (std::uint64_t x = 0; x < 12; ++x) expect_same_run(subject, listed({x}));
}

TEST(Calls, AStackThatIsTooDeepIsALimitAndNotBefore) {
  Options options;
  options.stack_depth = 5;
  const Subject subject(
      "static int down(int n) { if (n == 0) return 0; return down(n - 1) + 1; }\n"
      "int main(void) { int x = __VERIFIER_nondet_uchar(); CHECK(down(x) == x); CHECK(x != 3); return 0; }",
      {}, options);
  for (std::uint64_t x = 0; x <= 4; ++x) expect_same_run(subject, listed({x}));
  const Ending ending = run_graph(subject, listed({5}));
  EXPECT_EQ(limit_text(subject, ending), "more than 5 open calls of 'down' (--stack)");
  EXPECT_EQ(subject.flattened.limits.size(), 1U);
}

TEST(Calls, PointersToFunctionsChooseAmongThoseThatFit) {
  const Subject subject(
      "static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }\n"
      "static int mul(int a, int b) { return a * b; } static int other(int a) { return a; }\n"
      "static int (*table[3])(int, int) = {add, sub, mul}; int (*unused)(int) = other;\n"
      "int main(void) { u8 i = __VERIFIER_nondet_uchar() % 3; int x = __VERIFIER_nondet_uchar();\n"
      "int (*f)(int, int) = table[i]; int r = f(x, 3); CHECK(r != 9); return 0; }");
  int violated = 0;
  for (std::uint64_t i = 0; i < 3; ++i)
    for (const std::uint64_t x : {3, 6, 12, 100})
      violated += expect_same_run(subject, listed({i, x})).kind == Ending::Kind::Goal;
  EXPECT_EQ(violated, 3);
}

TEST(Calls, ACallThroughANullPointerEndsTheRun) {
  const Subject subject(
      "static int one(void) { return 1; }\n"
      "int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : (int (*)(void))0; CHECK(f() != 1); return 0; "
      "}");
  EXPECT_EQ(expect_same_run(subject, listed({0})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({1})).kind, Ending::Kind::Goal);
}

TEST(Calls, AFunctionPointerThatIsCalledRecursivelyKeepsOpenCalls) {
  const Subject subject(
      "typedef int step(int); static step first, second; static step *next = first;\n"
      "static int first(int n) { if (n <= 0) return 0; next = second; int r = next(n - 1); return r + n; }\n"
      "static int second(int n) { if (n <= 0) return 1; next = first; int r = next(n - 2); return r * 2 + n; }\n"
      "int main(void) { int x = __VERIFIER_nondet_uchar() % 16; CHECK(next(x) % 5 != 3); return 0; }");
  for (std::uint64_t x = 0; x < 16; ++x) expect_same_run(subject, listed({x}));
}

TEST(Calls, FunctionsWithoutABodyGiveInputsAndAreGaps) {
  const Subject subject("int unknown(int); int main(void) { CHECK(unknown(3) + unknown(4) != 7); return 0; }");
  const Ending ending = expect_same_run(subject, listed({3, 4}));
  EXPECT_EQ(ending.kind, Ending::Kind::Goal);
  EXPECT_EQ(ending.inputs, (std::vector<std::string>{"unknown", "unknown"}));
  ASSERT_EQ(ending.passed.size(), 2U);
  const Limit& limit = subject.flattened.limits[ending.passed[0]];
  EXPECT_EQ(limit.kind, Limit::Kind::MissingBody);
  EXPECT_NE(limit.text.find("'unknown'"), std::string::npos);
}

TEST(Calls, OutputChangesNothing) {
  const Subject subject(
      "int printf(const char *, ...); int puts(const char *); int putchar(int);\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); printf(\"%d\\n\", x); puts(\"a\"); putchar('b'); CHECK(x != "
      "4);\n"
      "return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({4})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({5})).kind, Ending::Kind::End);
  EXPECT_LT(subject.flattened.graph.statements.size(), 10U);
}

TEST(Calls, ConstructorsRunBeforeMainAndExitEndsTheRun) {
  const Subject subject(
      "static int g; __attribute__((constructor)) static void before(void) { g = 4; }\n"
      "static void leave(int x) { if (x == 1) exit(2); if (x == 2) abort(); }\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); leave(x); CHECK(g != 4); return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({0})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({1})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({2})).kind, Ending::Kind::End);
}

TEST(Calls, MainThatCallsItselfIsRecursive) {
  const Subject subject(
      "static int left = 3; int main(void) { int mine = left; if (left-- > 0) { main(); CHECK(mine != 2); } return 0; "
      "}");
  EXPECT_EQ(expect_same_run(subject, listed({})).kind, Ending::Kind::Goal);
}

}  // namespace
}  // namespace plumb::flatten
