// Programs with regions, and random ones: the same inputs take the same way with regions summarised, per path and
// without instrumentation.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "unit/concolic/instrument/instrumenter_fixture.h"

namespace plumb::concolic::testing {
namespace {

using Kind = PathNode::Kind;
using Form = InstrumentedProgram::Form;

/// Checks both modes on the same seeds, and that they cover the same edges. Gives the number of region nodes.
std::size_t check_both_modes(InstrumentedProgram& program, std::uint64_t seeds) {
  const std::vector<TracedRun> by_path = check_runs(program, seeds, false);
  const std::vector<TracedRun> by_region = check_runs(program, seeds, true);
  std::size_t regions = 0;
  for (std::size_t i = 0; i < by_path.size(); ++i) {
    EXPECT_EQ(by_path[i].count(Kind::Region), 0U);
    EXPECT_EQ(by_path[i].coverage, by_region[i].coverage);
    EXPECT_EQ(by_path[i].code, by_region[i].code);
    regions += by_region[i].count(Kind::Region);
  }
  return regions;
}

TEST(InstrumenterRegions, LiveOutsAndCellsAreSymbolicAfterASummary) {
  InstrumentedProgram program(R"(
unsigned __VERIFIER_nondet_uint(void);
static unsigned cell, other[3];
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), state = 0, sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (state == 0 && (x & 3) == 1) state = 1;
    else if (state == 1 && (x & 5)) { state = 2; cell += x; }
    else if (y & 8) { state = 0; other[1] = y; }
    x >>= 3; y >>= 2;
    if (state == 2) sum += 5;
  }
  if (cell & 1) sum += 11;
  if (other[1] & 2) sum += 23;
  switch (state) { case 0: sum += 40; break; case 1: sum += 50; }
  return sum & 127;
})",
                              Form::Prepared);
  EXPECT_GT(check_both_modes(program, 12), 20U);
}

/// Statements over a few variables and an array, nested to a depth; loops are bounded.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  std::string make() {
    std::string text = R"(
unsigned __VERIFIER_nondet_uint(void); unsigned short __VERIFIER_nondet_ushort(void); long __VERIFIER_nondet_long(void);
static unsigned g; static unsigned short a[5]; static const unsigned char t[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static int f(int x, unsigned y) { if (x > (int)y) return x - 3; g += y & 1; return (int)(x ^ y); }
int main(void) {
  unsigned u = __VERIFIER_nondet_uint(), v = 9; int i = (int)__VERIFIER_nondet_uint(); long l = __VERIFIER_nondet_long();
  a[2] = __VERIFIER_nondet_ushort(); unsigned n;
)";
    for (int s = 0; s < 8; ++s) text += statement(3);
    return text + "  return (u + v * 3 + i + l + g + a[0] + a[1] + a[2] + a[3]) & 127;\n}\n";
  }

 private:
  unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random_); }

  std::string variable() {
    static const char* const kNames[] = {"u", "v", "i", "l", "g", "a[1]", "a[2]"};
    return pick(8) == 0 ? "a[" + expression(1) + " & 3]" : kNames[pick(7)];
  }

  std::string expression(int depth) {
    if (depth == 0 || pick(5) == 0) {
      if (pick(3) == 0) return std::to_string(pick(40));
      return pick(6) == 0 ? "t[" + variable() + " & 7]" : variable();
    }
    static const char* const kOperators[] = {" + ", " - ", " * ", " & ", " | ", " ^ ", " < ", " == ", " >= ", " && "};
    const std::string left = expression(depth - 1);
    const std::string right = expression(depth - 1);
    switch (pick(8)) {
      case 0:
        return "(" + left + " >> (" + right + " & 7))";
      case 1:
        return "(" + left + " / ((" + right + " & 15) + 1))";
      case 2:
        return "(" + expression(depth - 1) + " ? " + left + " : " + right + ")";
      case 3:
        return "f(" + left + ", " + right + ")";
      default:
        return "(" + left + kOperators[pick(10)] + right + ")";
    }
  }

  std::string statement(int depth) {
    switch (depth == 0 ? 0 : pick(6)) {
      case 1:
      case 2:
        return "if (" + expression(2) + ") {\n" + statement(depth - 1) + "} else {\n" + statement(depth - 1) + "}\n";
      case 3: {
        // An inner loop would use up the counter of the outer one, so each loop ends.
        return "n = " + std::to_string(1 + pick(3)) + "; while (n-- > 0 && n < 4) {\n" + statement(depth - 1) +
               statement(depth - 1) + "}\n";
      }
      case 4:
        return "switch (" + expression(1) + " & 3) {\ncase 0: " + statement(depth - 1) +
               "break;\ncase 1: " + statement(depth - 1) + "case 2: " + statement(depth - 1) + "}\n";
      default:
        return variable() + " = " + expression(3) + ";\n";
    }
  }

  std::mt19937 random_;
};

TEST(InstrumenterRegions, RandomProgramsTakeTheSameWayInAllModes) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    InstrumentedProgram program(RandomProgram(seed).make(), Form::Prepared);
    check_both_modes(program, 3);
  }
}

}  // namespace
}  // namespace plumb::concolic::testing
