#pragma once

#include <span>
#include <vector>

#include "program/analysis/block_order.h"
#include "program/analysis/liveness.h"

namespace plumb::program {

/// What an engine that executes a function block by block and unwinds its loops should know before: in which order, so
/// that all paths to a block come before it; which values a state between two blocks consists of; and where it is not
/// worth merging states, since the run ends. The function must outlive it and not change. Costs the block order and the
/// sets of live values.
class UnwindingPlan {
 public:
  explicit UnwindingPlan(const Function& function);

  const Function& function() const noexcept { return *function_; }
  const BlockOrder& order() const noexcept { return order_; }
  /// Variables that are defined before the block and used in it or behind it, by rising index; its arguments are not
  /// among them.
  std::span<const ValueId> live_ins(BlockId b) const { return liveness_.live_in(b); }
  /// The program ends in the block, and no call comes before that.
  bool is_end(BlockId b) const { return is_end_[b]; }

 private:
  const Function* function_;
  BlockOrder order_;
  Liveness liveness_;
  std::vector<bool> is_end_;
};

}  // namespace plumb::program
