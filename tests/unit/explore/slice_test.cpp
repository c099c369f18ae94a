#include "explore/slice.h"

#include <algorithm>

#include "source.h"

namespace plumb::explore {
namespace {

using program::Kind;

/// How many instructions of a kind are left out of functions of the text.
std::size_t left_out(const std::string& text, Kind kind, semantics::GoalOptions wanted = {}) {
  const Source source(text, wanted);
  const Slice slice(source.program, program::platform_of(source.program.layout));
  std::size_t count = 0;
  for (program::FunctionId f = 0; f < source.program.functions.size(); ++f)
    for (program::InstructionId i = 0; i < source.program.functions[f].instructions.size(); ++i)
      if (source.program.functions[f].instructions[i].kind == kind && slice.leaves_out({f, i})) ++count;
  return count;
}

TEST(Slice, LeavesOutStoresThatNothingAskedForDependsOn) {
  const std::string start = "int x, y, flag, table[8]; int main(void) { x = input(); ";
  EXPECT_EQ(left_out(start + "check(flag == 0); }", Kind::Store), 1U);
  EXPECT_EQ(left_out(start + "y = x + 3; x = y; check(flag == 0); }", Kind::Store), 3U);
  EXPECT_EQ(left_out(start + "check(x != 3); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "y = x; check(y != 3); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "check(table[x & 7] == 0); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "for (int i = 0; i < x; i++) input(); check(flag == 0); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "assume(x > 3); check(flag == 0); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "exit(x); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "check(10 / x); }", Kind::Store), 0U);
  EXPECT_EQ(left_out(start + "int* volatile p = &x; *p = 3; check(flag == 0); }", Kind::Store), 0U)
      << "it has other names";
}

TEST(Slice, KeepsWhatCanGoWrong) {
  semantics::GoalOptions overflow;
  overflow.checks.add(program::Check::Overflow);
  const std::string text = "int x, y; int main(void) { x = input(); y = x + 1; }";
  EXPECT_EQ(left_out(text, Kind::Store), 2U);
  EXPECT_EQ(left_out(text, Kind::Store, overflow), 1U);
  EXPECT_EQ(left_out("int x, y; int main(void) { x = input(); y = 3 / x; }", Kind::Store), 1U);
}

TEST(Slice, LeavesOutBranchesThatDecideAboutNothingElse) {
  const std::string start = "int x, y, z, flag; int main(void) { x = input(); ";
  EXPECT_EQ(left_out(start + "if (x > 3) y += x; check(flag == 0); }", Kind::Branch), 1U);
  EXPECT_EQ(left_out(start + "if (x > 3) { y += x; if (y > 2) z = 1; else z = y; } check(flag == 0); }", Kind::Branch),
            2U);
  EXPECT_EQ(left_out(start + "if (x > 3) flag = 1; check(flag == 0); }", Kind::Branch), 0U);
  EXPECT_EQ(left_out(start + "int k = 0; if (x > 3) { y += x; k = 1; } check(k == 0); }", Kind::Branch), 0U);
  EXPECT_EQ(left_out(start + "if (x > 3) y = input(); check(flag == 0); }", Kind::Branch), 0U)
      << "what comes then is another input";
  EXPECT_EQ(left_out(start + "if (x > 3) while (y != 7) y++; check(flag == 0); }", Kind::Branch), 0U)
      << "it may never end";
  EXPECT_EQ(left_out(start + "int c = input(); if (x > 3) while (c) { } check(flag == 0); }", Kind::Branch), 0U)
      << "whatever decides about that";
  EXPECT_EQ(left_out(start + "int k; if (x > 3) k = x; y = k; check(flag == 0); }", Kind::Branch), 0U)
      << "a variable without a value asks for one";
}

const char* const kNoise =
    "int noise, steps, shared; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void* work(void* p) {\n"
    "  for (int k = 0; k < 5; k++) { int value = input() & 255; if (value > 10) noise += value; steps++; }\n"
    "  pthread_mutex_lock(&m); shared++; pthread_mutex_unlock(&m);\n"
    "  return 0;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n";

TEST(Slice, WhatIsLeftOutMakesNoStates) {
  const Source source(std::string(kNoise) + "pthread_join(a, 0); pthread_join(b, 0); check(shared == 2); }");
  const Outcome outcome = explore(source.program, source.goals, {}, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_LT(outcome.statistics.states, 50U);
}

TEST(Slice, CounterexamplesCountWhatIsLeftOut) {
  const std::string text = std::string(kNoise) + "int seen = shared; check(seen != 1); pthread_join(a, 0); }";
  EXPECT_EQ(verdict(Source(text)), Verdict::Violated);
  Options merging;
  merging.merges_after = 0;
  EXPECT_EQ(verdict(Source(text), merging), Verdict::Violated);
}

TEST(Slice, InputsDecideHowLongTheScheduleIs) {
  // What is asserted needs inputs for which the branches that are left out go one way, and the other.
  const std::string text =
      "int noise, other, x; void* f(void* p) {\n"
      "  int a = byte(); if (a > 100) { noise = a; noise = noise + a; if (other > 20) noise = 0; } else other = 3;\n"
      "  int b = byte(); if (b < 7) { other = other + b; if (noise > 3) other += 2; }\n"
      "  x = x + a; x = x + b; return 0; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);\n";
  EXPECT_EQ(verdict(Source(text + "int seen = x; check(seen != 255); }")), Verdict::Violated);
  EXPECT_EQ(verdict(Source(text + "int seen = x; check(seen != 3); }")), Verdict::Violated);
  EXPECT_EQ(verdict(Source(text + "int seen = x; check(seen <= 1020); }")), Verdict::Holds);
}

TEST(Slice, OfWaysThatAreMergedTheOneThatIsTakenIsLeft) {
  const std::string text =
      "int noise, other, x; void* f(void* p) { int y;\n"
      "  if (byte() > 100) { noise = 1; y = 5; } else { noise = 0; y = 6; }\n"
      "  if (noise) { other = 1; other = 2; other = 3; }\n"
      "  x = x + y; return 0; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);\n";
  for (const char* claim : {"seen != 5", "seen != 6", "seen != 10", "seen != 11", "seen != 12"})
    EXPECT_EQ(agreed(Source(text + "int seen = x; check(" + claim + "); }")), Verdict::Violated) << claim;
}

TEST(Slice, WhatIsLeftOutSaysNothingOfMutexes) {
  // The mutex guards x, but for a look at it that nothing depends on.
  const std::string text =
      "int x = 1; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void* f(void* p) { int seen = x; pthread_mutex_lock(&m); seen = x; x = x + 2; pthread_mutex_unlock(&m);\n"
      "  seen = x; return 0; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);\n"
      "  pthread_mutex_lock(&m); x = x * 2; pthread_mutex_unlock(&m); pthread_join(t, 0); pthread_join(u, 0);\n";
  EXPECT_EQ(agreed(Source(text + "check(x != 8); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(text + "check(x == 6 || x == 8 || x == 10); }")), Verdict::Holds);
}

TEST(Slice, DataRacesAreNotLeftOut) {
  Source source(
      "int x; void* f(void* p) { x = 1; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }");
  EXPECT_EQ(verdict(source.about(program::GoalKind::DataRace)), Verdict::Violated);
}

TEST(Slice, LostMemoryIsNotLeftOut) {
  EXPECT_EQ(left_out("int* kept; int main(void) { kept = malloc(4); return 0; }", Kind::Store), 0U)
      << "a pointer keeps its object";
}

}  // namespace
}  // namespace plumb::explore
