#include "frontend/lower/lower_addresses.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <array>

#include "frontend/lower/lower_function.h"

namespace plumb::frontend {

using program::Kind;
using program::kSignedIndex;
using program::ValueKind;

using term::Op;

namespace {

/// What is known of a place that indices lead to. An array in the last field of a struct may be the head of a longer
/// one (the flexible array of older C), but not where the struct is an element of an array: the next element follows.
struct IndexedPlace {
  bool is_element = false;
  bool may_be_longer = false;

  void enter_field(const llvm::StructType& structure, std::uint64_t field) {
    may_be_longer = !is_element && field + 1 == structure.getNumElements();
  }
  void enter_element(const llvm::ArrayType& array) {
    is_element = is_element || array.getNumElements() > 1;
    may_be_longer = false;
  }
};

bool is_zero(const llvm::Value& index) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index);
  return constant != nullptr && constant->isZero();
}

std::uint64_t field_of(const llvm::Value& index) { return llvm::cast<llvm::ConstantInt>(index).getZExtValue(); }

/// Of a pointer that is made of others by indices.
IndexedPlace place_of(const llvm::Value& pointer) {
  constexpr std::size_t kMostSteps = 16;
  llvm::SmallVector<const llvm::GEPOperator*, kMostSteps> path;
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  while (gep != nullptr && path.size() < kMostSteps) {
    path.push_back(gep);
    if (!is_zero(**gep->idx_begin())) break;  // one of any number of objects
    const auto* before = llvm::dyn_cast<llvm::GEPOperator>(gep->getPointerOperand());
    if (before != nullptr && before->getResultElementType() != gep->getSourceElementType()) break;  // a cast
    gep = before;
  }
  IndexedPlace place;
  for (const llvm::GEPOperator* step : llvm::reverse(path)) {
    const llvm::Type* outer = nullptr;
    for (auto it = llvm::gep_type_begin(step); it != llvm::gep_type_end(step); outer = it.getIndexedType(), ++it) {
      if (const llvm::StructType* structure = it.getStructTypeOrNull()) {
        place.enter_field(*structure, field_of(*it.getOperand()));
      } else if (const auto* array = llvm::dyn_cast_or_null<llvm::ArrayType>(outer)) {
        place.enter_element(*array);
      }
    }
  }
  return place;
}

/// The address is used for accesses alone, of itself or of elements inside of what it points to; else it may point just
/// past the end.
bool is_accessed_only(const llvm::GetElementPtrInst& address) {
  constexpr std::size_t kMostUsers = 64;
  llvm::SmallVector<const llvm::Instruction*> pending{&address};
  std::size_t seen = 0;
  if (address.use_empty()) return false;
  while (!pending.empty()) {
    const llvm::Instruction* pointer = pending.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (++seen > kMostUsers) return false;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == pointer) return false;
      } else if (const auto* inner = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (inner->getNumIndices() < 2 || !is_zero(**inner->idx_begin())) return false;
        pending.push_back(inner);
      } else if (!llvm::isa<llvm::LoadInst>(user)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

ValueId FunctionLowering::offset_address(ValueId base, std::int64_t offset) {
  if (offset == 0) return base;
  const Value value = builder_.function().values[base];
  const auto bits = static_cast<std::uint64_t>(offset);
  if (value.kind == ValueKind::GlobalAddress) {
    const auto sum = BitVector(value.width, static_cast<std::uint64_t>(value.offset) + bits).to_int64();
    return builder_.global_address(value.index, value.width, sum);
  }
  const ValueId made = builder_.op(Op::Add, {base, builder_.constant(value.width, bits)});
  if (builder_.function().values[made].kind == ValueKind::Result) builder_.set_pointer(made);
  return made;
}

ValueId FunctionLowering::lane_of(const llvm::Value& value, std::uint32_t lane) {
  return parts(value)[value.getType()->isVectorTy() ? lane : 0];
}

Parts FunctionLowering::address(const llvm::GEPOperator& gep) {
  const std::uint32_t lanes = module_.shapes().part_count(gep.getType());
  Parts made;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) made.push_back(address_of_lane(gep, lane));
  return made;
}

