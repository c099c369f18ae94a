#include "frontend/scopes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <string>
#include <vector>

#include "frontend/block_lives.h"
#include "frontend/unset.h"

namespace plumb::frontend {
namespace {

/// Of the variable that says where a way out of a block leads to.
constexpr const char* kWayVariable = "cleanup.dest.slot";
/// What clang makes between blocks where ways meet.
constexpr const char* kWayOn = "cleanup.cont";
constexpr const char* kLoopEnd = "for.cond.cleanup";
/// What clang calls compound literals, and the result of the function.
constexpr const char* kLiteral = ".compoundliteral";
constexpr const char* kResult = "retval";
/// Blocks that ways are followed back through.
constexpr int kMaxWay = 64;

using Markers = llvm::SmallVector<llvm::IntrinsicInst*, 4>;

bool is_marker(const llvm::Instruction& instruction) { return instruction.isLifetimeStartOrEnd(); }

Markers markers_of(llvm::AllocaInst& variable) {
  Markers found;
  for (llvm::User* user : variable.users())
    if (auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user); marker != nullptr && is_marker(*marker))
      found.push_back(marker);
  return found;
}

using IsEscape = llvm::function_ref<bool(const llvm::CallBase& call, const llvm::Use& argument)>;

/// Something else than loads, stores, copies and fills gets its address.
bool escapes(
    const llvm::Value& address, IsEscape by_call = [](const llvm::CallBase&, const llvm::Use&) { return true; }) {
  return llvm::any_of(address.uses(), [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() == &address;
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return escapes(*user, by_call);
    if (llvm::isa<llvm::LoadInst, llvm::MemIntrinsic>(user) || is_marker(*user) || is_unset_mark(*user)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call == nullptr || !call->isArgOperand(&use) || by_call(*call, use);
  });
}

// --- Where variables and labels stand in the source ---

const llvm::DILocalVariable* declaration_of(llvm::AllocaInst& variable) {
  for (const llvm::DbgDeclareInst* declaration : llvm::findDbgDeclares(&variable))
    return declaration->getDebugLoc().getInlinedAt() != nullptr ? nullptr : declaration->getVariable();
  for (const llvm::DbgVariableRecord* declaration : llvm::findDVRDeclares(&variable))
    return declaration->getDebugLoc().getInlinedAt() != nullptr ? nullptr : declaration->getVariable();
  return nullptr;
}

/// A compound literal lives in the block that its expression is in.
const llvm::DILocalScope* block_of_literal(const llvm::AllocaInst& literal) {
  const llvm::DILocalScope* block = nullptr;
  bool is_first = true;
  for (const llvm::User* user : literal.users()) {
    const llvm::DILocalScope* here = block_of(*llvm::cast<llvm::Instruction>(user));
    block = is_first ? here : common_block(block, here);
    is_first = false;
  }
  return block;
}

/// Null for what else the compiler made.
const llvm::DILocalScope* block_of_variable(llvm::AllocaInst& variable) {
  if (const llvm::DILocalVariable* declaration = declaration_of(variable)) return block_of(declaration->getScope());
  return variable.getName().starts_with(kLiteral) ? block_of_literal(variable) : nullptr;
}

/// Of a variable with a block: what stands behind its declaration, or begins the compound literal.
llvm::Instruction* begin_of(llvm::AllocaInst& variable) {
  for (llvm::DbgDeclareInst* declaration : llvm::findDbgDeclares(&variable)) return declaration->getNextNode();
  for (llvm::DbgVariableRecord* declaration : llvm::findDVRDeclares(&variable))
    return const_cast<llvm::Instruction*>(declaration->getInstruction());
  const llvm::DominatorTree dominators(*variable.getFunction());
  for (llvm::User* user : variable.users()) {
    auto* first = llvm::cast<llvm::Instruction>(user);
    if (llvm::all_of(variable.users(), [&](const llvm::User* other) {
          return other == first || dominators.dominates(first, llvm::cast<llvm::Instruction>(other));
        }))
      return first;
  }
  return nullptr;
}

bool is_outermost(const llvm::DILocalScope* block) { return block != nullptr && llvm::isa<llvm::DISubprogram>(block); }

std::vector<const llvm::DILocalScope*> blocks_of_labels(llvm::Function& function) {
  std::vector<const llvm::DILocalScope*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* label = llvm::dyn_cast<llvm::DbgLabelInst>(&instruction))
      found.push_back(block_of(label->getLabel()->getScope()));
    for (llvm::DbgRecord& record : instruction.getDbgRecordRange())
      if (const auto* label = llvm::dyn_cast<llvm::DbgLabelRecord>(&record))
        found.push_back(block_of(label->getLabel()->getScope()));
  }
  return found;
}

