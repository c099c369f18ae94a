// Random programs with loops over few bits of input, against the interpreter on every input.

#include "random_program.h"

namespace plumb::unroll {
namespace {

class UnrollDifferential : public testing::TestWithParam<unsigned> {};

TEST_P(UnrollDifferential, AgreesWithTheInterpreterOnEveryInput) {
  unsigned violated = 0;
  for (unsigned seed = GetParam() * 10; seed < GetParam() * 10 + 10; ++seed) {
    const std::string text = Generator(seed).program(3 + seed % 4);
    const Source source(text);
    const Outcome outcome = source.unroll({}, Budget().with_timeout(std::chrono::duration<double>(20)));
    const GoalResult& answer = outcome.answers[0];
    const bool expected = is_violated(source);
    violated += expected ? 1 : 0;
    EXPECT_TRUE(expected ? answer.verdict == Verdict::Violated : is_proof(answer.verdict)) << seed << "\n"
                                                                                           << text << answer.reason;
    if (answer.test) {
      EXPECT_TRUE(source.violates(*answer.test, source.goals[0])) << text;
    }
  }
  EXPECT_GT(violated, 0U);
}

INSTANTIATE_TEST_SUITE_P(Random, UnrollDifferential, testing::Range(0U, 3U), testing::PrintToStringParamName());

}  // namespace
}  // namespace plumb::unroll
