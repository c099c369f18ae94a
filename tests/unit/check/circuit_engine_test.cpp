#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "base/file.h"
#include "check/engine.h"
#include "frontend/load.h"
#include "replay/violated_goals.h"
#include "semantics/goals.h"

namespace plumb::check {
namespace {

using std::chrono::seconds;

/// What the engine says of a C program's goals.
class CircuitEngineTest : public testing::Test {
 protected:
  /// The last claim about each goal, in the order of the source.
  std::vector<Claim> claims(const std::string& text) {
    const std::filesystem::path file = directory_.path() / "source.c";
    std::ofstream(file) << "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
                           "extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_assume(int);\n"
                           "extern void reach_error(void);\n#define input __VERIFIER_nondet_int\n"
                           "void check(int ok) { if (!ok) reach_error(); }\n"
                        << text;
    settings_.load.files = {file.string()};
    settings_.directory = directory_.path();
    settings_.load.marks_unset = true;
    program_ = frontend::load_program(settings_.load, Budget());
    goals_ = semantics::find_goals(program_, {});
    std::vector<Claim> told(goals_.size());
    const EngineTask task{.program = program_,
                          .goals = goals_,
                          .settings = settings_,
                          .directory = directory_.path(),
                          .budget = Budget().with_timeout(seconds(60)),
                          .tell = [&](Claim claim) { told[claim.goal] = std::move(claim); },
                          .is_open = [](std::size_t) { return true; }};
    circuit_engine.run(task);
    return told;
  }
  Claim claim(const std::string& text) { return claims(text).at(0); }

  TemporaryDirectory directory_;
  Settings settings_;
  Program program_;
  std::vector<Goal> goals_;
};

TEST_F(CircuitEngineTest, ProvesALoopOfAnyLength) {
  const Claim told = claim(
      "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;\n"
      "  while (x > 0) { x--; y++; }\n  check(y == n); }");
  EXPECT_EQ(told.verdict, Verdict::Holds);
}

TEST_F(CircuitEngineTest, GivesTheInputsOfACounterexampleInTheOrderOfTheProgramThoughPartsAreSlicedAway) {
  const Claim told = claim(
      "int main(void) { int unused = 0;\n"
      "  for (int i = 0; i < 3; i++) unused += input();\n"
      "  int x = input();\n  if (unused == 77) exit(0);\n  check(x != 12345); }");
  ASSERT_EQ(told.verdict, Verdict::Violated);
  ASSERT_EQ(told.test->inputs.size(), 4U);
  EXPECT_EQ(told.test->inputs[3].bytes, (std::vector<std::uint8_t>{0x39, 0x30, 0, 0}));
}

TEST_F(CircuitEngineTest, DoesNotTakeAnEndlessLoopForOneThatEnds) {
  EXPECT_EQ(claim("int main(void) { int x = 0;\n"
                  "  while (1) { if (x == 3) reach_error(); x = input() & 2; } }")
                .verdict,
            Verdict::Holds);
  EXPECT_EQ(claim("int main(void) { volatile int n = 0;\n"
                  "  if (input() != 7) exit(0);\n  while (n == 0) { if (input() == 1) continue; }\n  reach_error(); }")
                .verdict,
            Verdict::Holds);
}

TEST_F(CircuitEngineTest, ABoundThatCanBeReachedMakesAProofABoundedOne) {
  settings_.flatten.heap_objects = 4;
  const std::string list =
      "struct node { struct node *next; };\nint main(void) { struct node *list = 0;\n"
      "  while (input()) { struct node *n = malloc(sizeof *n); n->next = list; list = n; }\n";
  const Claim bounded = claim(list + "  check(list == 0 || list->next != list); }");
  EXPECT_EQ(bounded.verdict, Verdict::HoldsUpTo);
  EXPECT_NE(bounded.reason.find("heap"), std::string::npos) << bounded.reason;
  EXPECT_EQ(claim(list + "  check(list == 0); }").verdict, Verdict::Violated);
}

TEST_F(CircuitEngineTest, ADepthOfRecursionThatCanBeReachedIsNamed) {
  settings_.flatten.stack_depth = 5;
  const std::string sum = "int sum(unsigned n) { return n == 0 ? 0 : 1 + sum(n - 1); }\n";
  const Claim bounded =
      claim(sum + "int main(void) { unsigned n = __VERIFIER_nondet_uint(); check(sum(n) >= 0 || n > 9); }");
  EXPECT_EQ(bounded.verdict, Verdict::HoldsUpTo);
  EXPECT_NE(bounded.reason.find("--stack"), std::string::npos) << bounded.reason;
  EXPECT_EQ(
      claim(sum + "int main(void) { unsigned n = __VERIFIER_nondet_uint() & 3; check(sum(n) == (int)n); }").verdict,
      Verdict::Holds);
}

TEST_F(CircuitEngineTest, FloatingPointThatIsReachedIsNamedAndWhatIsNotReachedIsNoMatter) {
  const Claim told = claim("int main(void) { double x = input(); check(x * 2 > 1 || x < 5); }");
  ASSERT_EQ(told.gaps.size(), 1U);
  EXPECT_EQ(told.gaps[0].kind, result::GapKind::Unsupported);
  EXPECT_NE(told.gaps[0].text.find("float"), std::string::npos) << told.gaps[0].text;
  const Claim beside = claim(
      "int main(void) { int n = input() & 7; double x = 1; if (n > 7) x = x * n;\n"
      "  check(n != 8); }");
  EXPECT_EQ(beside.verdict, Verdict::Holds);
  EXPECT_TRUE(beside.gaps.empty());
}

TEST_F(CircuitEngineTest, AnAssumptionThatCannotHoldMakesWhatIsBehindItVacuous) {
  const Claim told = claim("int main(void) { int x = input(); __VERIFIER_assume(x > 5 && x < 3); check(x == 4); }");
  EXPECT_EQ(told.verdict, Verdict::Vacuous);
}

TEST_F(CircuitEngineTest, EachGoalHasItsOwnAnswer) {
  settings_.is_every_goal = true;
  const std::vector<Claim> told = claims(
      "int main(void) { int x = input();\n  if (x == 3) reach_error();\n"
      "  if ((x & 1) && x * 2 == 7) reach_error();\n  if (x == 4) reach_error(); }");
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0].verdict, Verdict::Violated);
  EXPECT_EQ(told[1].verdict, Verdict::Holds);
  EXPECT_EQ(told[2].verdict, Verdict::Violated);
}

