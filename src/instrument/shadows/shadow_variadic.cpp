// Variadic arguments (runtime/concolic/variadic.c). The places follow the ABIs as clang uses them: System V of i386 and
// x86-64, AAPCS of ARM and AArch64, RISC-V's LP64D and s390x's ELF ABI. Scalars are in registers or in slots of the
// stack; structures are taken apart into scalars, handed over as arrays of them, copied to the stack, or elsewhere with
// a pointer. Where an ABI is not known, what is symbolic is lost and counted.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>

#include "instrument/build.h"
#include "instrument/shadows/shadow_function.h"
#include "instrument/shadows/shadow_types.h"
#include "program/platform.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {
namespace {

using program::Machine;

/// The machine whose convention the module follows; Other where its places are not known.
Machine convention_of(const llvm::Module& module) {
  const llvm::StringRef triple = module.getTargetTriple();
  if (triple.empty()) return Machine::Other;
  const program::Platform platform = program::platform_of(std::string_view(triple));
  const bool is_known = platform.variadic_list_size != 0 && platform.machine != Machine::RiscV32 &&
                        (!platform.is_big_endian || platform.machine == Machine::S390x);
  return is_known ? platform.machine : Machine::Other;
}

/// What places depend on.
struct Argument {
  llvm::Type* type = nullptr;
  llvm::Type* copied = nullptr;  ///< what the pointer leads to, if that is copied to the stack
  llvm::MaybeAlign alignment;
  bool is_result = false;  ///< the place of a structure that is returned
};

Argument argument_of(const llvm::CallBase& call, unsigned i) {
  return {call.getArgOperand(i)->getType(), call.isByValArgument(i) ? call.getParamByValType(i) : nullptr,
          call.getParamAlign(i), call.paramHasAttr(i, llvm::Attribute::StructRet)};
}

Argument argument_of(const llvm::Argument& argument) {
  return {argument.getType(), argument.hasByValAttr() ? argument.getParamByValType() : nullptr,
          argument.getParamAlign(), argument.hasStructRetAttr()};
}

bool is_float(const llvm::Type* type) { return type->isFloatingPointTy() || type->isVectorTy(); }

/// Gives each argument of a call its place, in order.
class ArgumentPlaces {
 public:
  ArgumentPlaces(Machine convention, const llvm::DataLayout& layout)
      : convention_(convention), layout_(layout), slot_(layout.getPointerSize()) {}

  /// Where it begins; none if that is not known or the type is not one of ours.
  std::optional<std::uint32_t> next(const Argument& argument);
  /// Arguments from here on are variadic: places on the stack count from here.
  void begin_variadic() {
    is_variadic_ = true;
    first_ = stack_;
  }
  std::uint32_t stack_size() const { return stack_ - first_; }
  /// Bytes of registers that the callee saves right before those arguments that are on the stack.
  std::uint32_t saved_before_stack() const {
    const std::uint32_t registers = convention_ == Machine::Arm ? 16 : convention_ == Machine::RiscV64 ? 64 : 0;
    return registers > first_ ? registers - first_ : 0;
  }

 private:
  std::uint32_t take_stack(std::uint64_t size, std::uint64_t alignment) {
    const std::uint32_t aligned =
        static_cast<std::uint32_t>(llvm::alignTo(stack_, std::max<std::uint64_t>(alignment, slot_)));
    stack_ = static_cast<std::uint32_t>(aligned + llvm::alignTo(size, slot_));
    return aligned;
  }
  std::uint32_t on_stack(std::uint64_t size, std::uint64_t alignment) {
    return PLUMB_ON_STACK | (take_stack(size, alignment) - first_);
  }
  std::uint64_t size_of(llvm::Type* type) const { return layout_.getTypeAllocSize(type); }
  std::uint64_t alignment_of(llvm::Type* type) const { return layout_.getABITypeAlign(type).value(); }

  std::optional<std::uint32_t> on_x86_64(llvm::Type* type);
  std::optional<std::uint32_t> on_aarch64(llvm::Type* type);
  std::optional<std::uint32_t> on_riscv(llvm::Type* type);
  std::optional<std::uint32_t> on_s390x(llvm::Type* type);

