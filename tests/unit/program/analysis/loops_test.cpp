#include "program/analysis/loops.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "random_cfg.h"

namespace plumb::program {
namespace {

/// Header to body, as defined: paths to a latch that avoid the header.
std::vector<std::set<BlockId>> natural_loops(const Cfg& cfg) {
  const auto dominates = dominance_by_removal(cfg);
  std::vector<std::set<BlockId>> bodies(cfg.size());
  for (BlockId h = 0; h < cfg.size(); ++h) {
    std::vector<bool> without_header(cfg.size(), true);
    without_header[h] = false;
    for (const BlockId latch : cfg.predecessors(h)) {
      if (!dominates[h][latch]) continue;
      bodies[h].insert(h);
      for (BlockId b = 0; b < cfg.size(); ++b)
        if (dominates[0][b] && reach(cfg, b, without_header)[latch]) bodies[h].insert(b);
    }
  }
  return bodies;
}

TEST(Loops, AreTheNaturalLoopsOfRandomGraphs) {
  std::mt19937 random(5);
  for (int round = 0; round < 5000; ++round) {
    const Cfg cfg = random_cfg(random, 12);
    const auto expected = natural_loops(cfg);
    const LoopForest forest(cfg);
    SCOPED_TRACE(round);
    std::size_t headers = 0;
    for (const auto& body : expected) headers += !body.empty();
    ASSERT_EQ(forest.all().size(), headers);
    for (LoopId loop = 0; loop < forest.all().size(); ++loop) {
      const std::span<const BlockId> blocks = forest.blocks(loop);
      ASSERT_EQ(blocks.front(), forest.all()[loop].header);
      ASSERT_EQ(std::set<BlockId>(blocks.begin(), blocks.end()), expected[blocks.front()]);
      ASSERT_EQ(blocks.size(), expected[blocks.front()].size());
      for (BlockId b = 0; b < cfg.size(); ++b)
        ASSERT_EQ(forest.contains(loop, b), expected[blocks.front()].contains(b));
    }
  }
}

TEST(Loops, NestAsTheirBodiesContainEachOther) {
  std::mt19937 random(6);
  for (int round = 0; round < 3000; ++round) {
    const Cfg cfg = random_cfg(random, 12);
    const auto bodies = natural_loops(cfg);
    const LoopForest forest(cfg);
    for (BlockId b = 0; b < cfg.size(); ++b) {
      // The innermost loop is the smallest body around the block.
      BlockId header = kNone;
      std::uint32_t depth = 0;
      for (BlockId h = 0; h < cfg.size(); ++h) {
        if (!bodies[h].contains(b)) continue;
        ++depth;
        if (header == kNone || bodies[h].size() < bodies[header].size()) header = h;
      }
      const LoopId loop = forest.loop_of(b);
      ASSERT_EQ(loop == kNone ? kNone : forest.all()[loop].header, header);
      ASSERT_EQ(loop == kNone ? 0 : forest.all()[loop].depth, depth);
      if (loop != kNone && forest.all()[loop].parent != kNone) {
        ASSERT_LT(forest.all()[loop].parent, loop);
      }
    }
  }
}

/// Reducible as defined: without the edges to dominators the reachable graph is acyclic.
bool is_reducible(const Cfg& cfg) {
  const auto dominates = dominance_by_removal(cfg);
  Cfg::EdgeList forward;
  for (BlockId b = 0; b < cfg.size(); ++b)
    for (const BlockId target : cfg.successors(b))
      if (dominates[0][b] && !dominates[target][b]) forward.emplace_back(b, target);
  const Cfg rest(cfg.size(), forward);
  for (BlockId b = 0; b < cfg.size(); ++b)
    for (const BlockId target : rest.successors(b))
      if (reach(rest, target)[b]) return false;
  return true;
}

TEST(Loops, TellOfIrreducibleCyclesExactlyWhenThereAreSome) {
  std::mt19937 random(7);
  int irreducible = 0;
  for (int round = 0; round < 4000; ++round) {
    const Cfg cfg = random_cfg(random, 10);
    const LoopForest forest(cfg);
    ASSERT_EQ(forest.irreducible_edges().empty(), is_reducible(cfg)) << round;
    irreducible += !forest.irreducible_edges().empty();
    for (const auto& [source, target] : forest.irreducible_edges()) ASSERT_TRUE(reach(cfg, target)[source]);
  }
  EXPECT_GT(irreducible, 200);
}

TEST(Loops, ADeepNestNeedsNoRecursionAndNoQuadraticTime) {
  constexpr std::uint32_t kDepth = 50'000;
  const LoopForest forest(nest(kDepth));
  ASSERT_EQ(forest.all().size(), kDepth);
  EXPECT_EQ(forest.all().back().depth, kDepth);
  EXPECT_EQ(forest.blocks(0).size(), 2 * kDepth);
  EXPECT_EQ(forest.blocks(kDepth - 1).size(), 2u);
}

}  // namespace
}  // namespace plumb::program
