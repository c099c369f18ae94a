// Loads, stores and blocks of memory. What is concrete costs a look at one byte of the filter; the rest is the
// runtime's work.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>

#include "instrument/shadows/shadow_function.h"
#include "instrument/shadows/shadow_types.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {

using term::Op;

namespace {

constexpr std::uint32_t kGranule = 1U << PLUMB_GRANULE_BITS;

std::optional<Op> op_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Add:
      return Op::Add;
    case llvm::AtomicRMWInst::Sub:
      return Op::Sub;
    case llvm::AtomicRMWInst::And:
      return Op::And;
    case llvm::AtomicRMWInst::Or:
      return Op::Or;
    case llvm::AtomicRMWInst::Xor:
      return Op::Xor;
    default:
      return std::nullopt;
  }
}

}  // namespace

VisibleObject FunctionShadows::object_at(const llvm::Use& pointer) const {
  const AccessPlan* plan = checks_.plan(pointer);
  return plan != nullptr ? plan->object : object_of(pointer.get(), layout_);
}

llvm::Value* FunctionShadows::filter_test(llvm::IRBuilder<>& builder, const Place& place) {
  if (place.size > kGranule) return builder.getInt16(1);
  llvm::Value* number = builder.CreatePtrToInt(place.address, runtime_.size_type());
  if (place.size <= 8) {
    llvm::Value* unit =
        builder.CreateAnd(builder.CreateLShr(number, 3), runtime_.size(runtime_.build().masks_size() - 1));
    llvm::Value* masks =
        builder.CreateInBoundsGEP(runtime_.masks()->getValueType(), runtime_.masks(), {runtime_.size(0), unit});
    // Code does not always keep the alignment that its types promise, so only a byte is sure to lie in one unit.
    if (place.size == 1)
      return builder.CreateZExt(builder.CreateLoad(builder.getInt8Ty(), masks), builder.getInt16Ty());
    return builder.CreateAlignedLoad(builder.getInt16Ty(), masks, llvm::Align(1));
  }
  const auto entry = [&](llvm::Value* at) {
    llvm::Value* granule = builder.CreateAnd(builder.CreateLShr(at, PLUMB_GRANULE_BITS),
                                             runtime_.size(runtime_.build().filter_size() - 1));
    llvm::Value* address =
        builder.CreateInBoundsGEP(runtime_.filter()->getValueType(), runtime_.filter(), {runtime_.size(0), granule});
    return builder.CreateZExt(builder.CreateLoad(builder.getInt8Ty(), address), builder.getInt16Ty());
  };
  return builder.CreateOr(entry(number), entry(builder.CreateAdd(number, runtime_.size(place.size - 1))));
}

llvm::Instruction* FunctionShadows::when_marked(const Place& place, llvm::Value* shadow, llvm::Instruction& position) {
  CodeBuilder builder(position);
  llvm::Value* masks = filter_test(builder, place);
  llvm::Value* any = builder.CreateZExt(masks, builder.getInt32Ty());
  if (!is_zero(shadow)) any = builder.CreateOr(any, shadow);
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(any), position);
  if (place.size > 8) return rare;
  // Neighbours may be symbolic: whether these bytes are is told by their bits.
  CodeBuilder code(*rare);
  if (layout_.isBigEndian() && place.size > 1) masks = code.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, masks);
  llvm::Value* number = code.CreatePtrToInt(place.address, runtime_.size_type());
  llvm::Value* offset = code.CreateTrunc(code.CreateAnd(number, runtime_.size(7)), code.getInt16Ty());
  llvm::Value* own =
      code.CreateAnd(code.CreateLShr(masks, offset), code.getInt16(static_cast<std::uint16_t>((1U << place.size) - 1)));
  own = code.CreateZExt(own, code.getInt32Ty());
  if (!is_zero(shadow)) own = code.CreateOr(own, shadow);
  return llvm::SplitBlockAndInsertIfThen(code.CreateIsNotNull(own), rare->getIterator(), false);
}

