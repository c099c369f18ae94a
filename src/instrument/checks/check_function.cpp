// The walk over a function, and accesses of one scalar. Tests are as AddressSanitizer's (Serebryany et al., 2012), with
// two differences: what lies in a variable that the code shows is held against the variable's bounds, which finds what
// jumps over the room around it; and a failed test gives the access another place to go to, as the run goes on.
#include "instrument/checks/check_function.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <bit>

#include "instrument/checks/check_buffers.h"
#include "instrument/checks/check_marks.h"
#include "instrument/code_builder.h"
#include "runtime/checks/checks.h"

namespace plumb::instrument {

using program::Check;

namespace {

constexpr std::uint64_t kUnit = std::uint64_t{1} << PLUMB_UNIT_BITS;
/// The place that the runtime gives in another's stead has so many bytes.
constexpr std::uint64_t kSubstitute = 64;
/// More than any object has: of a size that is not known.
constexpr std::uint64_t kUnknownSize = std::uint64_t{1} << 62;

std::uint32_t access_word(const MemoryAccess& access) {
  return static_cast<std::uint32_t>(access.size) | (access.is_write ? PLUMB_ACCESS_WRITE : 0);
}

bool is_zero_shadow(const llvm::Value* shadow) { return shadow == nullptr || llvm::isa<llvm::Constant>(shadow); }

}  // namespace

FunctionChecks::FunctionChecks(CheckRuntime& runtime, program::CheckSet checks, llvm::Function& function)
    : runtime_(runtime),
      checks_(checks),
      function_(function),
      layout_(function.getParent()->getDataLayout()),
      has_accesses_(has_access_checks(checks)),
      repeats_(function) {
  if (!has_accesses_) return;
  // Code that is not optimised would keep limits in memory.
  if (runtime.build() == CheckedBuild::Subject && layout_.isLittleEndian())
    streams_.emplace(function, runtime.quiet_functions());
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    // Code that was added before has no sites, and accesses what is its own.
    if (site_of(instruction) != 0) plan_instruction(instruction);
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable != nullptr && (escapes(*variable) || has_scope(*variable))) frame_.add(*variable);
  }
}

void FunctionChecks::plan_instruction(llvm::Instruction& instruction) {
  if (const auto access = access_of(instruction, layout_)) {
    plans_[access->pointer] = plan_access(access->address(), access->size, access->is_write, layout_);
  } else if (auto* block = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
    plan_block(block->getRawDestUse(), block->getLength(), true);
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(block))
      plan_block(copy->getRawSourceUse(), block->getLength(), false);
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    for (const Buffer& buffer : buffers_of(*call))
      plan_block(call->getArgOperandUse(buffer.argument), nullptr, buffer.is_written);
    for (const unsigned argument : texts_of(*call))
      if (!llvm::isa<llvm::Constant>(call->getArgOperand(argument)))
        plan_block(call->getArgOperandUse(argument), nullptr, false);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      if (call->isByValArgument(i))
        plan_block(call->getArgOperandUse(i), runtime_.size(layout_.getTypeAllocSize(call->getParamByValType(i))),
                   false);
  }
}

void FunctionChecks::plan_block(llvm::Use& pointer, llvm::Value* size, bool is_write) {
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(size);
  const AccessPlan& plan = plans_[&pointer] =
      plan_access(pointer.get(), constant != nullptr ? constant->getZExtValue() : kUnknownSize, is_write, layout_);
  // If the size depends on input the runtime has to find the variable.
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(plan.root); variable != nullptr && constant == nullptr)
    frame_.add(*variable);
}

const AccessPlan* FunctionChecks::plan(const llvm::Use& pointer) const {
  const auto it = plans_.find(&pointer);
  return it != plans_.end() ? &it->second : nullptr;
}

bool FunctionChecks::has_checked_indices(const llvm::GetElementPtrInst& address) const {
  return has_accesses_ && !marked_indices(llvm::cast<llvm::GEPOperator>(address)).empty();
}

