// Regions end at calls, so small helpers are copied into their callers first. Functions are visited callees first
// (LLVM's strongly connected components of the call graph): when a caller's turn comes, its helpers have swallowed
// theirs, and it may be a leaf itself by then. A recursive function never is, for it keeps a call.
#include "instrument/inline_leaves.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <string_view>
#include <vector>

#include "frontend/lower/lowering.h"
#include "instrument/environment_models.h"
#include "instrument/inline_guard.h"
#include "instrument/shadows/shadow_types.h"
#include "program/intrinsic.h"

namespace plumb::instrument {
namespace {

/// A caller of this many instructions gets no more.
constexpr unsigned kMaxCaller = 20'000;

/// Without optimisation clang marks every function, so the mark is a wish of the user's only if some lack it.
bool are_marks_wishes(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(frontend::kModelAttribute) &&
        !function.hasFnAttribute(llvm::Attribute::NoInline) && !function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      return true;
  return false;
}

/// Computes on its operands alone, or marks something; says nothing about the frame that it is in.
bool is_harmless(const llvm::IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::addressofreturnaddress:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::sponentry:
    case llvm::Intrinsic::localescape:
    case llvm::Intrinsic::localrecover:
      return false;
    default:
      return intrinsic.isAssumeLikeIntrinsic() || intrinsic.doesNotAccessMemory() ||
             llvm::isa<llvm::MemIntrinsic>(intrinsic);
  }
}

bool is_leaf_instruction(const llvm::Instruction& instruction, const InlineGuard& guard) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return is_harmless(*intrinsic);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return variable->isStaticAlloca();
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call == nullptr || guard.is_veil(call->getCalledFunction());
}

/// A variable that a pointer may lead to after the return, which is to be seen as a defect.
bool lets_out(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::AllocaInst>(instruction) && escapes(instruction);
}

bool has_loop(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  return !back_edges.empty();
}

unsigned size_of(const llvm::Function& function, const InlineGuard& guard) {
  unsigned size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!instruction.isDebugOrPseudoInst() && (call == nullptr || !guard.is_veil(call->getCalledFunction()))) ++size;
  }
  return size;
}

bool is_small_leaf(llvm::Function& function, unsigned max_instructions, bool heeds_marks, const InlineGuard& guard) {
  if (function.isDeclaration() || function.isVarArg() || function.isInterposable()) return false;
  if (heeds_marks && function.hasFnAttribute(llvm::Attribute::NoInline) &&
      !function.hasFnAttribute(frontend::kModelAttribute))
    return false;
  if (program::intrinsic_of(std::string_view(function.getName()))) return false;
  if (function.hasFnAttribute(kPathOnlyAttribute)) return false;
  if (size_of(function, guard) > max_instructions) return false;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (!is_leaf_instruction(instruction, guard) || lets_out(instruction)) return false;
  return !has_loop(function) && llvm::isInlineViable(function).isSuccess();
}

/// Instructions of a function with debug information need a place to be inlined at.
bool has_place(llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.getSubprogram() == nullptr || call.getDebugLoc()) return true;
  llvm::DISubprogram* caller = call.getFunction()->getSubprogram();
  if (caller == nullptr) return false;
  call.setDebugLoc(llvm::DILocation::get(call.getContext(), 0, 0, caller));
  return true;
}

void inline_into(llvm::Function& caller, const llvm::DenseSet<const llvm::Function*>& leaves, InlineGuard& guard) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(caller))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function* callee = call->getCalledFunction(); callee != nullptr && leaves.contains(callee))
        calls.push_back(call);
  unsigned size = size_of(caller, guard);
  for (llvm::CallBase* call : calls) {
    const llvm::Function& callee = *call->getCalledFunction();
    const unsigned more = size_of(callee, guard);
    if (size + more > kMaxCaller) continue;
    if (call->getFunctionType() != callee.getFunctionType() || !has_place(*call, callee)) continue;
    size += more;
    guard.protect_arguments(*call);
    llvm::InlineFunctionInfo information;
    // Without markers of lifetime, which would be calls in the middle of regions.
    llvm::InlineFunction(*call, information, false, nullptr, false);
  }
}

}  // namespace

void inline_leaf_functions(llvm::Module& module, unsigned max_instructions) {
  const bool heeds_marks = are_marks_wishes(module);
  std::vector<llvm::Function*> callees_first;
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component)
    for (const llvm::CallGraphNode* node : *component)
      if (llvm::Function* function = node->getFunction(); function != nullptr && !function->isDeclaration())
        callees_first.push_back(function);
  InlineGuard guard(module);
  llvm::DenseSet<const llvm::Function*> leaves;
  for (llvm::Function* function : callees_first) {
    inline_into(*function, leaves, guard);
    if (!is_small_leaf(*function, max_instructions, heeds_marks, guard)) continue;
    guard.protect(*function);
    leaves.insert(function);
  }
}

}  // namespace plumb::instrument
