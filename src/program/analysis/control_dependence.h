#pragma once

#include <span>
#include <vector>

#include "program/analysis/cfg.h"

namespace plumb::program {

/// Which branches decide whether a block runs (Ferrante, Ottenstein, Warren, "The program dependence graph", 1987):
/// b depends on a if a has two or more different successors, b post-dominates one of them, and b does not post-dominate
/// a strictly. A loop's header can so depend on itself. Costs as much as the relation is large.
class ControlDependence {
 public:
  explicit ControlDependence(const Cfg& cfg);

  /// The blocks whose terminators decide about b, by rising index.
  std::span<const BlockId> controllers(BlockId b) const {
    return {controllers_.data() + start_[b], controllers_.data() + start_[b + 1]};
  }

 private:
  std::vector<std::uint32_t> start_;
  std::vector<BlockId> controllers_;
};

}  // namespace plumb::program
