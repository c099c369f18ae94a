#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"
#include "program/goal.h"
#include "semantics/goals.h"

namespace plumb::frontend {

using interpret::Interpreter;
using interpret::InterpreterOptions;
using interpret::RunResult;
using program::CodePoint;
using program::describe;
using program::Fault;
using program::FaultKind;
using program::Goal;
using program::GoalKind;
using program::is_violation;
using semantics::find_goals;
namespace {

Program load(const std::vector<std::string>& texts, LoadOptions options) {
  const TemporaryDirectory directory;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    options.files.push_back((directory.path() / (std::to_string(i) + ".c")).string());
    write_file(options.files.back(), texts[i]);
  }
  return load_program(options, {});
}

RunResult run(const Program& program, std::uint8_t input) {
  InterpreterOptions options;
  options.inputs = [=](std::string_view, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    bytes.front() = input;
    return bytes;
  };
  options.max_instructions = 100'000;
  Interpreter interpreter(program);
  return interpreter.run(options, {});
}

/// Of the fault, 0 if there is none.
std::uint32_t failing_line(const Program& program, const RunResult& result) {
  if (result.faults.empty()) return 0;
  const CodePoint at = result.stack.front();
  return program.functions[at.function].instructions[at.instruction].location.line;
}

// --- Labels ---

constexpr std::string_view kLabels =
    "int plumb_nondet_int(void);\n"
    "static int f(int x) {\n"
    "  while (x > 0) {\n"
    "    if (x == 3) { { ERROR: x = 0; } }\n"  // 4
    "    if (x == 9) goto ERROR;\n"
    "    x -= 2;\n"
    "  }\n"
    "  return x;\n"
    "}\n"
    "#define FAIL ERROR\n"
    "int g(int x) {\n"
    "  switch (x) {\n"
    "    case 7: FAIL: return 1;\n"  // 13
    "    default: OTHER: return 0;\n"
    "  }\n"
    "}\n"
    "int main(void) { int x = plumb_nondet_int(); return f(x) + g(x); }\n";

TEST(MarkedLabels, AreErrorsWhereTheyStandAndNoOthersAre) {
  LoadOptions options;
  options.error_labels = {"ERROR"};
  const Program program = load({std::string(kLabels)}, options);
  EXPECT_EQ(find_goals(program, {}).size(), 2U);
  for (const int input : {0, 1, 2, 3, 4, 6, 7, 8, 9, 12}) {
    const RunResult result = run(program, static_cast<std::uint8_t>(input));
    std::uint32_t expected = 0;
    if (input % 2 == 1 && input >= 3) expected = 4;
    EXPECT_EQ(failing_line(program, result), expected) << input;
    if (expected != 0) {
      EXPECT_EQ(result.faults.front().kind, FaultKind::ErrorReached);
    }
  }
}

TEST(MarkedLabels, ComeFromMacrosToo) {
  LoadOptions options;
  options.error_labels = {"ERROR"};
  options.entry = "g";
  const Program program = load({std::string(kLabels)}, options);
  EXPECT_EQ(failing_line(program, run(program, 7)), 13U);
  EXPECT_EQ(failing_line(program, run(program, 8)), 0U);
}

TEST(MarkedLabels, AreNoneWithoutBeingAskedForOrOfOtherNames) {
  EXPECT_TRUE(find_goals(load({std::string(kLabels)}, {}), {}).empty());
  LoadOptions options;
  options.error_labels = {"OTHER", "NONE"};
  const Program program = load({std::string(kLabels)}, options);
  EXPECT_EQ(find_goals(program, {}).size(), 1U);
  EXPECT_EQ(failing_line(program, run(program, 0)), 14U);
}

TEST(MarkedLabels, AddNothingBeforeACallOfTheErrorFunction) {
  LoadOptions options;
  options.error_labels = {"ERROR"};
  const Program program = load(
      {"void reach_error(void) {} void abort(void);\nint main(int c, char **v) { if (c > 5) { ERROR: {reach_error(); "
       "abort();} } }"},
      options);
  EXPECT_EQ(find_goals(program, {}).size(), 1U);
}

TEST(MarkedLabels, StayWhenVariablesAreKeptAndCodeIsOptimised) {
  LoadOptions options;
  options.error_labels = {"ERROR"};
  options.keep_variables = true;
  EXPECT_EQ(find_goals(load({std::string(kLabels)}, options), {}).size(), 2U);
  options.keep_variables = false;
  options.word_size = 32;
  EXPECT_EQ(find_goals(load({std::string(kLabels)}, options), {}).size(), 2U);
}

TEST(PropertyFunctions, MeanTheSameInEveryFileWhateverTheirBody) {
  const Program program =
      load({"int f(int); int plumb_nondet_int(void); static void reach_error(void) {}\n"
            "int main(void) { int x = plumb_nondet_int(); if (x == 1)\nreach_error();\nreturn f(x); }",
            "static void reach_error(void) { int n = 0; n++; }\n"
            "static void __VERIFIER_assume(int x) { while (!x) {} }\n"
            "int f(int x) { __VERIFIER_assume(x != 5); if (x == 2)\n\n\nreach_error();\nreturn 0; }"},
           {});
  EXPECT_EQ(failing_line(program, run(program, 1)), 3U);
  EXPECT_EQ(failing_line(program, run(program, 2)), 6U);
  EXPECT_EQ(run(program, 3).end, RunResult::End::Exit);
  EXPECT_EQ(run(program, 5).end, RunResult::End::AssumeFailed);
}

// --- Termination ---

/// A program and how many steps back its run makes.
struct Counted {
  friend void PrintTo(const Counted& counted, std::ostream* out) { *out << counted.name; }

