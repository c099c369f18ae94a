#include "concolic/search/candidate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace plumb::concolic {

namespace {

TEST(VisitRank, PutsPowersOfTwoBeforeAllOthers) {
  std::vector<std::uint32_t> visits(10);
  std::iota(visits.begin(), visits.end(), 1U);
  std::sort(visits.begin(), visits.end(), [](std::uint32_t a, std::uint32_t b) { return VisitRank(a) < VisitRank(b); });
  EXPECT_EQ(visits, (std::vector<std::uint32_t>{1, 2, 4, 8, 3, 5, 6, 7, 9, 10}));
}

/// Three visits of one branch, with a prefix that counts.
Trace three_visits() {
  Trace trace;
  for (std::uint32_t i = 0; i < 3; ++i) {
    trace.alternatives.push_back({.kind = Alternative::Kind::Edge, .index = 1, .condition = {}, .edge = 5});
    PathNode node;
    node.site = 2;
    node.first_alternative = i;
    node.alternative_count = 1;
    node.prefix = i + 100;
    trace.nodes.push_back(node);
  }
  return trace;
}

TEST(Enumerate, CountsVisitsFromTheRootAndStartsAtTheFlip) {
  const auto origin = std::make_shared<const Origin>();
  const Enumeration all = enumerate(three_visits(), origin, 1, 0, {});
  ASSERT_EQ(all.candidates.size(), 2U);
  EXPECT_EQ(all.candidates[0].visit, 2U);
  EXPECT_EQ(all.candidates[0].before, 100U);
  EXPECT_EQ(all.candidates[0].target, all.candidates[1].target);
  EXPECT_NE(all.candidates[0].key, all.candidates[1].key);
  EXPECT_FALSE(all.is_bounded);
}

TEST(Enumerate, TakesNoMoreVisitsThanTheLoopBound) {
  const Enumeration some = enumerate(three_visits(), std::make_shared<const Origin>(), 0, 2, {});
  EXPECT_EQ(some.candidates.size(), 2U);
  EXPECT_TRUE(some.is_bounded);
}

TEST(Enumerate, KnowsTheWayOfARunAsTheAlternativeOfAnother) {
  Trace other = three_visits();
  other.nodes[0].taken = 1;
  other.alternatives[0].index = 0;
  const auto origin = std::make_shared<const Origin>();
  const Enumeration a = enumerate(three_visits(), origin, 0, 0, {}), b = enumerate(other, origin, 0, 0, {});
  EXPECT_EQ(a.candidates[0].key, b.taken[0]);
  EXPECT_EQ(b.candidates[0].key, a.taken[0]);
}

TEST(Enumerate, LeavesOutCoveredEdgesInsideOfRegions) {
  Trace trace = three_visits();
  for (auto& node : trace.nodes) node.kind = PathNode::Kind::Region;
  for (auto& alternative : trace.alternatives) alternative.kind = Alternative::Kind::InnerEdge;
  const auto origin = std::make_shared<const Origin>();
  std::vector<std::uint8_t> covered(6);
  EXPECT_EQ(enumerate(trace, origin, 0, 0, covered).candidates.size(), 3U);
  covered[5] = 1;
  EXPECT_TRUE(enumerate(trace, origin, 0, 0, covered).candidates.empty());
}

}  // namespace

}  // namespace plumb::concolic
