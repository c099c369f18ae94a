#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// The shape of a control-flow graph: blocks and edges alone, in compressed rows. Block 0 is the entry. What the
/// analyses work on, so that they can be tested on random graphs without instructions. Parallel edges are kept.
/// Immutable; made in linear time.
class Cfg {
 public:
  using EdgeList = std::vector<std::pair<BlockId, BlockId>>;

  /// Needs a body.
  explicit Cfg(const Function& function);
  /// `edges`: source and target of each; the successors of a block keep their order.
  Cfg(std::uint32_t block_count, std::span<const std::pair<BlockId, BlockId>> edges);

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(successor_start_.size()) - 1; }
  std::uint32_t edge_count() const noexcept { return static_cast<std::uint32_t>(successors_.size()); }
  /// In the order of the terminator's edges.
  std::span<const BlockId> successors(BlockId b) const {
    return {successors_.data() + successor_start_[b], successors_.data() + successor_start_[b + 1]};
  }
  /// By rising source.
  std::span<const BlockId> predecessors(BlockId b) const {
    return {predecessors_.data() + predecessor_start_[b], predecessors_.data() + predecessor_start_[b + 1]};
  }

 private:
  std::vector<std::uint32_t> successor_start_;
  std::vector<BlockId> successors_;
  std::vector<std::uint32_t> predecessor_start_;
  std::vector<BlockId> predecessors_;
};

}  // namespace plumb::program
