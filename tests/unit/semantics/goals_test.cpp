#include "semantics/goals.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"

namespace plumb::semantics {

using frontend::load_program;
using frontend::LoadOptions;
using interpret::Interpreter;
using interpret::InterpreterOptions;
using interpret::RunResult;
using program::Check;
using program::CheckSet;
using program::CodePoint;
using program::Fault;
using program::FaultKind;
using program::Goal;
using program::GoalKind;
using program::kCheckCount;
using program::kGoalKindCount;
using program::Program;
namespace {

CheckSet everything() {
  CheckSet checks = CheckSet::all();
  checks.remove(Check::Uninitialised);
  checks.remove(Check::Alignment);
  return checks;
}

Program load(std::string_view text) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "program.c").string();
  write_file(file, text);
  LoadOptions options;
  options.files = {file};
  options.checks = everything();
  return load_program(options, {});
}

std::vector<Goal> of_kind(const std::vector<Goal>& goals, GoalKind kind) {
  std::vector<Goal> found;
  std::ranges::copy_if(goals, std::back_inserter(found), [&](const Goal& g) { return g.kind == kind; });
  return found;
}

/// A program whose only run violates one goal.
struct Wrong {
  friend void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.description; }

  GoalKind kind;
  std::string_view text;
  std::string_view description;
};

class GoalTest : public testing::TestWithParam<Wrong> {};

TEST_P(GoalTest, TheFaultOfARunIsAGoalOfItsKindAtItsPlace) {
  const Program program = load(GetParam().text);
  const std::vector<Goal> goals = find_goals(program, {true, false, everything()});
  Interpreter interpreter(program);
  InterpreterOptions options;
  options.keep_stacks = true;
  options.inputs = [](std::string_view, std::size_t size) { return std::optional(std::vector<std::uint8_t>(size)); };
  const RunResult result = interpreter.run(options, {});
  ASSERT_EQ(result.faults.size(), 1U) << result.reason;
  const Fault& fault = result.faults.front();
  const CodePoint place = fault.kind == FaultKind::Leak ? fault.allocation_stack.front() : result.stack.front();
  std::vector<Goal> hit;
  std::ranges::copy_if(goals, std::back_inserter(hit),
                       [&](const Goal& g) { return g.at == place && is_violation(g, fault.kind); });
  ASSERT_EQ(hit.size(), 1U) << fault.message;
  EXPECT_EQ(hit.front().kind, GetParam().kind);
  EXPECT_EQ(describe(program, hit.front()), GetParam().description);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, GoalTest,
    testing::Values(
        Wrong{GoalKind::Assertion, "#include <assert.h>\nint main(void) { volatile int x = 3; assert(x < 3); }",
              "assertion 'x < 3'"},
        Wrong{GoalKind::Assertion, "void plumb_check(int); int main(void) { plumb_check(0); }", "assertion"},
        Wrong{GoalKind::Error, "void reach_error(void) {} int main(void) { reach_error(); }", "error call"},
        Wrong{GoalKind::Error,
              "void __VERIFIER_error(void); void (*volatile f)(void) = __VERIFIER_error; int main(void) { f(); }",
              "error call"},
        Wrong{GoalKind::Access, "int *volatile p; int main(void) { return *p; }", "read of 4 bytes"},
        Wrong{GoalKind::Access, "const char c[1] = \"\"; int main(void) { *(char *)c = 1; }", "write of 1 byte"},
        Wrong{GoalKind::Access,
              "#include <string.h>\nchar a[4], b[9]; volatile int n = 5; int main(void) { memcpy(a, b, n); }",
              "copy of memory"},
        Wrong{GoalKind::Access,
              "void plumb_symbolic(void *, unsigned long, const char *); char b[4];\n"
              "int main(void) { plumb_symbolic(b, 9, \"b\"); }",
              "write of an input"},
        Wrong{GoalKind::Access,
              "unsigned long plumb_host_write(int, const void *, unsigned long); char b[4];\n"
              "int main(void) { plumb_host_write(9, b, 5); }",
              "write to a file"},
        Wrong{GoalKind::Access,
              "unsigned long plumb_host_read(int, void *, unsigned long); char b[4];\n"
              "int main(void) { plumb_host_read(9, b, 5); }",
              "read from a file"},
        Wrong{GoalKind::Index, "int a[4]; volatile int i = 4; int main(void) { a[i] = 1; }", "array index"},
        Wrong{GoalKind::Free, "#include <stdlib.h>\nint main(void) { char *p = malloc(1); free(p); free(p); }", "free"},
        Wrong{GoalKind::Free, "#include <stdlib.h>\nint x; int main(void) { realloc(&x, 9); }", "realloc"},
        Wrong{GoalKind::Leak, "#include <stdlib.h>\nint main(void) { malloc(1); }", "leak"},
        Wrong{GoalKind::Leak, "#include <string.h>\nint main(void) { strdup(\"x\"); }", "leak"},
        Wrong{GoalKind::Division, "volatile unsigned x; int main(void) { return 7 % x; }", "division by zero"},
        Wrong{GoalKind::Overflow, "volatile int x = 0x7fffffff; int main(void) { return x + 1; }", "signed overflow"},
        Wrong{GoalKind::Overflow, "volatile int x = -0x80000000LL; int main(void) { return x / -1; }",
              "signed overflow"},
        Wrong{GoalKind::Shift, "volatile int x = 32; int main(void) { return 1u << x; }", "shift out of range"},
        Wrong{GoalKind::Vla, "volatile int n = -1; int main(void) { char a[n]; return sizeof a; }", "size of an array"},
        Wrong{GoalKind::Vla, "volatile unsigned n; int main(void) { return sizeof(char[3][n]); }", "size of an array"},
        Wrong{GoalKind::PointerArithmetic,
              "int a[4]; int *volatile p = a; volatile int n = 5; int main(void) { p = p + n; }", "pointer arithmetic"},
        Wrong{GoalKind::PointerArithmetic, "int a[4]; int *volatile p; int main(void) { p = a + 5; }",
              "pointer arithmetic"},
        Wrong{GoalKind::PointerArithmetic, "char *volatile p; int main(void) { p = p + 1; }", "pointer arithmetic"},
        Wrong{GoalKind::Call, "int (*volatile f)(void); int main(void) { return f(); }", "call through a pointer"}));

