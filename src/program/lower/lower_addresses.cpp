#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <array>

#include "program/lower/lower_function.h"

namespace plumb::program {

using term::Op;

namespace {

/// The GEP ends in the last field of a struct: an array there may be the head of a longer one (the flexible array of
/// older C).
bool ends_in_last_field(const llvm::Value& pointer) {
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (gep == nullptr) return false;
  bool is_last = false;
  for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); ++it) {
    llvm::StructType* structure = it.getStructTypeOrNull();
    is_last = structure != nullptr &&
              llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue() + 1 == structure->getNumElements();
  }
  return is_last;
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
        const auto* first = llvm::dyn_cast<llvm::ConstantInt>(*inner->idx_begin());
        if (inner->getNumIndices() < 2 || first == nullptr || !first->isZero()) return false;
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

void FunctionLowering::check_indices(const llvm::GetElementPtrInst& gep) {
  if (gep.getType()->isVectorTy()) return;
  bool may_be_longer = ends_in_last_field(*gep.getPointerOperand());
  const llvm::Type* outer = nullptr;  // the first index steps over whole objects, of which there may be any number
  for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); outer = it.getIndexedType(), ++it) {
    if (const llvm::StructType* structure = it.getStructTypeOrNull()) {
      const std::uint64_t field = llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue();
      may_be_longer = field + 1 == structure->getNumElements();
      continue;
    }
    const auto* array = outer == nullptr ? nullptr : llvm::dyn_cast<llvm::ArrayType>(outer);
    if (array != nullptr && array->getNumElements() > 1 && !may_be_longer) {
      // Of several indices, only the last may be one past the end of its array.
      const bool is_last = it.getOperand() == gep.getOperand(gep.getNumOperands() - 1);
      check_index(gep, *it.getOperand(), array->getNumElements(), is_last);
    }
    if (outer != nullptr) may_be_longer = false;
  }
}

void FunctionLowering::check_index(const llvm::GetElementPtrInst& gep, const llvm::Value& index, std::uint64_t count,
                                   bool is_last) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index);
  if (constant != nullptr && constant->getValue().ult(count)) return;
  const std::uint64_t limit = is_last && !is_accessed_only(gep) ? count + 1 : count;
  const ValueId wide = resize(scalar(index), pointer_width(), true);
  const std::uint16_t flags = llvm::isa<llvm::ZExtInst>(index) ? 0 : kSignedIndex;
  builder_.emit(Kind::CheckIndex, 0, std::array{wide, pointer_sized(limit)}, {}, kNone, flags);
}

}  // namespace plumb::program
