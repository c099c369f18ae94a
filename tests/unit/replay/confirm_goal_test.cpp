#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "base/sandbox.h"
#include "program/goal.h"
#include "replay/confirmer.h"
#include "semantics/goals.h"

namespace plumb::replay {
namespace {

using program::Goal;
using program::GoalKind;

result::TestInput number(const std::string& type, std::uint64_t value, std::size_t size) {
  result::TestInput input{type, {}};
  for (std::size_t i = 0; i < size; ++i) input.bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return input;
}

/// A C program, its goals and a Confirmer of it.
class Checked {
 public:
  explicit Checked(const std::vector<std::string>& texts, frontend::LoadOptions options = {},
                   semantics::GoalOptions goal_options = {})
      : options_(std::move(options)) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      options_.files.push_back((directory_.path() / (std::to_string(i) + ".c")).string());
      write_file(options_.files.back(), texts[i]);
    }
    options_.compiler_flags.push_back("-w");
    program_ = frontend::load_program(options_, {});
    goals = semantics::find_goals(program_, goal_options);
    std::filesystem::create_directories(directory_.path() / "work");
    builds_ = std::make_unique<Builds>(program_, options_, directory_.path() / "work");
    confirmer_ = std::make_unique<Confirmer>(*builds_);
  }

  Confirmation confirm(const Goal& goal, const std::vector<result::TestInput>& inputs, const Budget& budget = {}) {
    return confirmer_->confirm(goal, {inputs, {}}, budget);
  }
  Confirmation confirm_test(const Goal& goal, const result::TestCase& test) {
    return confirmer_->confirm(goal, test, {});
  }
  Confirmation confirm_test(const result::TestCase& test) { return confirmer_->confirm(goals.front(), test, {}); }
  Confirmation confirm(const std::vector<result::TestInput>& inputs) {
    EXPECT_EQ(goals.size(), 1U);
    return confirm(goals.front(), inputs);
  }

  std::vector<Goal> goals;

 private:
  TemporaryDirectory directory_;
  frontend::LoadOptions options_;
  program::Program program_;
  std::unique_ptr<Builds> builds_;
  std::unique_ptr<Confirmer> confirmer_;
};

