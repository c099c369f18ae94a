#include "source.h"
#include "unit/run_of_test.h"

namespace plumb::unroll {
namespace {

constexpr const char* kThreads = R"(
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
)";

constexpr const char* kCounter = R"(
int counter;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void* add(void* lock) {
  if (lock) pthread_mutex_lock(lock);
  counter++;
  if (lock) pthread_mutex_unlock(lock);
  return 0;
}
int run(void* lock) {
  pthread_t a, b;
  pthread_create(&a, 0, add, lock);
  pthread_create(&b, 0, add, lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter;
}
)";

/// All goals together, with what gaps take away. What is violated is replayed.
Verdict decided(const std::string& text, semantics::GoalOptions goals = {}, std::uint64_t contexts = 0,
                std::optional<std::uint64_t> unwind = {}) {
  const Source source(kThreads + text, goals);
  Options options;
  options.contexts = contexts;
  options.unwind = unwind;
  const Outcome outcome = source.unroll(options, Budget().with_timeout(std::chrono::duration<double>(60)));
  std::vector<Verdict> verdicts;
  for (std::size_t g = 0; g < outcome.answers.size(); ++g) {
    const GoalResult& answer = outcome.answers[g];
    if (answer.verdict == Verdict::Violated)
      EXPECT_TRUE(test::is_replayed(source.program, source.goals[g], *answer.test));
    verdicts.push_back(said_of(answer).verdict);
  }
  return result::of_goals(verdicts);
}

TEST(Contexts, ALostUpdateIsFoundAndALockPreventsIt) {
  EXPECT_EQ(decided(std::string(kCounter) + "int main(void) { check(run(0) == 2); }"), Verdict::Violated);
  EXPECT_EQ(decided(std::string(kCounter) + "int main(void) { check(run(&mutex) == 2); }"), Verdict::Holds);
}

TEST(Contexts, OneThreadIsAProgramLikeOthers) {
  EXPECT_EQ(decided("int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; check(s == 45); }"),
            Verdict::Holds);
  EXPECT_EQ(decided("int main(void) { int x = input(); if (x > 3 && x < 5) check(x != 4); }"), Verdict::Violated);
}

TEST(Contexts, ABoundThatIsReachedIsSaid) {
  const std::string program =
      "int x; void* f(void* p) { for (int i = 0; i < 3; i++) { x++; } return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); check(x >= 2); }";
  EXPECT_EQ(decided(program, {}, 2), Verdict::HoldsUpTo);
  EXPECT_EQ(decided(program), Verdict::Holds);
}

TEST(Contexts, InputsOfThreadsAreWide) {
  const std::string program =
      "int x, y; void* f(void* p) { x = input(); y = x; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = y; pthread_join(t, 0);\n";
  EXPECT_EQ(decided(program + "check(seen == 0 || seen == x); }"), Verdict::Holds);
  EXPECT_EQ(decided(program + "check(seen == 0); }"), Verdict::Violated);
}

TEST(Contexts, ConditionsWakeUpWhoWaits) {
  const std::string program = R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
void* produce(void* p) {
  data = 7;
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  pthread_mutex_lock(&m);
  WAIT (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  check(data == 7);
  pthread_join(t, 0);
})";
  const auto with = [&](const char* word) {
    std::string text = program;
    return text.replace(text.find("WAIT"), 4, word);
  };
  EXPECT_EQ(decided(with("while"), {}, 3, 3), Verdict::HoldsUpTo);  // it may wake up for nothing without end
  EXPECT_EQ(decided(with("if")), Verdict::Violated);
}

TEST(Contexts, AtomicSectionsAreNotInterrupted) {
  const std::string program =
      "int x; void* f(void* p) { __VERIFIER_atomic_begin(); int y = x; x = y + 1; __VERIFIER_atomic_end(); return 0; "
      "}\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); check(x == 2); }";
  EXPECT_EQ(decided(program), Verdict::Holds);
}

TEST(Contexts, ASectionThatWaitsWasNotBegun) {
  const std::string program =
      "sem_t s; int x; void* f(void* p) { x = 1; sem_post(&s); x = 2; return 0; }\n"
      "int main(void) { sem_init(&s, 0, 0); pthread_t t; pthread_create(&t, 0, f, 0); sem_wait(&s); check(x ";
  EXPECT_EQ(decided(program + "!= 0); pthread_join(t, 0); }"), Verdict::Holds);
  EXPECT_EQ(decided(program + "!= 1); pthread_join(t, 0); }"), Verdict::Violated);
  EXPECT_EQ(decided(program + "!= 2); pthread_join(t, 0); }"), Verdict::Violated);
}

TEST(Contexts, LocksOfAllKindsAreTakenByTheirRules) {
  const std::string program =
      "pthread_mutex_t m; int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);\n"
      "  pthread_mutexattr_settype(&a, KIND); pthread_mutex_init(&m, &a);\n"
      "  pthread_mutex_lock(&m); int second = pthread_mutex_lock(&m); check(second ";
  const auto with = [&](const std::string& kind, const std::string& test) {
    std::string text = program + test + "); }";
    return text.replace(text.find("KIND"), 4, kind);
  };
  EXPECT_EQ(decided(with("PTHREAD_MUTEX_RECURSIVE", "== 0")), Verdict::Holds);
  EXPECT_EQ(decided(with("PTHREAD_MUTEX_ERRORCHECK", "== 35")), Verdict::Holds);
  EXPECT_EQ(decided(with("PTHREAD_MUTEX_NORMAL", "== 0")), Verdict::Holds);  // it waits for ever
}

TEST(Contexts, ThreadsHaveTheirOwnVariablesAndResults) {
  EXPECT_EQ(decided("_Thread_local int own = 3; void* f(void* p) { own += 4; return (void*)(long)own; }\n"
                    "int main(void) { pthread_t t; own = 5; pthread_create(&t, 0, f, 0); void* r;\n"
                    "  pthread_join(t, &r); check((long)r == 7 && own == 5); }"),
            Verdict::Holds);
}

TEST(Contexts, OthersRunBeforeTheProgramEnds) {
  // The replay cannot stop there, so what is found is checked without one.
  const Source source(kThreads + std::string("int x; void* f(void* p) { check(x == 0); return 0; }\n"
                                             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; }"));
  Options options;
  options.contexts = 2;
  EXPECT_EQ(source.unroll(options).answers[0].verdict, Verdict::Violated);
}

TEST(Contexts, WhatAThreadDoesLastIsSeenByOthersBeforeItEnds) {
  EXPECT_EQ(decided("int result; atomic_int event; void* f(void* p) { event = 1; result = 7; return 0; }\n"
                    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (event) check(result == 7);\n"
                    "  pthread_join(t, 0); }"),
            Verdict::Violated);
}

TEST(Contexts, MemoryIsLookedAtInAllOrders) {
  semantics::GoalOptions memory;
  memory.has_assertions = false;
  memory.checks = program::CheckSet::defaults();
  memory.checks.remove(program::Check::Leak);
  EXPECT_EQ(decided("int* box; void* f(void* p) { free(box); return 0; }\n"
                    "int main(void) { box = malloc(4); pthread_t t; pthread_create(&t, 0, f, 0); *box = 1;\n"
                    "  pthread_join(t, 0); }",
                    memory),
            Verdict::Violated);
  const std::string program =
      "atomic_int ready; void* f(void* p) { int* q = p; ready = 1; int s = *q; s += *q; return (void*)(long)s; }\n"
      "pthread_t t; void start(void) { int local = 1; pthread_create(&t, 0, f, &local); JOIN }\n"
      "int main(void) { start(); if (ready) ready = 2; OTHER return 0; }";
  const auto with = [&](const char* join, const char* other) {
    std::string text = program;
    text.replace(text.find("JOIN"), 4, join);
    return text.replace(text.find("OTHER"), 5, other);
  };
  EXPECT_EQ(decided(with("", "pthread_join(t, 0);"), memory), Verdict::Violated);
  EXPECT_EQ(decided(with("pthread_join(t, 0);", ""), memory), Verdict::Holds);
}

TEST(Contexts, WhoWaitsInALoopIsInterrupted) {
  const std::string program =
      "atomic_int arrived, sense; void* f(void* p) {\n"
      "  if (atomic_fetch_add(&arrived, 1) == 1) sense = 1; else while (sense != 1) { }\n"
      "  check(arrived != 2); return 0; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); "
      "}";
  EXPECT_EQ(decided(program, {}, 2, 1), Verdict::Violated);
}

TEST(Contexts, WhatIsCalledAtTheEndBesideOthersIsAGap) {
  EXPECT_EQ(decided("void last(void) { check(0); } void* f(void* p) { exit(0); }\n"
                    "int main(void) { atexit(last); pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }"),
            Verdict::Violated);
  EXPECT_EQ(decided("int x; void last(void) { check(x == 0); } void* f(void* p) { return 0; }\n"
                    "int main(void) { atexit(last); pthread_t t; pthread_create(&t, 0, f, 0); x = 0; }"),
            Verdict::Unknown);
}

TEST(Contexts, RecursionIsBounded) {
  const std::string program =
      "int x; int down(int n) { if (n <= 0) return 0; x = n; return down(n - 1); }\n"
      "void* f(void* p) { down(2); return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = x; pthread_join(t, 0); check(seen ";
  EXPECT_EQ(decided(program + "!= 1); }"), Verdict::Violated);
  EXPECT_EQ(decided(program + "<= 2); }"), Verdict::Holds);
}

TEST(Contexts, WithoutThemASecondThreadIsAGap) {
  const Source source(kThreads + std::string(kCounter) + "int main(void) { check(run(&mutex) == 2); }");
  EXPECT_EQ(said_of(source.unroll().answers[0]).verdict, Verdict::Unknown);
}

}  // namespace
}  // namespace plumb::unroll