  Machine convention_;
  const llvm::DataLayout& layout_;
  std::uint32_t slot_;
  bool is_variadic_ = false;
  std::uint32_t integers_ = 0;
  std::uint32_t floats_ = 0;
  std::uint32_t stack_ = 0;
  std::uint32_t first_ = 0;
};

std::optional<std::uint32_t> ArgumentPlaces::on_x86_64(llvm::Type* type) {
  constexpr std::uint32_t kIntegers = program::kSavedIntegers / 8;
  constexpr std::uint32_t kFloats = (program::kSavedRegisters - program::kSavedIntegers) / 16;
  static_assert(PLUMB_SAVED_REGISTERS == program::kSavedRegisters);
  const std::uint64_t size = size_of(type);
  const bool in_floats = type->isFloatTy() || type->isDoubleTy() || type->isVectorTy() || type->isFP128Ty();
  if (in_floats) {
    if (floats_ < kFloats) return program::kSavedIntegers + 16 * floats_++;
    if (is_tracked(type, layout_)) return on_stack(size, slot_);
  } else if (is_tracked(type, layout_)) {
    return integers_ < kIntegers ? 8 * integers_++ : on_stack(size, slot_);
  } else if (type->isIntegerTy() && size <= 16 && integers_ + 2 <= kIntegers) {
    integers_ += 2;
    return {};
  }
  take_stack(size, alignment_of(type));
  return {};
}

// Registers of 8 bytes have the places from 0 on, those of 16 from 64 on. What is more than one register is in
// registers as a whole or not at all, and then nothing that follows is.
std::optional<std::uint32_t> ArgumentPlaces::on_aarch64(llvm::Type* type) {
  constexpr std::uint32_t kEach = 8;
  llvm::Type* element = type;
  std::uint32_t count = 1;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    element = array->getElementType();
    count = static_cast<std::uint32_t>(array->getNumElements());
  }
  const bool in_floats = is_float(element);
  std::uint32_t& used = in_floats ? floats_ : integers_;
  if (!in_floats && size_of(element) == 16) {
    count *= 2;
    used += used % 2;
  }
  if (used + count <= kEach) {
    const std::uint32_t place = in_floats ? 8 * kEach + 16 * used : 8 * used;
    used += count;
    return place;
  }
  used = kEach;
  return on_stack(size_of(type), alignment_of(type));
}

// Variadic arguments are as if all were integers, and registers as if they came before the stack. Fixed floating point
// numbers have registers of their own.
std::optional<std::uint32_t> ArgumentPlaces::on_riscv(llvm::Type* type) {
  constexpr std::uint32_t kFloats = 8;
  constexpr std::uint32_t kIntegerBytes = 64;
  const bool is_wide = alignment_of(type) > 8;
  if (!is_variadic_ && is_float(type) && size_of(type) <= 8 && floats_ < kFloats) {
    ++floats_;
    return {};
  }
  // A fixed pair may begin with any register.
  const bool is_aligned = is_wide && (is_variadic_ || stack_ >= kIntegerBytes);
  return on_stack(size_of(type), is_aligned ? 16 : 8);
}

// A number of less than 8 bytes is at the end of its slot.
std::optional<std::uint32_t> ArgumentPlaces::on_s390x(llvm::Type* type) {
  constexpr std::uint32_t kIntegers = 5;
  constexpr std::uint32_t kFloats = 4;
  const std::uint64_t size = size_of(type);
  const auto before = static_cast<std::uint32_t>(size < 8 ? 8 - size : 0);
  if (type->isFloatTy() || type->isDoubleTy()) {
    if (floats_ < kFloats) return 128 + 8 * floats_++;
  } else if (size <= 8 && !type->isVectorTy() && integers_ < kIntegers) {
    return 16 + 8 * integers_++ + before;
  }
  return on_stack(size, 8) + before;
}

std::optional<std::uint32_t> ArgumentPlaces::next(const Argument& argument) {
  llvm::Type* type = argument.type;
  if (argument.copied != nullptr) {
    take_stack(size_of(argument.copied), argument.alignment ? argument.alignment->value() : slot_);
    return {};
  }
  std::optional<std::uint32_t> place;
  switch (convention_) {
    case Machine::X86:
      place = on_stack(size_of(type), slot_);
      break;
    case Machine::X86_64:
      place = on_x86_64(type);
      break;
    case Machine::Arm:
      place = on_stack(size_of(type), alignment_of(type));
      break;
    case Machine::AArch64:
      if (!argument.is_result) place = on_aarch64(type);
      break;
    case Machine::RiscV64:
      place = on_riscv(type);
      break;
    case Machine::S390x:
      place = on_s390x(type);
      break;
    case Machine::RiscV32:
    case Machine::Other:
      break;
  }
  return place;
}

