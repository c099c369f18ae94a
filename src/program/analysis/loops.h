#pragma once

#include <span>
#include <utility>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

using LoopId = std::uint32_t;

/// The natural loop of a header: it, and the blocks from which a latch can be reached without passing it.
struct Loop {
  BlockId header = kNone;
  LoopId parent = kNone;               ///< the innermost loop around it
  std::uint32_t depth = 1;             ///< 1 for outermost loops
  std::vector<BlockId> latches;        ///< sources of the edges to the header that it dominates, by rising index
  std::uint32_t first = 0, count = 0;  ///< of its blocks, in LoopForest
};

/// Natural loops of the reachable blocks, one a header, and how they nest. Near-linear. A cycle that is entered in more
/// than one block has no header that dominates it and so is no natural loop; irreducible_edges() tells of those.
class LoopForest {
 public:
  explicit LoopForest(const Cfg& cfg);

  /// By header in the dominator tree's preorder, so parents before children.
  std::span<const Loop> all() const noexcept { return loops_; }
  /// The innermost loop that contains the block; kNone if there is none.
  LoopId loop_of(BlockId b) const { return loop_of_[b]; }
  /// Blocks of the loop and of the loops in it, the header first.
  std::span<const BlockId> blocks(LoopId loop) const {
    return std::span<const BlockId>(blocks_).subspan(loops_[loop].first, loops_[loop].count);
  }
  bool contains(LoopId loop, BlockId b) const {
    return position_[b] != kNone && position_[b] - loops_[loop].first < loops_[loop].count;
  }
  /// Back edges of the depth-first spanning tree whose target does not dominate their source: each closes a cycle that
  /// can be entered past its target. Empty exactly if the graph is reducible.
  std::span<const std::pair<BlockId, BlockId>> irreducible_edges() const noexcept { return irreducible_edges_; }

 private:
  void lay_out(const Cfg& cfg);

  std::vector<Loop> loops_;
  std::vector<LoopId> loop_of_;
  std::vector<BlockId> blocks_;          ///< those in loops, each loop's together
  std::vector<std::uint32_t> position_;  ///< by block, in blocks_; kNone if in no loop
  std::vector<std::pair<BlockId, BlockId>> irreducible_edges_;
};

}  // namespace plumb::program
