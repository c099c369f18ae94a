// Random programs with loops over few bits of input: every strategy, Algorithm 1 as printed and the formula of all
// paths against the interpreter on every input.

#include <sstream>

#include "paths/paths.h"
#include "unit/unroll/random_program.h"

namespace plumb::paths {
namespace {

using unroll::GoalResult;
using unroll::Source;

GoalResult answer_of(const Source& source, const Options& options, Statistics& statistics) {
  const Budget budget = Budget().with_timeout(std::chrono::duration<double>(20));
  return unroll::unroll(source.program, source.goals, {}, budget, {}, decider(options, statistics)).answers[0];
}

std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const Strategy strategy : {Strategy::Dpvs, Strategy::Cpbpv, Strategy::Both})
    all.emplace_back().strategy = strategy;
  all.front().stores.linear = true;
  return all;
}

class PathsDifferential : public testing::TestWithParam<unsigned> {};

TEST_P(PathsDifferential, EveryStrategyAgreesWithTheInterpreterOnEveryInput) {
  for (unsigned seed = GetParam() * 10; seed < GetParam() * 10 + 10; ++seed) {
    const std::string text = unroll::Generator(seed).program(3 + seed % 4);
    const Source source(text);
    const bool expected = is_violated(source);
    for (const Options& options : all_options()) {
      Statistics statistics;
      const GoalResult answer = answer_of(source, options, statistics);
      ASSERT_TRUE(expected ? answer.verdict == result::Verdict::Violated : is_proof(answer.verdict))
          << seed << "\n"
          << text << answer.reason;
      if (answer.test) {
        ASSERT_TRUE(source.violates(*answer.test, source.goals[0])) << text;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, PathsDifferential, testing::Range(0U, 50U), testing::PrintToStringParamName());

TEST(Paths, TheAlgorithmAsPrintedDecidesProgramFoo) {
  const Source source(R"(
int main() {
  int a = input(), b = input(), c, d, e;
  assume(a > -1000 && a < 1000 && b > -1000 && b < 1000);
  if (a >= 0) { c = a; if (b >= 0) { d = a; e = b; } else { d = a; e = -b; } } else { c = b; d = 1; e = -a; }
  c = c + d + e;
  check(d + e >= 0);
  check(c >= d + e);
})");
  for (const QueueOrder order : {QueueOrder::First, QueueOrder::Latest, QueueOrder::FewestDefinitions}) {
    Options options;
    options.as_printed = order;
    Statistics statistics;
    const unroll::Outcome outcome =
        unroll::unroll(source.program, source.goals, {}, {}, {}, decider(options, statistics));
    ASSERT_EQ(outcome.answers.size(), 1U);  // both checks are one place
    EXPECT_EQ(outcome.answers[0].verdict, result::Verdict::Violated);
    EXPECT_TRUE(source.violates(*outcome.answers[0].test, source.goals[0]));
  }
}

TEST(Paths, ACounterOfManyRoundsCostsAChoiceOrTwoInEach) {
  const Source source(R"(
_Bool __VERIFIER_nondet_bool(void);
int main() {
  unsigned lit = 0;
  for (int i = 0; i < 500; i++) {
    if (__VERIFIER_nondet_bool()) lit++; else lit = 0;
  }
  check(lit < 500);
})");
  Statistics statistics;
  const GoalResult answer = answer_of(source, {}, statistics);
  EXPECT_EQ(answer.verdict, result::Verdict::Violated);
  EXPECT_LT(statistics.choices, 1500U);
}

TEST(Paths, TheOrderOfASortedArrayIsAStoreOfItsOwn) {
  const Source source(R"(
int main() {
  short t[24], v = __VERIFIER_nondet_short();
  for (int i = 0; i < 24; i++) t[i] = __VERIFIER_nondet_short();
  for (int i = 0; i + 1 < 24; i++) assume(t[i] <= t[i + 1]);
  int left = 0, right = 23, result = -1;
  while (result == -1 && left <= right) {
    int middle = (left + right) / 2;
    if (t[middle] == v) result = middle; else if (t[middle] > v) right = middle - 1; else left = middle + 1;
  }
  if (result == -1) for (int k = 0; k < 24; k++) check(t[k] != v);
})");
  Statistics statistics;
  Options options;
  options.strategy = Strategy::Cpbpv;
  const GoalResult answer = answer_of(source, options, statistics);
  EXPECT_EQ(answer.verdict, result::Verdict::Holds);
  EXPECT_GT(statistics.orders.refuted, 0U);
}

TEST(Paths, ATestForEachFeasiblePath) {
  const Source source(R"(
int main() {
  int a = input(), b = input(), m;
  if (a > b) m = a; else if (a == b) m = 0; else m = b;
  if (m > 10) m = 10;
  check(m <= 10);
})");
  std::vector<result::TestCase> tests;
  find_paths(source.program, source.goals, 1, {}, [&](std::size_t, const result::TestCase& t) { tests.push_back(t); });
  EXPECT_EQ(tests.size(), 5U);  // 0 is not above 10
  for (const result::TestCase& test : tests) EXPECT_TRUE(source.replay(test).faults.empty());
}

TEST(Paths, TheGraphOfAPropertyNamesVariablesAndWays) {
  const Source source(
      "int main() { int x = input(), z = input(), y; if (x > 3) y = x * z; else y = z; check(y * y != x); }");
  std::ostringstream text;
  show_graphs(text, source.program, source.goals, 1, GraphForm::Text, {});
  EXPECT_NE(text.str().find("if <0>"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("if !<0>"), std::string::npos) << text.str();
  std::ostringstream dot;
  show_graphs(dot, source.program, source.goals, 1, GraphForm::Dot, {});
  EXPECT_NE(dot.str().find("digraph"), std::string::npos);
}

}  // namespace
}  // namespace plumb::paths
