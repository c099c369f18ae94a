// For an edge a -> s, the blocks that post-dominate s but not a strictly are the path in the post-dominator tree from s
// up to, and without, the immediate post-dominator of a. Where no exit can be reached DominatorTree adds edges to the
// virtual exit; they make no dependence of their own, since a jump decides nothing.
#include "program/analysis/control_dependence.h"

#include <algorithm>

#include "program/analysis/dominators.h"

namespace plumb::program {

ControlDependence::ControlDependence(const Cfg& cfg) : start_(cfg.size() + 1, 0) {
  const DominatorTree post = DominatorTree::post_dominators(cfg);
  std::vector<std::pair<BlockId, BlockId>> pairs;  // block, controller
  std::vector<BlockId> seen_from(cfg.size(), kNone);
  for (BlockId a = 0; a < cfg.size(); ++a) {
    const std::span<const BlockId> successors = cfg.successors(a);
    const bool decides =
        std::any_of(successors.begin(), successors.end(), [&](BlockId s) { return s != successors.front(); });
    if (!decides) continue;
    for (const BlockId s : successors) {
      for (BlockId b = s; b != post.immediate(a) && seen_from[b] != a; b = post.immediate(b)) {
        seen_from[b] = a;
        pairs.emplace_back(b, a);
      }
    }
  }
  for (const auto& pair : pairs) ++start_[pair.first + 1];
  for (BlockId b = 0; b < cfg.size(); ++b) start_[b + 1] += start_[b];
  controllers_.resize(pairs.size());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (const auto& [b, a] : pairs) controllers_[next[b]++] = a;
}

}  // namespace plumb::program
