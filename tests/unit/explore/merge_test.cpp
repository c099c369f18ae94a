#include "explore/merge.h"

#include "source.h"

namespace plumb::explore {
namespace {

/// Whether the global x, and the variable that the function `work` returns, are payload.
bool is_payload(const std::string& text) {
  const Source source("int x, flag, table[8];\n" + text);
  const Payload payload(source.program, source.goals);
  for (program::GlobalId g = 0; g < source.program.globals.size(); ++g)
    if (source.program.globals[g].name == "x") return payload.has(g);
  ADD_FAILURE() << "no x";
  return false;
}

TEST(Payload, IsWhatNothingDependsOnButFailures) {
  EXPECT_TRUE(is_payload("int main(void) { x = input(); check(x != 3); }"));
  EXPECT_TRUE(is_payload("int main(void) { x = input(); flag = x * 2; assert(flag + x != 3); }"));
  EXPECT_TRUE(is_payload("int main(void) { x = input(); if (x == 3) reach_error(); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); if (x == 3) flag = 1; check(flag == 0); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); flag = x; if (flag == 3) flag = 1; check(flag == 0); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); check(table[x & 7] == 0); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); for (int i = 0; i < x; i++) flag++; check(flag < 3); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); assume(x > 3); check(x > 2); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); exit(x); }"));
  EXPECT_FALSE(is_payload("int main(void) { x = input(); pthread_mutex_t* m = malloc(x); check(m != 0); }"));
}

std::string bits(int count, const std::string& claim) {
  return "int sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "void* add(void* p) {\n"
         "  int local = 0;\n"
         "  for (int i = 0; i < " +
         std::to_string(count) +
         "; i++) if (input()) local |= 1 << i;\n"
         "  pthread_mutex_lock(&m); sum += local; pthread_mutex_unlock(&m);\n"
         "  return 0;\n"
         "}\n"
         "int main(void) {\n"
         "  pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);\n"
         "  pthread_join(a, 0); pthread_join(b, 0);\n"
         "  check(" +
         claim +
         ");\n"
         "}\n";
}

TEST(Merge, StatesThatDifferInPayloadAreOne) {
  const Source source(bits(16, "sum >= 0 && sum <= 2 * 65535"));
  Options options;
  options.merges_after = 0;
  const Outcome outcome = explore(source.program, source.goals, options, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_LT(outcome.statistics.states, 1000U);
}

TEST(Merge, IsTriedWhereStatesAreMany) {
  const Source source(bits(12, "sum >= 0 && sum <= 2 * 4095"));
  Options options;
  options.merges_after = 2000;
  const Outcome outcome = explore(source.program, source.goals, options, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_LT(outcome.statistics.states, 1000U);
}

TEST(Merge, InputsOfTheWaysThatAreTakenAreFound) {
  EXPECT_EQ(agreed(Source(bits(3, "sum != 11"))), Verdict::Violated);
  EXPECT_EQ(agreed(Source(bits(3, "sum != 15"))), Verdict::Holds);
}

TEST(Merge, WaysOfSeveralLengthsHaveTheirOwnSchedules) {
  const std::string program =
      "int x; void* f(void* p) { volatile int steps = 0; int y = 0;\n"
      "  if (input() > 3) { steps = 1; steps = 2; y = 5; }\n"
      "  if (input() > 4) y += 2;\n"
      "  x = y; x = x + 1; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = x;\n";
  EXPECT_EQ(agreed(Source(program + "check(seen != 7); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "check(seen != 4); }")), Verdict::Holds);
}

TEST(Merge, LoopsWithoutEndHideNoOtherThread) {
  const std::string program =
      "int x; void* f(void* p) { int y = 1; while (y) { y = y * 3; if (y > 100) y = 1; } return 0; }\n"
      "void* g(void* p) { int y = 0; do y = input(); while (y != 7); x = y; return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); int seen = x;\n";
  EXPECT_EQ(agreed(Source(program + "check(seen != 7); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "check(seen == 0 || seen == 7); }")), Verdict::Holds);
}

}  // namespace
}  // namespace plumb::explore
