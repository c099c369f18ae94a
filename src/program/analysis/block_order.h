#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

/// A set of blocks that a run can go round in.
struct Cycle {
  BlockId head = kNone;
  std::uint32_t parent = kNone;  ///< the cycle around it
  std::uint32_t depth = 1;       ///< 1 for outermost ones
  std::uint32_t first = 0;       ///< the rank of its head
  std::uint32_t count = 0;       ///< of blocks, those of cycles in it included
};

/// The order in which the blocks of a function are executed so that all paths to a block come before it: a weak
/// topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993). Blocks have ranks;
/// those of a cycle are next to each other, the head first, and every edge goes to a greater rank or to the head of a
/// cycle around its source. Cycles with more than one entry have a head, too: goto is no exception.
class BlockOrder {
 public:
  /// Costs the edges times the depth of nested cycles.
  explicit BlockOrder(const program::Cfg& cfg);

  std::uint32_t rank(BlockId b) const { return rank_[b]; }
  BlockId block_at(std::uint32_t rank) const { return block_at_[rank]; }
  /// The innermost one around the block; kNone if there is none.
  std::uint32_t cycle_of(BlockId b) const { return cycle_of_[b]; }
  const Cycle& cycle(std::uint32_t c) const { return cycles_[c]; }
  std::span<const Cycle> cycles() const noexcept { return cycles_; }
  bool contains(std::uint32_t c, BlockId b) const { return rank_[b] - cycles_[c].first < cycles_[c].count; }
  /// The cycles around the block, the outermost first.
  std::span<const std::uint32_t> nest(BlockId b) const {
    return {nests_.data() + nest_start_[b], nests_.data() + nest_start_[b + 1]};
  }

 private:
  std::vector<std::uint32_t> rank_;
  std::vector<BlockId> block_at_;
  std::vector<std::uint32_t> cycle_of_;
  std::vector<Cycle> cycles_;
  std::vector<std::uint32_t> nest_start_;
  std::vector<std::uint32_t> nests_;
};

}  // namespace plumb::program
