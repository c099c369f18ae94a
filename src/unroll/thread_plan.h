#pragma once

#include <memory>
#include <span>
#include <vector>

#include "program/analysis/unwinding_plan.h"
#include "program/program.h"

namespace plumb::unroll {

/// Where a thread may stand in a function while others run, and what it keeps there. The function and its plan must
/// outlive it.
class ThreadPlan {
 public:
  ThreadPlan(const program::Program& program, const program::UnwindingPlan& plan);

  program::BlockId block_of(program::InstructionId i) const { return block_of_[i]; }
  /// Variables that are defined before the instruction and used in it or behind it, by rising index.
  std::span<const program::ValueId> live_before(program::InstructionId i);
  /// Another thread may run before it, and that can make a difference: it is visible, it may end the run or touch
  /// memory that is not surely this thread's own.
  bool is_switch(program::InstructionId i) const { return is_switch_[i]; }

 private:
  void find_switches(const program::Program& program);

  const program::UnwindingPlan& plan_;
  std::vector<program::BlockId> block_of_;
  std::vector<bool> is_switch_;
  std::vector<std::unique_ptr<std::vector<program::ValueId>>> live_before_;
};

}  // namespace plumb::unroll