TEST_F(CircuitEngineTest, AVariableThatNothingSetHasOneValueThatTheTestSays) {
  EXPECT_EQ(claim("int main(void) { int x; int y = x; check(x == y); }").verdict, Verdict::Holds);
  const Claim told = claim("int main(void) {\n  int x;\n  check(x != 5); }");
  ASSERT_EQ(told.verdict, Verdict::Violated);
  EXPECT_EQ(told.test->unset, (std::vector<result::UnsetBytes>{{"main.x:9", 0, 0, {5, 0, 0, 0}}}));
}

TEST_F(CircuitEngineTest, ValuesThatNothingSetAreTheInterpretersToo) {
  const auto is_shown = [&](const std::string& text) {
    const Claim told = claim(text);
    if (told.verdict != Verdict::Violated) return false;
    interpret::Interpreter interpreter(program_);
    return !replay::run_test(interpreter, goals_, *told.test, {}).violated.empty();
  };
  EXPECT_TRUE(is_shown("int main(void) { int a[4]; unsigned n = __VERIFIER_nondet_uint() % 4; check(a[n] != 77); }"));
  EXPECT_TRUE(is_shown("int main(void) { int *p = malloc(8); check(p[0] != p[1] + 3); }"));
  EXPECT_TRUE(is_shown("int main(void) { struct { char c; int i; } s; s.c = 1; check(s.i != s.c + 6); }"));
  EXPECT_TRUE(is_shown("int main(void) { for (int i = 0; i < 2; i++) { int x; if (!i) x = 4; check(x == 4); } }"));
  EXPECT_TRUE(
      is_shown("int main(void) { for (int i = 0; i < 2; i++) { int a[2]; if (!i) a[0] = 4; check(a[0] == 4); } }"));
  EXPECT_TRUE(
      is_shown("static int get(void) { int x; return x; }\n"
               "int main(void) { int a = get(), b = get(); check(!(a == 1 && b == 2)); }"));
  EXPECT_TRUE(
      is_shown("static int get(int n) { int x, *p = &x; if (n) get(n - 1); return *p; }\n"
               "int main(void) { check(get(2) != 9); }"));
  EXPECT_TRUE(
      is_shown("int main(void) { unsigned n = __VERIFIER_nondet_uint() % 3 + 2; int a[n]; check(a[n - 1] != 8); }"));
  EXPECT_TRUE(is_shown("int main(void) { int *p = malloc(4); *p = 1; p = realloc(p, 8); check(p[0] + p[1] != 8); }"));
}

}  // namespace
}  // namespace plumb::check
