#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

#include "instrument/regions/region_cloner.h"

namespace plumb::instrument {

/// A second copy of a loop, with all that is inside, beside the first: it leaves to where the loop leaves to. Nothing
/// leads into it yet but what `enter` adds.
class LoopCopy {
 public:
  /// The loop has to be in simplified form and in closed form (LCSSA), its latch without other successors.
  explicit LoopCopy(llvm::Loop& loop);

  llvm::BasicBlock& header() const;
  llvm::BasicBlock& of(const llvm::BasicBlock& block) const;
  llvm::Instruction& of(const llvm::Instruction& instruction) const;
  const std::vector<llvm::BasicBlock*>& blocks() const noexcept { return blocks_; }

  /// The copy can be entered from this block, with the values that the loop's header would get from `as`.
  void enter(llvm::BasicBlock& from, const llvm::BasicBlock& as);

 private:
  void add_exit_values();

  llvm::Loop& loop_;
  llvm::ValueToValueMapTy copies_;
  std::vector<llvm::BasicBlock*> blocks_;
};

/// Regions know values by name, so one outside of the loop must not be entered with a value of the loop, which the copy
/// does not define. One that is inside as a whole is left as it is: the copy has its code, and no choice.
bool is_used_by_regions(const llvm::Loop& loop, const std::vector<PlainRegion*>& regions);

}  // namespace plumb::instrument
