// LLVM's inliner folds what constants decide in the code that it copies, and simplifies terminators even where nothing
// is constant: a switch of one case becomes a branch, and a case that goes where the default goes is dropped. With an
// instruction that folds its site goes: a branch of the source, or an overflow, a shift, an access with its fault.
// So conditions, divisors and constants go through a function without a body while it works, each switch has two
// cases at least, and edges of a terminator to one block are told apart.
#include "instrument/inline_guard.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "instrument/shadows/shadow_tables.h"
#include "instrument/sites/sites.h"

namespace plumb::instrument {
namespace {

/// On the end of a block that a case leads to which never happens.
constexpr const char* kNever = "plumb.never";

/// Without a second case a switch is folded into a branch.
constexpr unsigned kMinCases = 2;

bool is_choice(const llvm::Instruction& instruction) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
  return branch != nullptr ? branch->isConditional() : llvm::isa<llvm::SwitchInst>(instruction);
}

}  // namespace

InlineGuard::~InlineGuard() {
  if (has_cases_) remove_cases();
  remove_veils();
}

void InlineGuard::protect(llvm::Function& function) {
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) instructions.push_back(&instruction);
  for (llvm::Instruction* instruction : instructions) {
    if (is_choice(*instruction)) {
      split_edges(*instruction);
      if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(instruction)) add_cases(*choice);
      cover(instruction->getOperandUse(0), *instruction);
    } else if (instruction->isIntDivRem()) {
      cover(instruction->getOperandUse(1), *instruction);
    }
    if (site_of(*instruction) != 0) cover_constants(*instruction);
  }
}

void InlineGuard::protect_arguments(llvm::CallBase& call) {
  for (llvm::Use& argument : call.args())
    if (llvm::isa<llvm::Constant>(argument) && argument->getType()->isSingleValueType()) cover(argument, call);
}

void InlineGuard::cover(llvm::Use& use, llvm::Instruction& user) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(use.get());
      call != nullptr && is_veil(call->getCalledFunction()))
    return;
  llvm::Function*& veil = veil_of_[use->getType()];
  if (veil == nullptr) {
    auto* type = llvm::FunctionType::get(use->getType(), {use->getType()}, false);
    veil = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "plumb.veil", module_);
    veil->setDoesNotThrow();
    veils_.insert(veil);
  }
  auto* call = llvm::CallInst::Create(veil, {use.get()}, "", user.getIterator());
  call->setDebugLoc(user.getDebugLoc());
  use.set(call);
}

/// Indices of an address stay, for those of fields are constants; with a base that is none, nothing folds.
void InlineGuard::cover_constants(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::CallBase, llvm::AllocaInst, llvm::PHINode>(instruction) || instruction.isTerminator()) return;
  const unsigned count = llvm::isa<llvm::GetElementPtrInst>(instruction) ? 1 : instruction.getNumOperands();
  for (unsigned i = 0; i < count; ++i)
    if (llvm::isa<llvm::Constant>(instruction.getOperand(i)) &&
        instruction.getOperand(i)->getType()->isSingleValueType())
      cover(instruction.getOperandUse(i), instruction);
}

void InlineGuard::split_edges(llvm::Instruction& terminator) {
  for (unsigned edge = 1; edge < terminator.getNumSuccessors(); ++edge)
    if (terminator.getSuccessor(edge) == terminator.getSuccessor(0)) block_of_edge(terminator, edge);
}

void InlineGuard::add_cases(llvm::SwitchInst& choice) {
  llvm::ConstantInt* value = llvm::ConstantInt::get(
      choice.getContext(), llvm::APInt(choice.getCondition()->getType()->getIntegerBitWidth(), 0));
  while (choice.getNumCases() < kMinCases) {
    while (choice.findCaseValue(value) != choice.case_default())
      value = llvm::ConstantInt::get(choice.getContext(), value->getValue() + 1);
    choice.addCase(value, choice.getDefaultDest());
    const unsigned edge = choice.getNumSuccessors() - 1;
    for (llvm::PHINode& phi : choice.getDefaultDest()->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(choice.getParent()), choice.getParent());
    llvm::BasicBlock* never = block_of_edge(choice, edge);
    never->getTerminator()->setMetadata(kNever, llvm::MDNode::get(choice.getContext(), {}));
    has_cases_ = true;
  }
}

void InlineGuard::remove_cases() {
  for (llvm::Function& function : module_) {
    std::vector<llvm::BasicBlock*> never;
    for (llvm::BasicBlock& block : function)
      if (block.getTerminator()->getMetadata(kNever) != nullptr) never.push_back(&block);
    for (llvm::BasicBlock* block : never) {
      auto* choice = llvm::cast<llvm::SwitchInst>(block->getSinglePredecessor()->getTerminator());
      choice->removeCase(choice->findCaseValue(choice->findCaseDest(block)));
      llvm::DeleteDeadBlock(block);
    }
  }
}

void InlineGuard::remove_veils() {
  for (llvm::Function* veil : veils_) {
    while (!veil->use_empty()) {
      auto* call = llvm::cast<llvm::CallInst>(veil->user_back());
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    veil->eraseFromParent();
  }
}

}  // namespace plumb::instrument
