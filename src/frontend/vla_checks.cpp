#include "frontend/vla_checks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <string>
#include <vector>

#include "frontend/lower/marks.h"
#include "program/goal.h"

namespace plumb::frontend {
namespace {

/// The number that clang 19 gives a trap of -fsanitize=vla-bound: its SanitizerHandler::VLABoundNotPositive.
constexpr std::uint64_t kVlaTrap = 24;

bool is_vla_trap(const llvm::BasicBlock& block) {
  const auto* trap = llvm::dyn_cast<llvm::IntrinsicInst>(&*block.getFirstNonPHIOrDbg());
  if (trap == nullptr || trap->getIntrinsicID() != llvm::Intrinsic::ubsantrap) return false;
  return llvm::cast<llvm::ConstantInt>(trap->getArgOperand(0))->equalsInt(kVlaTrap);
}

class VlaChecks {
 public:
  VlaChecks(llvm::Module& module, bool is_wanted) : module_(module), is_wanted_(is_wanted) {}

  void settle(llvm::Function& function) {
    std::vector<llvm::BasicBlock*> traps;
    for (llvm::BasicBlock& block : function)
      if (is_vla_trap(block)) traps.push_back(&block);
    for (llvm::BasicBlock* trap : traps) {
      for (llvm::BasicBlock* from : llvm::SmallVector<llvm::BasicBlock*>(llvm::predecessors(trap)))
        lead_past(*from, *trap);
      if (llvm::pred_empty(trap)) llvm::DeleteDeadBlock(trap);
    }
    if (traps.empty() && is_wanted_) check_variables(function);
  }

 private:
  void lead_past(llvm::BasicBlock& from, llvm::BasicBlock& trap) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
    if (branch == nullptr || !branch->isConditional()) return;
    const unsigned way = branch->getSuccessor(0) == &trap ? 1 : 0;
    llvm::BasicBlock* on = branch->getSuccessor(way);
    if (on == &trap) return;
    llvm::IRBuilder<> builder(branch);
    if (is_wanted_) {
      llvm::Value* holds = branch->getCondition();
      check(builder, way == 0 ? holds : builder.CreateNot(holds));
    }
    llvm::Value* condition = branch->getCondition();
    builder.CreateBr(on);
    trap.removePredecessor(&from);
    branch->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
    llvm::MergeBlockIntoPredecessor(on);
  }

  void check(llvm::IRBuilder<>& builder, llvm::Value* holds) {
    if (check_ == nullptr) {
      llvm::Type* none = llvm::Type::getVoidTy(module_.getContext());
      check_ = llvm::Function::Create(llvm::FunctionType::get(none, {builder.getInt32Ty()}, false),
                                      llvm::GlobalValue::ExternalLinkage, "plumb_check_vla", module_);
      check_->addFnAttr(kCheckAttribute, program::kVlaCheck);
    }
    builder.CreateCall(check_, {builder.CreateZExt(holds, builder.getInt32Ty())});
  }

  /// Clang saves the stack before the first array of a block; alloca() does not.
  void check_variables(llvm::Function& function) {
    std::vector<llvm::AllocaInst*> variables;
    bool has_saved = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      has_saved = has_saved || (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::stacksave);
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable != nullptr && has_saved && !llvm::isa<llvm::Constant>(variable->getArraySize()))
        variables.push_back(variable);
    }
    for (llvm::AllocaInst* variable : variables) {
      llvm::IRBuilder<> builder(variable);
      check_factors(builder, *variable->getArraySize());
    }
  }

  void check_factors(llvm::IRBuilder<>& builder, llvm::Value& size) {
    using llvm::PatternMatch::m_NUWMul;
    using llvm::PatternMatch::m_Value;
    using llvm::PatternMatch::m_ZExt;
    llvm::Value* a = &size;
    llvm::Value* b = nullptr;
    if (match(&size, m_NUWMul(m_Value(a), m_Value(b)))) {
      check_factors(builder, *a);
      check_factors(builder, *b);
      return;
    }
    match(&size, m_ZExt(m_Value(a)));
    check(builder, builder.CreateICmpSGT(a, llvm::ConstantInt::get(a->getType(), 0)));
  }

  llvm::Module& module_;
  bool is_wanted_;
  llvm::Function* check_ = nullptr;
};

}  // namespace

void settle_vla_checks(llvm::Module& module, bool is_wanted) {
  VlaChecks checks(module, is_wanted);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  for (llvm::Function* function : functions) checks.settle(*function);
}

}  // namespace plumb::frontend
