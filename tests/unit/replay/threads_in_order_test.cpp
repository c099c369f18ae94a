// Runs whose threads go on in an order: shown as lanes, and made again natively.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/sandbox.h"
#include "program/goal.h"
#include "replay/confirmer.h"
#include "replay/describe_defect.h"
#include "semantics/goals.h"

namespace plumb::replay {
namespace {

using program::GoalKind;

constexpr const char* kHead =
    "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
    "int __VERIFIER_nondet_int(void);\n";

/// A program whose threads fail in some order, which is looked for at random.
class Threaded {
 public:
  explicit Threaded(const std::string& text) {
    options_.files = {(directory_.path() / "program.c").string()};
    options_.compiler_flags = {"-w"};
    write_file(options_.files.front(), kHead + text);
    program_ = frontend::load_program(options_, {});
    std::filesystem::create_directories(directory_.path() / "work");
    builds_ = std::make_unique<Builds>(program_, options_, directory_.path() / "work");
  }

  /// A run that violates a goal of the kind; with a line, one there.
  Confirmation confirm(GoalKind kind, std::uint32_t line = 0) {
    std::vector<program::Goal> goals = semantics::find_goals(program_, {});
    if (kind == GoalKind::Deadlock) goals = {program::Goal{kind}};
    std::erase_if(goals, [&](const program::Goal& goal) { return goal.kind != kind; });
    EXPECT_FALSE(goals.empty());
    interpret::Interpreter interpreter(program_);
    for (std::uint64_t seed = 1; seed < 2000 && !goals.empty(); ++seed) {
      interpret::InterpreterOptions options;
      options.random_order = interpret::RandomOrder{seed, seed % 2 == 0, 60};
      options.inputs = [](std::string_view, std::size_t size) {
        std::vector<std::uint8_t> one(size, 0);
        one.front() = 1;
        return one;
      };
      const interpret::RunResult run = interpreter.run(options, {});
      if (run.faults.empty() || run.faults.front().kind == program::FaultKind::DataRace) continue;
      if (line != 0 && place_of(program_, run.stack.front()).line != line) continue;
      Confirmer confirmer(*builds_);
      const auto violated = std::ranges::find(goals, run.stack.front(), &program::Goal::at);
      return confirmer.confirm(violated == goals.end() ? goals.front() : *violated, {run.inputs, {}, run.schedule}, {});
    }
    ADD_FAILURE() << "no order fails";
    return {};
  }
  Builds& builds() { return *builds_; }

