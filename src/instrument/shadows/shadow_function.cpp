// The walk over a function. Shadows are computed as SymCC does (Poeplau and Francillon, 2020), but the test for
// concrete values is not made an instruction at a time: all instructions of a stretch share one test and one block of
// calls, so that concrete code has one branch a stretch that is never taken.
#include "instrument/shadows/shadow_function.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "instrument/shadows/shadow_types.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {

FunctionShadows::FunctionShadows(PreparedModule& prepared, ShadowRuntime& runtime, CheckRuntime& checks,
                                 llvm::Function& function, std::vector<PlainRegion*> regions,
                                 std::vector<ConcreteLoop> loops)
    : prepared_(prepared),
      runtime_(runtime),
      check_runtime_(checks),
      function_(function),
      checks_(checks, prepared.checks, function),
      layout_(function.getParent()->getDataLayout()),
      regions_(std::move(regions)),
      loops_(std::move(loops)) {}

void FunctionShadows::run(const Budget& budget) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> plain;
  llvm::DenseMap<const llvm::Instruction*, PlainRegion*> choices;
  for (PlainRegion* region : regions_) {
    plain.insert(region->blocks.begin(), region->blocks.end());
    for (const RegionExit& exit : region->exits) plain.insert(exit.block);
    choices[region->choice] = region;
  }
  llvm::DenseMap<const llvm::Instruction*, ConcreteLoop*> copies;
  for (ConcreteLoop& loop : loops_) {
    plain.insert(loop.blocks.begin(), loop.blocks.end());
    copies[loop.choice] = &loop;
  }
  hoist_variables();
  // Code is added as it is walked; what was there before is what counts.
  std::vector<std::vector<llvm::Instruction*>> code;
  std::vector<llvm::Instruction*> plain_code;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
    std::vector<llvm::Instruction*>& instructions = plain.contains(block) ? plain_code : code.emplace_back();
    for (llvm::Instruction& instruction : *block) instructions.push_back(&instruction);
  }
  begin();
  for (const std::vector<llvm::Instruction*>& block : code) {
    for (llvm::Instruction* instruction : block) {
      budget.check();
      if (PlainRegion* region = choices.lookup(instruction)) {
        enter_region(*region);
      } else if (ConcreteLoop* loop = copies.lookup(instruction)) {
        enter_copy(*loop);
      } else {
        visit(*instruction);
      }
    }
  }
  for (PlainRegion* region : regions_) leave_region(*region);
  complete_phis();
  for (llvm::Instruction* instruction : plain_code) {
    budget.check();
    checks_.visit(*instruction);
  }
  move_to_frame(check_runtime_, function_, checks_.frame(),
                [this](llvm::IRBuilder<>& builder, llvm::Value* address, std::uint64_t size) {
                  runtime_.call(builder, RuntimeFunction::StackObject, {address, runtime_.size(size)});
                });
}

// --- Shadows ---

Shadows FunctionShadows::zeros(llvm::Type* type) const {
  return Shadows(type->isSized() ? leaves(type, layout_).size() : 1, runtime_.word(0));
}

Shadows FunctionShadows::known(llvm::Value* value) const {
  const auto it = shadows_.find(value);
  return it != shadows_.end() ? it->second : zeros(value->getType());
}

Shadows FunctionShadows::shadows(llvm::Value* value, llvm::Instruction& position) {
  if (llvm::is_contained(waiting_, value)) flush(position);
  return known(value);
}

llvm::Value* FunctionShadows::shadow(llvm::Value* value, llvm::Instruction& position) {
  return shadows(value, position).front();
}

bool FunctionShadows::is_any_symbolic(const llvm::Instruction& instruction) const {
  return std::ranges::any_of(instruction.operands(), [&](const llvm::Use& use) {
    if (llvm::isa<llvm::Constant, llvm::BasicBlock, llvm::MetadataAsValue>(use.get())) return false;
    return llvm::is_contained(waiting_, use.get()) || !std::ranges::all_of(known(use.get()), is_zero);
  });
}