llvm::Value* FunctionShadows::merge_marked(llvm::Value* made, llvm::Instruction* rare, llvm::Instruction& position) {
  llvm::BasicBlock* after = rare->getSuccessor(0);
  if (after == position.getParent()) return merge(made, rare, position);
  llvm::Instruction* outer = after->getTerminator();
  return merge(merge(made, rare, *outer), outer, position);
}

std::uint32_t FunctionShadows::constant_index(const llvm::Value* base) const {
  const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(base);
  if (variable == nullptr || !variable->isConstant() || variable->isThreadLocal()) return 0;
  const auto index = prepared_.map.globals.find(variable);
  if (index == prepared_.map.globals.end()) return 0;
  const program::GlobalObject& object = prepared_.subject.program.globals[index->second];
  // Addresses differ from run to run, so the engine does not know these bytes.
  return object.relocations.empty() && !object.is_external ? index->second + 1 : 0;
}

void FunctionShadows::pin_value(llvm::Value* value, std::uint32_t reason, std::uint32_t subject,
                                llvm::Instruction& position) {
  if (!is_tracked(value->getType(), layout_)) return;
  llvm::Value* id = shadow(value, position);
  if (is_zero(id)) return;
  CodeBuilder builder(position);
  CodeBuilder code(*rarely(builder.CreateIsNotNull(id), position));
  runtime_.call(code, RuntimeFunction::Pin,
                {runtime_.word(reason), runtime_.word(subject), runtime_.word(width_of(value->getType(), layout_)), id,
                 bits_of(code, value)});
}

// --- Loads ---

llvm::Value* FunctionShadows::load_shadow(const Place& place, llvm::Type* type, llvm::Instruction& position) {
  llvm::Instruction* rare = when_marked(place, place.shadow, position);
  CodeBuilder code(*rare);
  llvm::Value* size = runtime_.word(place.size);
  llvm::Value* made = nullptr;
  if (is_zero(place.shadow)) {
    made = runtime_.call(code, RuntimeFunction::Load, {place.address, size});
  } else {
    const VisibleObject& object = place.object;
    llvm::Value* base = object.base != nullptr ? object.base : llvm::ConstantPointerNull::get(code.getPtrTy());
    made = runtime_.read(code, {runtime_.word(place.site), place.shadow, place.address, size, base,
                                runtime_.size(object.size), runtime_.word(constant_index(object.base))});
  }
  made = operators(code).resize(made, 8 * place.size, width_of(type, layout_), false);
  return merge_marked(made, rare, position);
}

void FunctionShadows::count_wide_load(const Place& place, llvm::Instruction& position) {
  CodeBuilder code(*when_marked(place, runtime_.word(0), position));
  llvm::Value* any = runtime_.word(0);
  for (std::uint32_t offset = 0; offset < place.size; offset += 8) {
    llvm::Value* address = code.CreateConstInBoundsGEP1_32(code.getInt8Ty(), place.address, offset);
    any = code.CreateOr(
        any, runtime_.call(code, RuntimeFunction::Load, {address, runtime_.word(std::min(place.size - offset, 8U))}));
  }
  runtime_.lost(code, PLUMB_PIN_WIDE, place.site, any);
}

