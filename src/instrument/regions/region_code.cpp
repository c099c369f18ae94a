// The code at a governor and at the exits of a plain region. On entry, with M the region's mode and S the or of the
// shadows of its live-ins, of its slots' addresses and of the filter's bytes for the slots, and C the same for what a
// condition can depend on:
//
//     M == 0              per-path
//     S == 0              plain, and nothing is to be told: all that the region reads is concrete, so is what it makes
//     C == 0              per-path, which is one path
//     else                the runtime gets all live-ins and says which way; a plain visit may have been recorded
//
// Exits ask the runtime only in the last case. Large slots are not tested here: their regions ask on every visit.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

#include "base/error.h"
#include "instrument/regions/region_cloner.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {
namespace {

/// Tests of the filter at a governor; beyond that a call costs less than the code.
constexpr std::uint64_t kMaxFilterTests = 8;

llvm::Constant* external_bytes(llvm::Module& module, const char* name) {
  if (llvm::GlobalVariable* existing = module.getNamedGlobal(name)) return existing;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, name);
}

llvm::Constant* number(llvm::LLVMContext& context, std::uint64_t value) {
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
}

/// A private table of structs of 32-bit numbers.
llvm::Constant* table(llvm::Module& module, const std::string& name,
                      const std::vector<std::array<std::uint32_t, 3>>& rows) {
  llvm::LLVMContext& context = module.getContext();
  if (rows.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  std::vector<llvm::Constant*> made;
  for (const auto& row : rows)
    made.push_back(
        llvm::ConstantStruct::getAnon({number(context, row[0]), number(context, row[1]), number(context, row[2])}));
  auto* value = llvm::ConstantArray::get(llvm::ArrayType::get(made.front()->getType(), made.size()), made);
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
}

/// The bits of a scalar as the runtime takes them.
llvm::Value* bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
  const llvm::DataLayout& layout = builder.GetInsertBlock()->getDataLayout();
  if (value->getType()->isPointerTy()) {
    value = builder.CreatePtrToInt(value, layout.getIntPtrType(value->getType()));
  } else if (!value->getType()->isIntegerTy()) {
    const auto width = static_cast<unsigned>(layout.getTypeSizeInBits(value->getType()).getFixedValue());
    value = builder.CreateBitCast(value, builder.getIntNTy(width));
  }
  INVARIANT(value->getType()->getIntegerBitWidth() <= 64, "a live-in should have at most 64 bits");
  return builder.CreateZExt(value, builder.getInt64Ty());
}

/// An array in the frame, one for all visits, filled with the elements.
llvm::Value* fill(llvm::IRBuilder<>& builder, llvm::Type* element, llvm::ArrayRef<llvm::Value*> values,
                  const char* name) {
  if (values.empty()) return llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  auto* array = new llvm::AllocaInst(llvm::ArrayType::get(element, values.size()), 0, name, entry.begin());
  for (unsigned i = 0; i < values.size(); ++i)
    builder.CreateStore(values[i], builder.CreateConstInBoundsGEP1_32(element, array, i));
  return array;
}

/// What the runtime is told on entry.
struct Entry {
  llvm::SmallVector<llvm::Value*, 8> shadows;
  llvm::SmallVector<llvm::Value*, 8> slots;
  llvm::SmallVector<llvm::Value*, 8> slot_shadows;
};

Entry gather(llvm::IRBuilder<>& builder, const PlainRegion& region,
             llvm::function_ref<llvm::Value*(llvm::Value*)> shadow) {
  Entry entry;
  for (llvm::Value* in : region.ins) entry.shadows.push_back(shadow(in));
  llvm::Type* word = builder.GetInsertBlock()->getDataLayout().getIntPtrType(builder.getContext());
  for (std::size_t i = 0; i < region.bases.size(); ++i) {
    const auto offset = static_cast<std::uint64_t>(region.plan->slots[i].offset);
    llvm::Value* base = region.bases[i];
    if (!base->getType()->isPointerTy()) base = builder.CreateIntToPtr(base, builder.getPtrTy());
    entry.slots.push_back(builder.CreatePtrAdd(base, llvm::ConstantInt::get(word, offset, true)));
    entry.slot_shadows.push_back(shadow(region.bases[i]));
  }
  return entry;
}

std::uint64_t granules(std::uint64_t size) {
  constexpr std::uint64_t kGranule = std::uint64_t{1} << PLUMB_GRANULE_BITS;
  return size == 1 ? 1 : 1 + (size - 1 + kGranule - 1) / kGranule;
}

bool tests_filter(const RegionPlan& plan) {
  std::uint64_t tests = 0;
  for (const MemorySlot& slot : plan.slots) tests += granules(slot.size);
  for (const RegionMark& mark : plan.marks) tests += mark.slot == program::kNone ? 0 : granules(mark.size);
  return tests <= kMaxFilterTests;
}

