// The plain version of a region is a copy of its blocks that only the governor enters, so a block that can also be
// entered from elsewhere (a side entry) keeps those edges in the original alone, and the phi nodes of the copy forget
// them. Each edge out of the copy gets a block of its own, which jumps to where the original edge goes. After that
// every value of the region has two definitions; LLVM's SSAUpdater merges them where they are used outside, all inside
// uses stay as they are: no path from the plain version comes to a use inside that the original definition dominates
// without passing that definition.
//
// Regions of a function are cloned one after the other, each in the graph that the last one left. What keeps them
// apart: regions are disjoint, no governor lies in a region, and blocks keep their identity (a governor is split behind
// its phi nodes, so edges into it stay valid). Two things need care. The values that a region needs on entry may be
// merged anew by a later one; a placeholder call before the governor's branch uses them, and is read when all is done.
// And a phi node that merges values of an earlier region may stand at a side entry of a later one; its copy merges
// nothing any more, and is replaced by the one value that reaches it.
#include "instrument/regions/region_cloner.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "instrument/regions/region_cloner_values.h"

namespace plumb::instrument {
namespace {

using program::kNone;

/// Makes the plain version of one region.
class RegionCloner {
 public:
  RegionCloner(PreparedModule& prepared, std::uint32_t index)
      : prepared_(prepared),
        plan_(prepared.subject.regions[index]),
        originals_(blocks_of(prepared, plan_)),
        in_region_(originals_.begin(), originals_.end()) {
    region_.plan = &plan_;
    region_.index = index;
  }

  void run() {
    split_governor();
    copy_blocks();
    copy_phi_nodes();
    llvm::remapInstructionsInBlocks(region_.blocks, copies_);
    drop_merges();
    make_exits();
    merge_values();
  }

  /// When all regions are cloned and phi nodes will not change any more.
  PlainRegion finish() {
    for (RegionExit& exit : region_.exits) list_outs(exit);
    return std::move(region_);
  }

 private:
  void split_governor();
  void copy_blocks();
  void copy_phi_nodes();
  void drop_merges();
  void make_exits();
  void make_exit(llvm::BasicBlock& original, llvm::Instruction& terminator, unsigned edge);
  void merge_values();
  void merge(llvm::Instruction& value);
  static void drop_idle(llvm::SmallVectorImpl<llvm::PHINode*>& phis);
  void merge_debug_values(llvm::SSAUpdater& updater, llvm::Instruction& value);
  bool is_outside(const llvm::BasicBlock& block) const {
    return !in_region_.contains(&block) && !in_plain_.contains(&block);
  }
  void list_outs(RegionExit& exit) const;
  std::uint32_t out_index(const RegionExit& exit, const llvm::PHINode& phi) const;
  llvm::Value* copy_of(llvm::Value* value) const {
    const auto it = copies_.find(value);
    return it == copies_.end() ? value : static_cast<llvm::Value*>(it->second);
  }

