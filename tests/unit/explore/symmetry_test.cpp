#include "explore/symmetry.h"

#include "source.h"

namespace plumb::explore {
namespace {

TEST(Symmetry, IsBrokenByThreadsThatChangedPlacesAndAreToldApart) {
  Symmetry symmetry;
  EXPECT_TRUE(symmetry.may_change(1, 2));
  symmetry.changed(1, 2);
  symmetry.told_apart(3, 1);
  EXPECT_FALSE(symmetry.is_broken());
  EXPECT_FALSE(symmetry.may_change(1, 3));
  symmetry.told_apart(2, 1);
  EXPECT_TRUE(symmetry.is_broken());
  symmetry.mend();
  EXPECT_FALSE(symmetry.is_broken());
  EXPECT_FALSE(symmetry.may_change(1, 2)) << "it is known from now on";
  symmetry.turn_off();
  EXPECT_FALSE(symmetry.is_broken()) << "nothing has changed places since";
  EXPECT_FALSE(symmetry.may_change(2, 3));
}

/// Four threads that add to a number in several steps, and joins of them.
std::string adders(const std::string& behind_creation) {
  return "int x; void* f(void* p) { int seen = x; x = seen + 1; seen = x; x = seen + 1; return 0; }\n"
         "pthread_t t[4]; int main(void) {\n"
         "  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n" +
         behind_creation + "}\n";
}

std::uint64_t states(const std::string& text) {
  const Source source(text);
  const Outcome outcome = explore(source.program, source.goals, {}, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  return outcome.statistics.states;
}

TEST(Symmetry, ThreadsThatAreAlikeMakeFewerStates) {
  const std::string claim = " check(x >= 1 && x <= 8); ";
  const std::uint64_t alike = states(adders("for (int i = 0; i < 4; i++) pthread_join(t[i], 0);" + claim));
  const std::uint64_t in_line = states(
      adders("pthread_join(t[2], 0); pthread_join(t[0], 0); pthread_join(t[1], 0); pthread_join(t[3], 0);" + claim));
  const std::uint64_t apart =
      states(adders("for (int i = 0; i < 3; i++) pthread_join(t[i], 0); int seen = x; pthread_join(t[3], 0);"
                    " check(x >= 1 && x <= 8 && seen < 9);"));
  EXPECT_LT(2 * alike, apart);
  EXPECT_LT(2 * in_line, apart);
}

TEST(Symmetry, WhatIsDoneBetweenJoinsTellsThreadsApart) {
  // One thread has to make its step behind the join of the other one, whichever that is.
  const std::string program =
      "int x, first; void* f(void* p) { __VERIFIER_atomic_begin(); int me = x++; __VERIFIER_atomic_end();\n"
      "  if (me == 0) { first = 1; } else { while (!first) { } x = 10; } return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n";
  EXPECT_EQ(agreed(Source(program + "pthread_join(a, 0); check(x != 2); pthread_join(b, 0); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "pthread_join(b, 0); check(x != 2); pthread_join(a, 0); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "pthread_join(a, 0); pthread_join(b, 0); check(x == 10); }")), Verdict::Holds);
}

TEST(Symmetry, AThreadThatNeverEndsHidesNoOther) {
  // Who comes first never ends, so a join is behind one of those that come later alone.
  const std::string program =
      "int turn; void* f(void* p) { __VERIFIER_atomic_begin(); int me = turn++; __VERIFIER_atomic_end();\n"
      "  if (me == 0) while (turn < 9) { } return 0; }\n"
      "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
      "  pthread_create(&c, 0, f, 0);\n";
  for (const char* one : {"a", "b", "c"})
    EXPECT_EQ(agreed(Source(program + "pthread_join(" + one + ", 0); check(0); }")), Verdict::Violated) << one;
  EXPECT_EQ(agreed(Source(program + "pthread_join(b, 0); pthread_join(c, 0); check(0); }")), Verdict::Violated);
}

TEST(Symmetry, NumbersAndResultsOfThreadsTellThemApart) {
  const std::string start =
      "int x; pthread_t a, b; void* f(void* p) { int mine = x; x = mine + 1; return (void*)(long)mine; }\n";
  const std::string make = "int main(void) { pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n";
  EXPECT_EQ(agreed(Source(start + make + "void *r, *s; pthread_join(a, &r); pthread_join(b, &s); check(r <= s); }")),
            Verdict::Violated);
  const std::string self =
      "int last; pthread_t a, b; void* f(void* p) { last = pthread_equal(pthread_self(), a) ? 1 : 2; return 0; }\n";
  EXPECT_EQ(agreed(Source(self + make + "pthread_join(a, 0); pthread_join(b, 0); check(last == 2); }")),
            Verdict::Violated);
  EXPECT_EQ(agreed(Source(self + make + "pthread_join(a, 0); pthread_join(b, 0); check(last == 1); }")),
            Verdict::Violated);
  const std::string joins_other =
      "int x; pthread_t a, b; void* g(void* p) { return 0; }\n"
      "void* f(void* p) { int mine = x; x = mine + 1; if (mine == 0) pthread_join(b, 0); else x = 7; return 0; }\n"
      "int main(void) { pthread_t c; pthread_create(&b, 0, g, 0); pthread_create(&a, 0, f, 0);\n"
      "  pthread_create(&c, 0, f, 0); pthread_join(a, 0); check(x != 7); }\n";
  EXPECT_EQ(agreed(Source(joins_other)), Verdict::Violated);
}

/// Two threads of `f`, without joins, and whether one of them says that something is bad.
std::string two_of(const std::string& f) {
  return "_Atomic int count, first; int bad; pthread_t a, b; pthread_mutex_t m; pthread_mutexattr_t kind;\n"
         "void* f(void* p) { " +
         f +
         " return 0; }\n"
         "int main(void) {\n"
         "  pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);\n"
         "  pthread_mutex_init(&m, &kind);\n"
         "  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); check(bad == 0); }\n";
}

TEST(Symmetry, WhoAskedForItsNumberFirstMatters) {
  EXPECT_EQ(agreed(Source(two_of("int n = count++; if (n == 0 && pthread_equal(pthread_self(), b)) bad = 1;"))),
            Verdict::Violated);
}

TEST(Symmetry, AThreadMayJoinItself) {
  EXPECT_EQ(agreed(Source(two_of("int n = count++; if (n == 0 && b != 0 && pthread_join(b, 0) != 0) bad = 1;"))),
            Verdict::Violated);
}

TEST(Symmetry, WhoHoldsAMutexIsNotAlike) {
  // Who did not get the mutex is the first to count.
  EXPECT_EQ(agreed(Source(two_of("pthread_mutex_trylock(&m); int n = count++;"
                                 " if (pthread_mutex_unlock(&m) != 0 && n == 0) bad = 1;"))),
            Verdict::Violated);
}

TEST(Symmetry, WhatIsKnownOfInputsTellsThreadsApart) {
  // Who came first has the large input, and is the second to count.
  EXPECT_EQ(agreed(Source(two_of("int me = first++; int given = byte(); if (me == 0) assume(given > 100);"
                                 " else assume(given < 50); int n = count++; if (n == 1 && given > 100) bad = 1;"))),
            Verdict::Violated);
}

TEST(Symmetry, RacesOfThreadsThatAreAlikeAreFound) {
  Source racy(
      "int x; void* f(void* p) { x = 1; return 0; } int main(void) { pthread_t a, b;\n"
      "  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(a, 0); pthread_join(b, 0); }");
  EXPECT_EQ(verdict(racy.about(program::GoalKind::DataRace)), Verdict::Violated);
}

}  // namespace
}  // namespace plumb::explore
