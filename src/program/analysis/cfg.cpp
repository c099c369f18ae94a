#include "program/analysis/cfg.h"

#include "base/error.h"

namespace plumb::program {
namespace {

Cfg::EdgeList edges_of(const Function& function) {
  Cfg::EdgeList edges;
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (const Edge& edge : function.successors(b)) edges.emplace_back(b, edge.target);
  return edges;
}

}  // namespace

Cfg::Cfg(const Function& function) : Cfg(static_cast<std::uint32_t>(function.blocks.size()), edges_of(function)) {}

Cfg::Cfg(std::uint32_t block_count, std::span<const std::pair<BlockId, BlockId>> edges)
    : successor_start_(block_count + 1, 0),
      successors_(edges.size()),
      predecessor_start_(block_count + 1, 0),
      predecessors_(edges.size()) {
  INVARIANT(block_count > 0, "a control-flow graph should have an entry");
  for (const auto& [source, target] : edges) {
    INVARIANT(source < block_count && target < block_count, "an edge should connect blocks that exist");
    ++successor_start_[source + 1];
    ++predecessor_start_[target + 1];
  }
  for (std::uint32_t b = 0; b < block_count; ++b) {
    successor_start_[b + 1] += successor_start_[b];
    predecessor_start_[b + 1] += predecessor_start_[b];
  }
  std::vector<std::uint32_t> next(successor_start_.begin(), successor_start_.end() - 1);
  for (const auto& [source, target] : edges) successors_[next[source]++] = target;
  next.assign(predecessor_start_.begin(), predecessor_start_.end() - 1);
  for (BlockId b = 0; b < block_count; ++b)
    for (const BlockId target : successors(b)) predecessors_[next[target]++] = b;
}

}  // namespace plumb::program
