// Programs on which the system and the interpreter once differed, as small as they could be made.

#include <gtest/gtest.h>

#include "unit/lang/tiny/differential.h"

namespace plumb::tiny {
namespace {

Options bits(std::uint32_t width) {
  Options options;
  options.int_width = width;
  return options;
}

/// Both agree on random runs, however the run is cut into steps and quantifiers are treated.
void expect_agreement(const std::string& text, Options options) {
  for (const auto steps : {system::EncodingOptions::Steps::Block, system::EncodingOptions::Steps::Statement}) {
    for (int variant = 0; variant < 4; ++variant) {
      options.encoding.steps = steps;
      options.encoding.share_registers = (variant & 1) != 0;
      options.unroll_quantifiers = (variant & 2) != 0;
      const Subject subject = make_subject(text, "t.tiny", options);
      SystemRunner runner(subject);
      std::mt19937_64 random(1);
      for (int run = 0; run < 20; ++run) {
        const SystemRecord system = runner.run(runner.random_initial(random), random, 2'000);
        const InterpreterRecord interpreter =
            interpret_all(subject.program, subject.options, choices_of(subject, system.trace), 2'000);
        ASSERT_EQ(difference(system, interpreter), "") << text << "\nvariant " << variant;
      }
    }
  }
}

TEST(DifferentialRegression, RangeBeyondTheGreatestIntEnds) {
  expect_agreement("int n; bool b; void main() { b = exists(int i : [0..n * n]) { i > i }; assert(b); }", bits(3));
}

TEST(DifferentialRegression, RangeBeyondTheGreatestIntEndsInAPrecondition) {
  expect_agreement("int n; bool b; void main() { @pre p { exists(int i : [0..n * n]) { i > i } } assert(b); }",
                   bits(3));
}

TEST(DifferentialRegression, PostconditionOfARecursiveEntryThatCallsARecursionEnds) {
  Options options = bits(3);
  options.stack_size = 5;
  expect_agreement(
      "int g = 4; int h;\n"
      "int down(int n, int p) { int l = p; if (n <= 0) return l; return down(n - 1, l) + 0; }\n"
      "int odd(int n, int p) { return 0 ^ even(n - 1, 0); }\n"
      "int even(int n, int p) { if (n <= 0) return 0; return 0 + odd(n - 1, h);\n"
      " @post even { down(n, g) } }\n",
      options);
}

TEST(DifferentialRegression, FailedCheckInAPreconditionSkipsTheCallsBehindIt) {
  Options options = bits(3);
  options.stack_size = 2;
  expect_agreement(
      "int a[2]; int i;\n"
      "bool down(int n) { if (n <= 0) return false; return down(n - 1); }\n"
      "void main() { @pre p { down(a[i]) } assert(i == 0); }\n",
      options);
}

TEST(DifferentialRegression, IndexOfATargetIsCheckedBehindTheCallInTheValue) {
  Options options = bits(3);
  options.stack_size = 2;
  expect_agreement(
      "int a[2]; int i;\n"
      "int down(int n) { if (n <= 0) return 0; return down(n - 1); }\n"
      "void main() { a[i] = down(i); assert(a[0] == 0); }\n",
      options);
}

TEST(DifferentialRegression, MinusOfAParameterThatIsANumberOverflows) {
  expect_agreement("int g; r(int p) = -p\n void main() { if (r(6)) { g = 1; } }", bits(4));
}

}  // namespace
}  // namespace plumb::tiny
