#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace plumb::instrument {

/// Accesses and array indices that need no test of their own: one of the same line at the same address (and of no
/// fewer bytes) comes before on every way, and nothing between can free memory. They go where that one goes. Of other
/// lines they are tested again, as each line that is wrong is told.
class RepeatedChecks {
 public:
  explicit RepeatedChecks(llvm::Function& function);

  /// The first of those before; null if there is none.
  const llvm::Instruction* before(const llvm::Instruction& instruction) const { return before_.lookup(&instruction); }

 private:
  llvm::DenseMap<const llvm::Instruction*, const llvm::Instruction*> before_;
};

}  // namespace plumb::instrument