void FunctionShadows::wait(llvm::Instruction& instruction) {
  if (!is_any_symbolic(instruction)) return;
  const bool is_scalar = is_tracked(instruction.getType(), layout_);
  if (is_scalar && !OperatorCode::is_concrete(instruction) && !prepared_.may_be_symbolic(instruction)) return;
  waiting_.push_back(&instruction);
}

void FunctionShadows::flush(llvm::Instruction& position) {
  if (waiting_.empty()) return;
  const auto waiting = std::exchange(waiting_, {});
  llvm::SmallSetVector<llvm::Value*, 8> entering;
  for (llvm::Instruction* instruction : waiting)
    for (llvm::Value* operand : instruction->operands())
      if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(operand) && !llvm::is_contained(waiting, operand))
        for (llvm::Value* shadow : known(operand))
          if (!is_zero(shadow)) entering.insert(shadow);
  CodeBuilder builder(position);
  llvm::Value* any = entering.front();
  for (llvm::Value* shadow : llvm::drop_begin(entering)) any = builder.CreateOr(any, shadow);
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(any), position);
  CodeBuilder code(*rare);
  OperatorCode operators = this->operators(code);
  for (llvm::Instruction* instruction : waiting) {
    code.SetCurrentDebugLocation(instruction->getDebugLoc() ? instruction->getDebugLoc() : rare->getDebugLoc());
    shadows_[instruction] = operators.emit(*instruction);
  }
  for (llvm::Instruction* instruction : waiting)
    for (llvm::Value*& shadow : shadows_[instruction])
      if (!is_zero(shadow)) shadow = merge(shadow, rare, position);
}

// --- Code ---

llvm::Instruction* FunctionShadows::rarely(llvm::Value* condition, llvm::Instruction& position) {
  llvm::MDNode* weights = llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
  return llvm::SplitBlockAndInsertIfThen(condition, position.getIterator(), false, weights);
}

llvm::Value* FunctionShadows::merge(llvm::Value* made, llvm::Instruction* rare, llvm::Instruction& position) {
  llvm::BasicBlock* block = position.getParent();
  llvm::PHINode* phi = llvm::PHINode::Create(made->getType(), 2, "shadow", block->begin());
  for (llvm::BasicBlock* from : llvm::predecessors(block))
    phi->addIncoming(from == rare->getParent() ? made : llvm::Constant::getNullValue(made->getType()), from);
  return phi;
}

OperatorCode FunctionShadows::operators(llvm::IRBuilder<>& builder) {
  return OperatorCode(builder, runtime_, [this](llvm::Value* value) { return known(value); });
}

// --- Frame ---

void FunctionShadows::hoist_variables() {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::Instruction* first = &*entry.getFirstNonPHIOrDbgOrAlloca();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::make_range(first->getIterator(), entry.end())))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable != nullptr && variable->isStaticAlloca() && variable != first)
      variable->moveBefore(first);
}

void FunctionShadows::begin() {
  llvm::Instruction& position = *function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  register_variables(position);
  clear_variables(position);
  take_variadic(position);
  take_arguments(position);
}

void FunctionShadows::take_arguments(llvm::Instruction& position) {
  if (!takes_arguments(function_)) return;
  CodeBuilder builder(position);
  llvm::Value* is_ours = builder.CreateICmpEQ(builder.CreateLoad(builder.getPtrTy(), runtime_.callee()), &function_);
  llvm::Instruction* rare = rarely(is_ours, position);
  CodeBuilder code(*rare);
  code.CreateStore(llvm::ConstantPointerNull::get(code.getPtrTy()), runtime_.callee());
  unsigned index = 0;
  for (llvm::Argument& argument : function_.args()) {
    if (argument.hasByValAttr() && index < PLUMB_ARGUMENTS) take_copy(argument, index, code);
    Shadows made = zeros(argument.getType());
    const auto parts = leaves(argument.getType(), layout_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_tracked(parts[i].type, layout_)) continue;
      if (index < PLUMB_ARGUMENTS && prepared_.may_be_symbolic(argument)) {
        llvm::Value* slot =
            code.CreateConstInBoundsGEP2_32(runtime_.arguments()->getValueType(), runtime_.arguments(), 0, index);
        made[i] = merge(code.CreateLoad(code.getInt32Ty(), slot), rare, position);
      }
      ++index;
    }
    shadows_[&argument] = std::move(made);
  }
}