 private:
  TemporaryDirectory directory_;
  frontend::LoadOptions options_;
  program::Program program_;
  std::unique_ptr<Builds> builds_;
};

std::string steps(const Confirmation& made) {
  std::string text;
  if (!made.counterexample) return made.reason;
  for (const LaneStep& step : made.counterexample->lanes)
    text += std::to_string(step.thread) + " " + step.what + (step.variable.empty() ? "" : " " + step.variable) +
            (step.value.empty() ? "" : " = " + step.value) + "\n";
  return text;
}

bool has_native_runs() { return sandbox_powers().confines_files(); }

void expect_native(const Confirmation& made) {
  ASSERT_TRUE(made.is_confirmed) << made.reason;
  if (has_native_runs()) EXPECT_EQ(made.counterexample->confirmed_by, "interpreter and native run") << steps(made);
}

constexpr const char* kLostUpdate =
    "int n, alone;\n"
    "void *add(void *p) { int seen = n; alone = 1; n = seen + 1; return p; }\n"
    "int main(void) {\n"
    "  pthread_t a;\n"
    "  pthread_create(&a, 0, add, 0);\n"
    "  n++;\n"
    "  pthread_join(a, 0);\n"
    "  assert(n == 2);\n"
    "}\n";

TEST(ThreadsInOrder, LoseAnUpdateNativelyToo) { expect_native(Threaded(kLostUpdate).confirm(GoalKind::Assertion)); }

TEST(ThreadsInOrder, AreLanesOfWhatTheyDoToEachOther) {
  const std::string text = steps(Threaded(kLostUpdate).confirm(GoalKind::Assertion));
  EXPECT_TRUE(text.starts_with("1 create thread 2\n")) << text;
  EXPECT_NE(text.find("2 read n = 0\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("alone"), std::string::npos) << "one thread alone touches it\n" << text;
  EXPECT_TRUE(text.ends_with("1 join thread 2\n1 read n = 1\n1 fails\n")) << text;
}

TEST(ThreadsInOrder, FailNoSoonerThanTheScheduleSays) {
  expect_native(Threaded("int n;\n"
                         "void *early(void *p) { int seen = n; if (seen == 0) { n = 1; assert(seen); } return p; }\n"
                         "int main(void) {\n"
                         "  pthread_t a;\n"
                         "  pthread_create(&a, 0, early, 0);\n"
                         "  int now = n;\n"
                         "  assert(now == 0);\n"
                         "}\n")
                    .confirm(GoalKind::Assertion, 12));
}

TEST(ThreadsInOrder, KeepMainFromItsEndUntilTheyHaveFailed) {
  expect_native(Threaded("int n;\n"
                         "void *late(void *p) { int seen = n; assert(seen == 0); return p; }\n"
                         "int main(void) {\n"
                         "  pthread_t a;\n"
                         "  pthread_create(&a, 0, late, 0);\n"
                         "  n = 1;\n"
                         "}\n")
                    .confirm(GoalKind::Assertion));
}

TEST(ThreadsInOrder, AreNotEndedByOthersBeforeTheyHaveFailed) {
  for (const char* end : {"exit(0)", "__VERIFIER_assume(0)"})
    expect_native(Threaded(std::string("#include <stdlib.h>\nextern void __VERIFIER_assume(int);\nint n;\n"
                                       "void *late(void *p) { int seen = n; assert(seen == 0); return p; }\n"
                                       "int main(void) {\n"
                                       "  pthread_t a;\n"
                                       "  pthread_create(&a, 0, late, 0);\n"
                                       "  n = 1;\n  ") +
                           end + ";\n}\n")
                      .confirm(GoalKind::Assertion));
}

TEST(ThreadsInOrder, TakeTheirInputsInThatOrder) {
  expect_native(Threaded("int n;\n"
                         "void *add(void *p) { int given = __VERIFIER_nondet_int(); n += given; return p; }\n"
                         "int main(void) {\n"
                         "  pthread_t a, b;\n"
                         "  pthread_create(&a, 0, add, 0);\n"
                         "  pthread_create(&b, 0, add, 0);\n"
                         "  pthread_join(a, 0);\n"
                         "  pthread_join(b, 0);\n"
                         "  assert(n != 1);\n"
                         "}\n")
                    .confirm(GoalKind::Assertion));
}

TEST(ThreadsInOrder, LockAndUseAtomics) {
  expect_native(Threaded("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                         "_Atomic int turns;\n"
                         "int order;\n"
                         "void *work(void *p) {\n"
                         "  for (int i = 0; i < 2; ++i) {\n"
                         "    pthread_mutex_lock(&m);\n"
                         "    order = order * 3 + *(int *)p;\n"
                         "    pthread_mutex_unlock(&m);\n"
                         "    turns++;\n"
                         "  }\n"
                         "  return 0;\n"
                         "}\n"
                         "int main(void) {\n"
                         "  pthread_t a, b;\n"
                         "  int first = 1, second = 2;\n"
                         "  pthread_create(&a, 0, work, &first);\n"
                         "  pthread_create(&b, 0, work, &second);\n"
                         "  pthread_join(a, 0);\n"
                         "  pthread_join(b, 0);\n"
                         "  assert(turns != 4 || order != 1 * 27 + 2 * 9 + 1 * 3 + 2);\n"
                         "}\n")
                    .confirm(GoalKind::Assertion));
}

TEST(ThreadsInOrder, WaitForConditionsAndSemaphores) {
  expect_native(Threaded("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                         "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                         "sem_t s;\n"
                         "int ready, seen;\n"
                         "void *wait(void *p) {\n"
                         "  pthread_mutex_lock(&m);\n"
                         "  while (!ready) { pthread_cond_wait(&c, &m); seen++; }\n"
                         "  pthread_mutex_unlock(&m);\n"
                         "  sem_wait(&s);\n"
                         "  assert(seen < 1);\n"
                         "  return 0;\n"
                         "}\n"
                         "int main(void) {\n"
                         "  pthread_t a;\n"
                         "  sem_init(&s, 0, 0);\n"
                         "  pthread_create(&a, 0, wait, 0);\n"
                         "  pthread_mutex_lock(&m);\n"
                         "  ready = 1;\n"
                         "  pthread_cond_signal(&c);\n"
                         "  pthread_mutex_unlock(&m);\n"
                         "  sem_post(&s);\n"
                         "  pthread_join(a, 0);\n"
                         "}\n")
                    .confirm(GoalKind::Assertion));
}

TEST(ThreadsInOrder, DeadlockNativelyToo) {
  expect_native(Threaded("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n"
                         "void *other(void *p) {\n"
                         "  pthread_mutex_lock(&k); pthread_mutex_lock(&m);\n"
                         "  pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);\n"
                         "  return p;\n"
                         "}\n"
                         "int main(void) {\n"
                         "  pthread_t t;\n"
                         "  pthread_create(&t, 0, other, 0);\n"
                         "  pthread_mutex_lock(&m); pthread_mutex_lock(&k);\n"
                         "  pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);\n"
                         "  return pthread_join(t, 0);\n"
                         "}\n")
                    .confirm(GoalKind::Deadlock));
}

TEST(ThreadsInOrder, AreConfirmedByTheInterpreterWhereANativeRunCannotFollow) {
  const Confirmation made = Threaded(
                                "#include <time.h>\n"
                                "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                                "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                                "int n;\n"
                                "void *add(void *p) { n++; return p; }\n"
                                "int main(void) {\n"
                                "  pthread_t a;\n"
                                "  struct timespec t = {0, 0};\n"
                                "  pthread_create(&a, 0, add, 0);\n"
                                "  pthread_mutex_lock(&m);\n"
                                "  pthread_cond_timedwait(&c, &m, &t);\n"
                                "  pthread_mutex_unlock(&m);\n"
                                "  assert(n == 1);\n"
                                "}\n")
                                .confirm(GoalKind::Assertion);
  ASSERT_TRUE(made.is_confirmed) << made.reason;
  if (has_native_runs())
    EXPECT_EQ(made.counterexample->confirmed_by, "interpreter; a wait for a time cannot be made to end when it did");
}

TEST(ThreadsInOrder, ThatAreNotThoseOfTheProgramAreLeft) {
  if (!has_native_runs()) GTEST_SKIP();
  Threaded subject(kLostUpdate);
  const Confirmation made = subject.confirm(GoalKind::Assertion);
  ASSERT_TRUE(made.is_confirmed);
  NativeOrder order;
  order.bytes.assign(16, 0);
  order.bytes[8] = 99;  // the line
  const NativeRun run = NativeReplayer(subject.builds(), {}).run_in_order(made.counterexample->test, order, {});
  EXPECT_NE(left_order(run.error), "") << run.error;
}

}  // namespace
}  // namespace plumb::replay
