// Buffers that functions without checks read or write. One that is read as a whole is tested as a whole. A function
// that may write more than there is room for gets another place to write to, and only what it has written in fact
// counts: read() may be asked for more than there is to read.
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "instrument/checks/check_function.h"
#include "instrument/code_builder.h"
#include "runtime/checks/checks.h"

namespace plumb::instrument {
namespace {

/// Of what __plumb_nowhere() gives.
constexpr std::uint64_t kNowhere = std::uint64_t{1} << 16;
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20;

llvm::Value* least(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  return builder.CreateSelect(builder.CreateICmpULT(a, b), a, b);
}

/// A number of the source as a size; a negative one as 0.
llvm::Value* as_size(llvm::IRBuilder<>& builder, llvm::Value* number, llvm::IntegerType* type) {
  if (number->getType()->getIntegerBitWidth() >= type->getBitWidth()) return builder.CreateTrunc(number, type);
  llvm::Value* none = llvm::Constant::getNullValue(number->getType());
  llvm::Value* positive = builder.CreateSelect(builder.CreateICmpSGT(number, none), number, none);
  return builder.CreateZExt(positive, type);
}

llvm::Value* total_size(llvm::IRBuilder<>& builder, const llvm::CallBase& call, const Buffer& buffer,
                        llvm::IntegerType* type) {
  llvm::Value* size = as_size(builder, call.getArgOperand(buffer.size), type);
  if (buffer.count < 0) return size;
  return builder.CreateMul(size, as_size(builder, call.getArgOperand(static_cast<unsigned>(buffer.count)), type));
}

llvm::Value* merge(llvm::Value* usual, llvm::Value* other, llvm::Instruction& rare, llvm::Instruction& position) {
  llvm::BasicBlock* block = position.getParent();
  llvm::PHINode* phi = llvm::PHINode::Create(usual->getType(), 2, "checked", block->begin());
  for (llvm::BasicBlock* from : llvm::predecessors(block))
    phi->addIncoming(from == rare.getParent() ? other : usual, from);
  return phi;
}

/// What the result says that was written, at `memory`.
llvm::Value* written_bytes(llvm::IRBuilder<>& code, const llvm::CallBase& call, const Buffer& buffer,
                           llvm::Value* memory, CheckRuntime& runtime) {
  auto* result = const_cast<llvm::CallBase*>(&call);
  if (buffer.written == Buffer::Written::String) {
    const llvm::FunctionCallee length =
        runtime.module().getOrInsertFunction("strlen", runtime.size_type(), runtime.pointer_type());
    llvm::Value* size = code.CreateAdd(code.CreateCall(length, {memory}), runtime.size(1));
    return code.CreateSelect(code.CreateIsNull(result), runtime.size(0), size);
  }
  llvm::Value* none = llvm::Constant::getNullValue(result->getType());
  llvm::Value* count = code.CreateSelect(code.CreateICmpSGT(result, none), result, none);
  count = code.CreateZExtOrTrunc(count, runtime.size_type());
  if (buffer.written == Buffer::Written::Bytes) return count;
  return code.CreateMul(count, as_size(code, call.getArgOperand(buffer.size), runtime.size_type()));
}

}  // namespace

void FunctionChecks::check_arguments(llvm::CallBase& call) {
  if (site_of(call) == 0 || !has_accesses_) return;
  for (const Buffer& buffer : buffers_of(call)) {
    if (buffer.is_written) {
      check_written_buffer(call, buffer);
    } else {
      check_read_buffer(call, buffer);
    }
  }
  for (const unsigned argument : texts_of(call)) check_text(call, argument);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i)) check_copied_argument(call, i);
}

// What there is room for is looked through for the end; without one, the byte behind the room is what the function
// would read. A null pointer is the function's own matter.
void FunctionChecks::check_text(llvm::CallBase& call, unsigned argument) {
  const AccessPlan* plan = this->plan(call.getArgOperandUse(argument));
  if (plan == nullptr || plan->test == AccessTest::Variable) return;
  llvm::Value* text = call.getArgOperand(argument);
  CodeBuilder builder(call);
  llvm::Instruction* given = llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(text), call.getIterator(), false);
  CodeBuilder code(*given);
  llvm::Value* there = runtime_.call(code, CheckFunction::Room, {text, runtime_.size(kLongestText)});
  const llvm::FunctionCallee search = runtime_.module().getOrInsertFunction(
      "memchr", runtime_.pointer_type(), runtime_.pointer_type(), code.getInt32Ty(), runtime_.size_type());
  llvm::Value* has_end = code.CreateIsNotNull(code.CreateCall(search, {text, runtime_.word(0), there}));
  llvm::Value* is_long = code.CreateICmpEQ(there, runtime_.size(kLongestText));
  llvm::Instruction* bad = rarely(code.CreateNot(code.CreateOr(has_end, is_long)), *given);
  CodeBuilder told(*bad);
  llvm::Value* is_right =
      runtime_.call(told, CheckFunction::CheckBlock,
                    {runtime_.word(site_of(call)), text, told.CreateAdd(there, runtime_.size(1)), runtime_.word(0)});
  llvm::Value* nowhere = runtime_.call(told, CheckFunction::Nowhere, {});
  llvm::Value* chosen = told.CreateSelect(told.CreateIsNotNull(is_right), text, nowhere);
  llvm::Value* inner = merge(text, chosen, *bad, *given);
  call.setArgOperand(argument, merge(text, inner, *given, call));
}

