#include "flatten/flatten.h"

#include <gtest/gtest.h>

#include "unit/flatten/programs.h"
#include "unit/flatten/random_program.h"

namespace plumb::flatten {
namespace {

/// Runs random programs on random inputs, here and in the interpreter.
void expect_same_runs(std::uint32_t first_seed, std::uint32_t count, bool has_memory, const Options& options) {
  int violated = 0;
  int ended = 0;
  for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::string text = RandomProgram(seed, has_memory).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Subject subject(std::string_view(text), {}, options);
    for (std::uint32_t run = 0; run < 8; ++run) {
      const Ending ending = expect_same_run(subject, random_choice(seed * 100 + run), has_memory);
      if (testing::Test::HasFailure()) return;
      violated += ending.kind == Ending::Kind::Goal;
      ended += ending.kind == Ending::Kind::End;
    }
  }
  EXPECT_GT(violated, static_cast<int>(count) / 2);
  EXPECT_GT(ended, static_cast<int>(count) / 2);
}

TEST(Flatten, RandomProgramsRunAsInTheInterpreter) { expect_same_runs(1, 16, false, {}); }

TEST(Flatten, RandomProgramsWithSingleInstancesRunAsInTheInterpreter) {
  Options options;
  options.max_copied = 0;
  expect_same_runs(101, 12, false, options);
}

TEST(Flatten, RandomProgramsWithMemoryRunAsInTheInterpreter) { expect_same_runs(201, 20, true, {}); }

TEST(Flatten, RandomProgramsWithMemoryAndSingleInstancesRunAsInTheInterpreter) {
  Options options;
  options.max_copied = 0;
  expect_same_runs(301, 12, true, options);
}

/// One program, on inputs from a list.
void expect_same_run_of(std::string_view text, const std::vector<std::vector<std::uint64_t>>& inputs) {
  const Subject subject(text);
  bool is_violated = false;
  bool has_ended = false;
  for (const std::vector<std::uint64_t>& values : inputs) {
    SCOPED_TRACE(fmt::format("inputs {}", fmt::join(values, ", ")));
    const Ending ending = expect_same_run(subject, listed(values));
    is_violated |= ending.kind == Ending::Kind::Goal;
    has_ended |= ending.kind == Ending::Kind::End;
  }
  EXPECT_TRUE(is_violated) << text;
  EXPECT_TRUE(has_ended) << text;
}

TEST(Flatten, JumpsIntoAndOutOfLoopsKeepTheirMeaning) {
  expect_same_run_of(
      "int main(void) { int i = 0, s = 0; u8 n = __VERIFIER_nondet_uchar();\n"
      "if (n > 100) goto inside;\n"
      "again: while (i < 10) { s += i; inside: i++; if (s > 30) goto again; if (i == n) break; }\n"
      "CHECK(s != 3); CHECK(i != 11); return 0; }",
      {{0}, {3}, {4}, {9}, {101}, {200}});
}

TEST(Flatten, SwitchesWithFallThroughAndSharedTargetsKeepTheirMeaning) {
  expect_same_run_of(
      "int main(void) { u8 x = __VERIFIER_nondet_uchar(); int r = 0;\n"
      "for (int i = 0; i < 3; i++) switch (x + i) { case 0: r += 1; case 1: case 7: r += 10; break;\n"
      "case 2: continue; case 255: r = 77; default: r += 100; }\n"
      "CHECK(r != 21); CHECK(r != 377); return r; }",
      {{0}, {1}, {2}, {5}, {7}, {253}, {254}, {255}});
}

TEST(Flatten, ALoopVariableThatIsReadBehindALoopTestedAtItsEndIsTheOldOne) {
  expect_same_run_of(
      "int main(void) { u8 n = __VERIFIER_nondet_uchar(); u8 x = 0, old;\n"
      "do { old = x; x = (u8)(x * 3 + 1); } while (x < n);\n"
      "CHECK(old != 4); CHECK(x == (u8)(old * 3 + 1)); return 0; }",
      {{0}, {1}, {4}, {10}, {13}, {40}, {255}});
}

TEST(Flatten, VariablesThatAreExchangedOnAnEdgeAreAssignedAtOnce) {
  expect_same_run_of(
      "int main(void) { u8 a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), n = "
      "__VERIFIER_nondet_uchar();\n"
      "while (n-- > 0) { u8 t = a; a = b; b = t; }\n"
      "CHECK(a != 7 || b != 9); return 0; }",
      {{7, 9, 2}, {7, 9, 3}, {9, 7, 3}, {9, 7, 4}});
}

TEST(Flatten, ArithmeticThatCIsOddAboutKeepsItsMeaning) {
  expect_same_run_of(
      "struct bits { int low : 3; unsigned mid : 5; int : 0; unsigned char top : 2; };\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); struct bits b = {0}; char c = __VERIFIER_nondet_char();\n"
      "b.low = x; b.mid = x >> 2; b.top = c; _Bool t = x & 2; long long w = (long long)x * x;\n"
      "CHECK(b.low != -3); CHECK(b.mid != 31); CHECK(b.top != 2 || t); CHECK(w % 7 != 4 || x % 7 == -2);\n"
      "CHECK((c >> 1) != -3); return 0; }",
      {{0, 0}, {5, 0}, {124, 0}, {8, 2}, {10, 2}, {0xFFFFFFFE, 1}, {2, 1}, {9, 1}, {1, 251}});
}

TEST(Flatten, StructuresByValueUnionsAndStaticLocalsKeepTheirMeaning) {
  expect_same_run_of(
      "struct three { int a; short b; char c[3]; }; union both { u32 word; u8 bytes[4]; };\n"
      "static struct three change(struct three t, int by) { t.a += by; t.b = (short)(t.b - by); t.c[by & 1] = 9; "
      "return t; }\n"
      "static int counter(void) { static int n = 3; return n++; }\n"
      "int main(void) { struct three t = {1, 2, {3, 4, 5}}; int x = __VERIFIER_nondet_int();\n"
      "struct three u = change(change(t, x), 1); CHECK(u.a != 12); CHECK(t.a == 1 && t.c[1] == 4);\n"
      "union both w; w.word = (u32)x; w.bytes[1] = 7; CHECK(w.word != 0x0700 + 5);\n"
      "for (int i = 0; i < x; i++) counter();\n"
      "CHECK(counter() != 6); CHECK(u.c[1] == 9); return 0; }",
      {{10}, {5}, {3}, {2}, {0}, {261}});
}

TEST(Flatten, InputsThatNothingNeedsKeepTheirPlaceInTheOrder) {
  expect_same_run_of(
      "int main(void) { __VERIFIER_nondet_int(); int x = __VERIFIER_nondet_int(); x &= 0; int y = "
      "__VERIFIER_nondet_char();\n"
      "while (y > 0) { __VERIFIER_nondet_uint(); y--; }\n"
      "CHECK(__VERIFIER_nondet_int() + x != 5); return 0; }",
      {{1, 2, 0, 5}, {1, 2, 2, 5, 5, 5}, {1, 2, 2, 5, 5, 6}, {5, 5, 1, 5}});
}

TEST(Flatten, EqualCallsGiveEqualGraphs) {
  const Program program = program_of(RandomProgram(7, true).text());
  const std::vector<Goal> goals = semantics::find_goals(program, {});
  const Flattened one = flatten(program, goals, {}, {});
  const Flattened two = flatten(program, goals, {}, {});
  ASSERT_EQ(one.graph.statements.size(), two.graph.statements.size());
  EXPECT_EQ(one.graph.store().size(), two.graph.store().size());
  for (std::size_t s = 0; s < one.graph.statements.size(); ++s) {
    const auto& a = one.graph.statements[s];
    const auto& b = two.graph.statements[s];
    ASSERT_EQ(a.targets.size(), b.targets.size());
    for (std::size_t i = 0; i < a.targets.size(); ++i) {
      EXPECT_EQ(a.targets[i].condition, b.targets[i].condition);
      EXPECT_EQ(a.targets[i].label, b.targets[i].label);
    }
    ASSERT_EQ(a.assignments.size(), b.assignments.size());
    for (std::size_t i = 0; i < a.assignments.size(); ++i) EXPECT_EQ(a.assignments[i].value, b.assignments[i].value);
  }
}

TEST(Flatten, VariablesAtLoopHeadsHaveTheNamesOfTheSource) {
  const Subject subject(
      "int main(void) { int n = __VERIFIER_nondet_int(); int up = 0;\n"
      "for (int down = n; down > 0; down--) up++;\n"
      "CHECK(n < 0 || up == n); return 0; }");
  std::vector<std::string> names;
  for (std::size_t v = 0; v < subject.flattened.sources.size(); ++v) {
    if (subject.flattened.sources[v].name.empty()) continue;
    names.push_back(subject.flattened.sources[v].name);
    EXPECT_EQ(subject.flattened.sources[v].function, subject.program.entry);
    EXPECT_FALSE(subject.flattened.graph.variables[v].is_hidden);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"down", "n", "up"}));
}

TEST(Flatten, AProgramWithoutAnEntryIsRefused) {
  Program program;
  EXPECT_THROW(flatten(program, {}, {}, {}), UserError);
}

TEST(Flatten, AGraphThatIsTooLargeIsRefused) {
  Options options;
  options.max_statements = 10;
  const Program program = program_of(RandomProgram(3, false).text());
  EXPECT_THROW(flatten(program, {}, options, {}), Unsupported);
}

TEST(Flatten, ABudgetThatHasEndedIsNoticed) {
  const Program program = program_of(RandomProgram(3, false).text());
  Budget budget;
  budget.cancel();
  EXPECT_THROW(flatten(program, {}, {}, budget), OutOfBudget);
}

}  // namespace
}  // namespace plumb::flatten
