#pragma once

#include <span>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

/// The dominator tree of the blocks that are reachable from the entry (or, for post-dominators, of all blocks).
/// Made in near-linear time; dominates() takes constant time.
class DominatorTree {
 public:
  static DominatorTree dominators(const Cfg& cfg);
  /// Of the reversed graph with a virtual exit that follows every block without successors; blocks from which no exit
  /// can be reached (infinite loops) are connected to it as well, so that every block has a post-dominator. The
  /// result is a forest: what the virtual exit alone post-dominates are its roots.
  static DominatorTree post_dominators(const Cfg& cfg);

  /// kNone for the root, for children of the virtual exit and for unreachable blocks.
  BlockId immediate(BlockId b) const { return immediate_[b]; }
  bool is_reachable(BlockId b) const { return enter_[b] != 0; }
  /// Reflexive; false if either is unreachable.
  bool dominates(BlockId a, BlockId b) const {
    return enter_[a] != 0 && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
  }
  /// The number of blocks that dominate b strictly: 0 for roots; needs a reachable block.
  std::uint32_t depth(BlockId b) const { return depth_[b]; }
  /// By rising index.
  std::span<const BlockId> children(BlockId b) const {
    return {children_.data() + child_start_[b], children_.data() + child_start_[b + 1]};
  }
  /// All reachable blocks, parents before children, each subtree together.
  std::span<const BlockId> preorder() const noexcept { return preorder_; }
  /// All blocks that b dominates, b first, parents before children: Dom(b). Empty for an unreachable block.
  std::span<const BlockId> dominated(BlockId b) const;

 private:
  /// From the immediate dominators; `roots` by rising index.
  DominatorTree(std::vector<BlockId> immediate, std::span<const BlockId> roots);

  std::vector<BlockId> immediate_;
  std::vector<std::uint32_t> enter_, leave_;  ///< preorder interval in the tree, from 1; 0 if unreachable
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> child_start_;
  std::vector<BlockId> children_;
  std::vector<BlockId> preorder_;
};

}  // namespace plumb::program