  PreparedModule& prepared_;
  const RegionPlan& plan_;
  std::vector<llvm::BasicBlock*> originals_;
  llvm::DenseSet<const llvm::BasicBlock*> in_region_;
  llvm::DenseSet<const llvm::BasicBlock*> in_plain_;  ///< with the exits
  llvm::BasicBlock* path_ = nullptr;
  llvm::ValueToValueMapTy copies_;
  llvm::DenseMap<const llvm::Value*, std::uint32_t> outs_;  ///< of copies: the index in RegionPlan::outs
  PlainRegion region_;
};

void RegionCloner::split_governor() {
  llvm::BasicBlock* governor = prepared_.blocks[plan_.function][plan_.governor];
  llvm::Instruction* branch = governor->getTerminator();
  path_ = governor->splitBasicBlock(branch, governor->getName() + ".path");
  auto* plain = llvm::BasicBlock::Create(*prepared_.context, governor->getName() + ".plain", governor->getParent());
  llvm::Instruction* copy = branch->clone();
  copy->insertInto(plain, plain->end());
  auto* choice = llvm::BranchInst::Create(plain, path_, llvm::ConstantInt::getFalse(*prepared_.context));
  choice->setDebugLoc(branch->getDebugLoc());
  llvm::ReplaceInstWithInst(governor->getTerminator(), choice);
  copies_[path_] = plain;
  region_.choice = choice;
  region_.blocks.push_back(plain);
}

void RegionCloner::copy_blocks() {
  for (llvm::BasicBlock* block : originals_) {
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(block, copies_, ".plain", block->getParent());
    copies_[block] = copy;
    region_.blocks.push_back(copy);
  }
  in_plain_.insert(region_.blocks.begin(), region_.blocks.end());
}

void RegionCloner::copy_phi_nodes() {
  for (llvm::BasicBlock* block : originals_) {
    for (llvm::PHINode& original : block->phis()) {
      auto* phi = llvm::cast<llvm::PHINode>(copy_of(&original));
      for (unsigned i = phi->getNumIncomingValues(); i-- > 0;) {
        const llvm::BasicBlock* from = phi->getIncomingBlock(i);
        if (from != path_ && !in_region_.contains(from)) phi->removeIncomingValue(i, false);
      }
      INVARIANT(phi->getNumIncomingValues() > 0, "a block of a region should be entered from inside");
    }
  }
}

void RegionCloner::drop_merges() {
  for (llvm::BasicBlock* block : originals_) {
    for (llvm::PHINode& original : block->phis()) {
      if (prepared_.map.values.contains(&original)) continue;
      auto* phi = llvm::cast<llvm::PHINode>(copy_of(&original));
      llvm::Value* only = phi->hasConstantValue();
      INVARIANT(only != nullptr, "one value of an earlier region should reach a later one");
      phi->replaceAllUsesWith(only);  // copies_ follows
      phi->eraseFromParent();
    }
  }
}

void RegionCloner::make_exits() {
  for (std::size_t i = 0; i < region_.blocks.size(); ++i) {
    llvm::BasicBlock& original = i == 0 ? *path_ : *originals_[i - 1];
    llvm::Instruction& terminator = *region_.blocks[i]->getTerminator();
    for (unsigned edge = 0; edge < terminator.getNumSuccessors(); ++edge)
      if (!in_plain_.contains(terminator.getSuccessor(edge))) make_exit(original, terminator, edge);
  }
}

void RegionCloner::make_exit(llvm::BasicBlock& original, llvm::Instruction& terminator, unsigned edge) {
  llvm::BasicBlock* target = terminator.getSuccessor(edge);
  const auto& blocks = prepared_.blocks[plan_.function];
  const auto destination =
      std::ranges::find_if(plan_.destinations, [&](program::BlockId b) { return blocks[b] == target; });
  INVARIANT(destination != plan_.destinations.end(), "an edge out of a region should lead to a destination");
  auto* exit = llvm::BasicBlock::Create(*prepared_.context, target->getName() + ".exit", target->getParent());
  llvm::BranchInst::Create(target, exit)->setDebugLoc(terminator.getDebugLoc());
  terminator.setSuccessor(edge, exit);
  for (llvm::PHINode& phi : target->phis()) phi.addIncoming(copy_of(phi.getIncomingValueForBlock(&original)), exit);
  in_plain_.insert(exit);
  region_.exits.push_back({exit, static_cast<std::uint32_t>(destination - plan_.destinations.begin()), {}});
}

void RegionCloner::merge_values() {
  for (llvm::BasicBlock* block : originals_) {
    for (llvm::Instruction& value : *block) {
      if (value.getType()->isVoidTy()) continue;
      if (const auto out = value_out(prepared_, plan_, value)) outs_[copy_of(&value)] = *out;
      merge(value);
    }
  }
}

void RegionCloner::merge(llvm::Instruction& value) {
  llvm::SmallVector<llvm::Use*, 8> uses;
  for (llvm::Use& use : value.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    if (is_outside(phi != nullptr ? *phi->getIncomingBlock(use) : *user->getParent())) uses.push_back(&use);
  }
  llvm::SmallVector<llvm::PHINode*, 8> made;
  llvm::SSAUpdater updater(&made);
  updater.Initialize(value.getType(), value.getName());
  updater.AddAvailableValue(value.getParent(), &value);
  updater.AddAvailableValue(llvm::cast<llvm::BasicBlock>(copy_of(value.getParent())), copy_of(&value));
  for (llvm::Use* use : uses) updater.RewriteUse(*use);
  merge_debug_values(updater, value);
  drop_idle(made);
  for (const llvm::PHINode* phi : made) prepared_.symbolic[phi] = prepared_.may_be_symbolic(value);
}

// The updater may also put phi nodes where one of the two definitions meets itself. Inside a version they would hide a
// live-out from the exits.
void RegionCloner::drop_idle(llvm::SmallVectorImpl<llvm::PHINode*>& phis) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    llvm::erase_if(phis, [&](llvm::PHINode* phi) {
      llvm::Value* only = phi->hasConstantValue();
      if (only == nullptr) return false;
      phi->replaceAllUsesWith(only);
      phi->eraseFromParent();
      return is_changed = true;
    });
  }
}

