#include <fmt/format.h>

#include <algorithm>

#include "frontend/lower/lower_function.h"
#include "frontend/module.h"
#include "frontend/scopes.h"

namespace plumb::frontend {

using program::kAcquire;
using program::kAtomic;
using program::kRelease;
using program::kSynthetic;
using program::kVolatile;
using term::Op;

namespace {

/// What an atomic operation, a part of one or a fence orders.
std::uint16_t order_flags(llvm::AtomicOrdering order) {
  return static_cast<std::uint16_t>((llvm::isAcquireOrStronger(order) ? kAcquire : 0) |
                                    (llvm::isReleaseOrStronger(order) ? kRelease : 0));
}

std::uint16_t access_flags(bool is_volatile, llvm::AtomicOrdering order) {
  const bool is_atomic = order != llvm::AtomicOrdering::NotAtomic;
  return static_cast<std::uint16_t>((is_volatile ? kVolatile : 0) | (is_atomic ? kAtomic : 0) | order_flags(order));
}

std::uint32_t alignment_at(llvm::Align alignment, std::uint64_t offset) {
  return static_cast<std::uint32_t>(llvm::commonAlignment(alignment, offset).value());
}

}  // namespace

bool FunctionLowering::lower_memory(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    define(*load, load_parts(load->getType(), scalar(*load->getPointerOperand()), load->getAlign(),
                             access_flags(load->isVolatile(), load->getOrdering())));
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store_parts(store->getValueOperand()->getType(), scalar(*store->getPointerOperand()),
                parts(*store->getValueOperand()), store->getAlign(),
                access_flags(store->isVolatile(), store->getOrdering()));
  } else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    if (module_.options().check_indices) check_indices(*gep);
    define(*gep, address(llvm::cast<llvm::GEPOperator>(*gep)));
    check_pointer(llvm::cast<llvm::GEPOperator>(*gep));
  } else if (const auto* allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    lower_allocation(*allocation);
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    lower_exchange(*exchange);
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    lower_update(*update);
  } else if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    const bool is_of_threads = fence->getSyncScopeID() != llvm::SyncScope::SingleThread;
    mark(Intrinsic::Fence, is_of_threads ? order_flags(fence->getOrdering()) : 0);
  } else if (const auto* argument = llvm::dyn_cast<llvm::VAArgInst>(&instruction)) {
    lower_va_arg(*argument);
  } else {
    return false;
  }
  return true;
}

Parts FunctionLowering::load_parts(llvm::Type* type, ValueId address, llvm::Align alignment, std::uint16_t flags) {
  const Shape& shape = module_.shapes().of(type);
  Parts made;
  for (const MemoryUnit& unit : shape.units) {
    const ValueId place = offset_address(address, static_cast<std::int64_t>(unit.offset));
    const ValueId loaded = builder_.load(place, unit.width, alignment_at(alignment, unit.offset), flags);
    for (std::uint32_t i = 0; i < unit.part_count; ++i) {
      const Part& part = shape.parts[unit.first_part + i];
      if (part.is_pointer) builder_.set_pointer(loaded);
      const std::uint32_t rank = is_big_endian() ? unit.part_count - 1 - i : i;
      made.push_back(part.width == unit.width ? loaded
                                              : builder_.op(Op::Extract, {loaded}, part.width, rank * part.width));
    }
  }
  return made;
}

void FunctionLowering::store_parts(llvm::Type* type, ValueId address, const Parts& parts, llvm::Align alignment,
                                   std::uint16_t flags) {
  for (const MemoryUnit& unit : module_.shapes().of(type).units) {
    ValueId stored = parts[unit.first_part];
    for (std::uint32_t i = 1; i < unit.part_count; ++i) stored = join(stored, parts[unit.first_part + i]);
    const ValueId place = offset_address(address, static_cast<std::int64_t>(unit.offset));
    builder_.store(place, resize(stored, unit.width), alignment_at(alignment, unit.offset), flags);
  }
}

void FunctionLowering::lower_allocation(const llvm::AllocaInst& allocation) {
  const std::uint64_t element = module_.layout().getTypeAllocSize(allocation.getAllocatedType()).getFixedValue();
  const ValueId count = resize(scalar(*allocation.getArraySize()), pointer_width());
  const ValueId size = builder_.op(Op::Mul, {count, pointer_sized(element)});
  const ValueId made = builder_.allocate(size, static_cast<std::uint32_t>(allocation.getAlign().value()));
  define(allocation, {made});
  if (const llvm::MDNode* lost = allocation.getMetadata(kLostScope))
    intrinsic(Intrinsic::EnterScope, {made}, 0,
              module_.message(llvm::cast<llvm::MDString>(lost->getOperand(0))->getString().str()));
}

