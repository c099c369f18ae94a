#include "program/analysis/control_dependence.h"

#include <gtest/gtest.h>

#include <random>

#include "program/analysis/dominators.h"
#include "random_cfg.h"

namespace plumb::program {
namespace {

TEST(ControlDependence, IsTheDefinitionOnRandomGraphs) {
  std::mt19937 random(8);
  for (int round = 0; round < 4000; ++round) {
    const Cfg cfg = random_cfg(random, 12);
    const DominatorTree post = DominatorTree::post_dominators(cfg);
    const ControlDependence dependence(cfg);
    for (BlockId b = 0; b < cfg.size(); ++b) {
      std::vector<BlockId> expected;
      for (BlockId a = 0; a < cfg.size(); ++a) {
        const std::span<const BlockId> successors = cfg.successors(a);
        const bool decides =
            std::any_of(successors.begin(), successors.end(), [&](BlockId s) { return s != successors[0]; });
        const bool some =
            std::any_of(successors.begin(), successors.end(), [&](BlockId s) { return post.dominates(b, s); });
        if (decides && some && !(a != b && post.dominates(b, a))) expected.push_back(a);
      }
      const std::span<const BlockId> actual = dependence.controllers(b);
      ASSERT_TRUE(std::equal(actual.begin(), actual.end(), expected.begin(), expected.end())) << round << " " << b;
    }
  }
}

TEST(ControlDependence, ArmsDependOnTheIfAndTheJoinDoesNot) {
  const Cfg::EdgeList edges{{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 1}, {4, 5}};
  const ControlDependence dependence(Cfg(6, edges));
  const auto controllers = [&](BlockId b) {
    return std::vector<BlockId>(dependence.controllers(b).begin(), dependence.controllers(b).end());
  };
  EXPECT_EQ(controllers(0), (std::vector<BlockId>{}));
  EXPECT_EQ(controllers(1), (std::vector<BlockId>{4}));
  EXPECT_EQ(controllers(2), (std::vector<BlockId>{1}));
  EXPECT_EQ(controllers(3), (std::vector<BlockId>{1}));
  EXPECT_EQ(controllers(4), (std::vector<BlockId>{4}));
  EXPECT_EQ(controllers(5), (std::vector<BlockId>{}));
}

}  // namespace
}  // namespace plumb::program
