#include "explore/explore.h"

#include "source.h"

namespace plumb::explore {
namespace {

using program::GoalKind;

constexpr const char* kCounter = R"(
int counter;
void* add(void* lock) {
  if (lock) pthread_mutex_lock(lock);
  counter++;
  if (lock) pthread_mutex_unlock(lock);
  return 0;
}
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int run(void* lock) {
  pthread_t a, b;
  pthread_create(&a, 0, add, lock);
  pthread_create(&b, 0, add, lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter;
}
)";

TEST(Explore, ALostUpdateIsFoundAndALockPreventsIt) {
  EXPECT_EQ(agreed(Source(std::string(kCounter) + "int main(void) { check(run(0) == 2); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(std::string(kCounter) + "int main(void) { check(run(&mutex) == 2); }")), Verdict::Holds);
}

TEST(Explore, OneThreadIsAProgramLikeOthers) {
  EXPECT_EQ(agreed(Source("int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; check(s == 45); }")),
            Verdict::Holds);
  EXPECT_EQ(agreed(Source("int main(void) { int x = input(); if (x > 3 && x < 5) check(x != 4); }")),
            Verdict::Violated);
  EXPECT_EQ(agreed(Source("int main(void) { int x = input(); assume(x > 3); check(x != 3); }")), Verdict::Holds);
}

TEST(Explore, TellsHowFarItIs) {
  const Source source(
      "int x; void* f(void* p) { x = x + 1; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = x + 1; check(x < 3); }");
  Options options;
  std::vector<Statistics> told;
  options.on_progress = [&](const Statistics& so_far) { told.push_back(so_far); };
  explore(source.program, source.goals, options, Budget());
  ASSERT_FALSE(told.empty());
  EXPECT_GT(told[0].states, 0U);
  EXPECT_GT(told[0].steps, 0U);
}

TEST(Explore, InputsOfThreadsAreSymbolic) {
  const std::string program =
      "int x, y; void* f(void* p) { x = input(); y = x; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = y; pthread_join(t, 0);\n";
  EXPECT_EQ(agreed(Source(program + "check(seen == 0 || seen == x); }")), Verdict::Holds);
  EXPECT_EQ(agreed(Source(program + "check(seen == 0); }")), Verdict::Violated);
}

TEST(Explore, DeadlocksAreStatesThatNothingLeaves) {
  const std::string program =
      "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
      "void* f(void* p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b);\n"
      "  pthread_mutex_unlock(&a); return 0; }\n";
  const auto main = [](const std::string& first, const std::string& second) {
    return "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&" + first +
           "); pthread_mutex_lock(&" + second +
           "); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); "
           "pthread_join(t, 0); }";
  };
  EXPECT_EQ(agreed(Source(program + main("a", "b")).about(GoalKind::Deadlock)), Verdict::Holds);
  EXPECT_EQ(agreed(Source(program + main("b", "a")).about(GoalKind::Deadlock)), Verdict::Violated);
}

TEST(Explore, RacesAreConflictsThatNothingOrders) {
  EXPECT_EQ(agreed(Source(std::string(kCounter) + "int main(void) { run(0); }").about(GoalKind::DataRace)),
            Verdict::Violated);
  EXPECT_EQ(agreed(Source(std::string(kCounter) + "int main(void) { run(&mutex); }").about(GoalKind::DataRace)),
            Verdict::Holds);
  const std::string atomic =
      "atomic_int flag; int data; void* f(void* p) { data = 1; flag = 1; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (flag) data = 2; pthread_join(t, 0); }";
  EXPECT_EQ(agreed(Source(atomic).about(GoalKind::DataRace)), Verdict::Holds);
}

TEST(Explore, ConditionsWakeUpWhoWaits) {
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
  EXPECT_EQ(agreed(Source(with("while"))), Verdict::Holds);
  EXPECT_EQ(agreed(Source(with("if"))), Verdict::Violated);  // a spurious wake-up
  EXPECT_EQ(agreed(Source(with("while")).about(GoalKind::Deadlock)), Verdict::Holds);
}

TEST(Explore, ThreadsThatAreMadeWhenOthersHaveEndedMayComeFirst) {
  const std::string program =
      "int x; void* nothing(void* p) { return 0; } void* set(void* p) { x = 1; return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, nothing, 0); JOIN pthread_create(&b, 0, set, 0);\n"
      "  int seen = x; pthread_join(b, 0); check(seen == WANTED); }";
  for (const char* join : {"", "pthread_join(a, 0);"})
    for (const char* wanted : {"0", "1"}) {
      std::string text = program;
      text.replace(text.find("JOIN"), 4, join);
      text.replace(text.find("WANTED"), 6, wanted);
      EXPECT_EQ(agreed(Source(text)), Verdict::Violated) << text;
      EXPECT_EQ(agreed(Source(text).about(GoalKind::DataRace)), Verdict::Violated) << text;
    }
}

TEST(Explore, AtomicSectionsAreNotInterrupted) {
  const std::string program =
      "int x; void* f(void* p) { __VERIFIER_atomic_begin(); int y = x; x = y + 1; __VERIFIER_atomic_end(); return 0; "
      "}\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); check(x == 2); }";
  EXPECT_EQ(agreed(Source(program)), Verdict::Holds);
}

TEST(Explore, EndlessLoopsEnd) {
  const std::string program =
      "atomic_int stop; void* f(void* p) { while (!stop) { } return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (unsigned char i = 0;; i++) check(i != 256); }";
  EXPECT_EQ(agreed(Source(program)), Verdict::Holds);
}

TEST(Explore, HeapObjectsAreSharedWhenTheyArePublished) {
  const std::string program =
      "int* _Atomic box; void* f(void* p) { int* q = malloc(sizeof *q); *q = 3; box = q; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int* q = box; if (q) check(*q == 3);\n"
      "  pthread_join(t, 0); }";
  EXPECT_EQ(agreed(Source(program)), Verdict::Holds);
  semantics::GoalOptions memory;
  memory.has_assertions = false;
  memory.checks = program::CheckSet::defaults();
  EXPECT_EQ(agreed(Source("int* box; void* f(void* p) { free(box); return 0; }\n"
                          "int main(void) { box = malloc(4); pthread_t t; pthread_create(&t, 0, f, 0); *box = 1;\n"
                          "  pthread_join(t, 0); }",
                          memory)),
            Verdict::Violated);
}

TEST(Explore, AlgorithmsAgree) {
  const std::string program =
      "int x; void* f(void* p) { int v = byte(); x = v & 15; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int s = x + x; pthread_join(t, 0); check(s OP); }";
  const auto with = [&](const char* op) {
    std::string text = program;
    return text.replace(text.find("OP"), 2, op);
  };
  for (const Algorithm algorithm : kAlgorithms) {
    for (const Order order : {Order::Breadth, Order::Depth}) {
      Options options;
      options.algorithm = algorithm;
      options.order = order;
      EXPECT_EQ(verdict(Source(with("<= 30")), options), Verdict::Holds);
      EXPECT_EQ(verdict(Source(with("!= 15")), options), Verdict::Violated);  // two reads, one of 0
    }
  }
}

TEST(Explore, RacesDependOnWhereInputsLead) {
  const std::string program =
      "int row[8]; unsigned x, y; void* f(void* p) { row[x] = 1; return 0; }\n"
      "int main(void) { x = byte() & 7; y = OTHER & 7; pthread_t t; pthread_create(&t, 0, f, 0); row[y] = 2;\n"
      "  pthread_join(t, 0); }";
  const auto with = [&](const char* other) {
    std::string text = program;
    return text.replace(text.find("OTHER"), 5, other);
  };
  EXPECT_EQ(agreed(Source(with("(x + 1)")).about(GoalKind::DataRace)), Verdict::Holds);
  EXPECT_EQ(agreed(Source(with("(x + byte())")).about(GoalKind::DataRace)), Verdict::Violated);
}

TEST(Explore, WhatAThreadDoesLastIsSeenByOthersBeforeItEnds) {
  // The write comes after the event in the same step; whoever waits for the event alone may read before it.
  const std::string program =
      "int result; atomic_int event; void* f(void* p) { event = 1; result = 7; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (event) check(result == 7);\n"
      "  pthread_join(t, 0); }";
  EXPECT_EQ(agreed(Source(program)), Verdict::Violated);
}

TEST(Explore, AStepEndsAtALoopAfterAChoice) {
  const Source source(
      "int main(void) { int s = 0; for (;;) { int m = input();\n"
      "  if (m == 1) s = (s + 1) % 3; else if (m == 2) s = 0; else s = 1; check(s != 7); } }");
  const Outcome outcome = explore(source.program, source.goals, {}, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_LE(outcome.statistics.steps, 20U);
}

TEST(Explore, TablesThatNobodyWritesAreReadWhereInputsLead) {
  const std::string program =
      "static const unsigned char table[16] = {5, 4, 9, 7, 1, 2, 8, 6, 10, 11, 15, 14, 13, 12, 16, 17};\n"
      "int main(void) { unsigned char i = byte(); check(table[i >> 4] != ";
  EXPECT_EQ(agreed(Source(program + "12); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "3); }")), Verdict::Holds);
}

TEST(Explore, InputsBeforeThreadsMakeSeveralInitialStates) {
  const std::string program =
      "int x; void* f(void* p) { x++; return 0; }\n"
      "int main(void) { if (input()) x = 1; else x = 2; pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
      "  check(x OP); }";
  const auto with = [&](const char* op) {
    std::string text = program;
    return text.replace(text.find("OP"), 2, op);
  };
  EXPECT_EQ(agreed(Source(with("!= 3"))), Verdict::Violated);
  EXPECT_EQ(agreed(Source(with("!= 2"))), Verdict::Violated);
  EXPECT_EQ(agreed(Source(with("<= 3"))), Verdict::Holds);
}

TEST(Explore, ThreadsThatNobodyJoinedMayStillRun) {
  const std::string program =
      "int x; void* f(void* p) { x = 1; return 0; } void* g(void* p) { return 0; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);\n"
      "  pthread_join(u, 0); check(x == 1); }";
  EXPECT_EQ(agreed(Source(program)), Verdict::Violated);
}

TEST(Explore, ObjectsOfCallsEndWhileOthersUseThem) {
  semantics::GoalOptions memory;
  memory.has_assertions = false;
  memory.checks = program::CheckSet::defaults();
  const std::string program =
      "atomic_int ready; void* f(void* p) { int* q = p; ready = 1; int s = *q; s += *q; return (void*)(long)s; }\n"
      "pthread_t t; void start(void) { int local = 1; pthread_create(&t, 0, f, &local); JOIN }\n"
      "int main(void) { start(); if (ready) ready = 2; OTHER return 0; }";
  const auto with = [&](const char* join, const char* other) {
    std::string text = program;
    text.replace(text.find("JOIN"), 4, join);
    return text.replace(text.find("OTHER"), 5, other);
  };
  EXPECT_EQ(agreed(Source(with("", "pthread_join(t, 0);"), memory)), Verdict::Violated);
  EXPECT_EQ(agreed(Source(with("pthread_join(t, 0);", ""), memory)), Verdict::Holds);
}

TEST(Explore, AnObjectMayEndBetweenTwoStepsThatNobodyElseSees) {
  semantics::GoalOptions memory;
  memory.has_assertions = false;
  memory.checks = program::CheckSet::defaults();
  const std::string start =
      "pthread_t t; void start(void) { int local = 1; pthread_create(&t, 0, f, &local); while (WAIT) { } }\n"
      "int main(void) { start(); pthread_join(t, 0); return 0; }";
  const auto with = [&](const std::string& thread, const char* wait) {
    std::string text = thread + start;
    return text.replace(text.find("WAIT"), 4, wait);
  };
  EXPECT_EQ(
      agreed(Source(with("atomic_int ready; void* f(void* p) { ready = 1; return (void*)(long)*(int*)p; }\n", "!ready"),
                    memory)),
      Verdict::Violated);
}

TEST(Explore, WhatIsKnownOfInputsIsKept) {
  const std::string program =
      "int x; void* f(void* p) { int v = input(); assume(v > 3 && v < 9); x = v; return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); check(x ";
  EXPECT_EQ(agreed(Source(program + "!= 3); }")), Verdict::Holds);
  EXPECT_EQ(agreed(Source(program + "!= 8); }")), Verdict::Violated);
}

TEST(Explore, StatesWithOtherValuationsAreOtherStates) {
  const std::string program =
      "int x; void* f(void* p) { return 0; }\n"
      "int main(void) { int v = byte(); if (byte()) assume(v < 5); else assume(v >= 5 && v < 20); x = v;\n"
      "  pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); check(x != ";
  EXPECT_EQ(agreed(Source(program + "3); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "15); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(program + "20); }")), Verdict::Holds);
}

TEST(Explore, WhatIsCalledAtTheEndIsNotForgottenWhereAThreadEndsTheProgram) {
  const Source source(
      "void last(void) { check(0); } void* f(void* p) { exit(0); }\n"
      "int main(void) { atexit(last); pthread_t t; pthread_create(&t, 0, f, 0); for (;;) { } }");
  const Outcome outcome = explore(source.program, source.goals, {}, Budget());
  const GoalResult& answer = outcome.answers[0];
  EXPECT_NE(result::claim_absence(answer.verdict, answer.reason, answer.gaps, false).verdict, Verdict::Holds);
  EXPECT_NE(result::claim_absence(answer.verdict, answer.reason, answer.gaps, false).verdict, Verdict::Vacuous);
}

TEST(Explore, CallsOfOutputAreNoOperationsOfSchedules) {
  const std::string text =
      "#include <stdio.h>\n"
      "int x; void* f(void* p) { for (int i = 0; i < 2; i++) { int t = x; if (printf(\"%d\\n\", t) < 0) return 0;\n"
      "  fprintf(stderr, \"%s\\n\", \"here\"); x = t + 1; putchar('c'); } return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); puts(\"made\");\n"
      "  pthread_join(a, 0); pthread_join(b, 0);\n";
  EXPECT_EQ(agreed(Source(text + "check(x > 2); }")), Verdict::Violated);
  EXPECT_EQ(agreed(Source(text + "check(x > 1); }")), Verdict::Holds);
}

TEST(Explore, TheNumberOfStatesCanBeLimited) {
  const Source source(std::string(kCounter) + "int main(void) { check(run(0) <= 2); }");
  Options options;
  options.max_states = 3;
  const Outcome outcome = explore(source.program, source.goals, options, Budget());
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Unknown);
  EXPECT_FALSE(outcome.answers[0].reason.empty());
}

}  // namespace
}  // namespace plumb::explore