void FunctionLowering::lower_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  const ValueId place = scalar(*exchange.getPointerOperand());
  const ValueId expected = scalar(*exchange.getCompareOperand());
  const Parts desired = parts(*exchange.getNewValOperand());
  llvm::Type* type = exchange.getNewValOperand()->getType();
  const std::uint16_t flags = access_flags(exchange.isVolatile(), exchange.getMergedOrdering());
  mark(Intrinsic::AtomicBegin, kSynthetic);
  const ValueId old = load_parts(type, place, exchange.getAlign(), flags).front();
  const ValueId is_equal = builder_.op(Op::Eq, {old, expected});
  // The processor writes in any case: the old value if the comparison failed.
  store_parts(type, place, {builder_.op(Op::Ite, {is_equal, desired.front(), old})}, exchange.getAlign(), flags);
  mark(Intrinsic::AtomicEnd, kSynthetic);
  define(exchange, {old, is_equal});
}

void FunctionLowering::lower_update(const llvm::AtomicRMWInst& update) {
  const ValueId place = scalar(*update.getPointerOperand());
  const Parts operands = parts(*update.getValOperand());
  llvm::Type* type = update.getValOperand()->getType();
  const std::uint16_t flags = access_flags(update.isVolatile(), update.getOrdering());
  mark(Intrinsic::AtomicBegin, kSynthetic);
  const Parts old = load_parts(type, place, update.getAlign(), flags);
  Parts made;
  for (std::size_t i = 0; i < old.size(); ++i) made.push_back(updated(update, old[i], operands[i]));
  store_parts(type, place, made, update.getAlign(), flags);
  mark(Intrinsic::AtomicEnd, kSynthetic);
  define(update, old);
}

ValueId FunctionLowering::updated(const llvm::AtomicRMWInst& update, ValueId old, ValueId operand) {
  using Update = llvm::AtomicRMWInst;
  llvm::Type* format = update.getValOperand()->getType()->getScalarType();
  const std::uint32_t width = builder_.width(old);
  switch (update.getOperation()) {
    case Update::Xchg:
      return operand;
    case Update::Add:
      return builder_.op(Op::Add, {old, operand});
    case Update::Sub:
      return builder_.op(Op::Sub, {old, operand});
    case Update::And:
      return builder_.op(Op::And, {old, operand});
    case Update::Nand:
      return builder_.op(Op::Not, {builder_.op(Op::And, {old, operand})});
    case Update::Or:
      return builder_.op(Op::Or, {old, operand});
    case Update::Xor:
      return builder_.op(Op::Xor, {old, operand});
    case Update::Max:
      return extremum(llvm::Intrinsic::smax, old, operand);
    case Update::Min:
      return extremum(llvm::Intrinsic::smin, old, operand);
    case Update::UMax:
      return extremum(llvm::Intrinsic::umax, old, operand);
    case Update::UMin:
      return extremum(llvm::Intrinsic::umin, old, operand);
    case Update::FAdd:
      return float_op(FloatOp::Add, {old, operand}, width, format);
    case Update::FSub:
      return float_op(FloatOp::Sub, {old, operand}, width, format);
    case Update::FMax:
      return float_op(FloatOp::Max, {old, operand}, width, format);
    case Update::FMin:
      return float_op(FloatOp::Min, {old, operand}, width, format);
    case Update::UIncWrap: {
      const ValueId next = builder_.op(Op::Add, {old, builder_.constant(width, 1)});
      return builder_.op(Op::Ite, {builder_.op(Op::Ule, {operand, old}), builder_.constant(width, 0), next});
    }
    case Update::UDecWrap: {
      const ValueId next = builder_.op(Op::Sub, {old, builder_.constant(width, 1)});
      const ValueId is_zero = builder_.op(Op::Eq, {old, builder_.constant(width, 0)});
      const ValueId wraps = builder_.op(Op::Or, {is_zero, builder_.op(Op::Ult, {operand, old})});
      return builder_.op(Op::Ite, {wraps, operand, next});
    }
    default:
      throw Unlowerable{fmt::format("atomicrmw {}", Update::getOperationName(update.getOperation()).str())};
  }
}

void FunctionLowering::lower_va_arg(const llvm::VAArgInst& instruction) {
  const auto words = module_.platform().variadic_list;
  const auto area = std::ranges::find_if(words, &program::VariadicWord::is_area);
  if (!module_.platform().is_x86() || area == words.end())
    throw Unlowerable{fmt::format("va_arg on {}", source_.getParent()->getTargetTriple())};
  const std::uint32_t bytes = pointer_width() / 8;
  llvm::Type* type = instruction.getType();
  const Shape& shape = module_.shapes().of(type);
  if (shape.parts.size() != 1) throw Unlowerable{fmt::format("va_arg of type {}", to_text(*type))};
  std::uint64_t end = 0;
  const program::VariadicSlot slot = program::next_variadic(end, shape.parts.front().width, bytes);
  const ValueId list = offset_address(scalar(*instruction.getPointerOperand()), area->offset);
  ValueId place = builder_.load(list, pointer_width(), bytes);
  builder_.set_pointer(place);
  if (slot.alignment > bytes) {
    const ValueId mask = builder_.constant(BitVector(pointer_width(), ~(slot.alignment - 1)));
    place = builder_.op(Op::And, {offset_address(place, static_cast<std::int64_t>(slot.alignment - 1)), mask});
  }
  define(instruction, load_parts(type, place, llvm::Align(bytes)));
  builder_.store(list, offset_address(place, static_cast<std::int64_t>(slot.size)), bytes);
}

}  // namespace plumb::frontend