void FunctionShadows::take_copy(llvm::Argument& argument, unsigned slot, llvm::IRBuilder<>& code) {
  llvm::Value* from = code.CreateLoad(
      code.getPtrTy(), code.CreateConstInBoundsGEP2_32(runtime_.copies()->getValueType(), runtime_.copies(), 0, slot));
  const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
  runtime_.call(code, RuntimeFunction::Copied, {&argument, from, runtime_.size(size)});
}

bool FunctionShadows::shows_shadows(const llvm::Value& address) const {
  return std::ranges::any_of(address.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return prepared_.may_be_symbolic(*user) || shows_shadows(*user);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() == &address;
    return !llvm::isa<llvm::LoadInst>(user) && !user->isDroppable() && !llvm::isa<llvm::DbgInfoIntrinsic>(user);
  });
}

void FunctionShadows::clear_variables(llvm::Instruction& position) {
  llvm::SmallVector<llvm::AllocaInst*, 8> variables;
  for (llvm::Instruction& instruction : function_.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable != nullptr && variable->isStaticAlloca() && !prepared_.memory_may_be_symbolic(*variable)) {
      const bool is_slot = std::ranges::any_of(regions_, [&](const PlainRegion* region) {
        return std::ranges::any_of(
            region->bases, [&](const llvm::Value* base) { return llvm::getUnderlyingObject(base) == variable; });
      });
      if (is_slot || shows_shadows(*variable)) variables.push_back(variable);
    }
  for (llvm::AllocaInst* variable : variables) {
    const std::uint64_t size = variable->getAllocationSize(layout_)->getFixedValue();
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
    if (size != 0)
      clear({variable, runtime_.word(0), static_cast<std::uint32_t>(std::min(size, kMost)), 0, {}}, position);
  }
}

void FunctionShadows::register_variables(llvm::Instruction& position) {
  bool is_any = false;
  for (llvm::BasicBlock& block : function_)
    for (llvm::Instruction& instruction : block)
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        const bool is_static = variable->isStaticAlloca();
        // The runtime finds those that lie in frames.
        const bool is_framed = checks_.frame().contains(*variable);
        if (is_static && !is_framed && escapes(*variable)) registered_.push_back(variable);
        is_any |= !is_static || is_framed || !registered_.empty();
      }
  if (!is_any) return;
  CodeBuilder builder(position);
  saved_stack_ = builder.CreateLoad(builder.getInt32Ty(), runtime_.stack_top());
  for (llvm::AllocaInst* variable : registered_) {
    const std::uint64_t size = variable->getAllocationSize(layout_)->getFixedValue();
    runtime_.call(builder, RuntimeFunction::StackObject, {variable, runtime_.size(size)});
  }
}

void FunctionShadows::restore_stack(llvm::Instruction& position) {
  if (saved_stack_ != nullptr) CodeBuilder(position).CreateStore(saved_stack_, runtime_.stack_top());
}

void FunctionShadows::make_phi(llvm::PHINode& phi) {
  if (!prepared_.may_be_symbolic(phi) || !has_tracked_leaf(phi.getType(), layout_)) return;
  Shadows made;
  for (const Leaf& leaf : leaves(phi.getType(), layout_)) {
    if (!is_tracked(leaf.type, layout_)) {
      made.push_back(runtime_.word(0));
      continue;
    }
    made.push_back(llvm::PHINode::Create(llvm::Type::getInt32Ty(function_.getContext()), phi.getNumIncomingValues(),
                                         "shadow", phi.getParent()->begin()));
  }
  shadows_[&phi] = made;
  phis_.emplace_back(&phi, std::move(made));
}

