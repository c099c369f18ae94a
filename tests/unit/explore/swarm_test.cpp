#include "explore/swarm.h"

#include "source.h"

namespace plumb::explore {
namespace {

Options swarm(unsigned jobs) {
  Options options;
  options.jobs = jobs;
  return options;
}

const char* const kLostUpdate =
    "int x; void* f(void* p) { int seen = x; x = seen + 1; return 0; }\n"
    "int main(void) {\n"
    "  pthread_t a, b, c; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_create(&c, 0, f, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);\n";

TEST(Swarm, SaysWhatOneSearchSays) {
  for (const unsigned jobs : {2U, 3U, 5U}) {
    EXPECT_EQ(verdict(Source(std::string(kLostUpdate) + "check(x > 1); }"), swarm(jobs)), Verdict::Violated);
    EXPECT_EQ(verdict(Source(std::string(kLostUpdate) + "check(x > 0); }"), swarm(jobs)), Verdict::Holds);
    EXPECT_EQ(verdict(Source(std::string(kLostUpdate) + "if (x > 3) assert(x); }"), swarm(jobs)),
              verdict(Source(std::string(kLostUpdate) + "if (x > 3) assert(x); }")));
  }
}

TEST(Swarm, DecidesEachGoalOnce) {
  const Source source(std::string(kLostUpdate) + "assert(x > 1); assert(x > 0); assert(x != 3); }");
  std::vector<int> told(source.goals.size(), 0);
  const Outcome outcome = explore(source.program, source.goals, swarm(3), Budget(),
                                  [&](std::size_t goal, const GoalResult&) { ++told[goal]; });
  EXPECT_EQ(told, std::vector<int>(source.goals.size(), 1));
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Violated);
  EXPECT_EQ(outcome.answers[1].verdict, Verdict::Holds);
  EXPECT_EQ(outcome.answers[2].verdict, Verdict::Violated);
}

TEST(Swarm, FindsWhatIsFarFromTheStart) {
  // Breadth first, millions of states come before it.
  const std::string text =
      "int a, b, c, turns; void* f(void* p) { for (int i = 0; i < 40; i++) { a = b + i; turns = i; } c = 1; return 0; "
      "}\n"
      "void* g(void* p) { for (int i = 0; i < 40; i++) { b = a ^ i; turns = turns + 1; } return 0; }\n"
      "int main(void) { pthread_t s, t, u; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
      "  pthread_create(&u, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0); pthread_join(u, 0);\n"
      "  check(a < 0 || b < 0 || turns < 0); }\n";
  const Source source(text);
  Options one;
  one.max_states = 20000;
  EXPECT_EQ(explore(source.program, source.goals, one, Budget()).answers[0].verdict, Verdict::Unknown);
  one.jobs = 2;
  EXPECT_EQ(verdict(source, one), Verdict::Violated);
}

TEST(Swarm, SaysWhyNobodyKnows) {
  const Source source(std::string(kLostUpdate) + "check(x > 0); }");
  Options options = swarm(2);
  options.max_states = 5;
  EXPECT_NE(explore(source.program, source.goals, options, Budget()).answers[0].reason.find("there are more"),
            std::string::npos);
}

}  // namespace
}  // namespace plumb::explore
