#include "replay/replayer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "replay/checked_replayer.h"
#include "replay/interpreter_replayer.h"
#include "replay/native_replayer.h"
#include "replay/simulator_replayer.h"
#include "result/input_reader.h"

namespace plumb::replay {
namespace {

result::TestCase number(std::uint8_t value) { return {{{"int", {value, 0, 0, 0}}}, {}}; }

/// Every way to run a program.
class ReplayersTest : public testing::Test {
 protected:
  explicit ReplayersTest(std::string_view text =
                             "int __VERIFIER_nondet_int(void);\nstatic int a[4];\n"
                             "int main(void) { a[__VERIFIER_nondet_int()] = 1; return 3; }\n") {
    write_file(file(), text);
    frontend::LoadOptions options;
    options.files = {file()};
    builds_ = std::make_unique<Builds>(options, directory_.path());
    replayers_.push_back(std::make_unique<InterpreterReplayer>(*builds_, limits_.memory));
    replayers_.push_back(std::make_unique<NativeReplayer>(*builds_, limits_));
    replayers_.push_back(std::make_unique<CheckedReplayer>(*builds_, limits_));
  }
  std::string file() const { return (directory_.path() / "p.c").string(); }

  TemporaryDirectory directory_;
  RunLimits limits_;
  std::unique_ptr<Builds> builds_;
  std::vector<std::unique_ptr<Replayer>> replayers_;
};

TEST_F(ReplayersTest, RunATestToItsEndAndShowWhatTheyCanSee) {
  for (const auto& replayer : replayers_) {
    const Replay good = replayer->run({number(3)}, {});
    EXPECT_EQ(good.end, "exit code 3") << replayer->name();
    EXPECT_EQ(good.problem, "") << replayer->name();
    EXPECT_TRUE(good.defects.empty()) << replayer->name();
    const Replay bad = replayer->run({number(4)}, {});
    EXPECT_EQ(bad.defects.size(), replayer->name() == "native run" ? 0U : 1U) << replayer->name();
    for (const result::Defect& defect : bad.defects) EXPECT_EQ(defect.place.line, 3U) << replayer->name();
  }
}

TEST_F(ReplayersTest, RefuseRunsOfSystemsAndTheCheckedBuildSchedules) {
  result::TestCase in_order = number(3);
  in_order.schedule = {{0, 1}};
  for (const auto& replayer : replayers_) {
    const bool follows = replayer->name() != "checked build";
    EXPECT_EQ(replayer->run({in_order}, {}).problem.empty(), follows) << replayer->name();
    EXPECT_NE(replayer->run({system::Trace{}}, {}).problem, "") << replayer->name();
  }
}

TEST_F(ReplayersTest, ShareWhatTheyAreBuiltOf) {
  write_file(file(), "int main(void) { return 5; }\n");
  EXPECT_EQ(replayers_[0]->run({}, {}).end, "exit code 5");
  write_file(file(), "int main(void) { return 6; }\n");  // too late: the source was read once, for all of them
  for (const auto& replayer : replayers_) EXPECT_EQ(replayer->run({}, {}).end, "exit code 5") << replayer->name();
}

TEST_F(ReplayersTest, SayAgainThatThereIsNoBuild) {
  write_file(file(), "int missing(void);\nint main(void) { return missing(); }\n");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(replayers_[1]->run({}, {}), UserError);
    EXPECT_THROW(replayers_[2]->run({}, {}), UserError);
  }
}

TEST_F(ReplayersTest, SeeTheClockOfTheTest) {
  write_file(
      file(),
      "#include <sys/time.h>\n#include <time.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"
      "  struct timespec a, b;\n  struct timeval c;\n  int first = __VERIFIER_nondet_int();\n"
      "  if (time(0) != 17 || clock() != 2000003) return 1;\n  if (first + __VERIFIER_nondet_int() != 5) return 2;\n"
      "  if (timespec_get(&a, TIME_UTC) != TIME_UTC || a.tv_sec != -4 || a.tv_nsec != 999) return 3;\n"
      "  if (clock_gettime(CLOCK_MONOTONIC, &b) != 0 || b.tv_sec != 1 || b.tv_nsec != 500000007) return 4;\n"
      "  if (gettimeofday(&c, 0) != 0 || c.tv_sec != 100 || c.tv_usec != 999999) return 5;\n  return 6;\n}\n");
  const auto look = [](std::string_view name, std::int64_t value) {
    result::TestInput made{std::string(name), {}};
    for (int i = 0; i < 8; ++i) made.bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    return made;
  };
  const auto& [time, clock, fraction] = result::kClockInputs;
  const result::TestCase test{{look(time, 17), look("int", 2), look(clock, 2000003), look("int", 3), look(time, -4),
                               look(fraction, 999), look(clock, 1500000), look(fraction, 7), look(time, 100),
                               look(fraction, 999999)}};
  for (const auto& replayer : replayers_) EXPECT_EQ(replayer->run({test}, {}).end, "exit code 6") << replayer->name();
}

TEST_F(ReplayersTest, HaveTemporaryFilesInTheSandbox) {
  write_file(
      file(),
      "#include <stdio.h>\nint main(void) {\n  FILE *f = tmpfile();\n  if (!f || fputs(\"xy\", f) < 0) return 1;\n"
      "  rewind(f);\n  return fgetc(f) == 'x' && fgetc(f) == 'y' && fgetc(f) == EOF && fclose(f) == 0 ? 7 : 2;\n}\n");
  for (const auto& replayer : replayers_) {
    if (replayer->name() == "interpreter") continue;  // its files are read or written
    EXPECT_EQ(replayer->run({}, {}).end, "exit code 7") << replayer->name();
  }
}

TEST_F(ReplayersTest, LeaveTheFilesOfTheUserAlone) {
  const std::filesystem::path kept = directory_.path() / "kept.txt";
  write_file(kept, "precious");
  write_file(file(), "#include <stdio.h>\nint main(void) {\n  FILE *f = fopen(\"" + kept.string() +
                         "\", \"w\");\n  FILE *g = fopen(\"own.txt\", \"w\");\n"
                         "  FILE *l = fopen(\"./log.txt\", \"w\");\n"
                         "  FILE *n = fopen(\"/dev/null\", \"w\"), *up = fopen(\"./../kept.txt\", \"a\");\n"
                         "  FILE *t = fopen(\"given.txt\", \"r\");\n  int c = t == NULL ? 0 : fgetc(t);\n"
                         "  if (g != NULL) { fputs(\"x\", g); fclose(g); }\n"
                         "  return (f != NULL) + 2 * (g != NULL) + 4 * (l != NULL) + c + 16 * (n != NULL) +\n"
                         "         32 * (up != NULL);\n}\n");
  result::TestCase test;
  test.environment.files = {{"given.txt", {8}}};
  for (const auto& replayer : replayers_) {
    EXPECT_EQ(replayer->run({test}, {}).end, "exit code 30") << replayer->name();
    EXPECT_EQ(read_file(kept), "precious") << replayer->name();
    EXPECT_FALSE(std::filesystem::exists("own.txt")) << replayer->name();
  }
}

TEST(SimulatorReplayer, NamesWhatIsReached) {
  system::System system;
  system::TermStore& terms = system.store();
  const system::Term x = system.add_state({4, 0}, "x");
  const system::Term step = system.add_input({4, 0}, "step");
  system.set_init(0, terms.constant(4, 0));
  system.set_next(0, terms.add(x, step));
  system.add_constraint(terms.ult(step, terms.constant(4, 3)), "small steps");
  system.add_bad(terms.eq(x, terms.constant(4, 2)), "two");
  SimulatorReplayer replayer(system);
  const auto run = [&](const std::vector<std::uint64_t>& steps) {
    system::Trace trace;
    for (const std::uint64_t value : steps) trace.steps.push_back({{BitVector(4, value)}, {}});
    return replayer.run({trace}, {});
  };
  const Replay reaching = run({1, 1, 0});
  EXPECT_EQ(reaching.end, "bad 0 in step 2");
  EXPECT_EQ(reaching.problem, "");
  ASSERT_EQ(reaching.reached.size(), 1U);
  EXPECT_EQ(reaching.reached.front().step, 2U);
  EXPECT_EQ(run({1, 3, 0}).problem, "this is no run of the system: step 1 breaks assumption 0");
  EXPECT_EQ(run({1, 0}).end, "no bad in 2 steps");
  EXPECT_NE(replayer.run({result::TestCase{}}, {}).problem, "");
}

}  // namespace
}  // namespace plumb::replay
