// Which values of LLVM a region's plan speaks of. The Program has fewer values than LLVM: what gives the same bits has
// the same ValueId (a freeze, a cast between pointer and integer, an address plus zero, a field of a struct). Where
// such a renaming stands in a region and the value itself outside, the plan sees nothing leave the region, though
// LLVM's value does; so renamings move to the governor before the region is cloned.
#include "instrument/regions/region_cloner_values.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "base/error.h"
#include "instrument/checks/check_marks.h"
#include "instrument/regions/region_cloner.h"

namespace plumb::instrument {
namespace {

using program::BlockId;
using program::kNone;
using program::ValueId;
using program::ValueKind;

using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;
using InstructionSet = llvm::DenseSet<const llvm::Instruction*>;

/// kNone if it is not a scalar of the Program.
ValueId id_of(const PreparedModule& prepared, const llvm::Value& value) {
  const auto it = prepared.map.values.find(&value);
  const llvm::Type& type = *value.getType();
  const bool is_scalar = type.isSingleValueType() && !type.isVectorTy();
  return is_scalar && it != prepared.map.values.end() && it->second.size() == 1 ? it->second.front() : kNone;
}

std::optional<std::uint32_t> find_out(const RegionPlan& plan, ValueId value, std::uint32_t destination) {
  if (value == kNone) return std::nullopt;
  const auto it = std::ranges::find_if(
      plan.outs, [&](const LiveOut& out) { return out.value == value && out.destination == destination; });
  if (it == plan.outs.end()) return std::nullopt;
  return static_cast<std::uint32_t>(it - plan.outs.begin());
}

/// The value is one that is defined elsewhere, or a constant, here under another name.
bool is_renamed(const PreparedModule& prepared, const RegionPlan& plan, const llvm::Instruction& instruction) {
  const ValueId id = id_of(prepared, instruction);
  if (id == kNone) return false;
  const program::Value& value = prepared.subject.program.functions[plan.function].values[id];
  if (value.kind != ValueKind::Result && value.kind != ValueKind::BlockArgument) return true;
  return std::ranges::find(plan.blocks, value.block) == plan.blocks.end();
}

/// Renamed values of the region that can be computed at the governor, operands first.
std::vector<llvm::Instruction*> hoistable(const PreparedModule& prepared, const RegionPlan& plan) {
  const std::vector<llvm::BasicBlock*> blocks = blocks_of(prepared, plan);
  const BlockSet in_region(blocks.begin(), blocks.end());
  InstructionSet found;
  std::vector<llvm::Instruction*> order;
  const auto is_at_governor = [&](const llvm::Use& operand) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand.get());
    return instruction == nullptr || !in_region.contains(instruction->getParent()) || found.contains(instruction);
  };
  for (llvm::BasicBlock* block : blocks) {
    for (llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.mayReadFromMemory() ||
          !is_renamed(prepared, plan, instruction) || !llvm::isSafeToSpeculativelyExecute(&instruction) ||
          !llvm::all_of(instruction.operands(), is_at_governor))
        continue;
      found.insert(&instruction);
      order.push_back(&instruction);
    }
  }
  return order;
}

llvm::Value* global_address(const PreparedModule& prepared, const program::Value& address) {
  for (const auto& [global, id] : prepared.map.globals) {
    if (id != address.index) continue;
    auto* base = const_cast<llvm::GlobalVariable*>(global);
    if (address.offset == 0) return base;
    llvm::LLVMContext& context = *prepared.context;
    llvm::Type* word = prepared.module->getDataLayout().getIntPtrType(context);
    return llvm::ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(context), base,
        llvm::ConstantInt::get(word, static_cast<std::uint64_t>(address.offset), true));
  }
  return nullptr;
}

llvm::Value* value_of(const PreparedModule& prepared, const RegionPlan& plan, ValueId id) {
  const program::Value& value = prepared.subject.program.functions[plan.function].values[id];
  if (value.kind == ValueKind::GlobalAddress) return global_address(prepared, value);
  return prepared.values[plan.function][id];
}