/// Not 0 if one of the bytes may be symbolic: tests the first, one a granule, and the last.
llvm::Value* filtered(llvm::IRBuilder<>& builder, PreparedModule& prepared, llvm::Value* address, std::uint64_t begin,
                      std::uint64_t size) {
  llvm::Constant* filter = external_bytes(*prepared.module, "__plumb_filter");
  llvm::Type* word = builder.GetInsertBlock()->getDataLayout().getIntPtrType(address->getType());
  llvm::Value* start = builder.CreatePtrToInt(address, word);
  llvm::Value* any = builder.getInt32(0);
  const std::uint64_t count = granules(size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t offset = begin + (i + 1 == count ? size - 1 : i << PLUMB_GRANULE_BITS);
    llvm::Value* place = builder.CreateAdd(start, llvm::ConstantInt::get(word, offset));
    place = builder.CreateAnd(builder.CreateLShr(place, PLUMB_GRANULE_BITS), prepared.build.filter_size() - 1);
    llvm::Value* entry = builder.CreateInBoundsGEP(builder.getInt8Ty(), filter, {place});
    any = builder.CreateOr(any, builder.CreateZExt(builder.CreateLoad(builder.getInt8Ty(), entry), any->getType()));
  }
  return any;
}

/// Not 0 if something that the visit gets may be symbolic; and if something of that reaches a condition.
struct Test {
  llvm::Value* any;
  llvm::Value* choice;
};
Test test_entry(llvm::IRBuilder<>& builder, PreparedModule& prepared, const RegionPlan& plan, const Entry& entry) {
  Test test{builder.getInt32(0), builder.getInt32(0)};
  if (!tests_filter(plan)) return {builder.getInt32(1), builder.getInt32(1)};
  for (llvm::Value* shadow : entry.shadows) test.any = builder.CreateOr(test.any, shadow);
  for (llvm::Value* shadow : entry.slot_shadows) test.any = builder.CreateOr(test.any, shadow);
  for (std::size_t i = 0; i < entry.slots.size(); ++i)
    test.any = builder.CreateOr(test.any, filtered(builder, prepared, entry.slots[i], 0, plan.slots[i].size));
  for (const RegionMark& mark : plan.marks) {
    llvm::Value* marked = mark.slot == program::kNone
                              ? entry.shadows[mark.offset]
                              : filtered(builder, prepared, entry.slots[mark.slot], mark.offset, mark.size);
    test.choice = builder.CreateOr(test.choice, marked);
  }
  return test;
}

/// i1: the runtime says that the plain version is to be taken.
llvm::Value* ask(llvm::IRBuilder<>& builder, PreparedModule& prepared, const PlainRegion& region, const Entry& entry) {
  llvm::Type* pointer = builder.getPtrTy();
  const llvm::FunctionCallee enter = prepared.module->getOrInsertFunction("__plumb_region_enter", builder.getInt32Ty(),
                                                                          pointer, pointer, pointer, pointer, pointer);
  llvm::SmallVector<llvm::Value*, 8> values;
  for (llvm::Value* in : region.ins) values.push_back(bits(builder, in));
  llvm::Value* way = builder.CreateCall(
      enter, {region_descriptor(prepared, region), fill(builder, builder.getInt32Ty(), entry.shadows, "region.ids"),
              fill(builder, builder.getInt64Ty(), values, "region.values"),
              fill(builder, pointer, entry.slots, "region.slots"),
              fill(builder, builder.getInt32Ty(), entry.slot_shadows, "region.slot.ids")});
  return builder.CreateICmpEQ(way, builder.getInt32(PLUMB_PLAIN));
}

bool is_zero(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant != nullptr && constant->isNullValue();
}

}  // namespace

llvm::GlobalVariable* region_descriptor(PreparedModule& prepared, const PlainRegion& region) {
  llvm::Module& module = *prepared.module;
  const std::string name = "plumb.region." + std::to_string(region.index);
  if (llvm::GlobalVariable* existing = module.getNamedGlobal(name)) return existing;
  const RegionPlan& plan = *region.plan;
  std::vector<std::array<std::uint32_t, 3>> slots;
  for (const MemorySlot& slot : plan.slots)
    slots.push_back({slot.size, slot.is_written ? 1u : 0u, slot.is_known ? 1u : 0u});
  std::vector<std::array<std::uint32_t, 3>> cells;
  std::vector<std::array<std::uint32_t, 3>> marks;
  for (const MemoryCell& cell : plan.cells) cells.push_back({cell.slot, cell.offset, cell.size});
  for (const RegionMark& mark : plan.marks)
    marks.push_back({mark.slot == program::kNone ? PLUMB_IN : mark.slot, mark.offset, mark.size});
  llvm::LLVMContext& context = module.getContext();
  auto* value = llvm::ConstantStruct::getAnon(
      {number(context, region.index), number(context, plan.ins.size()), number(context, slots.size()),
       number(context, plan.outs.size()), number(context, cells.size()), table(module, name + ".slots", slots),
       table(module, name + ".cells", cells), number(context, marks.size()), table(module, name + ".marks", marks)});
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
}