std::vector<llvm::CallBase*> calls_that_return_twice(llvm::Function& function) {
  std::vector<llvm::CallBase*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice))
      found.push_back(call);
  return found;
}

llvm::Instruction* behind(llvm::CallBase& call) {
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) return &*invoke->getNormalDest()->getFirstInsertionPt();
  return call.getNextNode();
}

void drop_markers(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_marker(instruction)) instruction.eraseFromParent();
}

// --- Lives ---

void lose(llvm::AllocaInst& variable) {
  const llvm::DILocalVariable* declaration = declaration_of(variable);
  const std::string name = declaration == nullptr ? "a variable" : "'" + declaration->getName().str() + "'";
  llvm::LLVMContext& context = variable.getContext();
  variable.setMetadata(kLostScope, llvm::MDNode::get(context, llvm::MDString::get(context, "the scope of " + name)));
}

/// Of what the compiler made for a value of an expression: code behind the expression may have its address. What a
/// callee gets for its result or as its own copy it does not keep; nor, mostly, what C++ hands over by reference.
bool is_kept_by_others(const llvm::AllocaInst& temporary) {
  const llvm::DISubprogram* subprogram = temporary.getFunction()->getSubprogram();
  const bool is_cxx =
      subprogram != nullptr &&
      llvm::dwarf::isCPlusPlus(static_cast<llvm::dwarf::SourceLanguage>(subprogram->getUnit()->getSourceLanguage()));
  return escapes(temporary, [&](const llvm::CallBase& call, const llvm::Use& use) {
    const unsigned argument = call.getArgOperandNo(&use);
    return !is_cxx && !call.paramHasAttr(argument, llvm::Attribute::StructRet) &&
           !call.paramHasAttr(argument, llvm::Attribute::ByVal);
  });
}

/// Of unoptimised code.
class Lives {
 public:
  explicit Lives(llvm::Function& function)
      : function_(function), label_blocks_(blocks_of_labels(function)), returns_(calls_that_return_twice(function)) {
    for (const llvm::BasicBlock& block : function)
      has_computed_jump_ |= llvm::isa<llvm::IndirectBrInst>(block.getTerminator());
  }

  /// Of clang's markers those that are right stay.
  void choose() {
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) choose(*variable);
  }

  /// Other variables get markers by their blocks, or are lost.
  void complete() {
    for (BlockVariable& each : open_) each.begin = begin_of(*each.variable);
    const std::vector<llvm::AllocaInst*> lost = mark_lives(function_, open_);
    for (llvm::AllocaInst* variable : lost) lose(*variable);
    llvm::erase_if(marked_, [&](llvm::AllocaInst* variable) { return llvm::is_contained(lost, variable); });
    // A jump that comes back to a setjmp() leaves all blocks that it is not in.
    for (llvm::CallBase* call : calls_that_return_twice(function_))
      for (llvm::AllocaInst* variable : marked_) mark_end(*variable, *behind(*call));
  }

 private:
  void choose(llvm::AllocaInst& variable) {
    const Markers markers = markers_of(variable);
    const llvm::DILocalScope* block = block_of_variable(variable);
    const bool is_marked = has_right_markers(variable, markers, block);
    if (!is_marked)
      for (llvm::IntrinsicInst* marker : markers) marker->eraseFromParent();
    if (!is_marked && !may_die_early(variable, block)) return;
    const bool is_lost = block == nullptr ? !is_marked : llvm::any_of(returns_, [&](const llvm::CallBase* call) {
      return is_inside(block_of(*call), block);
    });
    if (is_lost || !variable.isStaticAlloca()) {
      for (llvm::IntrinsicInst* marker : markers_of(variable)) marker->eraseFromParent();
      return lose(variable);
    }
    if (!is_marked) open_.push_back({&variable, block, nullptr});
    marked_.push_back(&variable);
  }

  bool has_right_markers(llvm::AllocaInst& variable, const Markers& markers, const llvm::DILocalScope* block) const {
    const auto is_start = [](const llvm::IntrinsicInst* marker) {
      return marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
    };
    if (!variable.isStaticAlloca() || llvm::all_of(markers, is_start) || llvm::none_of(markers, is_start)) return false;
    if (function_.getSubprogram() == nullptr || is_outermost(block) || !escapes(variable)) return false;
    if (block == nullptr) return label_blocks_.empty() && returns_.empty();
    return llvm::none_of(label_blocks_, [&](const auto* label) { return is_inside(label, block); });
  }

  bool may_die_early(const llvm::AllocaInst& variable, const llvm::DILocalScope* block) const {
    if (is_outermost(block) || !escapes(variable)) return false;
    // What is allocated where an expression stands is given back by code that clang makes for ways out of the block.
    if (!variable.isStaticAlloca()) return block != nullptr && (has_computed_jump_ || !returns_.empty());
    if (variable.getDebugLoc() || variable.getName() == kResult) return false;
    return block != nullptr || is_kept_by_others(variable);
  }

  llvm::Function& function_;
  std::vector<const llvm::DILocalScope*> label_blocks_;
  std::vector<llvm::CallBase*> returns_;
  bool has_computed_jump_ = false;
  std::vector<BlockVariable> open_;
  std::vector<llvm::AllocaInst*> marked_;
};