void FunctionShadows::visit_load(llvm::LoadInst& load) {
  const SiteId site = site_of(load);
  const VisibleObject object = object_at(load.getOperandUse(0));
  auto [address, address_shadow] = check_access(load);
  const auto parts = leaves(load.getType(), layout_);
  const bool is_scalar = parts.size() == 1 && is_tracked(parts.front().type, layout_);
  if (is_scalar && is_zero(address_shadow) && !prepared_.may_be_symbolic(load)) return;
  if (!is_scalar) {
    pin_value(address, PLUMB_PIN_ADDRESS, site, load);
    address_shadow = runtime_.word(0);
  }
  Shadows made;
  for (const Leaf& leaf : parts) {
    CodeBuilder builder(load);
    Place place{address, address_shadow,
                static_cast<std::uint32_t>(layout_.getTypeStoreSize(leaf.type).getFixedValue()), site, object};
    if (leaf.offset != 0)
      place.address = builder.CreateInBoundsGEP(builder.getInt8Ty(), address, runtime_.size(leaf.offset));
    if (is_tracked(leaf.type, layout_)) {
      made.push_back(load_shadow(place, leaf.type, load));
    } else {
      count_wide_load(place, load);
      made.push_back(runtime_.word(0));
    }
  }
  shadows_[&load] = std::move(made);
}

// --- Stores ---

void FunctionShadows::clear(const Place& place, llvm::Instruction& position) {
  CodeBuilder code(*when_marked(place, runtime_.word(0), position));
  runtime_.call(code, RuntimeFunction::Cleared, {place.address, runtime_.size(place.size)});
}

void FunctionShadows::store_shadow(const Place& place, llvm::Value* value, llvm::Value* shadow,
                                   llvm::Instruction& before, llvm::Instruction& after) {
  const std::uint32_t width = width_of(value->getType(), layout_);
  if (!is_zero(place.shadow)) {
    CodeBuilder builder(before);
    CodeBuilder code(*rarely(builder.CreateIsNotNull(place.shadow), before));
    const VisibleObject& object = place.object;
    llvm::Value* base = object.base != nullptr ? object.base : llvm::ConstantPointerNull::get(code.getPtrTy());
    llvm::Value* whole = operators(code).resize(shadow, width, 8 * place.size, false);
    runtime_.call(code, RuntimeFunction::Write,
                  {runtime_.word(place.site), place.shadow, place.address, runtime_.word(place.size), whole,
                   bits_of(code, value), base, runtime_.size(object.size)});
  }
  CodeBuilder code(*when_marked(place, shadow, after));
  llvm::Value* whole = operators(code).resize(shadow, width, 8 * place.size, false);
  if (is_zero(place.shadow)) {
    runtime_.call(code, RuntimeFunction::Store, {place.address, runtime_.word(place.size), whole});
  } else {
    runtime_.store(code, {place.address, runtime_.word(place.size), whole, place.shadow});
  }
}

void FunctionShadows::visit_store(llvm::StoreInst& store) {
  llvm::Value* value = store.getValueOperand();
  const Shadows shadows = this->shadows(value, store);
  const VisibleObject object = object_at(store.getOperandUse(1));
  const bool may_hold_symbolic = prepared_.memory_may_be_symbolic(*store.getPointerOperand());
  auto [address, address_shadow] = check_access(store);
  const auto parts = leaves(value->getType(), layout_);
  const bool is_scalar = parts.size() == 1 && is_tracked(parts.front().type, layout_);
  if (is_zero(address_shadow) && std::ranges::all_of(shadows, is_zero) && !may_hold_symbolic) return;
  if (!is_scalar) {
    pin_value(address, PLUMB_PIN_ADDRESS, site_of(store), store);
    address_shadow = runtime_.word(0);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Leaf& leaf = parts[i];
    Place place{address, address_shadow,
                static_cast<std::uint32_t>(layout_.getTypeStoreSize(leaf.type).getFixedValue()), site_of(store),
                object};
    CodeBuilder builder(store);
    if (leaf.offset != 0)
      place.address = builder.CreateInBoundsGEP(builder.getInt8Ty(), address, runtime_.size(leaf.offset));
    if (is_scalar) {
      store_shadow(place, value, shadows[i], store, *store.getNextNode());
    } else if (is_tracked(leaf.type, layout_) && !is_zero(shadows[i])) {
      // The value itself does not matter to a store at a concrete address.
      store_shadow(place, llvm::UndefValue::get(leaf.type), shadows[i], store, *store.getNextNode());
    } else {
      clear(place, *store.getNextNode());
    }
  }
}

