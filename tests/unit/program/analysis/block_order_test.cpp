#include "program/analysis/block_order.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::program {
namespace {

TEST(BlockOrder, EdgesGoToGreaterRanksOrToTheHeadOfACycleAroundThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const auto size = static_cast<std::uint32_t>(1 + random() % 12);
    Cfg::EdgeList edges;
    for (std::uint32_t i = 0; i < size * 2; ++i)
      edges.emplace_back(static_cast<BlockId>(random() % size), static_cast<BlockId>(random() % size));
    const Cfg cfg(size, edges);
    const BlockOrder order(cfg);
    for (const auto& [from, to] : edges) {
      bool is_back = false;
      for (const std::uint32_t c : order.nest(from)) is_back = is_back || order.cycle(c).head == to;
      EXPECT_TRUE(is_back || order.rank(to) > order.rank(from));
    }
    for (BlockId b = 0; b < size; ++b) {
      EXPECT_EQ(order.block_at(order.rank(b)), b);
      for (const std::uint32_t c : order.nest(b)) EXPECT_TRUE(order.contains(c, b));
    }
    for (const Cycle& cycle : order.cycles()) EXPECT_EQ(order.rank(cycle.head), cycle.first);
  }
}

}  // namespace
}  // namespace plumb::program
