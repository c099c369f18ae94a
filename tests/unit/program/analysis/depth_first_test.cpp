#include "program/analysis/depth_first.h"

#include <gtest/gtest.h>

#include <random>

#include "random_cfg.h"

namespace plumb::program {
namespace {

/// The textbook recursion, to compare with.
struct RecursiveSearch {
  const Cfg& cfg;
  std::vector<BlockId> parent, preorder, postorder;
  std::vector<bool> seen, open;
  std::vector<std::pair<BlockId, BlockId>> edges_to_open;

  explicit RecursiveSearch(const Cfg& graph)
      : cfg(graph), parent(graph.size(), kNone), seen(graph.size()), open(graph.size()) {
    visit(0);
  }
  void visit(BlockId b) {
    seen[b] = open[b] = true;
    preorder.push_back(b);
    for (const BlockId target : cfg.successors(b)) {
      if (open[target]) edges_to_open.emplace_back(b, target);
      if (seen[target]) continue;
      parent[target] = b;
      visit(target);
    }
    open[b] = false;
    postorder.push_back(b);
  }
};

TEST(DepthFirst, IsTheTextbookSearchInSuccessorOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 5000; ++round) {
    const Cfg cfg = random_cfg(random, 14);
    const DepthFirst search(cfg);
    const RecursiveSearch expected(cfg);
    ASSERT_TRUE(std::equal(search.preorder().begin(), search.preorder().end(), expected.preorder.begin(),
                           expected.preorder.end()));
    ASSERT_TRUE(std::equal(search.reverse_postorder().begin(), search.reverse_postorder().end(),
                           expected.postorder.rbegin(), expected.postorder.rend()));
    for (BlockId b = 0; b < cfg.size(); ++b) {
      ASSERT_EQ(search.parent(b), expected.parent[b]);
      ASSERT_EQ(search.is_reachable(b), expected.seen[b]);
    }
    // An edge goes to an ancestor exactly if its target is still open when the edge is met.
    std::vector<std::pair<BlockId, BlockId>> back(search.back_edges().begin(), search.back_edges().end());
    std::vector<std::pair<BlockId, BlockId>> open = expected.edges_to_open;
    std::sort(back.begin(), back.end());
    std::sort(open.begin(), open.end());
    ASSERT_EQ(back, open) << round;
  }
}

TEST(DepthFirst, WithoutBackEdgesReversePostorderIsTopological) {
  std::mt19937 random(4);
  for (int round = 0; round < 3000; ++round) {
    const Cfg cfg = random_cfg(random, 14);
    const DepthFirst search(cfg);
    std::vector<std::size_t> position(cfg.size());
    for (std::size_t i = 0; i < search.reverse_postorder().size(); ++i) position[search.reverse_postorder()[i]] = i;
    for (const BlockId b : search.preorder()) {
      for (const BlockId target : cfg.successors(b)) {
        ASSERT_EQ(search.is_back_edge(b, target), position[target] <= position[b]);
      }
    }
  }
}

TEST(DepthFirst, SuccessorOrderDecidesWhatIsABackEdgeOfAnIrreducibleCycle) {
  const Cfg::EdgeList left{{0, 1}, {0, 2}, {1, 2}, {2, 1}};
  const Cfg::EdgeList right{{0, 2}, {0, 1}, {1, 2}, {2, 1}};
  EXPECT_EQ(DepthFirst(Cfg(3, left)).back_edges().front(), (std::pair<BlockId, BlockId>(2, 1)));
  EXPECT_EQ(DepthFirst(Cfg(3, right)).back_edges().front(), (std::pair<BlockId, BlockId>(1, 2)));
}

TEST(DepthFirst, DeepGraphsNeedNoRecursion) {
  const DepthFirst search(nest(500'000));
  EXPECT_EQ(search.preorder().size(), 1'000'002u);
  EXPECT_EQ(search.back_edges().size(), 500'000u);
}

}  // namespace
}  // namespace plumb::program