bool has_same_edges(const PreparedModule& prepared, const RegionPlan& plan, BlockId block) {
  const auto& blocks = prepared.blocks[plan.function];
  if (blocks[block] == nullptr) return false;
  const llvm::Instruction& terminator = *blocks[block]->getTerminator();
  if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(terminator)) return false;
  const auto edges = prepared.subject.program.functions[plan.function].successors(block);
  if (edges.size() != terminator.getNumSuccessors()) return false;
  for (unsigned i = 0; i < edges.size(); ++i)
    if (blocks[edges[i].target] != terminator.getSuccessor(i)) return false;
  return true;
}

void leave_copy(PreparedModule& prepared, llvm::GetElementPtrInst& address, const BlockSet& in_region) {
  llvm::Instruction* copy = address.clone();
  copy->insertAfter(&address);
  address.replaceUsesWithIf(copy, [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return in_region.contains(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
  });
  prepared.symbolic[copy] = prepared.may_be_symbolic(address);
  prepared.symbolic_memory[copy] = prepared.memory_may_be_symbolic(address);
  unmark_indices(address);
}

bool is_used_outside(const llvm::Instruction& value, const BlockSet& in_region) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    return !in_region.contains(llvm::cast<llvm::Instruction>(user)->getParent());
  });
}

}  // namespace

std::vector<llvm::BasicBlock*> blocks_of(const PreparedModule& prepared, const RegionPlan& plan) {
  std::vector<llvm::BasicBlock*> blocks;
  for (const BlockId b : plan.blocks) blocks.push_back(prepared.blocks[plan.function][b]);
  return blocks;
}

std::optional<std::uint32_t> value_out(const PreparedModule& prepared, const RegionPlan& plan,
                                       const llvm::Instruction& value) {
  return find_out(plan, id_of(prepared, value), kNone);
}

std::optional<std::uint32_t> argument_out(const PreparedModule& prepared, const RegionPlan& plan,
                                          std::uint32_t destination, const llvm::PHINode& phi) {
  return find_out(plan, id_of(prepared, phi), destination);
}

llvm::SmallVector<llvm::Value*, 8> needed_on_entry(const PreparedModule& prepared, const RegionPlan& plan) {
  llvm::SmallVector<llvm::Value*, 8> needed;
  for (const ValueId v : plan.ins) needed.push_back(value_of(prepared, plan, v));
  for (const MemorySlot& slot : plan.slots) needed.push_back(value_of(prepared, plan, slot.base));
  return needed;
}

void hoist_renamed_values(PreparedModule& prepared, const RegionPlan& plan) {
  llvm::Instruction* branch = prepared.blocks[plan.function][plan.governor]->getTerminator();
  const std::vector<llvm::BasicBlock*> blocks = blocks_of(prepared, plan);
  const BlockSet in_region(blocks.begin(), blocks.end());
  for (llvm::Instruction* instruction : hoistable(prepared, plan)) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
    if (address != nullptr && !marked_indices(llvm::cast<llvm::GEPOperator>(*address)).empty())
      leave_copy(prepared, *address, in_region);
    instruction->moveBefore(branch);
  }
}

bool is_clonable(const PreparedModule& prepared, const RegionPlan& plan) {
  if (!has_same_edges(prepared, plan, plan.governor) ||
      !std::ranges::all_of(plan.blocks, [&](BlockId b) { return has_same_edges(prepared, plan, b); }))
    return false;
  const std::vector<llvm::BasicBlock*> blocks = blocks_of(prepared, plan);
  BlockSet in_region(blocks.begin(), blocks.end());
  const std::vector<llvm::Instruction*> moved = hoistable(prepared, plan);
  const InstructionSet hoisted(moved.begin(), moved.end());
  for (const BlockId b : plan.destinations)
    for (const llvm::PHINode& phi : prepared.blocks[plan.function][b]->phis())
      if (id_of(prepared, phi) == kNone) return false;
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& value : *block)
      if (!hoisted.contains(&value) && is_used_outside(value, in_region) &&
          (id_of(prepared, value) == kNone || is_renamed(prepared, plan, value)))
        return false;
  return std::ranges::all_of(needed_on_entry(prepared, plan), [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
    return value != nullptr &&
           (instruction == nullptr || !in_region.contains(instruction->getParent()) || hoisted.contains(instruction));
  });
}

}  // namespace plumb::instrument
