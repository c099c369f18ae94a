#include "program/analysis/depth_first.h"

#include <algorithm>

namespace plumb::program {

DepthFirst::DepthFirst(const Cfg& cfg) : parent_(cfg.size(), kNone), enter_(cfg.size(), 0), last_(cfg.size(), 0) {
  const auto enter = [this](BlockId b) {
    preorder_.push_back(b);
    enter_[b] = static_cast<std::uint32_t>(preorder_.size());
  };
  struct Frame {
    BlockId block;
    std::uint32_t next;  ///< successor to visit
  };
  std::vector<Frame> stack{{0, 0}};
  enter(0);
  while (!stack.empty()) {
    const BlockId b = stack.back().block;
    const std::span<const BlockId> successors = cfg.successors(b);
    if (stack.back().next == successors.size()) {
      last_[b] = static_cast<std::uint32_t>(preorder_.size());
      reverse_postorder_.push_back(b);
      stack.pop_back();
      continue;
    }
    const BlockId target = successors[stack.back().next++];
    if (enter_[target] != 0) continue;
    parent_[target] = b;
    enter(target);
    stack.push_back({target, 0});
  }
  std::reverse(reverse_postorder_.begin(), reverse_postorder_.end());
  for (const BlockId b : preorder_)
    for (const BlockId target : cfg.successors(b))
      if (is_back_edge(b, target)) back_edges_.emplace_back(b, target);
}

}  // namespace plumb::program