ValueId FunctionLowering::address_of_lane(const llvm::GEPOperator& gep, std::uint32_t lane) {
  const llvm::DataLayout& layout = module_.layout();
  ValueId place = lane_of(*gep.getPointerOperand(), lane);
  const std::uint32_t width = builder_.width(place);
  BitVector offset(width, 0);
  for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); ++it) {
    const ValueId index = resize(lane_of(*it.getOperand(), lane), width, true);
    if (llvm::StructType* structure = it.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(known(index)->to_uint64());
      offset = offset + BitVector(width, layout.getStructLayout(structure)->getElementOffset(field).getFixedValue());
      continue;
    }
    const BitVector stride(width, it.getSequentialElementStride(layout).getFixedValue());
    if (const auto constant = known(index)) {
      offset = offset + *constant * stride;
    } else if (!stride.is_zero()) {
      const ValueId distance = stride.is_one() ? index : builder_.op(Op::Mul, {index, builder_.constant(stride)});
      place = builder_.op(Op::Add, {place, distance});
      builder_.set_pointer(place);
    }
  }
  return offset_address(place, offset.to_int64());
}

llvm::SmallVector<CheckedIndex, 2> checked_indices(const llvm::GetElementPtrInst& gep) {
  llvm::SmallVector<CheckedIndex, 2> found;
  if (gep.getType()->isVectorTy()) return found;
  IndexedPlace place = place_of(*gep.getPointerOperand());
  const auto* before = llvm::dyn_cast<llvm::GEPOperator>(gep.getPointerOperand());
  if (before != nullptr && before->getResultElementType() != gep.getSourceElementType()) place.is_element = false;
  const llvm::Type* outer = nullptr;  // the first index steps over whole objects, of which there may be any number
  unsigned operand = 0;
  for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); outer = it.getIndexedType(), ++it) {
    ++operand;
    if (const llvm::StructType* structure = it.getStructTypeOrNull()) {
      place.enter_field(*structure, field_of(*it.getOperand()));
    } else if (const auto* array = llvm::dyn_cast_or_null<llvm::ArrayType>(outer)) {
      const std::uint64_t count = array->getNumElements();
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(it.getOperand());
      const bool is_inside = constant != nullptr && constant->getValue().ult(count);
      // Of several indices, only the last may be one past the end of its array.
      const bool is_last = std::next(it) == llvm::gep_type_end(gep);
      if (count > 1 && !place.may_be_longer && !is_inside)
        found.push_back({operand, is_last && !is_accessed_only(gep) ? count + 1 : count});
      place.enter_element(*array);
    }
  }
  return found;
}

namespace {

/// It certainly lies in a variable, or just past its end.
bool is_inside(const llvm::GEPOperator& gep, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  const llvm::Value* base = gep.stripAndAccumulateInBoundsConstantOffsets(layout, offset);
  std::optional<std::uint64_t> size;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    if (const auto allocated = variable->getAllocationSize(layout)) size = allocated->getFixedValue();
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
             global != nullptr && global->hasInitializer()) {
    size = layout.getTypeAllocSize(global->getValueType()).getFixedValue();
  }
  return size && offset.ule(*size);
}

}  // namespace

void FunctionLowering::check_pointer(const llvm::GEPOperator& gep) {
  const bool is_asked = module_.options().check_pointers && !source_.hasFnAttribute(kModelAttribute);
  if (!is_asked || !gep.isInBounds() || gep.getType()->isVectorTy() || gep.hasAllZeroIndices() ||
      is_inside(gep, module_.layout()))
    return;
  intrinsic(Intrinsic::CheckPointer, {scalar(*gep.getPointerOperand()), scalar(gep)});
}

void FunctionLowering::check_constant_pointers(const llvm::Instruction& instruction) {
  const auto check = [&](const llvm::Value& value) {
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&value);
    if (gep != nullptr && llvm::isa<llvm::ConstantExpr>(value)) check_pointer(*gep);
  };
  for (const llvm::Value* operand : instruction.operand_values()) check(*operand);
  if (!instruction.isTerminator()) return;
  for (const llvm::BasicBlock* next : llvm::successors(&instruction))
    for (const llvm::PHINode& phi : next->phis()) check(*phi.getIncomingValueForBlock(instruction.getParent()));
}

void FunctionLowering::check_indices(const llvm::GetElementPtrInst& gep) {
  for (const CheckedIndex& checked : checked_indices(gep)) {
    const llvm::Value& index = *gep.getOperand(checked.operand);
    const ValueId wide = resize(scalar(index), pointer_width(), true);
    const std::uint16_t flags = llvm::isa<llvm::ZExtInst>(index) ? 0 : kSignedIndex;
    builder_.emit(Kind::CheckIndex, 0, std::array{wide, pointer_sized(checked.limit)}, {}, kNone, flags);
  }
}

}  // namespace plumb::frontend
