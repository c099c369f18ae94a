// The code at governors and exits against a runtime that writes down what it is told.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/concolic/runtime.h"
#include "unit/instrument/regions/region_cloner_fixture.h"

namespace plumb::instrument::test {
namespace {

/// One region: a, b and the loaded `small` are live-ins, g[1] is a slot, r is a live-out.
constexpr const char* kSource = R"(
unsigned g[64];
unsigned f(unsigned a, unsigned short small) {
  unsigned r;
  if (a > small) { r = a - small; g[1] = r; } else { r = small - a; }
  return r;
}
)";

struct Recorder {
  std::vector<plumb_id> shadows;    ///< given, by live-in; that of the slot last
  std::uint32_t way = PLUMB_PLAIN;  ///< given: answer of enter
  plumb_id first_out = 0;           ///< given: answer of exit
  int enters = 0;
  int exits = 0;
  int plain = 0;
  plumb_region region{};
  std::vector<plumb_slot> slots;
  std::vector<plumb_cell> cells;
  std::vector<plumb_id> ids;
  std::vector<std::uint64_t> values;
  const void* slot = nullptr;
  plumb_id slot_id = 0;
  std::uint32_t destination = ~0u;
  std::vector<std::pair<std::uint32_t, plumb_id>> outs;
};
Recorder now;
std::uint8_t modes[16];
std::uint8_t filter[PLUMB_FILTER_SIZE];

extern "C" {
std::uint32_t test_enter(const plumb_region* region, const plumb_id* ids, const std::uint64_t* values,
                         const void* const* slots, const plumb_id* slot_ids) {
  ++now.enters;
  now.region = *region;
  now.ids.assign(ids, ids + region->in_count);
  now.values.assign(values, values + region->in_count);
  now.slots.assign(region->slots, region->slots + region->slot_count);
  now.cells.assign(region->cells, region->cells + region->cell_count);
  now.slot = slots[0];
  now.slot_id = slot_ids[0];
  return now.way;
}
plumb_id test_exit(const plumb_region*, std::uint32_t destination) {
  ++now.exits;
  now.destination = destination;
  return now.first_out;
}
plumb_id test_shadow(std::uint32_t index) { return now.shadows[index]; }
void test_plain() { ++now.plain; }
void test_out(std::uint32_t index, plumb_id id) { now.outs.emplace_back(index, id); }
}

/// Adds the slot g[1] with one cell to the only region.
void add_slot(PreparedModule& prepared) {
  RegionPlan& plan = prepared.subject.regions.front();
  const program::Function& function = prepared.subject.program.functions[plan.function];
  for (program::ValueId v = 0; v < function.values.size(); ++v) {
    if (function.values[v].kind != program::ValueKind::GlobalAddress || !plan.slots.empty()) continue;
    plan.slots.push_back({v, 4 - function.values[v].offset, 4, true, true});
    plan.cells.push_back({0, 0, 4});
    plan.marks.push_back({0, 0, 4});
  }
}

/// Does the instrumenter's part with shadows that the host gives.
void emit(PreparedModule& prepared, PlainRegion& region) {
  llvm::IRBuilder<> builder(region.choice);
  llvm::Module& module = *prepared.module;
  llvm::Type* word = builder.getInt32Ty();
  const auto shadow = module.getOrInsertFunction("test_shadow", word, word);
  std::uint32_t asked = 0;
  llvm::Value* choice = emit_region_enter(
      builder, prepared, region, [&](llvm::Value*) { return builder.CreateCall(shadow, {builder.getInt32(asked++)}); });
  region.choice->setCondition(choice);
  EXPECT_EQ(builder.GetInsertBlock(), region.choice->getParent());
  builder.SetInsertPoint(region.blocks.front(), region.blocks.front()->begin());
  builder.CreateCall(module.getOrInsertFunction("test_plain", builder.getVoidTy()));
  const auto out = module.getOrInsertFunction("test_out", builder.getVoidTy(), word, word);
  for (const RegionExit& exit : region.exits) {
    builder.SetInsertPoint(exit.block->getTerminator());
    const auto shadows = emit_region_exit(builder, prepared, region, exit);
    EXPECT_EQ(builder.GetInsertBlock(), exit.block);
    ASSERT_EQ(shadows.size(), exit.outs.size());
    for (std::size_t i = 0; i < shadows.size(); ++i)
      builder.CreateCall(out, {builder.getInt32(exit.outs[i].second), shadows[i]});
  }
}

class RegionCode : public testing::Test {
 protected:
  explicit RegionCode(bool has_marks = true) : prepared_(prepare_text(compile_c(kSource))) {
    EXPECT_EQ(prepared_.subject.regions.size(), 1u);
    add_slot(prepared_);
    if (!has_marks) prepared_.subject.regions.front().marks.clear();
    regions_ = clone_regions(prepared_);
    emit(prepared_, regions_.front());
    EXPECT_EQ(problems(*prepared_.module), "");
    native_ = std::make_unique<Native>(
        *prepared_.module,
        std::vector<std::pair<std::string, void*>>{{"__plumb_region_enter", reinterpret_cast<void*>(&test_enter)},
                                                   {"__plumb_region_exit", reinterpret_cast<void*>(&test_exit)},
                                                   {"__plumb_modes", modes},
                                                   {"__plumb_filter", filter},
                                                   {"test_shadow", reinterpret_cast<void*>(&test_shadow)},
                                                   {"test_plain", reinterpret_cast<void*>(&test_plain)},
                                                   {"test_out", reinterpret_cast<void*>(&test_out)}});
    now = Recorder();
    now.shadows.assign(regions_.front().ins.size() + 1, 0);
    modes[0] = 1;
    std::memset(filter, 0, sizeof filter);
  }
  unsigned call(unsigned a, unsigned short b) { return native_->find<unsigned(unsigned, unsigned short)>("f")(a, b); }
  unsigned* g() { return native_->find<unsigned>("g"); }

