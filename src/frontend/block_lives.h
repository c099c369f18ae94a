#pragma once

#include <span>
#include <vector>

namespace llvm {
class AllocaInst;
class DILocalScope;
class Function;
class Instruction;
}  // namespace llvm

namespace plumb::frontend {

/// The block of the source that a place of unoptimised code is in; null if that is not known.
const llvm::DILocalScope* block_of(const llvm::DILocalScope* scope);
const llvm::DILocalScope* block_of(const llvm::Instruction& instruction);
bool is_inside(const llvm::DILocalScope* inner, const llvm::DILocalScope* outer);
/// The innermost block around both.
const llvm::DILocalScope* common_block(const llvm::DILocalScope* a, const llvm::DILocalScope* b);

struct BlockVariable {
  llvm::AllocaInst* variable;
  const llvm::DILocalScope* block;
  llvm::Instruction* begin;  ///< the first behind its declaration; null if that is not known
};

/// Marks where the lives of variables begin and end that clang has no markers for: at their declaration or a way into
/// their block that goes past it, and at the ways out, as the places of instructions show them, whatever statement
/// leads there. For unoptimised code. Gives those that have no markers now, as a way in cannot be told from one inside.
std::vector<llvm::AllocaInst*> mark_lives(llvm::Function& function, std::span<const BlockVariable> variables);

/// Of a static one.
void mark_end(llvm::AllocaInst& variable, llvm::Instruction& before);

}  // namespace plumb::frontend
