#include "frontend/canonicalise.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

#include "frontend/scopes.h"
#include "frontend/unset.h"

namespace plumb::frontend {
namespace {

/// Its life ends with its block (scopes.h): a value would outlive it, and the gap with it if that is lost.
bool has_scope(const llvm::AllocaInst& variable) {
  return variable.getMetadata(kLostScope) != nullptr || llvm::any_of(variable.users(), [](const llvm::User* user) {
           return llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd();
         });
}

std::vector<llvm::AllocaInst*> promotable(llvm::BasicBlock& entry) {
  std::vector<llvm::AllocaInst*> found;
  for (llvm::Instruction& instruction : entry)
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (!has_scope(*variable) && llvm::isAllocaPromotable(variable)) found.push_back(variable);
  return found;
}

/// Gives every variable a first value: one that is not known, but a value. Promotion would otherwise take a variable
/// that only one of two paths sets for set on both, and a use of it on the other path would go unseen.
std::vector<llvm::FreezeInst*> set_to_unknown(const std::vector<llvm::AllocaInst*>& variables) {
  std::vector<llvm::FreezeInst*> unknown;
  for (llvm::AllocaInst* variable : variables) {
    llvm::Instruction* next = variable->getNextNode();
    auto* value = new llvm::FreezeInst(llvm::UndefValue::get(variable->getAllocatedType()),
                                       variable->getName() + kUnsetSuffix, next->getIterator());
    new llvm::StoreInst(value, variable, next->getIterator());
    unknown.push_back(value);
  }
  return unknown;
}

}  // namespace

void canonicalise(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // Not removeUnreachableBlocks(), which takes a store to null for the end of the world and hides the defect.
    llvm::EliminateUnreachableBlocks(function);
    const std::vector<llvm::AllocaInst*> variables = promotable(function.getEntryBlock());
    if (variables.empty()) continue;
    llvm::DominatorTree dominators(function);
    const std::vector<llvm::FreezeInst*> unknown = set_to_unknown(variables);
    llvm::PromoteMemToReg(variables, dominators);
    for (llvm::FreezeInst* value : unknown)
      if (value->use_empty()) value->eraseFromParent();
    drop_unused_marks(function);
  }
}

}  // namespace plumb::frontend