// --- Atomic operations ---

void FunctionShadows::visit_exchange(llvm::AtomicRMWInst& instruction) {
  llvm::Value* address = check_access(instruction).value;
  llvm::Value* value = instruction.getValOperand();
  pin_value(address, PLUMB_PIN_ADDRESS, site_of(instruction), instruction);
  const Place place{address,
                    runtime_.word(0),
                    static_cast<std::uint32_t>(layout_.getTypeStoreSize(value->getType()).getFixedValue()),
                    site_of(instruction),
                    {}};
  if (!is_tracked(value->getType(), layout_)) {
    count_wide_load(place, instruction);
    return clear(place, *instruction.getNextNode());
  }
  llvm::Value* given = shadow(value, instruction);
  llvm::Value* old = load_shadow(place, value->getType(), instruction);
  shadows_[&instruction] = {old};
  llvm::Instruction& next = *instruction.getNextNode();
  if (instruction.getOperation() == llvm::AtomicRMWInst::Xchg)
    return store_shadow(place, value, given, instruction, next);
  const std::optional<Op> op = op_of(instruction.getOperation());
  if (!op) {
    pin_value(&instruction, PLUMB_PIN_UNSUPPORTED, site_of(instruction), next);
    pin_value(value, PLUMB_PIN_UNSUPPORTED, site_of(instruction), next);
    return clear(place, next);
  }
  CodeBuilder builder(next);
  llvm::Value* any = is_zero(given) ? old : builder.CreateOr(old, given);
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(any), next);
  CodeBuilder code(*rare);
  llvm::Value* made = operators(code).binary(*op, width_of(value->getType(), layout_),
                                             {old, bits_of(code, &instruction)}, {given, bits_of(code, value)});
  made = merge(made, rare, next);
  store_shadow(place, value, made, instruction, next);
}

void FunctionShadows::visit_exchange(llvm::AtomicCmpXchgInst& instruction) {
  llvm::Value* address = check_access(instruction).value;
  llvm::Value* wanted = instruction.getCompareOperand();
  llvm::Value* value = instruction.getNewValOperand();
  const SiteId site = site_of(instruction);
  pin_value(address, PLUMB_PIN_ADDRESS, site, instruction);
  pin_value(wanted, PLUMB_PIN_UNSUPPORTED, site, instruction);
  const Place place{address,
                    runtime_.word(0),
                    static_cast<std::uint32_t>(layout_.getTypeStoreSize(value->getType()).getFixedValue()),
                    site,
                    {}};
  llvm::Instruction& next = *instruction.getNextNode();
  if (!is_tracked(value->getType(), layout_)) {
    count_wide_load(place, instruction);
    return clear(place, next);
  }
  llvm::Value* given = shadow(value, instruction);
  llvm::Value* old = load_shadow(place, value->getType(), instruction);
  // Whether it is exchanged is decided here and now: the old value is what it is.
  CodeBuilder builder(next);
  llvm::Value* before = builder.CreateExtractValue(&instruction, 0);
  llvm::Value* is_done = builder.CreateExtractValue(&instruction, 1);
  llvm::Value* any = is_zero(given) ? old : builder.CreateOr(old, given);
  CodeBuilder code(*rarely(builder.CreateIsNotNull(any), next));
  runtime_.when(code, RuntimeFunction::Pin,
                {runtime_.word(PLUMB_PIN_UNSUPPORTED), runtime_.word(site),
                 runtime_.word(width_of(value->getType(), layout_)), old, bits_of(code, before)});
  llvm::Value* kept = code.CreateSelect(is_done, given, runtime_.word(0));
  runtime_.call(code, RuntimeFunction::Store,
                {address, runtime_.word(place.size),
                 operators(code).resize(kept, width_of(value->getType(), layout_), 8 * place.size, false)});
}

