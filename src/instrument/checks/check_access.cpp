// Which accesses need a test. An address that is made of a variable by constant and checked offsets has a range of
// offsets that can be added up; if all of it lies in the variable there is nothing left to test.
#include "instrument/checks/check_access.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "instrument/checks/check_marks.h"

namespace plumb::instrument {
namespace {

/// Numbers of offsets; wide enough that sums of a few do not wrap.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Of one index of an address computation, if it is bounded.
std::optional<Range> index_range(const llvm::GEPOperator& address, unsigned operand) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(address.getOperand(operand))) {
    if (constant->getValue().getSignificantBits() > 40) return std::nullopt;
    // A constant that is checked and wrong leads elsewhere.
    return Range{constant->getSExtValue(), constant->getSExtValue()};
  }
  for (const frontend::CheckedIndex& checked : marked_indices(address))
    if (checked.operand == operand && checked.limit < static_cast<std::uint64_t>(kMost))
      return Range{0, static_cast<std::int64_t>(checked.limit) - 1};
  return std::nullopt;
}

bool add_offset(Range& sum, const llvm::GEPOperator& address, const llvm::DataLayout& layout) {
  unsigned operand = 0;
  for (auto it = llvm::gep_type_begin(address); it != llvm::gep_type_end(address); ++it) {
    ++operand;
    Range step;
    if (llvm::StructType* structure = it.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue());
      const auto offset = layout.getStructLayout(structure)->getElementOffset(field).getFixedValue();
      step = {static_cast<std::int64_t>(offset), static_cast<std::int64_t>(offset)};
    } else {
      const auto stride = static_cast<std::int64_t>(it.getSequentialElementStride(layout).getFixedValue());
      const auto index = index_range(address, operand);
      if (!index || __builtin_mul_overflow(index->low, stride, &step.low) ||
          __builtin_mul_overflow(index->high, stride, &step.high))
        return false;
    }
    sum.low += step.low;
    sum.high += step.high;
    if (sum.low < -kMost || sum.high > kMost) return false;
  }
  return true;
}

/// Of the offset from the root, where only address computations lie between.
std::optional<Range> offset_range(const llvm::Value* address, const llvm::Value* root, const llvm::DataLayout& layout) {
  Range sum;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(address)) {
    if (step->getType()->isVectorTy() || !add_offset(sum, *step, layout)) return std::nullopt;
    address = step->getPointerOperand();
  }
  return address == root ? std::optional(sum) : std::nullopt;
}

}  // namespace

bool has_scope(const llvm::Value& object) {
  return llvm::isa<llvm::AllocaInst>(object) && llvm::any_of(object.users(), [](const llvm::User* user) {
           return llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd();
         });
}

std::optional<MemoryAccess> access_of(llvm::Instruction& instruction, const llvm::DataLayout& layout) {
  const auto size_of = [&](llvm::Type* type) { return layout.getTypeStoreSize(type).getFixedValue(); };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return MemoryAccess{&load->getOperandUse(0), size_of(load->getType()), false, load->getAlign()};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return MemoryAccess{&store->getOperandUse(1), size_of(store->getValueOperand()->getType()), true,
                        store->getAlign()};
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return MemoryAccess{&update->getOperandUse(0), size_of(update->getValOperand()->getType()), true,
                        update->getAlign()};
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return MemoryAccess{&exchange->getOperandUse(0), size_of(exchange->getNewValOperand()->getType()), true,
                        exchange->getAlign()};
  return std::nullopt;
}

AccessPlan plan_access(llvm::Value* address, std::uint64_t size, bool is_write, const llvm::DataLayout& layout) {
  AccessPlan plan;
  plan.root = llvm::getUnderlyingObject(address, 0);
  plan.object = object_of(address, layout);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(plan.root);
  if (global != nullptr && global->isConstant() && is_write) {
    plan.test = AccessTest::Constant;
  } else if (plan.object.base != nullptr) {
    const auto range = offset_range(address, plan.root, layout);
    const bool is_inside = range && range->low >= 0 && size <= plan.object.size &&
                           static_cast<std::uint64_t>(range->high) <= plan.object.size - size;
    plan.test = !is_inside ? AccessTest::Object : has_scope(*plan.root) ? AccessTest::Map : AccessTest::None;
  } else if (llvm::isa<llvm::AllocaInst>(plan.root)) {
    plan.test = AccessTest::Variable;
  }
  return plan;
}

}  // namespace plumb::instrument
