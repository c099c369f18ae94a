#include "program/analysis/block_order.h"

#include <algorithm>

#include "program/analysis/components.h"

namespace plumb::program {
namespace {

/// Blocks that are to be put in order; edges to the head of their cycle do not count. Without blocks: `block` itself.
struct Task {
  std::vector<BlockId> blocks;
  std::uint32_t cycle = kNone;
  BlockId block = kNone;
};

/// The order of a set of blocks: components by their edges, each with more than one block or an edge to itself a cycle.
class Orderer {
 public:
  explicit Orderer(const Cfg& cfg) : cfg_(cfg), local_(cfg.size(), kNone) {}

  std::vector<Task> split(const Task& task, std::vector<Cycle>& cycles) {
    if (task.blocks.empty()) return {};
    for (std::size_t i = 0; i < task.blocks.size(); ++i) local_[task.blocks[i]] = static_cast<std::uint32_t>(i);
    const BlockId head = task.cycle == kNone ? kNone : cycles[task.cycle].head;
    Cfg::EdgeList edges;
    for (const BlockId b : task.blocks)
      for (const BlockId to : cfg_.successors(b))
        if (local_[to] != kNone && to != head) edges.emplace_back(local_[b], local_[to]);
    const Cfg graph(static_cast<std::uint32_t>(task.blocks.size()), edges);
    const Components components(graph);
    std::vector<Task> parts;
    for (std::uint32_t c = components.size(); c-- > 0;) {
      Task part;
      for (const std::uint32_t member : components.members(c)) part.blocks.push_back(task.blocks[member]);
      std::ranges::sort(part.blocks);
      const std::uint32_t first = components.members(c)[0];
      const bool goes_round = part.blocks.size() > 1 || std::ranges::count(graph.successors(first), first) > 0;
      part.cycle = task.cycle;
      if (goes_round) {
        part.cycle = static_cast<std::uint32_t>(cycles.size());
        Cycle cycle;
        cycle.head = head_of(part.blocks, components, c, graph);
        cycle.parent = task.cycle;
        cycle.depth = task.cycle == kNone ? 1 : cycles[task.cycle].depth + 1;
        cycle.count = static_cast<std::uint32_t>(part.blocks.size());
        cycles.push_back(cycle);
      } else {
        part.block = part.blocks[0];
        part.blocks.clear();
      }
      parts.push_back(std::move(part));
    }
    for (const BlockId b : task.blocks) local_[b] = kNone;
    return parts;
  }

 private:
  /// The first block that is entered from outside.
  BlockId head_of(const std::vector<BlockId>& blocks, const Components& components, std::uint32_t component,
                  const Cfg& graph) const {
    for (const BlockId b : blocks) {
      for (const std::uint32_t from : graph.predecessors(local_[b]))
        if (components.component_of(from) != component) return b;
      // What comes in from outside of the task's own set.
      for (const BlockId from : cfg_.predecessors(b))
        if (local_[from] == kNone) return b;
    }
    return blocks.front();
  }

  const Cfg& cfg_;
  std::vector<std::uint32_t> local_;  ///< the position of a block in the task's set
};

}  // namespace

BlockOrder::BlockOrder(const Cfg& cfg) : rank_(cfg.size()), cycle_of_(cfg.size(), kNone) {
  Orderer orderer(cfg);
  Task all;
  for (BlockId b = 0; b < cfg.size(); ++b) all.blocks.push_back(b);
  std::vector<Task> stack = orderer.split(all, cycles_);
  std::ranges::reverse(stack);
  std::uint32_t next = 0;
  while (!stack.empty()) {
    Task task = std::move(stack.back());
    stack.pop_back();
    if (task.block != kNone) {
      rank_[task.block] = next++;
      cycle_of_[task.block] = task.cycle;
      continue;
    }
    const BlockId head = cycles_[task.cycle].head;
    cycles_[task.cycle].first = next;
    rank_[head] = next++;
    cycle_of_[head] = task.cycle;
    std::erase(task.blocks, head);
    std::vector<Task> parts = orderer.split(task, cycles_);
    for (std::size_t i = parts.size(); i-- > 0;) stack.push_back(std::move(parts[i]));
  }
  block_at_.resize(cfg.size());
  for (BlockId b = 0; b < cfg.size(); ++b) block_at_[rank_[b]] = b;
  nest_start_.push_back(0);
  for (BlockId b = 0; b < cfg.size(); ++b) {
    for (std::uint32_t c = cycle_of_[b]; c != kNone; c = cycles_[c].parent) nests_.push_back(c);
    std::reverse(nests_.begin() + nest_start_.back(), nests_.end());
    nest_start_.push_back(static_cast<std::uint32_t>(nests_.size()));
  }
}

}  // namespace plumb::program
