#include "system/reduce/narrow.h"

#include <gtest/gtest.h>

#include "unit/flatten/programs.h"
#include "unit/flatten/random_program.h"

namespace plumb::flatten {
namespace {

Subject narrowed(std::string_view text) {
  Subject subject(text);
  narrow(subject.flattened.graph, {});
  for (const std::string& problem : subject.flattened.graph.problems()) ADD_FAILURE() << problem;
  return subject;
}

/// Of all variables with this name of the source, the greatest.
std::uint32_t width_of(const Subject& subject, std::string_view name) {
  std::uint32_t width = 0;
  for (std::size_t v = 0; v < subject.flattened.sources.size(); ++v)
    if (subject.flattened.sources[v].name == name)
      width = std::max(width, subject.flattened.graph.store().width(subject.flattened.graph.variables[v].term));
  return width;
}

TEST(Narrow, RandomProgramsRunAsInTheInterpreter) {
  for (std::uint32_t seed = 501; seed <= 520; ++seed) {
    const std::string text = RandomProgram(seed, seed % 2 == 0).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Subject subject = narrowed(text);
    for (std::uint32_t run = 0; run < 8; ++run) expect_same_run(subject, random_choice(seed * 100 + run), true);
    if (HasFailure()) return;
  }
}

TEST(Narrow, ACounterHasTheBitsOfItsBound) {
  const Subject subject = narrowed(
      "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 1000);\n"
      "while (i < n) { i++; if (__VERIFIER_nondet_int()) break; }\n"
      "CHECK(i <= 1000); CHECK(i != 3 || n != 7); return 0; }");
  EXPECT_EQ(width_of(subject, "i"), 10U);
  EXPECT_EQ(expect_same_run(subject, listed({7, 0, 0, 1})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({1000})).kind, Ending::Kind::End);
  EXPECT_EQ(expect_same_run(subject, listed({1001})).kind, Ending::Kind::End);
}

TEST(Narrow, AVariableThatGoesBelowZeroKeepsItsSign) {
  const Subject subject = narrowed(
      "int main(void) { int level = 0;\n"
      "while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) { if (level < 6) level++; } else if (level > -6) "
      "level--; }\n"
      "CHECK(level != -4); return 0; }");
  EXPECT_EQ(width_of(subject, "level"), 4U);
  EXPECT_EQ(expect_same_run(subject, listed({1, 0, 1, 0, 1, 0, 1, 0, 0})).kind, Ending::Kind::Goal);
  EXPECT_EQ(expect_same_run(subject, listed({1, 0, 1, 0, 1, 0, 0})).kind, Ending::Kind::End);
}

TEST(Narrow, AVariableThatMayOverflowKeepsItsWidth) {
  const Subject subject =
      narrowed("int main(void) { u32 i = 0; while (__VERIFIER_nondet_int()) i += 3; CHECK(i != 9); return 0; }");
  EXPECT_EQ(width_of(subject, "i"), 32U);
}

TEST(Narrow, StatesOfAMachineAndRemaindersAreSmall) {
  const Subject subject = narrowed(
      "int main(void) { int s = 34, k = 3; while (1) { int in = __VERIFIER_nondet_int();\n"
      "if (s == 34 && in == 1) s = 10; else if (s == 10) { s = (s + k) % 29; k = (k * 7) % 17; } else if (in == 3) s = "
      "39;\n"
      "CHECK(s != 21); if (in == 9) break; } return 0; }");
  EXPECT_EQ(width_of(subject, "s"), 6U);
  EXPECT_LE(width_of(subject, "k"), 5U);
}

}  // namespace
}  // namespace plumb::flatten