void FunctionChecks::check_copied_argument(llvm::CallBase& call, unsigned argument) {
  const std::uint64_t size = layout_.getTypeAllocSize(call.getParamByValType(argument)).getFixedValue();
  if (size > kNowhere) return;
  llvm::Value* is_right = test_block(call.getArgOperandUse(argument), runtime_.size(size), false, call);
  if (is_right == nullptr) return;
  CodeBuilder builder(call);
  llvm::Instruction* rare = rarely(builder.CreateNot(is_right), call);
  CodeBuilder code(*rare);
  llvm::Value* nowhere = runtime_.call(code, CheckFunction::Nowhere, {});
  call.setArgOperand(argument, merge(call.getArgOperand(argument), nowhere, *rare, call));
}

void FunctionChecks::redirect(llvm::CallBase& call, const Buffer& buffer, llvm::Value* condition) {
  llvm::Instruction* rare = rarely(condition, call);
  CodeBuilder code(*rare);
  llvm::Value* nowhere = runtime_.call(code, CheckFunction::Nowhere, {});
  const unsigned limited = buffer.count < 0 ? buffer.size : static_cast<unsigned>(buffer.count);
  llvm::Value* most = runtime_.size(kNowhere);
  if (buffer.count >= 0) {
    llvm::Value* item = as_size(code, call.getArgOperand(buffer.size), runtime_.size_type());
    most = code.CreateUDiv(most, code.CreateSelect(code.CreateIsNull(item), runtime_.size(1), item));
  }
  llvm::Value* asked = call.getArgOperand(limited);
  llvm::Value* fewer = least(code, as_size(code, asked, runtime_.size_type()), most);
  fewer = code.CreateZExtOrTrunc(fewer, asked->getType());
  call.setArgOperand(buffer.argument, merge(call.getArgOperand(buffer.argument), nowhere, *rare, call));
  call.setArgOperand(limited, merge(asked, fewer, *rare, call));
}

void FunctionChecks::check_read_buffer(llvm::CallBase& call, const Buffer& buffer) {
  CodeBuilder builder(call);
  llvm::Value* size = total_size(builder, call, buffer, runtime_.size_type());
  llvm::Value* is_right = test_block(call.getArgOperandUse(buffer.argument), size, false, call);
  if (is_right != nullptr) redirect(call, buffer, CodeBuilder(call).CreateNot(is_right));
}

llvm::Value* FunctionChecks::room(llvm::IRBuilder<>& builder, const llvm::Use& pointer, llvm::Value* size) {
  const AccessPlan& plan = *this->plan(pointer);
  if (plan.test == AccessTest::Map || plan.test == AccessTest::Constant)
    return runtime_.call(builder, CheckFunction::Room, {pointer.get(), size});
  llvm::Value* number = builder.CreatePtrToInt(pointer.get(), runtime_.size_type());
  llvm::Value* offset = builder.CreateSub(number, builder.CreatePtrToInt(plan.root, runtime_.size_type()));
  llvm::Value* total = object_size(builder, plan);
  return builder.CreateSelect(builder.CreateICmpULE(offset, total), builder.CreateSub(total, offset), runtime_.size(0));
}

void FunctionChecks::check_written_buffer(llvm::CallBase& call, const Buffer& buffer) {
  llvm::Value* pointer = call.getArgOperand(buffer.argument);
  if (this->plan(call.getArgOperandUse(buffer.argument)) == nullptr || llvm::isa<llvm::ConstantPointerNull>(pointer))
    return;
  CodeBuilder builder(call);
  llvm::Value* size = total_size(builder, call, buffer, runtime_.size_type());
  llvm::Value* there = room(builder, call.getArgOperandUse(buffer.argument), size);
  llvm::Value* is_short = builder.CreateAnd(builder.CreateICmpULT(there, size), builder.CreateIsNotNull(pointer));
  redirect(call, buffer, is_short);
  llvm::Value* elsewhere = call.getArgOperand(buffer.argument);
  if (buffer.written == Buffer::Written::String) {
    // The function gives back what it was given.
    CodeBuilder back(*call.getNextNode());
    llvm::Value* is_same = back.CreateICmpEQ(&call, elsewhere);
    llvm::Value* given = back.CreateSelect(is_same, pointer, &call);
    call.replaceUsesWithIf(given,
                           [&](const llvm::Use& use) { return use.getUser() != is_same && use.getUser() != given; });
  }
  llvm::Instruction& next = *call.getNextNode();
  llvm::Instruction* rare = rarely(is_short, next);
  rare->setDebugLoc(call.getDebugLoc());
  CodeBuilder code(*rare);
  llvm::Value* written = written_bytes(code, call, buffer, elsewhere, runtime_);
  code.CreateMemCpy(pointer, llvm::Align(1), elsewhere, llvm::Align(1), least(code, written, there));
  code.CreateMemSet(elsewhere, code.getInt8(0), written, llvm::Align(1));
  llvm::Instruction* bad = rarely(code.CreateICmpUGT(written, there), *rare);
  CodeBuilder told(*bad);
  const AccessPlan& plan = *this->plan(call.getArgOperandUse(buffer.argument));
  if (plan.test == AccessTest::Map || plan.test == AccessTest::Constant) {
    runtime_.call(told, CheckFunction::CheckBlock, {runtime_.word(site_of(call)), pointer, written, runtime_.word(1)});
  } else {
    llvm::Value* access =
        told.CreateOr(told.CreateTrunc(written, told.getInt32Ty()), runtime_.word(PLUMB_ACCESS_WRITE));
    runtime_.call(told, CheckFunction::BadOffset,
                  {runtime_.word(site_of(call)), pointer, access, plan.root, object_size(told, plan)});
  }
}

}  // namespace plumb::instrument