void RegionCloner::merge_debug_values(llvm::SSAUpdater& updater, llvm::Instruction& value) {
  llvm::SmallVector<llvm::DbgVariableIntrinsic*, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgUsers(intrinsics, &value, &records);
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> outside;
  for (llvm::DbgVariableRecord* record : records)
    if (is_outside(*record->getParent())) outside.push_back(record);
  updater.UpdateDebugValues(&value, outside);
  for (llvm::DbgVariableIntrinsic* intrinsic : intrinsics)
    if (is_outside(*intrinsic->getParent())) intrinsic->setKillLocation();
}

void RegionCloner::list_outs(RegionExit& exit) const {
  for (llvm::PHINode& phi : exit.block->getSingleSuccessor()->phis())
    if (const std::uint32_t out = out_index(exit, phi); out != kNone) exit.outs.emplace_back(&phi, out);
}

std::uint32_t RegionCloner::out_index(const RegionExit& exit, const llvm::PHINode& phi) const {
  if (const auto argument = argument_out(prepared_, plan_, exit.destination, phi)) return *argument;
  const auto it = outs_.find(phi.getIncomingValueForBlock(exit.block));
  return it == outs_.end() ? kNone : it->second;
}

/// Uses of what a region needs on entry, which merging keeps up to date.
class Placeholders {
 public:
  explicit Placeholders(PreparedModule& prepared) {
    llvm::LLVMContext& context = *prepared.context;
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), true);
    user_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "plumb.needed", *prepared.module);
    for (const RegionPlan& plan : prepared.subject.regions) {
      llvm::Instruction* branch = prepared.blocks[plan.function][plan.governor]->getTerminator();
      calls_.push_back(llvm::CallInst::Create(type, user_, needed_on_entry(prepared, plan), "", branch->getIterator()));
    }
  }
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;
  ~Placeholders() {
    for (llvm::CallInst* call : calls_) call->eraseFromParent();
    user_->eraseFromParent();
  }

  void read(PlainRegion& region) const {
    const llvm::CallInst& call = *calls_[region.index];
    const auto bases = call.arg_begin() + static_cast<std::ptrdiff_t>(region.plan->ins.size());
    region.ins.assign(call.arg_begin(), bases);
    region.bases.assign(bases, call.arg_end());
  }

 private:
  llvm::Function* user_;
  std::vector<llvm::CallInst*> calls_;
};

}  // namespace

std::vector<PlainRegion> clone_regions(PreparedModule& prepared) {
  const std::vector<RegionPlan>& plans = prepared.subject.regions;
  for (const RegionPlan& plan : plans) {
    INVARIANT(is_clonable(prepared, plan), "regions should be clonable");
    hoist_renamed_values(prepared, plan);
  }
  const Placeholders placeholders(prepared);
  std::vector<std::unique_ptr<RegionCloner>> cloners;
  for (std::uint32_t i = 0; i < plans.size(); ++i) {
    cloners.push_back(std::make_unique<RegionCloner>(prepared, i));
    cloners.back()->run();
  }
  std::vector<PlainRegion> regions;
  for (const auto& cloner : cloners) {
    regions.push_back(cloner->finish());
    placeholders.read(regions.back());
  }
  return regions;
}

}  // namespace plumb::instrument
