#include "instrument/checks/check_frames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <vector>

#include "instrument/code_builder.h"
#include "instrument/sites/sites.h"

namespace plumb::instrument {
namespace {

constexpr std::uint64_t kMostSize = std::uint64_t{1} << 20;

/// Room behind a variable: more behind a larger one, where indices that are wrong tend to be wrong by more.
std::uint64_t room_behind(std::uint64_t size) { return std::clamp<std::uint64_t>(size / 4, 16, 256); }

class FrameMover {
 public:
  FrameMover(CheckRuntime& runtime, llvm::Function& function, const FrameLayout& frame)
      : runtime_(runtime), function_(function), frame_(frame) {}

  void run(OnStack on_stack) {
    hoist();
    llvm::Constant* description = describe();
    llvm::Instruction& position = *function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    llvm::Value* frame = enter(description, position, on_stack);
    for (llvm::BasicBlock& block : function_)
      if (llvm::Instruction* end = way_out(block)) leave(description, frame, *end);
  }

 private:
  /// Variables that stand behind other code of the entry would be defined after their use.
  void hoist() {
    llvm::Instruction* first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::make_range(first->getIterator(), function_.getEntryBlock().end())))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable != nullptr && variable->isStaticAlloca() && variable != first)
        variable->moveBefore(first);
  }

  llvm::Constant* describe() {
    llvm::LLVMContext& context = function_.getContext();
    llvm::IntegerType* word = llvm::Type::getInt32Ty(context);
    llvm::StructType* entry = llvm::StructType::get(word, word, word);
    std::vector<llvm::Constant*> entries;
    for (const FrameLayout::Entry& each : frame_.entries())
      entries.push_back(
          llvm::ConstantStruct::get(entry, number(each.offset), number(each.size), number(site_of(*each.variable))));
    llvm::ArrayType* list = llvm::ArrayType::get(entry, entries.size());
    llvm::Constant* variables = constant(llvm::ConstantArray::get(list, entries), "plumb.variables");
    llvm::StructType* type = llvm::StructType::get(word, word, runtime_.pointer_type());
    return constant(llvm::ConstantStruct::get(type, number(frame_.size()), number(frame_.entries().size()), variables),
                    "plumb.frame");
  }

  llvm::ConstantInt* number(std::uint64_t value) const { return runtime_.word(static_cast<std::uint32_t>(value)); }

  llvm::Constant* constant(llvm::Constant* value, const char* name) {
    return new llvm::GlobalVariable(runtime_.module(), value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                    name);
  }

  llvm::Value* enter(llvm::Constant* description, llvm::Instruction& position, OnStack on_stack) {
    CodeBuilder builder(position);
    llvm::Value* frame = runtime_.call(builder, CheckFunction::EnterFrame, {description});
    llvm::MDNode* weights = llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
    llvm::Instruction* rare =
        llvm::SplitBlockAndInsertIfThen(builder.CreateIsNull(frame), position.getIterator(), false, weights);
    CodeBuilder code(*rare);
    llvm::AllocaInst* stack = code.CreateAlloca(code.getInt8Ty(), runtime_.size(frame_.size()));
    stack->setAlignment(llvm::Align(FrameLayout::kAlignment));
    for (const FrameLayout::Entry& each : frame_.entries())
      on_stack(code, code.CreateConstGEP1_64(code.getInt8Ty(), stack, each.offset), each.size);
    llvm::PHINode* base = llvm::PHINode::Create(runtime_.pointer_type(), 2, "base", position.getParent()->begin());
    for (llvm::BasicBlock* from : llvm::predecessors(position.getParent()))
      base->addIncoming(from == rare->getParent() ? static_cast<llvm::Value*>(stack) : frame, from);
    builder.SetInsertPoint(&position);
    for (const FrameLayout::Entry& each : frame_.entries()) replace(each, builder, base);
    return frame;
  }

  void replace(const FrameLayout::Entry& entry, llvm::IRBuilder<>& builder, llvm::Value* base) {
    llvm::AllocaInst& variable = *entry.variable;
    llvm::SmallVector<llvm::IntrinsicInst*, 4> markers;
    for (llvm::User* user : variable.users())
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
          intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd())
        markers.push_back(intrinsic);
    llvm::Value* address = builder.CreateConstGEP1_64(builder.getInt8Ty(), base, entry.offset, variable.getName());
    for (llvm::IntrinsicInst* marker : markers) {
      const bool is_start = marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      CodeBuilder code(*marker);
      runtime_.call(code, is_start ? CheckFunction::EnterScope : CheckFunction::LeaveScope,
                    {address, runtime_.size(entry.size)});
      marker->eraseFromParent();
    }
    variable.replaceAllUsesWith(address);
    variable.eraseFromParent();
  }

  /// Where the block leaves the function, before a call that takes its place.
  static llvm::Instruction* way_out(llvm::BasicBlock& block) {
    if (llvm::CallInst* tail = block.getTerminatingMustTailCall()) return tail;
    llvm::Instruction* end = block.getTerminator();
    return llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(end) ? end : nullptr;
  }

  void leave(llvm::Constant* description, llvm::Value* frame, llvm::Instruction& position) {
    CodeBuilder builder(position);
    runtime_.call(builder, CheckFunction::LeaveFrame, {description, frame});
  }

  CheckRuntime& runtime_;
  llvm::Function& function_;
  const FrameLayout& frame_;
};

}  // namespace

void FrameLayout::add(llvm::AllocaInst& variable) {
  const auto bytes = variable.getAllocationSize(variable.getModule()->getDataLayout());
  if (!bytes || bytes->isScalable() || variable.isUsedWithInAlloca() || variable.isSwiftError()) return;
  const std::uint64_t size = bytes->getFixedValue();
  const std::uint64_t alignment = std::max<std::uint64_t>(variable.getAlign().value(), 8);
  if (!variable.isStaticAlloca() || size == 0 || size > kMostSize || alignment > kAlignment) return;
  const std::uint64_t offset = llvm::alignTo(end_, alignment);
  const std::uint64_t end = llvm::alignTo(offset + size + room_behind(size), 8);
  if (end > kMostSize || contains(variable)) return;
  entries_.push_back({&variable, offset, size});
  end_ = end;
}

bool FrameLayout::contains(const llvm::AllocaInst& variable) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.variable == &variable; });
}

std::uint64_t FrameLayout::size() const { return llvm::alignTo(end_, kAlignment); }

void move_to_frame(CheckRuntime& runtime, llvm::Function& function, const FrameLayout& frame, OnStack on_stack) {
  if (!frame.entries().empty()) FrameMover(runtime, function, frame).run(on_stack);
}

}  // namespace plumb::instrument
