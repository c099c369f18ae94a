#include "unroll/unroll.h"

#include "source.h"

namespace plumb::unroll {
namespace {

TEST(Unroll, AStraightLineIsDecidedBothWays) {
  EXPECT_HOLDS("int main() { int x = input(); int y = x ^ 5; check((y ^ 5) == x); }");
  EXPECT_VIOLATED("int main() { int x = input(); check(x * 3 != 12345); }");
}

TEST(Unroll, PathsThatMeetKeepTheirValues) {
  const std::string start = "int main() { int a = input(), b = input(), m; if (a > b) m = a; else m = b; ";
  EXPECT_HOLDS(start + "check(m >= a && m >= b); check(m == a || m == b); }");
  EXPECT_VIOLATED(start + "check(m > a); }");
}

TEST(Unroll, ALoopOverConstantsNeedsNoBound) {
  const Source source("int main() { int s = 0; for (int i = 0; i < 1000; i++) s += i; check(s == 499500); }");
  const Outcome outcome = source.unroll();
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_EQ(outcome.answers[0].bound, 1U);
}

TEST(Unroll, ALoopThatAnAssumptionBoundsIsComplete) {
  const std::string loop =
      "int main() { int n = input(); assume(n >= 0 && n < 12); int s = 0; for (int i = 1; i <= n; i++) s += i; ";
  EXPECT_HOLDS(loop + "check(2 * s == n * (n + 1)); }");
  EXPECT_VIOLATED(loop + "check(s != 55); }");
}

TEST(Unroll, AnInputWithoutBoundHoldsUpToTheUnwindingOnly) {
  const Source source("int main() { unsigned n = input(), i = 0; while (i < n) i++; check(i == n); }");
  Options options;
  options.unwind = 5;
  const Outcome outcome = source.unroll(options);
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(outcome.answers[0].bound, 5U);
  EXPECT_FALSE(outcome.answers[0].reason.empty());
}

TEST(Unroll, TheBoundIsTheNumberOfTimesALoopIsEnteredAgain) {
  const Source source("int main() { int i = 0; while (input()) i++; check(i != 4); }");
  Options options;
  options.unwind = 3;
  EXPECT_EQ(source.unroll(options).answers[0].verdict, Verdict::HoldsUpTo);
  options.unwind = 4;
  const Outcome outcome = source.unroll(options);
  ASSERT_EQ(outcome.answers[0].verdict, Verdict::Violated);
  EXPECT_TRUE(source.violates(*outcome.answers[0].test, source.goals[0]));
  EXPECT_EQ(outcome.answers[0].test->inputs.size(), 5U);
}

TEST(Unroll, AnInfiniteLoopEndsWithItsBudget) {
  const Source source("int main() { unsigned x = 0; while (1) { x += 2; check(x % 2 == 0); } }");
  const Outcome outcome = source.unroll({}, Budget().with_timeout(std::chrono::duration<double>(0.3)));
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(outcome.answers[0].reason, "out of time");
}

TEST(Unroll, WithoutABudgetNothingIsKnown) {
  const Source source("int main() { check(input()); }");
  const Outcome outcome = source.unroll({}, Budget().with_timeout(std::chrono::duration<double>(0)));
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Unknown);
  EXPECT_EQ(outcome.answers[0].reason, "out of time");
}

TEST(Unroll, NestedLoopsMeetAtTheirExits) {
  EXPECT_HOLDS(R"(int main() { int n = byte() % 4, m = byte() % 4, k = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) k++;
    check(k == n * m); })");
  EXPECT_VIOLATED(R"(int main() { int n = byte() % 4, m = byte() % 4, k = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { if (j == 2 && i == 1) break; k++; }
    check(k == n * m); })");
}

TEST(Unroll, AGotoIntoALoopIsUnwoundToo) {
  const std::string text = R"(int main() { int n = byte() % 5, i = 0, s = 0; if (n & 1) goto middle;
    top: s += 2; middle: s++; i++; if (i < n) goto top; )";
  EXPECT_HOLDS(text + "check(s <= 15 && s >= 1); }");
  EXPECT_VIOLATED(text + "check(s != 7); }");
}

TEST(Unroll, ASwitchTakesTheCaseOfItsValue) {
  const std::string text =
      R"(int main() { int x = input(), y; switch (x) { case 1: case 2: y = 10; break; case 7: y = 20;
    case 9: y = 30; break; default: y = x; } )";
  EXPECT_HOLDS(
      text +
      "check(x != 7 || y == 30); check(x != 2 || y == 10); check(x == 1 || x == 2 || x == 7 || x == 9 || x == y); }");
  EXPECT_VIOLATED(text + "check(y != 30 || x == 9); }");
}