void FunctionChecks::visit(llvm::Instruction& instruction) {
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    if (has_checked_indices(*address)) check_indices(*address, nullptr, *address->getNextNode());
  } else if (const auto access = access_of(instruction, layout_)) {
    access->pointer->set(check_access(instruction, {access->address(), nullptr}).value);
  } else if (auto* block = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
    check_block(*block);
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    check_arguments(*call);
  } else {
    check_operator(instruction);
  }
}

// --- Code ---

llvm::Instruction* FunctionChecks::rarely(llvm::Value* condition, llvm::Instruction& position, bool is_usual) {
  llvm::MDBuilder metadata(function_.getContext());
  // From 99 % on the optimiser does not make one condition of this and what is tested behind it.
  llvm::MDNode* weights = is_usual ? metadata.createBranchWeights(1, 255) : metadata.createUnlikelyBranchWeights();
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, position.getIterator(), false, weights);
  end->setDebugLoc(position.getDebugLoc());
  return end;
}

CheckedAddress FunctionChecks::substitute(llvm::Value* made, llvm::Instruction& rare, CheckedAddress given,
                                          llvm::Instruction& position) {
  llvm::BasicBlock* block = position.getParent();
  const auto merge = [&](llvm::Value* usual, llvm::Value* other, const char* name) {
    llvm::PHINode* phi = llvm::PHINode::Create(usual->getType(), 2, name, block->begin());
    for (llvm::BasicBlock* from : llvm::predecessors(block))
      phi->addIncoming(from == rare.getParent() ? other : usual, from);
    return phi;
  };
  llvm::Value* shadow = given.shadow;
  if (!is_zero_shadow(shadow)) {
    CodeBuilder code(rare);
    // What the runtime has put elsewhere lies at no symbolic address.
    llvm::Value* kept = code.CreateSelect(code.CreateICmpEQ(made, given.value), shadow, runtime_.word(0));
    shadow = merge(shadow, kept, "shadow");
  }
  return {merge(given.value, made, "checked"), shadow};
}

// --- Accesses ---

std::optional<CheckedAddress> FunctionChecks::tested_before(const llvm::Instruction& instruction) const {
  const llvm::Instruction* before = repeats_.before(instruction);
  const auto it = before != nullptr ? tested_.find(before) : tested_.end();
  return it != tested_.end() ? std::optional(it->second) : std::nullopt;
}

CheckedAddress FunctionChecks::check_access(llvm::Instruction& instruction, CheckedAddress given) {
  const auto access = access_of(instruction, layout_);
  if (!access || site_of(instruction) == 0) return given;
  check_alignment(*access, instruction);
  const AccessPlan* plan = this->plan(*access->pointer);
  if (plan == nullptr || access->size == 0) return given;
  if (const auto before = tested_before(instruction)) return *before;
  return tested_[&instruction] = test_access(*access, *plan, instruction, given);
}

CheckedAddress FunctionChecks::test_access(const MemoryAccess& access, const AccessPlan& plan,
                                           llvm::Instruction& instruction, CheckedAddress given) {
  switch (plan.test) {
    case AccessTest::None:
      return given;
    case AccessTest::Constant: {
      CodeBuilder builder(instruction);
      llvm::Value* made = runtime_.call(
          builder, CheckFunction::BadAccess,
          {runtime_.word(site_of(instruction)), given.value,
           runtime_.word(static_cast<std::uint32_t>(std::min(access.size, kSubstitute)) | PLUMB_ACCESS_WRITE)});
      return {made, given.shadow == nullptr ? nullptr : runtime_.word(0)};
    }
    case AccessTest::Object:
    case AccessTest::Variable:
      return test_object(access, plan, instruction, given);
    case AccessTest::Map:
      return access.size > kSubstitute ? test_wide(access, instruction, given) : test_map(access, instruction, given);
  }
  return given;
}