void FunctionShadows::complete_phis() {
  for (const auto& [phi, made] : phis_)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock* from = phi->getIncomingBlock(i);
      const auto exit = exit_shadows_.find({phi, from});
      const Shadows given = exit != exit_shadows_.end() ? Shadows{exit->second} : known(phi->getIncomingValue(i));
      for (std::size_t part = 0; part < made.size(); ++part)
        if (auto* target = llvm::dyn_cast<llvm::PHINode>(made[part])) target->addIncoming(given[part], from);
    }
}

void FunctionShadows::enter_copy(ConcreteLoop& loop) {
  flush(*loop.choice);
  CodeBuilder builder(*loop.choice);
  llvm::Value* any = runtime_.word(0);
  for (llvm::Value* value : loop.entering)
    for (llvm::Value* shadow : known(value))
      if (!is_zero(shadow)) any = builder.CreateOr(any, shadow);
  loop.choice->setCondition(builder.CreateAnd(loop.is_first, builder.CreateIsNull(any)));
}

void FunctionShadows::enter_region(PlainRegion& region) {
  flush(*region.choice);
  CodeBuilder builder(*region.choice);
  llvm::Value* chosen =
      emit_region_enter(builder, prepared_, region, [this](llvm::Value* value) { return known(value).front(); });
  region.choice->setCondition(chosen);
}

void FunctionShadows::leave_region(PlainRegion& region) {
  for (RegionExit& exit : region.exits) {
    CodeBuilder builder(*exit.block->getTerminator());
    const auto shadows = emit_region_exit(builder, prepared_, region, exit);
    for (std::size_t i = 0; i < exit.outs.size(); ++i) exit_shadows_[{exit.outs[i].first, exit.block}] = shadows[i];
  }
}

// --- The walk ---

void FunctionShadows::visit(llvm::Instruction& instruction) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return make_phi(*phi);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return visit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return visit_store(*store);
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return visit_allocation(*variable);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return visit_exchange(*exchange);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return visit_exchange(*exchange);
  if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) return visit_return(*result);
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      address != nullptr && checks_.has_checked_indices(*address))
    return visit_indices(*address);
  if (OperatorCode::handles(instruction)) {
    if (instruction.isIntDivRem() && is_tracked(instruction.getType(), layout_)) {
      llvm::Value* divisor = shadow(instruction.getOperand(1), instruction);
      if (!is_zero(divisor)) {
        CodeBuilder builder(instruction);
        CodeBuilder code(*rarely(builder.CreateIsNotNull(divisor), instruction));
        runtime_.call(code, RuntimeFunction::Divisor,
                      {runtime_.word(site_of(instruction)), divisor, bits_of(code, instruction.getOperand(1))});
      }
    }
    check_operator(instruction);
    wait(instruction);
    if (instruction.isTerminator()) flush(instruction);
    return;
  }
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visit_call(*call);
  if (auto* target = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) {
    flush(instruction);
    return pin_value(target->getAddress(), PLUMB_PIN_UNSUPPORTED, site_of(instruction), instruction);
  }
  if (instruction.isTerminator()) flush(instruction);
}

void FunctionShadows::visit_return(llvm::ReturnInst& instruction) {
  llvm::CallInst* tail = instruction.getParent()->getTerminatingMustTailCall();
  if (tail != nullptr) {
    // The callee has left its results where ours belong; nothing may stand between.
    waiting_.clear();
    return;
  }
  flush(instruction);
  restore_stack(instruction);
  llvm::Value* value = instruction.getReturnValue();
  if (value == nullptr || !returns_symbolic(function_)) return;
  CodeBuilder builder(instruction);
  const Shadows made = known(value);
  const auto parts = leaves(value->getType(), layout_);
  unsigned index = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_tracked(parts[i].type, layout_)) continue;
    if (index < PLUMB_RESULTS) {
      builder.CreateStore(made[i], builder.CreateConstInBoundsGEP2_32(runtime_.results()->getValueType(),
                                                                      runtime_.results(), 0, index));
    } else if (!is_zero(made[i])) {
      runtime_.lost(builder, PLUMB_PIN_WIDE, site_of(instruction), made[i]);
    }
    ++index;
  }
}

}  // namespace plumb::instrument