TEST(Unroll, RecursionIsBoundedLikeLoops) {
  const std::string sum = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); } ";
  EXPECT_HOLDS(sum + "int main() { int n = byte() % 8; check(sum(n) == n * (n + 1) / 2); }");
  EXPECT_VIOLATED(sum + "int main() { int n = byte() % 8; check(sum(n) != 21); }");
  EXPECT_HOLDS(sum + "int main() { check(sum(100) == 5050); }");
  const Source deep(sum + "int main() { check(sum(input()) >= 0); }");
  Options options;
  options.unwind = 4;
  EXPECT_EQ(deep.unroll(options).answers[0].verdict, Verdict::HoldsUpTo);
}

TEST(Unroll, MutualRecursionMeetsItsResults) {
  EXPECT_HOLDS(R"(int odd(unsigned n); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
    int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
    int main() { unsigned n = byte() % 10; check(even(n) == (n % 2 == 0)); })");
}

TEST(Unroll, AnAssumptionThatCannotHoldMakesAGoalVacuous) {
  EXPECT_EQ(summary("int main() { int x = input(); assume(x > 3 && x < 2); check(x == 0); }").verdict,
            Verdict::Vacuous);
  const Summary s = summary("int main() { int x = input(); assume(x > 3 && x < 5); check(x == 4); }");
  EXPECT_EQ(s.verdict, Verdict::Holds);
}

TEST(Unroll, ARunEndsAtItsFirstFault) {
  // The second error is behind the first for all inputs that could reach it.
  const Source source(
      "int main() { int x = input(); if (x == 3) reach_error(); if (x == 3) reach_error(); if (x == 4) reach_error(); "
      "}");
  const Outcome outcome = source.unroll();
  ASSERT_EQ(outcome.answers.size(), 3U);
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Violated);
  EXPECT_EQ(outcome.answers[1].verdict, Verdict::Holds);
  EXPECT_EQ(outcome.answers[2].verdict, Verdict::Violated);
  for (const std::size_t g : {0, 2}) EXPECT_TRUE(source.violates(*outcome.answers[g].test, source.goals[g]));
}

TEST(Unroll, AFaultThatIsNoGoalEndsTheRunToo) {
  EXPECT_HOLDS("int main() { int x = input(); int y = 10 / x; check(x != 0); return y; }");
}

TEST(Unroll, ExitAndAbortEndARunWell) {
  EXPECT_HOLDS(
      "#include <stdlib.h>\nint main() { int x = input(); if (x < 0) exit(1); if (x > 9) abort(); check(x >= 0 && x <= "
      "9); }");
}

TEST(Unroll, ASearchFindsWhatItSaysInMemoryThatWasNeverWritten) {
  for (const auto& [type, count] : {std::pair("int", "64"), std::pair("int", "65"), std::pair("char", "300")}) {
    const std::string declarations =
        std::string("#define N ") + count + "\nint main() { " + type + " a[N], key = input(); ";
    EXPECT_HOLDS(declarations + R"(int at = -1;
      for (int i = 0; i < N; i++) if (a[i] == key) { at = i; break; }
      check(at < 0 || a[at] == key); })");
  }
  EXPECT_VIOLATED("int main() { int a[65], i = input(); assume(i >= 0 && i < 65); check(a[i] != -1094795586); }");
}

TEST(Unroll, WhatIsNotSupportedMattersWhereItIsReached) {
  const Summary reached = summary("int main() { float f = input(); check(f + 1 > f || f > 3); }");
  EXPECT_EQ(reached.verdict, Verdict::Unknown);
  EXPECT_NE(reached.reason.find("floating point"), std::string::npos) << reached.reason;
  EXPECT_HOLDS("int main() { int x = byte(); float f = 1; if (x > 300) f = x; check(x < 256 && f == 1); }");
}

TEST(Unroll, NothingHoldsUpToABoundIfARunComesToWhatIsNotSupported) {
  const Source source("int main() { int i = 0; while (input()) { float f = input(); i += f > 2; check(i >= 0); } }");
  Options options;
  options.unwind = 3;
  const Outcome outcome = source.unroll(options);
  const result::Absence said = said_of(outcome.answers[0]);
  EXPECT_EQ(said.verdict, Verdict::Unknown);
  EXPECT_NE(said.reason.find("floating point"), std::string::npos) << said.reason;
}

TEST(Unroll, FloatsThatAreConstantsAreComputed) {
  EXPECT_HOLDS("int main() { double d = 0; for (int i = 0; i < 4; i++) d += 0.5; check(d == 2.0); }");
}