CheckedAddress FunctionChecks::test_map(const MemoryAccess& access, llvm::Instruction& instruction,
                                        CheckedAddress given) {
  const std::uint64_t size = access.size;
  const bool is_aligned = access.alignment.value() >= std::min(size, kUnit);
  const bool is_in_unit = size <= kUnit && is_aligned && std::has_single_bit(size);
  if (!runtime_.has_map()) return ask_runtime(access, instruction, given);
  if (PointerStream* stream = is_in_unit && streams_ ? streams_->of(instruction) : nullptr)
    return test_stream(access, *stream, instruction, given);
  CodeBuilder builder(instruction);
  llvm::Value* number = builder.CreatePtrToInt(given.value, runtime_.size_type());
  llvm::Value* entry = nullptr;
  if (is_in_unit) {
    entry = runtime_.load_of_map(builder, number, 8);
  } else if (size == 2 * kUnit && is_aligned) {
    entry = runtime_.load_of_map(builder, number, 16);
  } else {
    // No more than the ends: objects have more room around them than lies between.
    entry = builder.CreateOr(runtime_.load_of_map(builder, number, 8),
                             runtime_.load_of_map(builder, builder.CreateAdd(number, runtime_.size(size - 1)), 8));
    if (size > 4 * kUnit)
      entry =
          builder.CreateOr(entry, runtime_.load_of_map(builder, builder.CreateAdd(number, runtime_.size(size / 2)), 8));
  }
  const bool has_look = size < kUnit && is_in_unit;
  // Short strings lie in units that they do not fill. With the weights of a defect the look would have to save
  // registers for the call.
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(entry), instruction, has_look);
  llvm::Instruction* bad = rare;
  if (has_look) {
    CodeBuilder look(*rare);
    llvm::Value* last = look.CreateAnd(look.CreateTrunc(number, look.getInt8Ty()), look.getInt8(kUnit - 1));
    if (size > 1) last = look.CreateAdd(last, look.getInt8(static_cast<std::uint8_t>(size - 1)));
    bad = rarely(look.CreateICmpSGE(last, entry), *rare);
  }
  CodeBuilder code(*bad);
  llvm::Value* made =
      runtime_.call(code, CheckFunction::BadAccess,
                    {runtime_.word(site_of(instruction)), given.value, runtime_.word(access_word(access))});
  if (bad == rare) return substitute(made, *rare, given, instruction);
  const CheckedAddress inner = substitute(made, *bad, {given.value, nullptr}, *rare);
  return substitute(inner.value, *rare, given, instruction);
}

CheckedAddress FunctionChecks::ask_runtime(const MemoryAccess& access, llvm::Instruction& instruction,
                                           CheckedAddress given) {
  CodeBuilder builder(instruction);
  llvm::Value* made =
      runtime_.call(builder, CheckFunction::BadAccess,
                    {runtime_.word(site_of(instruction)), given.value, runtime_.word(access_word(access))});
  if (is_zero_shadow(given.shadow)) return {made, given.shadow};
  return {made, builder.CreateSelect(builder.CreateICmpEQ(made, given.value), given.shadow, runtime_.word(0))};
}

CheckedAddress FunctionChecks::test_stream(const MemoryAccess& access, PointerStream& stream,
                                           llvm::Instruction& instruction, CheckedAddress given) {
  llvm::AllocaInst& variable = stream.variable(*runtime_.size_type(), kUnit);
  CodeBuilder builder(instruction);
  llvm::Value* last = given.value;
  if (access.size > 1) last = builder.CreateConstGEP1_64(builder.getInt8Ty(), last, access.size - 1);
  llvm::Value* limit = builder.CreateLoad(runtime_.pointer_type(), &variable);
  llvm::Instruction* rare = rarely(builder.CreateICmpUGE(last, limit), instruction);
  CodeBuilder code(*rare);
  const auto [made, reach] = runtime_.look(code, site_of(instruction), access_word(access), given.value, limit);
  code.CreateStore(reach, &variable);
  return substitute(made, *rare, given, instruction);
}

