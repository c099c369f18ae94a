#include "instrument/checks/hoist_addresses.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>

namespace plumb::instrument {
namespace {

bool has_array_index(const llvm::GetElementPtrInst& gep) {
  // The first index steps over whole objects; later ones choose a member or an element.
  for (auto it = std::next(llvm::gep_type_begin(gep)), end = llvm::gep_type_end(gep); it != end; ++it)
    if (!it.isStruct()) return true;
  return false;
}

bool is_address(const llvm::Instruction& instruction) {
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  return gep != nullptr && !gep->getType()->isVectorTy() && !has_array_index(*gep);
}

bool feeds_address(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && !instruction.getType()->isVectorTy() &&
         llvm::any_of(instruction.users(), [](const llvm::User* user) {
           const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
           return gep != nullptr && is_address(*gep);
         });
}

/// The operand whose definition comes last; they all dominate their user, so their blocks are on one path of the tree.
llvm::Instruction* last_operand(const llvm::Instruction& instruction, const llvm::DominatorTree& dominators) {
  llvm::Instruction* last = nullptr;
  for (llvm::Value* operand : instruction.operands()) {
    auto* definition = llvm::dyn_cast<llvm::Instruction>(operand);
    if (definition != nullptr && (last == nullptr || dominators.dominates(last, definition))) last = definition;
  }
  return last;
}

void hoist(llvm::Instruction& instruction, const llvm::DominatorTree& dominators) {
  llvm::Instruction* last = last_operand(instruction, dominators);
  llvm::BasicBlock* block = last != nullptr ? last->getParent() : &instruction.getFunction()->getEntryBlock();
  if (block == instruction.getParent()) return;
  if (last == nullptr) {
    instruction.moveBefore(*block, block->getTerminator()->getIterator());
  } else if (llvm::isa<llvm::PHINode>(last)) {
    instruction.moveBefore(*block, block->getFirstInsertionPt());
  } else if (!last->isTerminator()) {
    instruction.moveAfter(last);
  }
}

}  // namespace

void hoist_addresses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
        if (is_address(instruction) || feeds_address(instruction)) hoist(instruction, dominators);
  }
}

}  // namespace plumb::instrument
