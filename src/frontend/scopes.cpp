#include "frontend/scopes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace plumb::frontend {
namespace {

/// Of the variable that says where a way out of a block leads to.
constexpr const char* kWayVariable = "cleanup.dest.slot";
/// What clang makes between blocks where ways meet.
constexpr const char* kWayOn = "cleanup.cont";
constexpr const char* kLoopEnd = "for.cond.cleanup";
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

/// Something else than loads, stores, copies and fills gets its address.
bool escapes(const llvm::Value& address) {
  return llvm::any_of(address.uses(), [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() == &address;
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return escapes(*user);
    return !llvm::isa<llvm::LoadInst, llvm::MemIntrinsic>(user) && !is_marker(*user);
  });
}

// --- Where variables and labels stand in the source ---

const llvm::DILocalScope* block_of(const llvm::DILocalScope* scope) {
  return scope != nullptr ? scope->getNonLexicalBlockFileScope() : nullptr;
}

/// The block of a variable of the source; null for what the compiler made.
const llvm::DILocalScope* block_of(llvm::AllocaInst& variable) {
  for (const llvm::DbgDeclareInst* declaration : llvm::findDbgDeclares(&variable))
    return block_of(declaration->getVariable()->getScope());
  for (const llvm::DbgVariableRecord* declaration : llvm::findDVRDeclares(&variable))
    return block_of(declaration->getVariable()->getScope());
  return nullptr;
}

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

bool is_inside(const llvm::DILocalScope* inner, const llvm::DILocalScope* outer) {
  while (inner != outer) {
    const auto* block = llvm::dyn_cast_or_null<llvm::DILexicalBlockBase>(inner);
    if (block == nullptr) return false;
    inner = block_of(block->getScope());
  }
  return true;
}

bool is_kept(llvm::AllocaInst& variable, const Markers& markers,
             const std::vector<const llvm::DILocalScope*>& label_blocks) {
  const auto is_start = [](const llvm::IntrinsicInst* marker) {
    return marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
  };
  if (!variable.isStaticAlloca() || llvm::all_of(markers, is_start) || llvm::none_of(markers, is_start)) return false;
  const llvm::DILocalScope* block = block_of(variable);
  if (block == nullptr && !label_blocks.empty()) return false;
  if (block != nullptr && llvm::isa<llvm::DISubprogram>(block)) return false;
  return escapes(variable) && llvm::none_of(label_blocks, [&](const auto* label) { return is_inside(label, block); });
}

void drop_markers(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_marker(instruction)) instruction.eraseFromParent();
}

void choose_markers(llvm::Function& function) {
  if (function.callsFunctionThatReturnsTwice()) return drop_markers(function);
  const std::vector<const llvm::DILocalScope*> label_blocks = blocks_of_labels(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    const Markers markers = markers_of(*variable);
    if (!markers.empty() && !is_kept(*variable, markers, label_blocks))
      for (llvm::IntrinsicInst* marker : markers) marker->eraseFromParent();
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
  if (!is_unoptimised) return drop_scopes(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    choose_markers(function);
    part_ways(function);
  }
}

void drop_scopes(llvm::Module& module) {
  for (llvm::Function& function : module) drop_markers(function);
}

}  // namespace plumb::frontend
