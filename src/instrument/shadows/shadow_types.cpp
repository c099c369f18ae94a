#include "instrument/shadows/shadow_types.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace plumb::instrument {
namespace {

void collect_leaves(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                    llvm::SmallVectorImpl<Leaf>& made) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* placed = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      collect_leaves(structure->getElementType(i), offset + placed->getElementOffset(i).getFixedValue(), layout, made);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      collect_leaves(array->getElementType(), offset + i * stride, layout, made);
  } else if (!type->isVoidTy()) {
    made.push_back({type, offset});
  }
}

/// 0 if the parts differ in size or leave gaps.
std::uint64_t uniform_size(llvm::Type* type, const llvm::DataLayout& layout) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return uniform_size(array->getElementType(), layout);
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (structure == nullptr) return type->isVectorTy() ? 0 : layout.getTypeAllocSize(type).getFixedValue();
  std::uint64_t common = 0;
  std::uint64_t sum = 0;
  for (llvm::Type* element : structure->elements()) {
    const std::uint64_t size = uniform_size(element, layout);
    if (size == 0 || (common != 0 && size != common)) return 0;
    common = size;
    sum += layout.getTypeAllocSize(element).getFixedValue();
  }
  return sum == layout.getTypeAllocSize(type).getFixedValue() ? common : 0;
}

/// The innermost member or element of the type that holds so many bytes from the offset, which is counted from its
/// beginning afterwards.
llvm::Type* smallest_part(llvm::Type* type, llvm::APInt& offset, std::uint64_t size, const llvm::DataLayout& layout) {
  for (llvm::Type* part = type; !offset.isNegative();) {
    llvm::APInt rest = offset;
    const auto index = layout.getGEPIndexForOffset(part, rest);
    if (!index || rest.isNegative() || rest.getZExtValue() + size > layout.getTypeAllocSize(part).getFixedValue())
      break;
    type = part;
    offset = rest;
  }
  return type;
}

bool is_harmless_use(const llvm::Use& use) {
  const llvm::User* user = use.getUser();
  if (llvm::isa<llvm::LoadInst, llvm::ICmpInst, llvm::DbgInfoIntrinsic>(user)) return true;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getPointerOperand() == use.get();
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
    return intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::MemIntrinsic>(intrinsic);
  return false;
}

}  // namespace

bool is_tracked(llvm::Type* type, const llvm::DataLayout& layout) {
  if (type->isIntegerTy()) return type->getIntegerBitWidth() <= 64;
  if (type->isPointerTy()) return layout.getPointerTypeSizeInBits(type) <= 64;
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy();
}

std::uint32_t width_of(llvm::Type* type, const llvm::DataLayout& layout) {
  return static_cast<std::uint32_t>(layout.getTypeSizeInBits(type).getFixedValue());
}

llvm::SmallVector<Leaf, 4> leaves(llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::SmallVector<Leaf, 4> made;
  collect_leaves(type, 0, layout, made);
  return made;
}

bool has_tracked_leaf(llvm::Type* type, const llvm::DataLayout& layout) {
  return std::ranges::any_of(leaves(type, layout), [&](const Leaf& leaf) { return is_tracked(leaf.type, layout); });
}

unsigned first_leaf(llvm::Type* type, llvm::ArrayRef<unsigned> indices, const llvm::DataLayout& layout) {
  unsigned leaf = 0;
  for (const unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i)
        leaf += static_cast<unsigned>(leaves(structure->getElementType(i), layout).size());
      type = structure->getElementType(index);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      leaf += index * static_cast<unsigned>(leaves(type, layout).size());
    }
  }
  return leaf;
}

llvm::Value* bits_of(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (type->isFloatingPointTy()) value = builder.CreateBitCast(value, builder.getIntNTy(type->getScalarSizeInBits()));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

llvm::Value* value_of_bits(llvm::IRBuilder<>& builder, llvm::Value* bits, llvm::Type* type) {
  if (type->isPointerTy()) return builder.CreateIntToPtr(bits, type);
  llvm::Value* narrow = builder.CreateTrunc(bits, builder.getIntNTy(type->getScalarSizeInBits()));
  return type->isFloatingPointTy() ? builder.CreateBitCast(narrow, type) : narrow;
}

VisibleObject object_of(llvm::Value* address, const llvm::DataLayout& layout) {
  llvm::Value* base = llvm::getUnderlyingObject(address, 0);
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    const auto size = variable->getAllocationSize(layout);
    if (size && !size->isScalable() && llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
      return {base, size->getFixedValue()};
  }
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    // Another definition may win, of another size.
    if (variable->getValueType()->isSized() && !variable->isInterposable() && !variable->isDeclaration())
      return {base, layout.getTypeAllocSize(variable->getValueType()).getFixedValue()};
  }
  return {};
}

bool escapes(const llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*, 8> open{&address};
  while (!open.empty()) {
    const llvm::Value* next = open.pop_back_val();
    for (const llvm::Use& use : next->uses()) {
      if (is_harmless_use(use)) continue;
      const auto* derived = llvm::dyn_cast<llvm::GEPOperator>(use.getUser());
      if (derived == nullptr || derived->getPointerOperand() != use.get()) return true;
      open.push_back(derived);
    }
  }
  return false;
}

std::uint32_t element_size(llvm::Value* address, const llvm::Value* size_value, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value* base = address->stripAndAccumulateConstantOffsets(layout, offset, true);
  llvm::Type* type = nullptr;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base)) type = variable->getAllocatedType();
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base)) type = variable->getValueType();
  if (type == nullptr || !type->isSized()) return 1;
  if (const auto* wanted = llvm::dyn_cast<llvm::ConstantInt>(size_value))
    type = smallest_part(type, offset, wanted->getZExtValue(), layout);
  const std::uint64_t size = uniform_size(type, layout);
  const bool fits = size == 2 || size == 4 || size == 8;
  return fits && offset.urem(size) == 0 ? static_cast<std::uint32_t>(size) : 1;
}

}  // namespace plumb::instrument
