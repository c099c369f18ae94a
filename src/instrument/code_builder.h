#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace plumb::instrument {

/// Adds code before an instruction, with its place in the source.
class CodeBuilder : public llvm::IRBuilder<> {
 public:
  explicit CodeBuilder(llvm::Instruction& position) : llvm::IRBuilder<>(&position) {
    // A call without a place in a function that has places is not valid if the callee has them too.
    if (!position.getDebugLoc())
      if (llvm::DISubprogram* program = position.getFunction()->getSubprogram())
        SetCurrentDebugLocation(llvm::DILocation::get(position.getContext(), 0, 0, program));
  }
};

}  // namespace plumb::instrument
