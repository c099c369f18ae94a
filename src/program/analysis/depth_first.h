#pragma once

#include <span>
#include <utility>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

/// The depth-first spanning tree (DFST) of the blocks reachable from the entry. Successors are visited in their order,
/// so equal graphs give equal trees. A back edge goes to an ancestor of its source in the tree, possibly the source
/// itself; without back edges the graph is acyclic, and reverse_postorder() is a topological order of the rest.
class DepthFirst {
 public:
  explicit DepthFirst(const Cfg& cfg);

  bool is_reachable(BlockId b) const { return enter_[b] != 0; }
  /// In the tree; kNone for the entry and for unreachable blocks.
  BlockId parent(BlockId b) const { return parent_[b]; }
  /// Reflexive; false if either is unreachable.
  bool is_ancestor(BlockId a, BlockId b) const {
    return enter_[a] != 0 && enter_[a] <= enter_[b] && enter_[b] <= last_[a];
  }
  /// Of an edge of the graph.
  bool is_back_edge(BlockId source, BlockId target) const { return is_ancestor(target, source); }

  std::span<const BlockId> preorder() const noexcept { return preorder_; }
  std::span<const BlockId> reverse_postorder() const noexcept { return reverse_postorder_; }
  /// Position in preorder(); needs a reachable block.
  std::uint32_t preorder_number(BlockId b) const { return enter_[b] - 1; }
  /// Each once per parallel edge, by source in preorder.
  std::span<const std::pair<BlockId, BlockId>> back_edges() const noexcept { return back_edges_; }

 private:
  std::vector<BlockId> parent_;
  std::vector<std::uint32_t> enter_;  ///< preorder number from 1; 0 if unreachable
  std::vector<std::uint32_t> last_;   ///< the greatest enter_ in the subtree
  std::vector<BlockId> preorder_;
  std::vector<BlockId> reverse_postorder_;
  std::vector<std::pair<BlockId, BlockId>> back_edges_;
};

}  // namespace plumb::program