CheckedAddress FunctionChecks::test_wide(const MemoryAccess& access, llvm::Instruction& instruction,
                                         CheckedAddress given) {
  llvm::Value* is_right = test_units(given.value, runtime_.size(access.size), access.is_write, instruction);
  CodeBuilder builder(instruction);
  llvm::Instruction* rare = rarely(builder.CreateNot(is_right), instruction);
  CodeBuilder code(*rare);
  return substitute(runtime_.call(code, CheckFunction::Nowhere, {}), *rare, given, instruction);
}

llvm::Value* FunctionChecks::object_size(llvm::IRBuilder<>& builder, const AccessPlan& plan) {
  if (plan.test != AccessTest::Variable) return runtime_.size(plan.object.size);
  auto& variable = *llvm::cast<llvm::AllocaInst>(plan.root);
  llvm::Value* count = builder.CreateZExtOrTrunc(variable.getArraySize(), runtime_.size_type());
  return builder.CreateMul(count, runtime_.size(layout_.getTypeAllocSize(variable.getAllocatedType()).getFixedValue()));
}

CheckedAddress FunctionChecks::test_object(const MemoryAccess& access, const AccessPlan& plan,
                                           llvm::Instruction& instruction, CheckedAddress given) {
  CodeBuilder builder(instruction);
  llvm::Value* number = builder.CreatePtrToInt(given.value, runtime_.size_type());
  llvm::Value* offset = builder.CreateSub(number, builder.CreatePtrToInt(plan.root, runtime_.size_type()));
  llvm::Value* total = object_size(builder, plan);
  llvm::Value* needed = runtime_.size(access.size);
  llvm::Value* is_bad = builder.CreateOr(builder.CreateICmpULT(total, needed),
                                         builder.CreateICmpUGT(offset, builder.CreateSub(total, needed)));
  llvm::Instruction* rare = rarely(is_bad, instruction);
  CodeBuilder code(*rare);
  llvm::Value* made = runtime_.call(
      code, CheckFunction::BadOffset,
      {runtime_.word(site_of(instruction)), given.value, runtime_.word(access_word(access)), plan.root, total});
  return substitute(made, *rare, given, instruction);
}

CheckedAddress FunctionChecks::check_indices(llvm::GetElementPtrInst& address, llvm::Value* shadow,
                                             llvm::Instruction& next) {
  CheckedAddress checked{&address, shadow};
  llvm::SmallVector<llvm::Use*, 8> uses;
  for (llvm::Use& use : address.uses()) uses.push_back(&use);
  if (const auto before = tested_before(address)) {
    for (llvm::Use* use : uses) use->set(before->value);
    return *before;
  }
  for (const frontend::CheckedIndex& each : marked_indices(llvm::cast<llvm::GEPOperator>(address))) {
    CodeBuilder builder(next);
    builder.SetCurrentDebugLocation(address.getDebugLoc());
    llvm::Value* index = builder.CreateSExtOrTrunc(address.getOperand(each.operand), runtime_.size_type());
    llvm::Instruction* rare = rarely(builder.CreateICmpUGE(index, runtime_.size(each.limit)), next);
    CodeBuilder code(*rare);
    code.SetCurrentDebugLocation(address.getDebugLoc());
    llvm::Value* nowhere = runtime_.bad_index(
        code, {runtime_.word(site_of(address)), code.CreateSExt(index, code.getInt64Ty()), code.getInt64(each.limit)});
    checked = substitute(nowhere, *rare, checked, next);
  }
  for (llvm::Use* use : uses) use->set(checked.value);
  return tested_[&address] = checked;
}

void FunctionChecks::check_alignment(const MemoryAccess& access, llvm::Instruction& instruction) {
  if (!checks_.has(Check::Alignment) || access.alignment.value() == 1) return;
  CodeBuilder builder(instruction);
  llvm::Value* number = builder.CreatePtrToInt(access.address(), runtime_.size_type());
  llvm::Value* rest = builder.CreateAnd(number, runtime_.size(access.alignment.value() - 1));
  tell_value(builder.CreateIsNotNull(rest), PLUMB_DEFECT_ALIGNMENT, number, runtime_.size(access.alignment.value()),
             instruction);
}

}  // namespace plumb::instrument
