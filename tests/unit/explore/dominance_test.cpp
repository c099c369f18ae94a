#include "explore/dominance.h"

#include "source.h"

namespace plumb::explore {
namespace {

bool grows(const std::string& text) {
  const Source source("int n, flag, table[8]; int* at;\n" + text);
  const Dominance dominance(source.program, source.goals);
  for (GlobalId g = 0; g < source.program.globals.size(); ++g)
    if (source.program.globals[g].name == "n") return dominance.has(g);
  ADD_FAILURE() << "no n";
  return false;
}

TEST(Dominance, IsSeenInCountersThatMustStayBelow) {
  EXPECT_TRUE(grows("int main(void) { n++; check(n < 3); }"));
  EXPECT_TRUE(grows("int main(void) { n += flag; check(3 >= n); }"));
  EXPECT_TRUE(grows("int main(void) { n++; assert(n < 3 && flag < 3); }"));
  EXPECT_TRUE(grows("int main(void) { n++; long wide = n; check(wide < 3); }"));
  EXPECT_TRUE(grows("int main(void) { for (int i = 0; i < 3; i++) n += n; if (n > 9) reach_error(); }"));
}

TEST(Dominance, EndsWhereMoreIsNotWorse) {
  EXPECT_FALSE(grows("int main(void) { n++; check(n > 3); }"));
  EXPECT_FALSE(grows("int main(void) { n++; check(n != 3); }"));
  EXPECT_FALSE(grows("int main(void) { n--; check(n < 3 - n); }"));
  EXPECT_FALSE(grows("int main(void) { n++; if (n < 3) flag = 1; check(flag == 0); }"));
  EXPECT_FALSE(grows("int main(void) { n++; table[n] = 1; check(n < 3); }"));
  EXPECT_FALSE(grows("int main(void) { n++; assume(n < 3); check(n < 3); }"));
  EXPECT_FALSE(grows("int main(void) { at = &n; n++; check(n < 3); }"));
  EXPECT_FALSE(grows("int main(void) { n = flag & n; check(n < 3); }"));
  EXPECT_FALSE(grows("int main(void) { n++; check(n * 2 < 9); }"));
  EXPECT_FALSE(grows("int main(void) { n++; exit(n); }"));
}

constexpr const char* kLostUpdate = R"(
unsigned x;
void* add(void* p) { x += 0x10000000; return 0; }
void run(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";

TEST(Dominance, SumsThatWrapAreLookedAtWithout) {
  // The smaller sum of the two comes to 0xF0000004, the larger one wraps.
  const std::string main = "int main(void) { x = 0x2C000001; run(); x += x; x += x; check(x < 0xF0000000u); }";
  EXPECT_TRUE(Dominance(Source(kLostUpdate + main).program, Source(kLostUpdate + main).goals).is_on());
  EXPECT_EQ(agreed(Source(kLostUpdate + main)), Verdict::Violated);
}

TEST(Dominance, WhatALargerStateViolatesHidesNoOtherGoal) {
  const Source source(std::string(kLostUpdate) + "int main(void) { run(); assert(x < 0x20000000); reach_error(); }");
  EXPECT_TRUE(Dominance(source.program, source.goals).is_on());
  const Outcome outcome = explore(source.program, source.goals, {}, Budget());
  ASSERT_EQ(outcome.answers.size(), 2U);
  for (const GoalResult& answer : outcome.answers) EXPECT_EQ(answer.verdict, Verdict::Violated);
}

TEST(Dominance, StatesThatLargerOnesCoverAreNotLookedAt) {
  const auto program = [](int rounds, const std::string& claim) {
    const std::string times = "for (int k = 0; k < " + std::to_string(rounds) + "; k++) ";
    return "int i = 1, j = 1;\n"
           "void* first(void* p) { " +
           times +
           "i += j; return 0; }\n"
           "void* second(void* p) { " +
           times +
           "j += i; return 0; }\n"
           "int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);\n"
           "  pthread_join(a, 0); pthread_join(b, 0); check(" +
           claim + "); }";
  };
  EXPECT_EQ(agreed(Source(program(3, "i <= 21 && j <= 21"))), Verdict::Holds);
  EXPECT_EQ(agreed(Source(program(3, "i < 21 && j < 21"))), Verdict::Violated);
  EXPECT_EQ(verdict(Source(program(11, "i < 46368 && j < 46368"))), Verdict::Violated);
  const Source safe(program(11, "i <= 46368 && j <= 46368"));
  const Outcome outcome = explore(safe.program, safe.goals, {}, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_LT(outcome.statistics.states, 10000U);
}

}  // namespace
}  // namespace plumb::explore