TEST(Goal, IsOnlyWhatIsAskedFor) {
  const Program program = load(
      "#include <assert.h>\n#include <stdlib.h>\n"
      "int main(void) { int *p = malloc(8); assert(p[1] / p[0] << p[1]); free(p); }");
  const std::vector<Goal> all = find_goals(program, {true, true, everything()});
  for (int k = 0; k < kGoalKindCount; ++k) {
    const auto kind = static_cast<GoalKind>(k);
    if (program::is_about_threads({kind, {}})) continue;  // of the whole program
    const bool is_there = kind != GoalKind::Error && kind != GoalKind::Termination && kind != GoalKind::Index &&
                          kind != GoalKind::Call && kind != GoalKind::Vla;
    EXPECT_EQ(!of_kind(all, kind).empty(), is_there) << name(kind);
  }
  EXPECT_TRUE(find_goals(program, {false, true, CheckSet::none()}).empty());
  for (int c = 0; c < kCheckCount; ++c) {
    CheckSet one;
    one.add(static_cast<Check>(c));
    for (const Goal& goal : find_goals(program, {false, false, one}))
      EXPECT_NE(std::ranges::find(all, goal), all.end()) << name(static_cast<Check>(c));
  }
  const std::vector<Goal> assertions = find_goals(program, {true, false, CheckSet::none()});
  ASSERT_EQ(assertions.size(), 1U);
  EXPECT_EQ(assertions.front().kind, GoalKind::Assertion);
}

TEST(Goal, IsNotInFunctionsThatNothingCalls) {
  const Program program = load(
      "void reach_error(void); void plumb_check(int);\n"
      "void unused(void) { reach_error(); }\n"
      "__attribute__((constructor)) void before(void) { plumb_check(1); }\n"
      "void called(void) { plumb_check(1); } void (*volatile f)(void) = called;\n"
      "int main(void) { f(); }");
  std::vector<std::string> where;
  for (const Goal& goal : find_goals(program, {})) where.push_back(program.functions[goal.at.function].name);
  EXPECT_EQ(where, (std::vector<std::string>{"before", "called"}));
}

TEST(Goal, IsNotWhatNoRunCanDoWrong) {
  const Program program = load(
      "int x, a[2]; const int c = 1; volatile unsigned u;\n"
      "int main(void) { x = a[1] + c; u = u / 2; u = u % 3 << 4; x = x / 7; return x; }");
  CheckSet checks = everything();
  checks.remove(Check::Overflow);
  EXPECT_TRUE(find_goals(program, {true, true, checks}).empty());
}

TEST(Goal, OfArithmeticIsNotInModelsButThatOfMemoryIs) {
  const Program program = load("#include <string.h>\nchar *volatile p; int main(void) { return strlen(p); }");
  bool is_memory_in_model = false;
  for (const Goal& goal : find_goals(program, {true, false, everything()})) {
    const bool is_model = program.functions[goal.at.function].is_model;
    EXPECT_FALSE(is_model && (goal.kind == GoalKind::Overflow || goal.kind == GoalKind::Shift));
    is_memory_in_model |= is_model && goal.kind == GoalKind::Access;
  }
  EXPECT_TRUE(is_memory_in_model);
}

}  // namespace
}  // namespace plumb::semantics
