// Blocks of memory, which copies and fills access: what must not be accessed is left alone as a whole.
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <bit>

#include "instrument/checks/check_function.h"
#include "instrument/code_builder.h"
#include "runtime/checks/checks.h"

namespace plumb::instrument {
namespace {

/// So many units are looked at in one go.
constexpr std::uint64_t kMostUnits = 8;
/// That the map has units for, with 64 bits.
constexpr std::uint64_t kAddresses = std::uint64_t{1} << 47;

llvm::Value* least(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  return builder.CreateSelect(builder.CreateICmpULT(a, b), a, b);
}

}  // namespace

llvm::Value* FunctionChecks::test_block(const llvm::Use& pointer, llvm::Value* size, bool is_write,
                                        llvm::Instruction& position) {
  const AccessPlan* plan = this->plan(pointer);
  if (plan == nullptr || plan->test == AccessTest::None) return nullptr;
  if (plan->test == AccessTest::Object || plan->test == AccessTest::Variable)
    return test_inside(*plan, pointer.get(), size, is_write, position);
  return test_units(pointer.get(), size, is_write, position);
}

llvm::Value* FunctionChecks::test_inside(const AccessPlan& plan, llvm::Value* address, llvm::Value* size, bool is_write,
                                         llvm::Instruction& position) {
  CodeBuilder builder(position);
  llvm::Value* number = builder.CreatePtrToInt(address, runtime_.size_type());
  llvm::Value* offset = builder.CreateSub(number, builder.CreatePtrToInt(plan.root, runtime_.size_type()));
  llvm::Value* total = object_size(builder, plan);
  llvm::Value* is_inside = builder.CreateAnd(builder.CreateICmpULE(offset, total),
                                             builder.CreateICmpULE(size, builder.CreateSub(total, offset)));
  llvm::Value* is_right = builder.CreateOr(is_inside, builder.CreateIsNull(size));
  llvm::Instruction* rare = rarely(builder.CreateNot(is_right), position);
  CodeBuilder code(*rare);
  llvm::Value* told = code.CreateTrunc(least(code, size, runtime_.size(PLUMB_ACCESS_WRITE - 1)), code.getInt32Ty());
  if (is_write) told = code.CreateOr(told, runtime_.word(PLUMB_ACCESS_WRITE));
  llvm::Value* made = runtime_.call(code, CheckFunction::BadOffset,
                                    {runtime_.word(site_of(position)), address, told, plan.root, total});
  llvm::Value* is_elsewhere = code.CreateICmpEQ(made, address);
  llvm::PHINode* phi = llvm::PHINode::Create(code.getInt1Ty(), 2, "is_right", position.getParent()->begin());
  for (llvm::BasicBlock* from : llvm::predecessors(position.getParent()))
    phi->addIncoming(from == rare->getParent() ? is_elsewhere : code.getTrue(), from);
  return phi;
}

llvm::Value* FunctionChecks::test_units(llvm::Value* address, llvm::Value* size, bool is_write,
                                        llvm::Instruction& position) {
  CodeBuilder builder(position);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(size);
  const auto ask = [&](llvm::IRBuilder<>& code) -> llvm::Value* {
    llvm::Value* answer = runtime_.call(code, CheckFunction::CheckBlock,
                                        {runtime_.word(site_of(position)), address, size, runtime_.word(is_write)});
    return code.CreateIsNotNull(answer);
  };
  if (!runtime_.has_map()) return ask(builder);
  const std::uint64_t units = constant != nullptr ? (constant->getZExtValue() + 7) / 8 : 0;
  if (constant != nullptr && (units == 0 || units > kMostUnits)) return ask(builder);
  // One that does not begin at a unit touches one more, and is looked at by the runtime.
  llvm::Value* number = builder.CreatePtrToInt(address, runtime_.size_type());
  llvm::Value* first = builder.CreateAnd(number, runtime_.size(7));
  llvm::Value* any = builder.CreateZExtOrTrunc(first, builder.getInt64Ty());
  if (constant == nullptr) {
    // Most are short. All that they can touch is looked at, whatever of it they do; what has no place in the map is for
    // the runtime.
    llvm::Value* is_long = builder.CreateICmpUGT(size, builder.CreateSub(runtime_.size(8 * kMostUnits), first));
    llvm::Value* place = number;
    if (layout_.getPointerSize() == 8) {
      place = builder.CreateAnd(number, runtime_.size(kAddresses - 1));
      is_long = builder.CreateOr(is_long, builder.CreateICmpNE(place, number));
    }
    any = builder.CreateOr(builder.CreateZExt(is_long, builder.getInt64Ty()), runtime_.load_of_map(builder, place, 64));
  }
  for (std::uint64_t unit = 0, bits = 0; unit < units; unit += bits / 8) {
    bits = 8 * std::bit_floor(units - unit);
    llvm::Value* at = builder.CreateAdd(number, runtime_.size(8 * unit));
    any = builder.CreateOr(
        any, builder.CreateZExt(runtime_.load_of_map(builder, at, static_cast<unsigned>(bits)), builder.getInt64Ty()));
  }
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(any), position);
  CodeBuilder code(*rare);
  llvm::Value* answer = ask(code);
  llvm::PHINode* phi = llvm::PHINode::Create(code.getInt1Ty(), 2, "is_right", position.getParent()->begin());
  for (llvm::BasicBlock* from : llvm::predecessors(position.getParent()))
    phi->addIncoming(from == rare->getParent() ? answer : code.getTrue(), from);
  return phi;
}

void FunctionChecks::check_block(llvm::AnyMemIntrinsic& block) {
  if (site_of(block) == 0) return;
  CodeBuilder builder(block);
  llvm::Value* size = builder.CreateZExtOrTrunc(block.getLength(), runtime_.size_type());
  llvm::Value* is_right = test_block(block.getRawDestUse(), size, true, block);
  if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&block)) {
    llvm::Value* other = test_block(copy->getRawSourceUse(), size, false, block);
    if (is_right != nullptr && other != nullptr) {
      is_right = CodeBuilder(block).CreateAnd(is_right, other);
    } else if (other != nullptr) {
      is_right = other;
    }
  }
  if (is_right == nullptr) return;
  llvm::Instruction* own = llvm::SplitBlockAndInsertIfThen(is_right, block.getIterator(), false);
  own->setDebugLoc(block.getDebugLoc());
  block.moveBefore(own);
}

}  // namespace plumb::instrument
