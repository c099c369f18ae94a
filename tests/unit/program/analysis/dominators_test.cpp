#include "program/analysis/dominators.h"

#include <gtest/gtest.h>

#include <random>

#include "random_cfg.h"

namespace plumb::program {
namespace {

/// The reversed graph with its virtual exit as block 0, as the contract of post_dominators() describes it.
Cfg reversed(const Cfg& cfg) {
  Cfg::EdgeList edges;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    const std::vector<bool> reached = reach(cfg, b);
    bool reaches_exit = false;
    for (BlockId e = 0; e < cfg.size(); ++e) reaches_exit |= reached[e] && cfg.successors(e).empty();
    if (cfg.successors(b).empty() || !reaches_exit) edges.emplace_back(0, b + 1);
    for (const BlockId target : cfg.successors(b)) edges.emplace_back(target + 1, b + 1);
  }
  return Cfg(cfg.size() + 1, edges);
}

/// The tree says what `dominates` says; block b is row and column b + shift there.
void expect_tree(const Cfg& cfg, const DominatorTree& tree, const std::vector<std::vector<bool>>& dominates,
                 BlockId shift) {
  std::size_t reachable = 0;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    BlockId immediate = kNone;
    std::uint32_t strict = 0;
    for (BlockId a = 0; a < cfg.size(); ++a) {
      ASSERT_EQ(tree.dominates(a, b), dominates[a + shift][b + shift]) << a << " " << b;
      if (a == b || !dominates[a + shift][b + shift]) continue;
      ++strict;
      if (immediate == kNone || dominates[immediate + shift][a + shift]) immediate = a;
    }
    ASSERT_EQ(tree.immediate(b), immediate);
    ASSERT_EQ(tree.is_reachable(b), dominates[b + shift][b + shift]);
    if (!tree.is_reachable(b)) {
      ASSERT_TRUE(tree.dominated(b).empty());
      continue;
    }
    ++reachable;
    ASSERT_EQ(tree.depth(b), strict);
    std::size_t dominated = 0;
    for (BlockId c = 0; c < cfg.size(); ++c) dominated += dominates[b + shift][c + shift];
    ASSERT_EQ(tree.dominated(b).size(), dominated);
    ASSERT_EQ(tree.dominated(b).front(), b);
    for (const BlockId c : tree.dominated(b)) ASSERT_TRUE(tree.dominates(b, c));
    for (const BlockId c : tree.children(b)) ASSERT_EQ(tree.immediate(c), b);
  }
  ASSERT_EQ(tree.preorder().size(), reachable);
}

TEST(Dominators, AgreeWithRemovalOfBlocksOnRandomGraphs) {
  std::mt19937 random(1);
  for (int round = 0; round < 6000; ++round) {
    const Cfg cfg = random_cfg(random, 12);
    SCOPED_TRACE(round);
    expect_tree(cfg, DominatorTree::dominators(cfg), dominance_by_removal(cfg), 0);
    if (HasFatalFailure()) return;
  }
}

TEST(Dominators, AgreeWithRemovalOfBlocksOnAllGraphsOfFourBlocksWithTwoSuccessorsEach) {
  constexpr std::uint32_t kPairs = 15;  // no successor, one of 4, or two of 4 in rising order
  std::vector<std::vector<BlockId>> choices{{}};
  for (BlockId a = 0; a < 4; ++a) {
    choices.push_back({a});
    for (BlockId b = a; b < 4; ++b) choices.push_back({a, b});
  }
  ASSERT_EQ(choices.size(), kPairs);
  for (std::uint32_t code = 0; code < kPairs * kPairs * kPairs * kPairs; ++code) {
    Cfg::EdgeList edges;
    std::uint32_t rest = code;
    for (BlockId b = 0; b < 4; ++b, rest /= kPairs)
      for (const BlockId target : choices[rest % kPairs]) edges.emplace_back(b, target);
    const Cfg cfg(4, edges);
    SCOPED_TRACE(code);
    expect_tree(cfg, DominatorTree::dominators(cfg), dominance_by_removal(cfg), 0);
    if (HasFatalFailure()) return;
  }
}

TEST(PostDominators, AreDominatorsOfTheReversedGraphWithAVirtualExit) {
  std::mt19937 random(2);
  for (int round = 0; round < 4000; ++round) {
    const Cfg cfg = random_cfg(random, 11);
    SCOPED_TRACE(round);
    expect_tree(cfg, DominatorTree::post_dominators(cfg), dominance_by_removal(reversed(cfg)), 1);
    if (HasFatalFailure()) return;
  }
}

TEST(Dominators, DeepGraphsNeedNoRecursion) {
  constexpr std::uint32_t kBlocks = 100'000;
  const DominatorTree of_chain = DominatorTree::dominators(chain(kBlocks));
  EXPECT_EQ(of_chain.depth(kBlocks - 1), kBlocks - 1);
  const DominatorTree of_ladder = DominatorTree::dominators(ladder(kBlocks));
  for (BlockId b = 1; b < kBlocks - 1; ++b) ASSERT_EQ(of_ladder.immediate(b), 0u);
  const Cfg loops = nest(kBlocks / 2);
  EXPECT_EQ(DominatorTree::dominators(loops).depth(loops.size() - 1), loops.size() - 1);
  EXPECT_EQ(DominatorTree::post_dominators(loops).depth(0), loops.size() - 1);
  const Cfg ifs = nested_ifs(kBlocks / 3);
  EXPECT_EQ(DominatorTree::dominators(ifs).immediate(ifs.size() - 1), 0u);
}

}  // namespace
}  // namespace plumb::program