/// In no area: the runtime counts what is symbolic as lost.
constexpr std::uint32_t kNoPlace = 0x7fffffff;

/// Of a part at the offset of what has the place: registers of AArch64 for floating point hold one number each.
std::uint32_t part_place(Machine convention, std::optional<std::uint32_t> place, const Leaf& leaf) {
  if (!place) return kNoPlace;
  const bool is_alone = convention == Machine::AArch64 && (*place & PLUMB_ON_STACK) == 0 && is_float(leaf.type);
  const std::uint64_t size = leaf.type->getPrimitiveSizeInBits().getFixedValue() / 8;
  return *place + static_cast<std::uint32_t>(is_alone && size != 0 ? leaf.offset / size * 16 : leaf.offset);
}

}  // namespace

void FunctionShadows::pass_variadic(llvm::CallBase& call) {
  const unsigned fixed = call.getFunctionType()->getNumParams();
  const Machine convention = convention_of(*function_.getParent());
  ArgumentPlaces places(convention, layout_);
  for (unsigned argument = 0; argument < fixed; ++argument) places.next(argument_of(call, argument));
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
    const auto place = places.next(argument_of(call, argument));
    const auto parts = leaves(value->getType(), layout_);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (!is_tracked(parts[part].type, layout_)) continue;
      llvm::Value* id = known(value)[part];
      const std::uint32_t size = width_of(parts[part].type, layout_) / 8;
      if (llvm::isa<llvm::Constant>(id) || size == 0) continue;
      passed.push_back({part_place(convention, place, parts[part]), size, id});
      any = passed.size() == 1 ? id : builder.CreateOr(any, id);
    }
  }
  if (convention != Machine::Other)
    runtime_.call(builder, RuntimeFunction::VariadicCall,
                  {call.getCalledOperand()->stripPointerCastsAndAliases(), runtime_.word(places.stack_size())});
  if (passed.empty()) return;
  CodeBuilder code(*rarely(builder.CreateIsNotNull(any), call));
  if (convention == Machine::Other) {
    runtime_.call(code, RuntimeFunction::Lost, {runtime_.word(PLUMB_PIN_WIDE), runtime_.word(site_of(call))});
    return;
  }
  for (const auto& [place, size, id] : passed)
    runtime_.call(code, RuntimeFunction::VariadicArgument,
                  {runtime_.word(site_of(call)), runtime_.word(place), runtime_.word(size), id});
}

void FunctionShadows::take_variadic(llvm::Instruction& position) {
  const Machine convention = convention_of(*function_.getParent());
  if (!function_.isVarArg() || convention == Machine::Other) return;
  const auto starts = [](const llvm::Instruction& instruction) { return llvm::isa<llvm::VAStartInst>(instruction); };
  if (std::ranges::none_of(function_, [&](llvm::BasicBlock& block) { return std::ranges::any_of(block, starts); }))
    return;
  // All lists of a function lead to the same arguments; one of our own tells where they are before any is used.
  CodeBuilder builder(position);
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> top(&entry, entry.begin());
  llvm::Type* words = llvm::ArrayType::get(
      runtime_.size_type(), size_of_variable_arguments(*function_.getParent()) / layout_.getPointerSize());
  llvm::AllocaInst* list = top.CreateAlloca(words, nullptr, "plumb.list");
  list->setAlignment(llvm::Align(16));
  builder.CreateIntrinsic(llvm::Intrinsic::vastart, {builder.getPtrTy()}, {list});
  ArgumentPlaces places(convention, layout_);
  for (const llvm::Argument& argument : function_.args()) places.next(argument_of(argument));
  places.begin_variadic();
  // Callers without instrumentation do not say how much there is on the stack; what was saved there is new in any case.
  if (const std::uint32_t saved = places.saved_before_stack(); saved != 0)
    runtime_.call(builder, RuntimeFunction::Cleared,
                  {builder.CreateLoad(builder.getPtrTy(), list), runtime_.size(saved)});
  runtime_.call(builder, RuntimeFunction::VariadicEnter, {list, &function_});
  builder.CreateIntrinsic(llvm::Intrinsic::vaend, {builder.getPtrTy()}, {list});
}

}  // namespace plumb::instrument