  PreparedModule prepared_;
  std::vector<PlainRegion> regions_;
  std::unique_ptr<Native> native_;
};

TEST_F(RegionCode, TakesThePathWithoutACallIfTheModeIsOff) {
  modes[0] = 0;
  now.shadows.assign(now.shadows.size(), 7);
  EXPECT_EQ(call(9, 4), 5u);
  EXPECT_EQ(now.plain + now.enters + now.exits, 0);
}

TEST_F(RegionCode, RunsConcreteVisitsPlainWithoutACall) {
  EXPECT_EQ(call(9, 4), 5u);
  EXPECT_EQ(g()[1], 5u);
  EXPECT_EQ(now.plain, 1);
  EXPECT_EQ(now.enters + now.exits, 0);
  for (const auto& [index, id] : now.outs) EXPECT_EQ(id, 0u);
}

TEST_F(RegionCode, TellsTheRuntimeTheLiveInsAndTheSlots) {
  for (std::size_t i = 0; i < now.shadows.size(); ++i) now.shadows[i] = static_cast<plumb_id>(40 + i);
  now.first_out = 100;
  EXPECT_EQ(call(0xfffffff0u, 0xfff0), 0xfffffff0u - 0xfff0u);
  EXPECT_EQ(now.enters, 1);
  EXPECT_EQ(now.exits, 1);
  EXPECT_EQ(now.plain, 1);
  const RegionPlan& plan = prepared_.subject.regions.front();
  EXPECT_EQ(now.region.index, 0u);
  ASSERT_EQ(now.region.in_count, plan.ins.size());
  EXPECT_EQ(now.region.slot_count, 1u);
  EXPECT_EQ(now.region.out_count, plan.outs.size());
  EXPECT_EQ(now.region.cell_count, 1u);
  EXPECT_EQ(now.slots.front().size, 4u);
  EXPECT_EQ(now.slots.front().is_written, 1u);
  EXPECT_EQ(now.slots.front().is_known, 1u);
  EXPECT_EQ(now.cells.front().slot, 0u);
  EXPECT_EQ(now.cells.front().size, 4u);
  EXPECT_EQ(now.slot, g() + 1);
  EXPECT_EQ(now.slot_id, 40 + plan.ins.size());
  const program::Function& function = prepared_.subject.program.functions[plan.function];
  for (std::size_t i = 0; i < plan.ins.size(); ++i) {
    EXPECT_EQ(now.ids[i], 40 + i);
    const std::uint32_t width = function.values[plan.ins[i]].width;
    EXPECT_EQ(now.values[i], width == 1 ? 1u : function.values[plan.ins[i]].index == 0 ? 0xfffffff0u : 0xfff0u);
  }
}

TEST_F(RegionCode, GivesOutsTheShadowsThatFollowTheFirst) {
  now.shadows.front() = 3;
  for (const plumb_id first : {0u, 500u}) {
    now.first_out = first;
    now.outs.clear();
    EXPECT_EQ(call(3, 8), 5u);
    ASSERT_FALSE(now.outs.empty());
    for (const auto& [index, id] : now.outs) EXPECT_EQ(id, first == 0 ? 0 : first + index);
  }
  EXPECT_EQ(now.exits, 2);
}

TEST_F(RegionCode, TakesThePathIfTheRuntimeSaysSo) {
  now.shadows.front() = 3;
  now.way = PLUMB_PATH;
  EXPECT_EQ(call(3, 8), 5u);
  EXPECT_EQ(now.enters, 1);
  EXPECT_EQ(now.plain + now.exits, 0);
}

TEST_F(RegionCode, AsksIfTheFilterHasAByteOfASlot) {
  const auto granule = (reinterpret_cast<std::uintptr_t>(g() + 1) >> PLUMB_GRANULE_BITS) & (PLUMB_FILTER_SIZE - 1);
  for (std::size_t i = 0; i<PLUMB_FILTER_SIZE; i += granule> i ? granule - i : 997) {
    std::memset(filter, 0, sizeof filter);
    filter[i] = 1;
    now.enters = 0;
    EXPECT_EQ(call(9, 4), 5u);
    EXPECT_EQ(now.enters, i == granule ? 1 : 0) << i;
  }
}

class RegionCodeWithoutMarks : public RegionCode {
 protected:
  RegionCodeWithoutMarks() : RegionCode(false) {}
};

TEST_F(RegionCodeWithoutMarks, TakesThePathWithoutACallIfSomethingIsSymbolic) {
  EXPECT_EQ(call(9, 4), 5u);
  EXPECT_EQ(now.plain, 1);
  now.shadows.front() = 3;
  EXPECT_EQ(call(9, 4), 5u);
  EXPECT_EQ(now.plain, 1);
  EXPECT_EQ(now.enters + now.exits, 0);
}

TEST(RegionDescriptor, HasTheLayoutOfTheTargetsC) {
  for (const unsigned word_size : {32u, 64u}) {
    PreparedModule prepared = prepare_text(compile_c(kSource, word_size));
    add_slot(prepared);
    std::vector<PlainRegion> regions = clone_regions(prepared);
    emit(prepared, regions.front());
    EXPECT_EQ(problems(*prepared.module), "");
    const llvm::GlobalVariable* descriptor = region_descriptor(prepared, regions.front());
    const llvm::DataLayout& layout = prepared.module->getDataLayout();
    auto* type = llvm::cast<llvm::StructType>(descriptor->getValueType());
    EXPECT_EQ(layout.getTypeAllocSize(type).getFixedValue(), word_size == 32 ? 36u : 56u);
    EXPECT_EQ(layout.getStructLayout(type)->getElementOffset(5).getFixedValue(), word_size == 32 ? 20u : 24u);
    EXPECT_EQ(layout.getStructLayout(type)->getElementOffset(6).getFixedValue(), word_size == 32 ? 24u : 32u);
    EXPECT_EQ(layout.getStructLayout(type)->getElementOffset(8).getFixedValue(), word_size == 32 ? 32u : 48u);
  }
}

}  // namespace
}  // namespace plumb::instrument::test
