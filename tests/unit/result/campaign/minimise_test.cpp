#include "result/campaign/minimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace plumb::result {
namespace {

using Suite = std::vector<std::vector<std::uint32_t>>;

std::set<std::uint32_t> covered(const Suite& suite, const std::vector<std::size_t>& tests) {
  std::set<std::uint32_t> edges;
  for (const std::size_t test : tests) edges.insert(suite[test].begin(), suite[test].end());
  return edges;
}

std::set<std::uint32_t> covered(const Suite& suite) {
  std::set<std::uint32_t> edges;
  for (const auto& test : suite) edges.insert(test.begin(), test.end());
  return edges;
}

/// The size of the smallest subset that covers all, by looking at every one.
std::size_t fewest(const Suite& suite, const std::vector<bool>& is_kept) {
  const auto all = covered(suite);
  std::size_t best = suite.size();
  for (std::uint32_t chosen = 0; chosen < 1U << suite.size(); ++chosen) {
    std::vector<std::size_t> tests;
    bool has_kept = true;
    for (std::size_t i = 0; i < suite.size(); ++i) {
      if ((chosen >> i & 1) != 0) tests.push_back(i);
      has_kept &= !is_kept[i] || (chosen >> i & 1) != 0;
    }
    if (has_kept && tests.size() < best && covered(suite, tests) == all) best = tests.size();
  }
  return best;
}

Suite random_suite(std::mt19937& random, std::size_t tests, std::uint32_t edges, double density) {
  std::bernoulli_distribution is_in(density);
  Suite suite(tests);
  for (auto& test : suite)
    for (std::uint32_t edge = 0; edge < edges; ++edge)
      if (is_in(random)) test.push_back(edge);
  return suite;
}

TEST(Minimise, FindsAsFewAsTryingAllSubsetsDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t tests = 1 + random() % 11;
    const double density = 0.1 + 0.1 * static_cast<double>(random() % 6);
    const Suite suite = random_suite(random, tests, static_cast<std::uint32_t>(1 + random() % 20), density);
    std::vector<bool> is_kept(tests);
    for (std::size_t i = 0; i < tests; ++i) is_kept[i] = random() % 8 == 0;
    const MinimisedSuite minimised = minimise(suite, is_kept);
    ASSERT_TRUE(minimised.is_minimal);
    ASSERT_EQ(minimised.kept.size(), fewest(suite, is_kept)) << "round " << round;
    ASSERT_EQ(covered(suite, minimised.kept), covered(suite)) << "round " << round;
    ASSERT_TRUE(std::ranges::is_sorted(minimised.kept));
    for (std::size_t i = 0; i < tests; ++i) {
      ASSERT_TRUE(!is_kept[i] || std::ranges::binary_search(minimised.kept, i));
    }
  }
}

TEST(Minimise, SmallerThanGreedyWhereGreedyIsWrong) {
  // The first test has the most edges, but the two others together have all.
  const Suite suite = {{1, 2, 3, 4}, {0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(minimise(suite, {false, false, false}).kept, (std::vector<std::size_t>{1, 2}));
}

TEST(Minimise, KeepsNothingOfTestsWithoutEdges) {
  EXPECT_TRUE(minimise(Suite{{}, {}}, {false, false}).kept.empty());
  EXPECT_TRUE(minimise(Suite{}, {}).kept.empty());
}

TEST(Minimise, TestsThatEndInErrorsAreKept) {
  std::vector<StoredTest> tests(3);
  tests[0].end = "exit";
  tests[0].edges = {1, 2};
  tests[1].end = "error";
  tests[1].edges = {1};
  tests[2].end = "signal";
  tests[2].edges = {2};
  const MinimisedSuite minimised = minimise(tests);
  EXPECT_EQ(minimised.kept, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(minimised.is_minimal);
}

TEST(Minimise, CoversEverythingAlsoWhenItGivesUp) {
  // Every edge in a tenth of the tests, at random: reductions find nothing, and the bound is weak.
  std::mt19937 random(2);
  const Suite suite = random_suite(random, 220, 600, 0.06);
  const MinimisedSuite minimised = minimise(suite, std::vector<bool>(suite.size()));
  EXPECT_FALSE(minimised.is_minimal);
  EXPECT_EQ(covered(suite, minimised.kept), covered(suite));
  EXPECT_LT(minimised.kept.size(), suite.size());
}

}  // namespace
}  // namespace plumb::result