/// Code that was optimised has no blocks of the source any more, and variables of functions that were inlined.
void lose_scopes(llvm::Function& function) {
  drop_markers(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable != nullptr && !is_outermost(block_of_variable(*variable)) && escapes(*variable)) lose(*variable);
  }
}

// --- Ways out of blocks ---

class WayParter {
 public:
  WayParter(llvm::Function& function, llvm::AllocaInst& way) : function_(function), way_(way) {}

  void run() {
    while (part_one()) {
    }
    llvm::EliminateUnreachableBlocks(function_);
    if (llvm::any_of(way_.users(), [](const llvm::User* user) { return !llvm::isa<llvm::StoreInst>(user); })) return;
    for (llvm::User* user : llvm::make_early_inc_range(way_.users()))
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    way_.eraseFromParent();
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function_)) {
      if (block.getName().starts_with(kWayOn)) {
        llvm::MergeBlockIntoPredecessor(&block);
      } else if (block.getName().starts_with(kLoopEnd) && is_empty(block)) {
        llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
      }
    }
  }

 private:
  static bool is_empty(const llvm::BasicBlock& block) {
    const auto* end = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (end == nullptr || end->isConditional() || llvm::isa<llvm::PHINode>(end->getSuccessor(0)->front())) return false;
    return llvm::all_of(block,
                        [&](const llvm::Instruction& each) { return &each == end || each.isDebugOrPseudoInst(); });
  }

  /// The switch at the end of a block that does nothing but end lives and look up the way.
  llvm::SwitchInst* meeting(llvm::BasicBlock& block) const {
    auto* end = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    const auto* load = end != nullptr ? llvm::dyn_cast<llvm::LoadInst>(end->getCondition()) : nullptr;
    if (load == nullptr || load->getPointerOperand() != &way_ || load->getParent() != &block) return nullptr;
    const bool is_plain = llvm::all_of(block, [&](const llvm::Instruction& each) {
      return &each == end || &each == load || each.isDebugOrPseudoInst() || is_marker(each);
    });
    return is_plain ? end : nullptr;
  }

  /// Null if it is not known.
  llvm::ConstantInt* way_at_end(llvm::BasicBlock* block) const {
    for (int i = 0; i < kMaxWay && block != nullptr; ++i, block = block->getSinglePredecessor())
      for (llvm::Instruction& each : llvm::reverse(*block))
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
            store != nullptr && store->getPointerOperand() == &way_)
          return llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
    return nullptr;
  }

  bool part_one() {
    for (llvm::BasicBlock& block : function_) {
      llvm::SwitchInst* end = meeting(block);
      if (end == nullptr) continue;
      for (llvm::BasicBlock* from : llvm::predecessors(&block)) {
        auto* last = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
        if (last == nullptr || last->isConditional()) continue;
        llvm::ConstantInt* way = way_at_end(from);
        if (way == nullptr) continue;
        lead(*last, *end, *end->findCaseValue(way)->getCaseSuccessor());
        return true;
      }
    }
    return false;
  }

  /// Past the meeting to where the way leads.
  void lead(llvm::BranchInst& last, llvm::SwitchInst& end, llvm::BasicBlock& to) {
    llvm::BasicBlock& block = *end.getParent();
    llvm::SmallVector<llvm::Instruction*, 4> markers;
    for (llvm::Instruction& each : block)
      if (is_marker(each)) markers.push_back(&each);
    for (llvm::Instruction* marker : markers) marker->clone()->insertBefore(&last);
    for (llvm::PHINode& phi : to.phis()) phi.addIncoming(phi.getIncomingValueForBlock(&block), last.getParent());
    block.removePredecessor(last.getParent());
    last.setSuccessor(0, &to);
  }

  llvm::Function& function_;
  llvm::AllocaInst& way_;
};

void part_ways(llvm::Function& function) {
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* way = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        way != nullptr && way->getName() == kWayVariable && llvm::isAllocaPromotable(way))
      return WayParter(function, *way).run();
}

}  // namespace

void settle_scopes(llvm::Module& module, bool is_unoptimised) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!is_unoptimised && !function.hasOptNone()) {
      lose_scopes(function);
      continue;
    }
    Lives lives(function);
    lives.choose();
    part_ways(function);
    lives.complete();
  }
}

void drop_scopes(llvm::Module& module) {
  for (llvm::Function& function : module) drop_markers(function);
}

}  // namespace plumb::frontend