std::vector<std::string> words(const Counterexample& counterexample) {
  std::vector<std::string> lines;
  for (const TraceStep& step : counterexample.trace)
    lines.push_back(std::to_string(step.location.line) + (step.is_input ? " input " : " ") + step.variable + " = " +
                    step.value);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ConfirmGoal, ConfirmsAnAssertionWithItsPlaceInputsAndTrace) {
  Checked subject(
      {"#include <assert.h>\n"
       "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n"
       "struct { int k; unsigned char v[2]; } s; static short g = -4;\n"
       "static int twice(int a) { return 2 * a; }\n"
       "int main(void) {\n"
       "  int x = __VERIFIER_nondet_int();\n"
       "  s.v[1] = __VERIFIER_nondet_uchar();\n"
       "  g--;\n"
       "  s.k = twice(x);\n"
       "  assert(s.k + s.v[1] != -6 + 200);\n"
       "}\n"});
  const auto made = subject.confirm({number("int", std::uint64_t(-3), 4), number("unsigned char", 200, 1)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  const Counterexample& found = *made.counterexample;
  EXPECT_EQ(found.failure.line, 10U);
  EXPECT_EQ(found.function, "main");
  EXPECT_EQ(found.message, "assertion 's.k + s.v[1] != -6 + 200' fails");
  EXPECT_EQ(found.confirmed_by, "native run");
  ASSERT_EQ(found.input_places.size(), 2U);
  EXPECT_EQ(found.input_places[0].line, 6U);
  EXPECT_EQ(found.input_places[0].column, 11U);
  EXPECT_EQ(found.input_widths, (std::vector<std::uint32_t>{32, 8}));
  EXPECT_EQ(words(found), (Lines{"6 input x = -3", "7 input s.v[1] = 200", "8 g = -5", "4 a = -3", "9 s.k = -6"}));
}

/// Of a copy to far behind a block: `before` is in the program ahead of it.
Confirmation confirm_jump(const std::string& before) {
  semantics::GoalOptions memory{.has_assertions = false, .checks = program::CheckSet::none()};
  memory.checks.add(program::Check::Bounds);
  Checked subject({"#include <stdlib.h>\n#include <string.h>\nint outside(void);\nint main(void) {\n"
                   "  char *block = calloc(16, 1);\n  " +
                   before + "\n  memcpy(block + 40, \"eight..\", 8);\n  free(block);\n  return 0;\n}\n"},
                  {}, memory);
  std::erase_if(subject.goals, [](const Goal& goal) { return goal.kind != GoalKind::Access; });
  return subject.goals.empty() ? Confirmation{} : subject.confirm(subject.goals.back(), {});
}

TEST(ConfirmGoal, TrustsExactAddressesWhereAnAccessLandsInAnotherObject) {
  const Confirmation made = confirm_jump("block[0] = 1;");
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_TRUE(made.counterexample->confirmed_by.starts_with("interpreter; the native run ends alike"))
      << made.counterexample->confirmed_by;
}

TEST(ConfirmGoal, TrustsThemNotWhereTheInterpreterHasLeftSomethingOut) {
  const Confirmation made = confirm_jump("outside();");
  EXPECT_FALSE(made.counterexample);
  EXPECT_NE(made.reason.find("past the end of a heap object"), std::string::npos) << made.reason;
}

TEST(ConfirmGoal, NamesMembersOfHeapObjectsByTheirPointers) {
  Checked subject(
      {"#include <assert.h>\n#include <stdlib.h>\n"
       "struct node { struct node *next; short key[2]; } *head;\n"
       "int main(void) {\n"
       "  head = malloc(sizeof *head);\n"
       "  int *n = malloc(8);\n"
       "  head->next = malloc(sizeof *head);\n"
       "  head->next->key[1] = -2;\n"
       "  head->next->next = 0;\n"
       "  *n = 5;\n"
       "  n[head->next->key[1] + 3] = 6;\n"
       "  assert(0);\n"
       "}\n"});
  const auto made = subject.confirm({});
  ASSERT_TRUE(made.counterexample) << made.reason;
  Lines lines;
  for (const std::string& line : words(*made.counterexample))
    if (line.find("0x") == std::string::npos) lines.push_back(line);
  EXPECT_EQ(lines, (Lines{"8 head->next->key[1] = -2", "9 head->next->next = NULL", "10 *n = 5",
                          "11 heap object of line 6 + 4 = 6"}));
}

TEST(ConfirmGoal, DoesNotConfirmWhatDoesNotHappen) {
  Checked subject(
      {"#include <assert.h>\nint __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
       "int main(void) {\n"
       "  int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < 100);\n"
       "  assert(x != 5);\n"
       "  assert(x != 6);\n"
       "}\n"});
  ASSERT_EQ(subject.goals.size(), 2U);
  for (std::size_t goal = 0; goal < 2; ++goal)
    for (const std::uint64_t x : {4, 5, 6, 200}) {
      const auto made = subject.confirm(subject.goals[goal], {number("int", x, 4)});
      EXPECT_EQ(made.counterexample.has_value(), x == 5 + goal) << goal << " " << x;
      EXPECT_EQ(made.reason.empty(), made.counterexample.has_value());
    }
}

TEST(ConfirmGoal, GivesTheInputsThatTheRunReallyUsed) {
  Checked subject(
      {"#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
       "int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();\n"
       "assert(x != 7 || y != 0); __VERIFIER_nondet_int(); }\n"});
  const auto made = subject.confirm({number("int", 7, 4)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_EQ(made.counterexample->test.inputs, (std::vector{number("int", 7, 4), number("int", 0, 4)}));
  const auto longer = subject.confirm({number("int", 7, 4), number("int", 0, 4), number("int", 1, 4)});
  ASSERT_TRUE(longer.counterexample) << longer.reason;
  EXPECT_EQ(longer.counterexample->test.inputs.size(), 2U);
}

TEST(ConfirmGoal, ConfirmsErrorCallsWhateverTheBodyOfTheErrorFunction) {
  for (const std::string_view body :
       {"{}", "{ __assert_fail(\"0\", \"x.c\", 3, \"reach_error\"); }", "{ abort(); }", ";"}) {
    Checked subject(
        {"#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nvoid reach_error(void) " +
         std::string(body) + "\nint main(void) { if (__VERIFIER_nondet_int() == 3)\nreach_error(); }\n"});
    const auto made = subject.confirm({number("int", 3, 4)});
    ASSERT_TRUE(made.counterexample) << body << made.reason;
    EXPECT_EQ(made.counterexample->failure.line, 6U);
    EXPECT_FALSE(subject.confirm({number("int", 2, 4)}).counterexample);
  }
}

TEST(ConfirmGoal, BlamesTheCallerOfAnErrorFunctionWithoutABody) {
  Checked subject(
      {"int __VERIFIER_nondet_int(); void reach_error(); void (*volatile fail)() = reach_error;\n"
       "int main() {\n  if (__VERIFIER_nondet_int() == 3)\n    fail();\n}\n"});
  const auto made = subject.confirm({number("int", 3, 4)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_EQ(made.counterexample->failure.line, 4U);
  EXPECT_EQ(made.counterexample->function, "main");
}

TEST(ConfirmGoal, SaysThatAProgramWithoutANativeBuildWasOnlyInterpreted) {
  frontend::LoadOptions options;
  options.compiler_flags = {"-lno_such_library"};
  Checked subject({"#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                   "int main(void) { assert(__VERIFIER_nondet_int() != 3); }\n"},
                  options);
  const auto made = subject.confirm({number("int", 3, 4)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_TRUE(made.counterexample->confirmed_by.starts_with("interpreter; there is no native build")) << made.reason;
}

TEST(ConfirmGoal, RunsNothingNativelyThatCannotBeKeptFromTheUsersFiles) {
  const TemporaryDirectory user;
  const std::filesystem::path kept = user.path() / "kept.txt";
  write_file(kept, "precious");
  frontend::LoadOptions options;
  options.checks = program::CheckSet::all();
  Checked subject({"#include <assert.h>\n#include <stdio.h>\nint a[4]; int __VERIFIER_nondet_int(void);\n"
                   "int main(void) { fopen(\"" +
                   kept.string() + "\", \"w\"); int x = __VERIFIER_nondet_int(); a[x] = 1;\nassert(x != 3); }\n"},
                  options, {true, true, options.checks});
  const SandboxPowers before = replace_sandbox_powers({});
  std::size_t confirmed = 0;
  for (const Goal& goal : subject.goals)
    for (const std::uint64_t x : {3U, 4U}) {
      const auto made = subject.confirm(goal, {number("int", x, 4)});
      if (!made.counterexample) continue;
      ++confirmed;
      EXPECT_TRUE(
          made.counterexample->confirmed_by.starts_with("interpreter; the sandbox does not keep the program "
                                                        "from: changes of files"))
          << made.counterexample->confirmed_by;
      EXPECT_EQ(read_file(kept), "precious");
    }
  replace_sandbox_powers(before);
  EXPECT_EQ(confirmed, 2U);
}

TEST(ConfirmGoal, TellsAbortFromAnError) {
  Checked subject(
      {"#include <stdlib.h>\nint __VERIFIER_nondet_int(void); void reach_error(void);\n"
       "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) abort(); if (x == 2) exit(1);\n"
       "if (x == 3) reach_error(); }\n"});
  EXPECT_FALSE(subject.confirm({number("int", 1, 4)}).counterexample);
  EXPECT_FALSE(subject.confirm({number("int", 2, 4)}).counterexample);
  EXPECT_TRUE(subject.confirm({number("int", 3, 4)}).counterexample);
}

TEST(ConfirmGoal, ConfirmsMarkedLabelsAndTerminationNatively) {
  frontend::LoadOptions options;
  options.error_labels = {"ERROR"};
  options.termination_bound = 20;
  Checked subject({"int __VERIFIER_nondet_int(void);\n"
                   "int main(void) { int x = __VERIFIER_nondet_int();\n"
                   "  while (x > 0) { --x; if (x == 3) { { ERROR: x = 2; } } }\n"
                   "  while (x < 0) { }\n"
                   "}\n"},
                  options, {true, true, program::CheckSet::none()});
  ASSERT_EQ(subject.goals.size(), 3U);
  std::size_t confirmed = 0;
  for (const Goal& goal : subject.goals) {
    const auto late = subject.confirm(goal, {number("int", 30, 4)});
    const auto error = subject.confirm(goal, {number("int", 5, 4)});
    const auto endless = subject.confirm(goal, {number("int", std::uint64_t(-1), 4)});
    EXPECT_EQ(error.counterexample.has_value(), goal.kind == GoalKind::Error) << error.reason;
    for (const auto* each : {&late, &error, &endless}) {
      if (!each->counterexample) continue;
      ++confirmed;
      EXPECT_EQ(each->counterexample->confirmed_by, "native run");
      EXPECT_EQ(each->counterexample->failure.line, each == &endless ? 4U : 3U);
    }
  }
  EXPECT_EQ(confirmed, 3U);
}

/// A program whose input 1 violates its only goal of the kind, and whose input 0 does not.
struct Defective {
  friend void PrintTo(const Defective& defective, std::ostream* out) { *out << defective.name; }

  std::string_view name;
  GoalKind kind;
  std::string_view text;
};

class ConfirmGoalTest : public testing::TestWithParam<Defective> {};

TEST_P(ConfirmGoalTest, ConfirmsDefectsByTheCheckedBuild) {
  frontend::LoadOptions options;
  options.checks = program::CheckSet::all();
  options.checks.remove(program::Check::Uninitialised);
  semantics::GoalOptions goal_options{false, false, options.checks};
  Checked subject(
      {"#include <stdlib.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n" + std::string(GetParam().text)},
      options, goal_options);
  std::size_t confirmed = 0;
  for (const Goal& goal : subject.goals) {
    EXPECT_FALSE(subject.confirm(goal, {number("int", 0, 4)}).counterexample);
    const auto made = subject.confirm(goal, {number("int", 1, 4)});
    if (!made.counterexample) continue;
    ++confirmed;
    EXPECT_EQ(goal.kind, GetParam().kind);
    EXPECT_EQ(made.counterexample->confirmed_by, "checked native run");
    EXPECT_EQ(made.counterexample->failure.line, 5U) << made.counterexample->message;
    EXPECT_EQ(made.counterexample->function, "main");
    EXPECT_FALSE(made.counterexample->trace.empty());
  }
  EXPECT_EQ(confirmed, 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ConfirmGoalTest,
    testing::Values(
        Defective{"Index", GoalKind::Index,
                  "int a[4]; int main(void) { int x = __VERIFIER_nondet_int();\na[3 + x] = 1; }"},
        Defective{"Null", GoalKind::Access,
                  "int y; int main(void) { int x = __VERIFIER_nondet_int(); int *p = x ? 0 : &y;\n"
                  "return *p; }"},
        Defective{"Heap", GoalKind::Access,
                  "int main(void) { int x = __VERIFIER_nondet_int(); char *p = malloc(4);\np[3 + x] = 1;\nfree(p); }"},
        Defective{"InModel", GoalKind::Access,
                  "char a[4]; int main(void) { int x = __VERIFIER_nondet_int();\nstrcpy(a, x ? \"four\" : \"3\"); }"},
        Defective{"Free", GoalKind::Free,
                  "int main(void) { int x = __VERIFIER_nondet_int(); char *p = malloc(4); free(p); if (x)\nfree(p); }"},
        Defective{"Leak", GoalKind::Leak,
                  "int main(void) { int x = __VERIFIER_nondet_int(); char *p =\nmalloc(4); if (!x) free(p); }"},
        Defective{"Division", GoalKind::Division,
                  "int main(void) { int x = __VERIFIER_nondet_int();\nreturn 7u / (1 - x); }"},
        Defective{"Overflow", GoalKind::Overflow,
                  "int main(void) { int x = __VERIFIER_nondet_int();\nreturn (2147483647 + x) != 0; }"},
        Defective{
            "Quotient", GoalKind::Overflow,
            "int main(void) { int x = __VERIFIER_nondet_int(); int y = x ? -1 : 1;\nreturn (-2147483647 - x) / y; }"},
        Defective{"OverflowBeforeAnEndlessLoop", GoalKind::Overflow,
                  "int main(void) { int x = __VERIFIER_nondet_int(); int n = 2147483640; while (x)\nn++; }"},
        Defective{"Shift", GoalKind::Shift,
                  "int main(void) { int x = __VERIFIER_nondet_int(); unsigned one = 1;\nreturn one << (x * 40); }"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(ConfirmGoal, SizesOfArraysAreToldByThePlainBuild) {
  frontend::LoadOptions options;
  options.checks = program::CheckSet::undefined();
  Checked subject({"int __VERIFIER_nondet_int(void);\nint main(void) { int n = 3 - __VERIFIER_nondet_int();\n"
                   "char a[n]; a[0] = 1; return a[0]; }\n"},
                  options, {false, false, options.checks});
  std::size_t confirmed = 0;
  for (const Goal& goal : subject.goals) {
    EXPECT_FALSE(subject.confirm(goal, {number("int", 2, 4)}).counterexample);
    for (const std::uint64_t input : {3U, 4U}) {
      const auto made = subject.confirm(goal, {number("int", input, 4)});
      if (!made.counterexample) continue;
      ++confirmed;
      EXPECT_EQ(goal.kind, GoalKind::Vla);
      EXPECT_EQ(made.counterexample->confirmed_by, "native run");
      EXPECT_EQ(made.counterexample->failure.line, 3U);
      EXPECT_EQ(made.counterexample->message, "the size of an array of variable length is not positive");
    }
  }
  EXPECT_EQ(confirmed, 2U);
}

TEST(ConfirmGoal, CallsThatDoNotFitAreShownByTheInterpreterAlone) {
  const std::string head =
      "int __VERIFIER_nondet_int(void); int one(int x) { return x; } int wide(long x) { return (int)x; }\n";
  for (const std::string_view other : {"wide", "0"}) {
    Checked subject(
        {fmt::format("{}int main(void) {{ int (*f)(int) = __VERIFIER_nondet_int() ? (int (*)(int)){} : one;\n"
                     "return f(1); }}\n",
                     head, other)},
        {}, {false, false, program::parse_checks("call")});
    ASSERT_EQ(subject.goals.size(), 1U);
    EXPECT_FALSE(subject.confirm(subject.goals[0], {number("int", 0, 4)}).counterexample);
    const auto made = subject.confirm(subject.goals[0], {number("int", 1, 4)});
    ASSERT_TRUE(made.counterexample) << made.reason;
    EXPECT_EQ(made.counterexample->confirmed_by.starts_with("interpreter; native code calls"), other == "wide");
  }
}

TEST(ConfirmGoal, TakesResultsOfFunctionsWithoutABodyFromTheTestNativelyToo) {
  Checked subject(
      {"#include <assert.h>\nint sensor(int channel); void actuate(int); char *name_of(void);\n"
       "int main(void) { actuate(1); int x = sensor(3); int y = sensor(4); assert(x != 5 || y != 6); }\n"});
  const auto made = subject.confirm({number("sensor", 5, 4), number("sensor", 6, 4)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_EQ(made.counterexample->confirmed_by, "native run");
}

TEST(ConfirmGoal, WorksForThirtyTwoBits) {
  frontend::LoadOptions options;
  options.word_size = 32;
  Checked subject({"#include <assert.h>\nlong __VERIFIER_nondet_long(void);\n"
                   "int main(void) { long x = __VERIFIER_nondet_long(); assert(sizeof x == 8 || x != -2); }\n"},
                  options);
  const auto made = subject.confirm({number("long", std::uint64_t(-2), 4)});
  ASSERT_TRUE(made.counterexample) << made.reason;
  EXPECT_EQ(made.counterexample->confirmed_by, "native run");
  EXPECT_EQ(words(*made.counterexample), (Lines{"3 input x = -2"}));
}

TEST(ConfirmGoal, FindsAssertionsInMacrosStaticFunctionsAndCallbacks) {
  Checked subject(
      {"#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void); void other(int);\n"
       "#define POSITIVE(x) \\\n  assert((x) > 0)\n"
       "static void test(int x) { assert(x != 1); }\n"
       "static int order(const void *a, const void *b) { assert(*(int *)a != 2 && *(int *)b != 2); return 0; }\n"
       "int main(void) { int x = __VERIFIER_nondet_int(); int a[2] = {x, 9};\n"
       "test(x); qsort(a, 2, sizeof *a, order); other(x);\nPOSITIVE(x - 4); }\n",
       "#include <assert.h>\nstatic void test(int x) {\n\n\n\n\n\n\n\n\n\n assert(x != 3); }\nvoid other(int x) { "
       "test(x); }\n"});
  std::vector<std::uint32_t> lines;
  for (std::uint64_t x = 1; x <= 4; ++x)
    for (const Goal& goal : subject.goals) {
      const auto made = subject.confirm(goal, {number("int", x, 4)});
      if (made.counterexample) lines.push_back(made.counterexample->failure.line);
    }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{6, 7, 12, 10}));
}

TEST(ConfirmGoal, GivesUpInTimeOnARunWithoutEnd) {
  Checked subject(
      {"#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
       "int main(void) { int x = __VERIFIER_nondet_int(); while (x) {} assert(0); }\n"});
  const Budget budget = Budget().with_timeout(std::chrono::milliseconds(200));
  EXPECT_FALSE(subject.confirm(subject.goals.front(), {number("int", 1, 4)}, budget).counterexample);
}

frontend::LoadOptions marked() {
  frontend::LoadOptions options;
  options.marks_unset = true;
  return options;
}

/// Confirmed with the values, and not without.
void expect_needs(const std::string& text, const std::vector<result::UnsetBytes>& unset,
                  semantics::GoalOptions goals = {}, std::uint32_t word_size = 64) {
  frontend::LoadOptions options = marked();
  options.word_size = word_size;
  Checked subject({"#include <stdlib.h>\nvoid reach_error(void);\n" + text}, options, goals);
  const Confirmation made = subject.confirm_test(result::TestCase{{}, {}, {}, unset});
  EXPECT_TRUE(made.is_confirmed) << text << made.reason;
  if (made.counterexample) EXPECT_EQ(made.counterexample->test.unset, unset) << text;
  if (made.counterexample) EXPECT_NE(made.counterexample->unset_places.at(0).first.line, 0U);
  EXPECT_FALSE(subject.confirm_test(result::TestCase{}).is_confirmed) << text;
}

TEST(ConfirmGoal, ValuesThatNothingSetAreThoseOfTheTestInTheInterpreterAndNatively) {
  for (const std::uint32_t bits : {64U, 32U}) {
    expect_needs("int main(void) { int x; if (x == 5) reach_error(); }", {{"main.x:3", 0, 0, {5, 0, 0, 0}}}, {}, bits);
    expect_needs("int main(void) { double d; if (d == 1) reach_error(); }",
                 {{"main.d:3", 0, 0, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}}, {}, bits);
    expect_needs("int main(void) { int a[4]; if (a[2] == 5) reach_error(); }", {{"main.a:3", 0, 8, {5, 0, 0, 0}}}, {},
                 bits);
    expect_needs("int main(void) { for (int i = 0; i < 3; i++) { int x; if (x == 5 && i == 2) reach_error(); } }",
                 {{"main.x:3", 2, 0, {5, 0, 0, 0}}}, {}, bits);
    expect_needs(
        "static int get(int n) { int x; if (n) get(n - 1); return x; }\n"
        "int main(void) { if (get(2) == 7) reach_error(); }",
        {{"get.x:3", 0, 0, {7, 0, 0, 0}}}, {}, bits);
    expect_needs("int main(void) { int *p = malloc(8); if (p[1] == 5) reach_error(); }",
                 {{"main.malloc:3", 0, 4, {5, 0, 0, 0}}}, {}, bits);
    expect_needs(
        "int main(void) { int *p = malloc(4); *p = 5; p = realloc(p, 8); if (p[0] + p[1] == 8) reach_error(); }",
        {{"main.realloc:3", 0, 4, {3, 0, 0, 0}}}, {}, bits);
    expect_needs("int main(int c, char **v) { char a[c + 2]; if (a[2] == 5) reach_error(); }",
                 {{"main.a:3", 0, 2, {5}}}, {}, bits);
    expect_needs("int main(void) { int *p; if (!p) reach_error(); }",
                 {{"main.p:3", 0, 0, std::vector<std::uint8_t>(bits / 8)}}, {}, bits);
  }
}

TEST(ConfirmGoal, AValueThatNothingSetLeadsOutOfBoundsInTheCheckedBuildToo) {
  semantics::GoalOptions goals;
  goals.checks = program::CheckSet::defaults();
  goals.checks.remove(program::Check::Leak);
  Checked subject({"int a[4]; int main(void) { int i; if (i < 0 || i > 4) return 0; a[i] = 1; return 0; }"}, marked(),
                  goals);
  bool is_shown = false;
  for (const Goal& goal : subject.goals)
    is_shown =
        is_shown ||
        subject.confirm_test(goal, result::TestCase{{}, {}, {}, {{"main.i:1", 0, 0, {4, 0, 0, 0}}}}).is_confirmed;
  EXPECT_TRUE(is_shown);
}

TEST(ConfirmGoal, AViolationThatNeedsNoneOfTheValuesIsShownWithoutThem) {
  Checked subject({"void reach_error(void); int main(void) { int x; if (x != 5) reach_error(); }"}, marked());
  const Confirmation made = subject.confirm_test(result::TestCase{{}, {}, {}, {{"main.x:1", 0, 0, {5, 0, 0, 0}}}});
  ASSERT_TRUE(made.is_confirmed) << made.reason;
  EXPECT_TRUE(made.counterexample->test.unset.empty());
}

}  // namespace
}  // namespace plumb::replay