TEST(Unroll, AFunctionWithoutABodyGivesAnythingAndIsAGap) {
  const Source source("int unknown(int); int main() { int a = 3; check(unknown(a) != 17); }");
  const Outcome outcome = source.unroll();
  ASSERT_EQ(outcome.answers[0].verdict, Verdict::Violated);
  EXPECT_TRUE(source.violates(*outcome.answers[0].test, source.goals[0]));
  const Outcome safe = Source("int unknown(int); int main() { int a = unknown(3); check(a == a); }").unroll();
  EXPECT_EQ(safe.answers[0].verdict, Verdict::Holds);
  ASSERT_EQ(safe.answers[0].gaps.size(), 1U);
  EXPECT_EQ(safe.answers[0].gaps[0].kind, result::GapKind::MissingBody);
  EXPECT_NE(safe.answers[0].gaps[0].text.find("'unknown'"), std::string::npos);
}

TEST(Unroll, GapsThatNoRunComesToAreNone) {
  const Outcome outcome =
      Source("int unknown(int); int main() { unsigned char x = input(); if (x > 300) x = unknown(3); check(x < 256); }")
          .unroll();
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_TRUE(outcome.answers[0].gaps.empty());
}

TEST(Unroll, EveryGapThatARunComesToIsNamed) {
  const Outcome outcome = Source(
                              "int one(void), two(void); int main() { int x = byte(); if (x == 3) one(); if (x == 4) "
                              "two(); check(x < 256); }")
                              .unroll();
  EXPECT_EQ(outcome.answers[0].gaps.size(), 2U);
}

TEST(Unroll, ParametersWithoutArgumentsHaveAnyValue) {
  const Source any("int twice(x) int x; { return 2 * x; } int main() { check(twice() != 24); }");
  EXPECT_EQ(any.unroll().answers[0].verdict, Verdict::Violated);  // which a replay shows only by chance
  const Outcome outcome =
      Source("int twice(x) int x; { return 2 * x; } int main() { check(twice() % 2 == 0); }").unroll();
  ASSERT_EQ(outcome.answers[0].gaps.size(), 1U);
  EXPECT_EQ(outcome.answers[0].gaps[0].kind, result::GapKind::Mismatch);
}

TEST(Unroll, OutputIsNotExecuted) {
  EXPECT_HOLDS(
      "#include <stdio.h>\nint main() { int x = input(); printf(\"%d %s\\n\", x, \"text\"); puts(\"a\"); check(x == "
      "x); }");
}

TEST(Unroll, AnswersAreTheSameInEveryRun) {
  const Source source("int main() { int x = input(), y = input(); check(x * x + y != 1000); check(x + y != 77); }");
  const Outcome a = source.unroll();
  const Outcome b = source.unroll();
  for (std::size_t g = 0; g < source.goals.size(); ++g) EXPECT_EQ(a.answers[g].test, b.answers[g].test);
}

TEST(Unroll, FloatsThatAreOnlyComparedAreFollowed) {
  const std::string doubles =
      "extern double __VERIFIER_nondet_double(void); extern float __VERIFIER_nondet_float(void);";
  EXPECT_HOLDS(doubles + "int main() { double x = __VERIFIER_nondet_double(); if (x > 1.0) check(x > 0.5); }");
  EXPECT_HOLDS(doubles +
               "int main() { float x = __VERIFIER_nondet_float(); if (x > 1.0) check(-x < -0.5 && x == x); }");
  EXPECT_VIOLATED(doubles + "int main() { double x = __VERIFIER_nondet_double(); check(x == x); }");
  EXPECT_VIOLATED(doubles + "int main() { float x = __VERIFIER_nondet_float(); check(!(x > 1e-40 && x < 1e-38)); }");
}

constexpr const char* kMutexes = R"(
typedef struct { char room[40]; } mutex; typedef struct { char room[48]; } condition;
extern int pthread_mutex_lock(mutex*), pthread_mutex_trylock(mutex*), pthread_mutex_unlock(mutex*);
extern int pthread_cond_wait(condition*, mutex*), pthread_cond_signal(condition*);
extern unsigned long pthread_self(void);
mutex m, n; condition c; int shared;
)";