// --- Objects and blocks of memory ---

void FunctionShadows::visit_allocation(llvm::AllocaInst& variable) {
  if (variable.isStaticAlloca()) return;
  pin_value(variable.getArraySize(), PLUMB_PIN_SIZE, site_of(variable), variable);
  // Its size is known at run time alone, so accesses do not show the object.
  CodeBuilder builder(*variable.getNextNode());
  llvm::Value* count = builder.CreateZExtOrTrunc(variable.getArraySize(), runtime_.size_type());
  const std::uint64_t element = layout_.getTypeAllocSize(variable.getAllocatedType()).getFixedValue();
  llvm::Value* size = builder.CreateMul(count, runtime_.size(element));
  runtime_.call(builder, RuntimeFunction::StackObject, {&variable, size});
  if (!prepared_.memory_may_be_symbolic(variable)) runtime_.call(builder, RuntimeFunction::Cleared, {&variable, size});
}

bool FunctionShadows::visit_memory_intrinsic(llvm::CallBase& call) {
  if (call.getIntrinsicID() == llvm::Intrinsic::stacksave) {
    if (saved_stack_ != nullptr)
      saved_tops_[&call] = CodeBuilder(*call.getNextNode())
                               .CreateLoad(llvm::Type::getInt32Ty(function_.getContext()), runtime_.stack_top());
    return true;
  }
  if (call.getIntrinsicID() == llvm::Intrinsic::stackrestore) {
    const auto top = saved_tops_.find(call.getArgOperand(0));
    if (top != saved_tops_.end()) CodeBuilder(call).CreateStore(top->second, runtime_.stack_top());
    return true;
  }
  auto* block = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call);
  if (block == nullptr) return false;
  const bool may_hold_symbolic = prepared_.memory_may_be_symbolic(*block->getRawDest());
  tell_block(block->getRawDestUse(), block->getLength(), true, call);
  if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(block))
    tell_block(copy->getRawSourceUse(), block->getLength(), false, call);
  pin_value(block->getRawDest(), PLUMB_PIN_ADDRESS, site_of(call), call);
  pin_value(block->getLength(), PLUMB_PIN_SIZE, site_of(call), call);
  if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(block))
    pin_value(copy->getRawSource(), PLUMB_PIN_ADDRESS, site_of(call), call);
  auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(block);
  llvm::Value* byte = fill != nullptr ? shadow(fill->getValue(), call) : nullptr;
  checks_.check_block(*block);
  if (!may_hold_symbolic && (byte == nullptr || is_zero(byte))) return true;
  llvm::Instruction* next = call.getNextNode();
  CodeBuilder builder(*next);
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(block->getLength());
  if (length != nullptr && length->getZExtValue() <= kGranule && length->getZExtValue() > 0) {
    const auto size = static_cast<std::uint32_t>(length->getZExtValue());
    llvm::Value* any = filter_test(builder, {block->getRawDest(), nullptr, size, 0, {}});
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(block))
      any = builder.CreateOr(any, filter_test(builder, {copy->getRawSource(), nullptr, size, 0, {}}));
    any = builder.CreateZExt(any, builder.getInt32Ty());
    if (byte != nullptr) any = builder.CreateOr(any, byte);
    builder.SetInsertPoint(rarely(builder.CreateIsNotNull(any), *next));
  }
  llvm::Value* size = builder.CreateZExtOrTrunc(block->getLength(), runtime_.size_type());
  if (fill != nullptr) {
    runtime_.call(builder, RuntimeFunction::Filled, {block->getRawDest(), size, byte});
  } else {
    llvm::Value* from = llvm::cast<llvm::AnyMemTransferInst>(block)->getRawSource();
    runtime_.call(builder, RuntimeFunction::Copied, {block->getRawDest(), from, size});
  }
  return true;
}

}  // namespace plumb::instrument