llvm::Value* emit_region_enter(llvm::IRBuilder<>& builder, PreparedModule& prepared, PlainRegion& region,
                               llvm::function_ref<llvm::Value*(llvm::Value*)> shadow) {
  llvm::LLVMContext& context = builder.getContext();
  llvm::Constant* modes = external_bytes(*prepared.module, "__plumb_modes");
  llvm::Value* mode = builder.CreateLoad(
      builder.getInt8Ty(), builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), modes, region.index), "mode");
  llvm::Value* is_on = builder.CreateICmpNE(mode, builder.getInt8(0));
  const Entry entry = gather(builder, region, shadow);
  region.visit = builder.getFalse();
  llvm::BasicBlock* head = builder.GetInsertBlock();
  const bool never_symbolic = entry.slots.empty() && llvm::all_of(entry.shadows, is_zero);
  if (never_symbolic) return is_on;

  llvm::BasicBlock* rest = head->splitBasicBlock(builder.GetInsertPoint(), head->getName() + ".choice");
  auto* test = llvm::BasicBlock::Create(context, "region.test", head->getParent(), rest);
  auto* call = llvm::BasicBlock::Create(context, "region.enter", head->getParent(), rest);
  builder.SetInsertPoint(head->getTerminator());
  builder.CreateCondBr(is_on, test, rest);
  head->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(test);
  const Test tested = test_entry(builder, prepared, *region.plan, entry);
  llvm::Value* is_concrete = builder.CreateICmpEQ(tested.any, builder.getInt32(0));
  builder.CreateCondBr(builder.CreateICmpNE(tested.choice, builder.getInt32(0)), call, rest);
  builder.SetInsertPoint(call);
  llvm::Value* is_plain = ask(builder, prepared, region, entry);
  builder.CreateBr(rest);
  builder.SetInsertPoint(rest, rest->begin());
  const auto by_way = [&](llvm::Value* off, llvm::Value* unasked, llvm::Value* asked, const char* name) {
    llvm::PHINode* phi = builder.CreatePHI(builder.getInt1Ty(), 3, name);
    phi->addIncoming(off, head);
    phi->addIncoming(unasked, test);
    phi->addIncoming(asked, call);
    return phi;
  };
  llvm::Value* choice = by_way(builder.getFalse(), is_concrete, is_plain, "is_plain");
  region.visit = by_way(builder.getFalse(), builder.getFalse(), builder.getTrue(), "was_asked");
  return choice;
}

llvm::SmallVector<llvm::Value*, 8> emit_region_exit(llvm::IRBuilder<>& builder, PreparedModule& prepared,
                                                    const PlainRegion& region, const RegionExit& exit) {
  INVARIANT(region.visit != nullptr, "a region should be entered before it is left");
  llvm::SmallVector<llvm::Value*, 8> shadows(exit.outs.size(), builder.getInt32(0));
  if (is_zero(region.visit)) return shadows;
  llvm::LLVMContext& context = builder.getContext();
  llvm::BasicBlock* tail = builder.GetInsertBlock();
  llvm::BasicBlock* head = tail->splitBasicBlockBefore(builder.GetInsertPoint(), tail->getName() + ".head");
  auto* call = llvm::BasicBlock::Create(context, "region.exit", tail->getParent(), tail);
  builder.SetInsertPoint(head->getTerminator());
  builder.CreateCondBr(region.visit, call, tail);
  head->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(call);
  const llvm::FunctionCallee leave = prepared.module->getOrInsertFunction("__plumb_region_exit", builder.getInt32Ty(),
                                                                          builder.getPtrTy(), builder.getInt32Ty());
  llvm::Value* first =
      builder.CreateCall(leave, {region_descriptor(prepared, region), builder.getInt32(exit.destination)});
  builder.CreateBr(tail);
  builder.SetInsertPoint(tail, tail->begin());
  llvm::PHINode* base = builder.CreatePHI(builder.getInt32Ty(), 2, "first_out");
  base->addIncoming(builder.getInt32(0), head);
  base->addIncoming(first, call);
  llvm::Value* is_concrete = builder.CreateICmpEQ(base, builder.getInt32(0));
  for (std::size_t i = 0; i < shadows.size(); ++i)
    shadows[i] = builder.CreateSelect(is_concrete, builder.getInt32(0),
                                      builder.CreateAdd(base, builder.getInt32(exit.outs[i].second)));
  return shadows;
}

}  // namespace plumb::instrument
