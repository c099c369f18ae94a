#include "instrument/checks/loop_copy.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace plumb::instrument {

LoopCopy::LoopCopy(llvm::Loop& loop) : loop_(loop) {
  for (llvm::BasicBlock* block : loop.blocks()) {
    llvm::BasicBlock* copied = llvm::CloneBasicBlock(block, copies_, ".copy", block->getParent());
    copies_[block] = copied;
    blocks_.push_back(copied);
  }
  for (llvm::BasicBlock* block : blocks_)
    for (llvm::Instruction& instruction : *block)
      llvm::RemapInstruction(&instruction, copies_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  for (llvm::PHINode& phi : header().phis()) phi.removeIncomingValue(loop.getLoopPreheader(), false);
  add_exit_values();
}

llvm::BasicBlock& LoopCopy::header() const { return of(*loop_.getHeader()); }

llvm::BasicBlock& LoopCopy::of(const llvm::BasicBlock& block) const {
  return *llvm::cast<llvm::BasicBlock>(copies_.lookup(&block));
}

llvm::Instruction& LoopCopy::of(const llvm::Instruction& instruction) const {
  return *llvm::cast<llvm::Instruction>(copies_.lookup(&instruction));
}

void LoopCopy::enter(llvm::BasicBlock& from, const llvm::BasicBlock& as) {
  for (llvm::PHINode& phi : loop_.getHeader()->phis())
    llvm::cast<llvm::PHINode>(copies_[&phi])->addIncoming(phi.getIncomingValueForBlock(&as), &from);
}

void LoopCopy::add_exit_values() {
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop_.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock* exit : exits)
    for (llvm::PHINode& phi : exit->phis())
      for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
        llvm::BasicBlock* from = phi.getIncomingBlock(i);
        if (!loop_.contains(from)) continue;
        llvm::Value* value = phi.getIncomingValue(i);
        const auto copied = copies_.find(value);
        phi.addIncoming(copied != copies_.end() ? static_cast<llvm::Value*>(copied->second) : value, &of(*from));
      }
}

bool is_used_by_regions(const llvm::Loop& loop, const std::vector<PlainRegion*>& regions) {
  const auto is_inside = [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
    return instruction != nullptr && loop.contains(instruction);
  };
  const auto has_block = [&](const llvm::BasicBlock* block) { return loop.contains(block); };
  const auto has_exit = [&](const RegionExit& exit) { return loop.contains(exit.block); };
  return std::ranges::any_of(regions, [&](const PlainRegion* region) {
    if (is_inside(region->choice))
      return !std::ranges::all_of(region->blocks, has_block) || !std::ranges::all_of(region->exits, has_exit);
    return std::ranges::any_of(region->ins, is_inside) || std::ranges::any_of(region->bases, is_inside) ||
           std::ranges::any_of(region->blocks, has_block) || std::ranges::any_of(region->exits, has_exit);
  });
}

}  // namespace plumb::instrument