  std::string_view name;
  std::string_view text;
  std::uint64_t steps;
};

class TerminationTest : public testing::TestWithParam<Counted> {};

Program bounded(std::string_view text, std::uint64_t bound) {
  LoadOptions options;
  options.termination_bound = bound;
  options.compiler_flags = {"-w"};
  return load({std::string(text)}, options);
}

TEST_P(TerminationTest, TheCheckFailsIfAndOnlyIfTheBoundIsBelowTheSteps) {
  const std::uint64_t steps = GetParam().steps;
  for (const std::uint64_t bound : {steps, steps - 1}) {
    if (bound > steps) continue;  // below none
    const Program program = bounded(GetParam().text, bound);
    const RunResult result = run(program, 0);
    if (bound >= steps) {
      EXPECT_EQ(result.end, RunResult::End::Exit) << bound;
      continue;
    }
    ASSERT_EQ(result.end, RunResult::End::Fault) << bound;
    const std::vector<Goal> goals = find_goals(program, {false, true, CheckSet::none()});
    const auto goal = std::ranges::find(goals, result.stack.front(), &Goal::at);
    ASSERT_NE(goal, goals.end());
    EXPECT_EQ(goal->kind, GoalKind::Termination);
    EXPECT_TRUE(is_violation(*goal, result.faults.front().kind));
    EXPECT_EQ(describe(program, *goal), "termination bound " + std::to_string(bound));
    EXPECT_TRUE(find_goals(program, {true, false, CheckSet::none()}).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, TerminationTest,
    testing::Values(
        Counted{"NoLoop", "int main(void) { return 0; }", 0},
        Counted{"For", "int main(void) { for (int i = 0; i < 10; ++i); }", 10},
        Counted{"Continue", "int main(void) { int i = 0; while (i < 10) { ++i; if (i % 2) continue; ++i; } }", 6},
        Counted{"Do", "int main(void) { int i = 0; do { ++i; } while (i < 300); }", 299},
        Counted{"Nested", "int main(void) { for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j); }", 6},
        Counted{"Goto", "int main(void) { int i = 0; again: if (i++ < 4) goto again; }", 4},
        Counted{"Switch",
                "int main(void) { int i = 0; again: switch (i++) { case 0: case 3: goto again; case 1: case 2: "
                "i++; goto again; } }",
                3},
        Counted{"TwoEntries", "int main(int c, char **v) { int i = 0; if (c) goto in; while (i < 5) { i++; in:; } }",
                5},
        Counted{"Recursion", "int f(int n) { return n == 0 ? 0 : f(n - 1); } int main(void) { return f(7); }", 7},
        Counted{"ThroughPointer",
                "int (*volatile p)(int); int f(int n) { return n ? p(n - 1) : 0; } int main(void) { p = f; f(5); }", 5},
        Counted{"Mutual",
                "int g(int); int f(int n) { return n ? g(n - 1) : 0; } int g(int n) { return n ? f(n - 1) : 0; }\n"
                "int main(void) { return f(6); }",
                6},
        Counted{"NoRecursion", "int f(int n) { return n; } int main(void) { return f(0) + f(0); }", 0},
        Counted{"ThroughLibrary",
                "#include <stdlib.h>\nint depth, a[2] = {2, 1};\n"
                "int less(const void *x, const void *y) { if (depth++ < 3) { qsort(a, 2, 4, less); } return 0; }\n"
                "int main(void) { qsort(a, 2, 4, less); }",
                3},
        Counted{"Jump",
                "#include <setjmp.h>\njmp_buf b; volatile int n;\n"
                "int main(void) { setjmp(b); if (n++ < 3) longjmp(b, 1); return 0; }",
                3}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Termination, OfARunWithoutEndFailsAtItsLoop) {
  for (const std::string_view text :
       {"int main(void) {\nfor (;;); }", "int main(void) {\nfor (;;) { } }", "int main(void) {\nl: goto l; }",
        "\nint main(void) { void *p = &&l; l: goto *p; }"}) {
    const Program program = bounded(text, 1000);
    const RunResult result = run(program, 0);
    ASSERT_EQ(result.end, RunResult::End::Fault) << text;
    EXPECT_EQ(result.faults.front().kind, FaultKind::Assertion);
    EXPECT_EQ(failing_line(program, result), 2U) << text;
  }
}

}  // namespace
}  // namespace plumb::frontend
