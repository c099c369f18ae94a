// Variadic arguments (runtime/concolic/variadic.c). The places follow the System V ABIs of i386 and x86-64 as clang
// uses them: scalars in registers or in slots of the stack, structures either taken apart into scalars or copied to the
// stack.
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>

#include "concolic/instrument/shadow_function.h"
#include "concolic/instrument/shadow_types.h"
#include "runtime/concolic/runtime.h"

namespace plumb::concolic {
namespace {

/// Gives each argument of a call its place, in order.
class ArgumentPlaces {
 public:
  ArgumentPlaces(const llvm::CallBase& call, const llvm::DataLayout& layout)
      : call_(call), layout_(layout), slot_(layout.getPointerSize()) {}

  /// The place of a scalar of at most 8 bytes; none for others, which take their room.
  std::optional<std::uint32_t> next(unsigned argument);
  /// Arguments from here on are variadic: places on the stack count from here.
  void begin_variadic() { first_ = stack_; }
  std::uint32_t stack_size() const { return stack_ - first_; }

 private:
  std::uint32_t take_stack(std::uint64_t size, std::uint64_t alignment) {
    const std::uint32_t aligned =
        static_cast<std::uint32_t>(llvm::alignTo(stack_, std::max<std::uint64_t>(alignment, slot_)));
    stack_ = static_cast<std::uint32_t>(aligned + llvm::alignTo(size, slot_));
    return aligned;
  }
  std::uint32_t on_stack(std::uint64_t size) { return PLUMB_ON_STACK | (take_stack(size, slot_) - first_); }

  const llvm::CallBase& call_;
  const llvm::DataLayout& layout_;
  std::uint32_t slot_;
  std::uint32_t integers_ = 0;
  std::uint32_t floats_ = 0;
  std::uint32_t stack_ = 0;
  std::uint32_t first_ = 0;
};

std::optional<std::uint32_t> ArgumentPlaces::next(unsigned argument) {
  constexpr std::uint32_t kIntegers = 6;
  constexpr std::uint32_t kFloats = 8;
  const bool has_registers = slot_ == 8;
  llvm::Type* type = call_.getArgOperand(argument)->getType();
  if (call_.isByValArgument(argument)) {
    llvm::Type* copied = call_.getParamByValType(argument);
    const auto given = call_.getParamAlign(argument);
    take_stack(layout_.getTypeAllocSize(copied), given ? given->value() : slot_);
    return {};
  }
  const std::uint64_t size = layout_.getTypeAllocSize(type);
  const bool is_float = type->isFloatTy() || type->isDoubleTy() || type->isVectorTy() || type->isFP128Ty();
  if (!has_registers) {
    const std::uint32_t place = on_stack(size);
    return is_tracked(type, layout_) ? std::optional(place) : std::nullopt;
  }
  if (is_float) {
    if (floats_ < kFloats) {
      const std::uint32_t place = kIntegers * 8 + 16 * floats_++;
      return is_tracked(type, layout_) ? std::optional(place) : std::nullopt;
    }
    if (is_tracked(type, layout_)) return on_stack(size);
  } else if (is_tracked(type, layout_)) {
    return integers_ < kIntegers ? 8 * integers_++ : on_stack(size);
  } else if (type->isIntegerTy() && size <= 16 && integers_ + 2 <= kIntegers) {
    integers_ += 2;
    return {};
  }
  take_stack(size, layout_.getABITypeAlign(type).value());
  return {};
}

}  // namespace

void FunctionShadows::pass_variadic(llvm::CallBase& call) {
  const unsigned fixed = call.getFunctionType()->getNumParams();
  ArgumentPlaces places(call, layout_);
  for (unsigned argument = 0; argument < fixed; ++argument) places.next(argument);
  places.begin_variadic();
  struct Passed {
    std::uint32_t place;
    std::uint32_t size;
    llvm::Value* shadow;
  };
  llvm::SmallVector<Passed, 8> passed;
  CodeBuilder builder(call);
  llvm::Value* any = runtime_.word(0);
  for (unsigned argument = fixed; argument < call.arg_size(); ++argument) {
    llvm::Value* value = call.getArgOperand(argument);
    const auto place = places.next(argument);
    if (!place) continue;
    llvm::Value* id = known(value).front();
    const std::uint32_t size = width_of(value->getType(), layout_) / 8;
    if (llvm::isa<llvm::Constant>(id) || size == 0) continue;
    passed.push_back({*place, size, id});
    any = passed.size() == 1 ? id : builder.CreateOr(any, id);
  }
  runtime_.call(builder, RuntimeFunction::VariadicCall,
                {call.getCalledOperand()->stripPointerCastsAndAliases(), runtime_.word(places.stack_size())});
  if (passed.empty()) return;
  CodeBuilder code(*rarely(builder.CreateIsNotNull(any), call));
  for (const auto& [place, size, id] : passed)
    runtime_.call(code, RuntimeFunction::VariadicArgument,
                  {runtime_.word(site_of(call)), runtime_.word(place), runtime_.word(size), id});
}

void FunctionShadows::take_variadic(llvm::Instruction& position) {
  if (!function_.isVarArg()) return;
  const auto starts = [](const llvm::Instruction& instruction) { return llvm::isa<llvm::VAStartInst>(instruction); };
  if (std::ranges::none_of(function_, [&](llvm::BasicBlock& block) { return std::ranges::any_of(block, starts); }))
    return;
  // All lists of a function lead to the same arguments; one of our own tells where they are before any is used.
  CodeBuilder builder(position);
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> top(&entry, entry.begin());
  llvm::Type* words = llvm::ArrayType::get(runtime_.size_type(), layout_.getPointerSize() == 8 ? 3 : 1);
  llvm::AllocaInst* list = top.CreateAlloca(words, nullptr, "plumb.list");
  list->setAlignment(llvm::Align(16));
  builder.CreateIntrinsic(llvm::Intrinsic::vastart, {builder.getPtrTy()}, {list});
  runtime_.call(builder, RuntimeFunction::VariadicEnter, {list, &function_});
  builder.CreateIntrinsic(llvm::Intrinsic::vaend, {builder.getPtrTy()}, {list});
}

}  // namespace plumb::concolic