TEST(Unroll, TheOnlyThreadHasItsMutexes) {
  const std::string start = kMutexes;
  EXPECT_HOLDS(start +
               "int main() { pthread_mutex_lock(&m); shared = input(); if (shared > 9) shared = 9; "
               "pthread_mutex_unlock(&m); check(shared < 10); }");
  EXPECT_HOLDS(
      start +
      "int main() { mutex* p = input() ? &m : &n; pthread_mutex_lock(p); int got = pthread_mutex_trylock(&m);\n"
      "  check(got == 0 || got == 16); check((got == 16) == (p == &m)); }");
  // Who waits for what nobody gives back never comes to the end.
  const std::string twice =
      "int main() { pthread_mutex_lock(&m); if (input()) pthread_mutex_lock(&m); else shared = 1;";
  EXPECT_HOLDS(start + twice + " check(shared == 1); }");
  EXPECT_VIOLATED(start + twice + " check(shared == 0); }");
  EXPECT_HOLDS(start + "int main() { check(pthread_mutex_unlock(&n) != 0 && pthread_cond_wait(&c, &m) != 0); }");
  EXPECT_HOLDS(start + "int main() { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); check(0); }");
  EXPECT_HOLDS(start + "int main() { check(pthread_self() == pthread_self() && pthread_self() != 0); }");
}

TEST(Unroll, AMutexThatIsNotThereIsAFault) {
  EXPECT_VIOLATED(std::string(kMutexes) + "int main() { pthread_mutex_lock(input() == 7 ? 0 : &m); }", memory_goals());
  EXPECT_HOLDS(std::string(kMutexes) + "int main() { pthread_mutex_lock((mutex*)0); check(0); }");
}

TEST(Unroll, AnInputWithoutBytesIsNone) {
  EXPECT_VIOLATED(
      "void plumb_symbolic(void*, unsigned long, const char*);\n"
      "int main() { char b[4]; int x; plumb_symbolic(b, 0, \"e\"); plumb_symbolic(&x, 4, \"x\"); check(x != 12345); }");
}

TEST(Unroll, AlignedAllocationsRoundUpAsTheLibraryDoes) {
  EXPECT_HOLDS("#include <stdlib.h>\nint main() { check(aligned_alloc(3, 8) != 0 && aligned_alloc(0, 8) != 0); }");
  EXPECT_HOLDS("#include <stdlib.h>\nint main() { check((unsigned long)aligned_alloc(48, 8) % 64 == 0); }");
  EXPECT_HOLDS("#include <stdlib.h>\nint main() { check(aligned_alloc(1UL << 62, 8) == 0); }");
}

/// The verdict of the only goal; a violation has been run by the interpreter.
Verdict with_unset(const std::string& text, std::size_t* unset = nullptr) {
  const Source source(text, {}, 64, true);
  const Outcome outcome = source.unroll();
  const GoalResult& answer = outcome.answers.at(0);
  if (answer.verdict == Verdict::Violated) EXPECT_TRUE(source.violates(*answer.test, source.goals[0])) << text;
  if (answer.test && unset != nullptr) *unset = answer.test->unset.size();
  return answer.verdict;
}

TEST(Unroll, AVariableThatNothingSetHasOneValueThatTheTestSays) {
  EXPECT_EQ(with_unset("int main() { int x; int y = x; check(x == y); }"), Verdict::Holds);
  std::size_t unset = 0;
  EXPECT_EQ(with_unset("int main() { int x; check(x != 5); }", &unset), Verdict::Violated);
  EXPECT_EQ(unset, 1U);
  EXPECT_EQ(with_unset("int main() { int a[4], n = input(); if (n < 0 || n > 3) return 0; check(a[n] != 77); }"),
            Verdict::Violated);
  EXPECT_EQ(with_unset("void *malloc(unsigned long); int main() { int *p = malloc(8); check(p[0] != p[1] + 3); }"),
            Verdict::Violated);
}

TEST(Unroll, EachCreationHasAValueOfItsOwn) {
  EXPECT_EQ(with_unset("int main() { for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 4; check(x == 4); } }"),
            Verdict::Violated);
  EXPECT_EQ(
      with_unset("int main() { for (int i = 0; i < 2; i++) { int a[2]; if (i == 0) a[0] = 4; check(a[0] == 4); } }"),
      Verdict::Violated);
  EXPECT_EQ(with_unset("static int get(void) { int x; return x; }\n"
                       "int main() { int a = get(), b = get(), c = get(); check(!(a == 1 && b == 2 && c == 3)); }"),
            Verdict::Violated);
}

TEST(Unroll, RunsSayOnlyTheValuesThatTheyDependOn) {
  std::size_t unset = 9;
  EXPECT_EQ(with_unset("int main() { int x, n = input(); check(n != 3); return x; }", &unset), Verdict::Violated);
  EXPECT_EQ(unset, 0U);
}

}  // namespace
}  // namespace plumb::unroll
