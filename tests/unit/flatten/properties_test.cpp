#include <gtest/gtest.h>

#include <algorithm>

#include "unit/flatten/programs.h"

namespace plumb::flatten {
namespace {

using program::Check;
using program::GoalKind;

semantics::GoalOptions checking(std::initializer_list<Check> checks) {
  semantics::GoalOptions options;
  for (const Check check : checks) options.checks.add(check);
  return options;
}

GoalKind kind_of(const Subject& subject, const Ending& ending) { return subject.goals[ending.goal].kind; }

TEST(Goals, ArithmeticGoalsFailWhereTheInterpreterFaults) {
  const Subject subject(
      "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); int s = 0;\n"
      "if (x > 50) s = x / y; else if (x > 40) s = y * x; else if (x > 30) s = 1 << y; else if (x > 20) s = -y;\n"
      "else if (x > 10) s = (int)(100u % (u32)y); return s; }",
      checking({Check::Division, Check::Overflow, Check::Shift}));
  const std::vector<std::pair<std::uint64_t, GoalKind>> cases = {{51, GoalKind::Division},
                                                                 {41, GoalKind::Overflow},
                                                                 {31, GoalKind::Shift},
                                                                 {21, GoalKind::Overflow},
                                                                 {11, GoalKind::Division}};
  for (const auto& [x, kind] : cases)
    for (const std::uint64_t y : {0U, 1U, 31U, 32U, 0x80000000U, 0xFFFFFFFFU}) {
      const Ending ending = expect_same_run(subject, listed({x, y}));
      if (ending.kind == Ending::Kind::Goal) {
        EXPECT_EQ(kind_of(subject, ending), kind);
      }
    }
  EXPECT_EQ(expect_same_run(subject, listed({51, 0})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({41, 0x7FFFFFFF})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({31, 32})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({21, 0x80000000})).kind, Ending::Kind::Goal);
}

TEST(Goals, AFaultThatIsNoGoalEndsTheRun) {
  const Subject subject("int main(void) { int x = __VERIFIER_nondet_int(); int q = 7 / x; CHECK(q == 7); return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({0})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({1})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({2})).kind, Ending::Kind::Goal);
}

TEST(Goals, NothingCountsBehindAnAssumptionThatFails) {
  const Subject subject(
      "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); CHECK(x > 5); return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({3})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({4})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({6})).kind, Ending::Kind::End);
}

TEST(Goals, MemoryGoalsFailWhereTheInterpreterFaults) {
  const Subject subject(
      "int table[4]; int main(void) { u8 i = __VERIFIER_nondet_uchar(); int *p = malloc(8); int *q = p;\n"
      "if (i < 10) table[i] = 1; else if (i < 20) p[i - 10] = 2; else if (i == 20) { free(p); free(q); return 0; }\n"
      "else if (i == 21) q = 0; else if (i == 22) return 1;\n"
      "if (i == 21) q[0] = 1; free(p); return 0; }",
      checking({Check::Bounds, Check::Null, Check::Free, Check::Leak}));
  int violated = 0;
  for (std::uint64_t i = 0; i < 25; ++i) violated += expect_same_run(subject, listed({i})).kind == Ending::Kind::Goal;
  EXPECT_EQ(violated, 6 + 8 + 3);
}

TEST(Covers, AnAssertionBehindAnAssumptionThatCannotHoldIsNeverReached) {
  const Subject subject(
      "int main(void) { u8 x = __VERIFIER_nondet_uchar(); __VERIFIER_assume(x > 5);\n"
      "CHECK(x != 7);\n"
      "__VERIFIER_assume(x < 3);\n"
      "CHECK(x != 9); return 0; }");
  ASSERT_EQ(subject.goals.size(), 2U);
  std::vector<bool> covered(2);
  for (std::uint64_t x = 0; x < 256; ++x) {
    const Ending ending = expect_same_run(subject, listed({x}));
    for (std::size_t g = 0; g < 2; ++g) covered[g] = covered[g] || ending.covered[g];
  }
  EXPECT_TRUE(covered[0]);
  EXPECT_FALSE(covered[1]);
}

TEST(Covers, AGoalThatHoldsIsCoveredWhereItIsDecided) {
  const Subject subject(
      "static void check(int c) { if (!c) { reach_error(); } }\n"
      "static void fail(void) { reach_error(); }\n"
      "int main(void) { u8 x = __VERIFIER_nondet_uchar(); check(x < 256); if (x > 300) fail(); return 0; }");
  const Ending ending = expect_same_run(subject, listed({1}));
  EXPECT_EQ(ending.covered, std::vector<bool>(subject.goals.size(), true));
}

/// By goal: some run on a single byte covers it.
std::vector<bool> covered_goals(const Subject& subject) {
  std::vector<bool> covered(subject.goals.size());
  for (std::uint64_t x = 0; x < 256; ++x) {
    const Ending ending = expect_same_run(subject, listed({x}));
    for (std::size_t g = 0; g < covered.size(); ++g) covered[g] = covered[g] || ending.covered[g];
  }
  return covered;
}

TEST(Covers, AnErrorThatNoTestLeadsToIsCoveredUnlessAnAssumptionIsInTheWay) {
  const Subject subject(
      "static void fail(int a) { if (a == 3) reach_error(); }\n"
      "int main(void) { u8 x = __VERIFIER_nondet_uchar() & 7; int state = 1;\n"
      "for (int i = 0; i < 3; i++) { if (state == 5) { if (x == 2) reach_error(); fail(x); } else if (x == 9 && i == "
      "2) reach_error(); }\n"
      "if (x > 7) abort();\n"
      "__VERIFIER_assume(x > 5); if (x > 20 && state == 1) reach_error();\n"
      "if (x < 6) abort();\n"
      "if (x != 9) exit(1);\n"
      "if (state == 2) reach_error(); return 0; }");
  ASSERT_EQ(subject.goals.size(), 5U);
  std::vector<bool> covered = covered_goals(subject);
  std::sort(covered.begin(), covered.end());
  EXPECT_EQ(covered, (std::vector<bool>{false, true, true, true, true}));
}

TEST(Covers, AnAssertionOfSeveralPartsIsDecidedAtItsFirst) {
  const Subject subject(
      "#include <assert.h>\n"
      "int main(void) { u8 x = __VERIFIER_nondet_uchar() & 3;\n"
      "assert(x < 9 || x < 10 || x == 11);\n"
      "if (x == 7)\n"
      "  assert(x == 7);\n"
      "return 0; }");
  ASSERT_EQ(subject.goals.size(), 2U);
  EXPECT_EQ(covered_goals(subject), (std::vector<bool>{true, false}));
}

TEST(Limits, WhatIsNotSupportedIsALimitWhereItIsReached) {
  const Subject subject(
      "double d; int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) d = d * 2.0; CHECK(x != 4); return 0; "
      "}");
  ASSERT_EQ(subject.flattened.limits.size(), 1U);
  EXPECT_EQ(subject.flattened.limits[0].text, "floating point arithmetic (fmul)");
  const CodePoint at = subject.flattened.limits[0].at;
  EXPECT_EQ(subject.program.functions[at.function].instructions[at.instruction].kind, program::Kind::Float);
  EXPECT_EQ(run_graph(subject, listed({3})).kind, Ending::Kind::Limit);
  EXPECT_EQ(expect_same_run(subject, listed({4})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({5})).kind, Ending::Kind::End);
}

TEST(Limits, MoreHeapObjectsThanThereAreIsALimit) {
  Options options;
  options.heap_objects = 3;
  const Subject subject(
      "int main(void) { u8 n = __VERIFIER_nondet_uchar(); int *last = 0;\n"
      "for (u8 i = 0; i < n; i++) { last = malloc(4); *last = i; }\n"
      "CHECK(n != 3); return 0; }",
      {}, options);
  EXPECT_EQ(expect_same_run(subject, listed({2})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({3})).kind, Ending::Kind::Goal);
  EXPECT_EQ(run_graph(subject, listed({4})).kind, Ending::Kind::Limit);
}

TEST(Limits, VariadicFunctionsAreALimitOnlyWhereTheyLookAtTheirArguments) {
  const Subject subject(
      "static int sum(int n, ...) { __builtin_va_list list; if (n == 0) return 0; __builtin_va_start(list, n);\n"
      "int s = __builtin_va_arg(list, int); __builtin_va_end(list); return s; }\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); CHECK(sum(x & 1, 5) != 0 || x != 8); return 0; }");
  EXPECT_EQ(run_graph(subject, listed({1})).kind, Ending::Kind::Limit);
  EXPECT_EQ(run_graph(subject, listed({8})).kind, Ending::Kind::Goal);
}

constexpr std::string_view kMutexes =
    "typedef struct { char room[40]; } mutex; typedef struct { char room[48]; } condition;\n"
    "extern int pthread_mutex_lock(mutex*), pthread_mutex_trylock(mutex*), pthread_mutex_unlock(mutex*);\n"
    "extern int pthread_cond_wait(condition*, mutex*); extern unsigned long pthread_self(void);\n"
    "mutex m, n; condition c; int shared;\n";

TEST(Threads, TheOnlyOneHasItsMutexes) {
  const std::string start(kMutexes);
  for (const std::string& body : {
           "pthread_mutex_lock(&m); shared = x; if (shared > 9) shared = 9; pthread_mutex_unlock(&m); CHECK(shared < "
           "9);",
           "mutex *p = x & 1 ? &m : &n; pthread_mutex_lock(p); CHECK(pthread_mutex_trylock(&m) == 0);",
           "pthread_mutex_lock(&m); if (x & 1) pthread_mutex_lock(&m); CHECK(x & 1);",
           "CHECK(pthread_mutex_unlock(&n) != 0 && pthread_cond_wait(&c, &m) != 0); CHECK(x & 1);",
           "pthread_mutex_lock(&m); if (x & 1) pthread_cond_wait(&c, &m); CHECK(x & 1);",
           "pthread_mutex_lock(x & 1 ? 0 : &m); CHECK(x & 1);",
           "CHECK(pthread_self() == pthread_self() && pthread_self()); CHECK(x & 1);",
       }) {
    const Subject subject(start + "int main(void) { int x = __VERIFIER_nondet_int(); " + body + " return 0; }");
    for (std::uint64_t x = 0; x < 12; ++x) expect_same_run(subject, listed({x}));
  }
}

TEST(Inputs, OneWithoutBytesIsNone) {
  const Subject subject(
      "void plumb_symbolic(void*, unsigned long, const char*);\n"
      "int main(void) { char b[4]; int x; plumb_symbolic(b, 0, \"e\"); plumb_symbolic(&x, 4, \"x\");\n"
      "CHECK(x != 12345); return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({12345})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({1, 12345})).kind, Ending::Kind::End);
}

TEST(Inputs, ANameThatMayBeReadWrongIsALimitAndAnotherIsNone) {
  const std::string start =
      "void plumb_symbolic(void*, unsigned long, const char*);\n"
      "void in(int* p, const char* name) { plumb_symbolic(p, 4, name); } char n[2] = \"n\";\n"
      "int main(void) { int x, y; in(&x, \"x\"); ";
  const std::string end = " CHECK(x != 5 || y != 7); return 0; }";
  const auto run = [](const std::string& text) { return run_graph(Subject(text), listed({5, 7})).kind; };
  EXPECT_EQ(run(start + "in(&y, \"y\");" + end), Ending::Kind::Goal);
  EXPECT_EQ(run(start + "in(&y, (void*)0);" + end), Ending::Kind::Goal);
  EXPECT_EQ(run(start + "in(&y, n);" + end), Ending::Kind::Limit);
  EXPECT_EQ(run(start + "in(&y, \"y\" + 5);" + end), Ending::Kind::Limit);
}

TEST(Heap, AlignedAllocationsRoundUpAsTheLibraryDoes) {
  const Subject subject(
      "extern void *aligned_alloc(unsigned long, unsigned long);\n"
      "int main(void) { CHECK(aligned_alloc(3, 8) != 0 && (unsigned long)aligned_alloc(48, 8) % 64 == 0);\n"
      "CHECK(aligned_alloc(1UL << 62, 8) != 0); return 0; }");
  EXPECT_EQ(expect_same_run(subject, listed({})).goal, 1U);
}

TEST(Floats, ComparisonsAndWideningAreFollowed) {
  const Subject subject(
      "extern float __VERIFIER_nondet_float(void);\n"
      "int main(void) { float x = __VERIFIER_nondet_float(); CHECK(x > 1e-40 && -x < -1.0f); CHECK(x < 3.5); return 0; "
      "}");
  for (const std::uint64_t bits : {0x3f800000U, 0x3f800001U, 0x40600000U, 0x7fc00000U, 0xff800000U, 1U, 0x12345U})
    expect_same_run(subject, listed({bits}));
}

}  // namespace
}  // namespace plumb::flatten
