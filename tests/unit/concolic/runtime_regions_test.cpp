#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "unit/concolic/runtime_harness.h"

namespace plumb::concolic::runtime_test {
namespace {

plumb_id fresh(std::uint32_t size) {
  __plumb_nondet(size, "x");
  return __plumb_results[0];
}

/// A region with two live-ins, a slot that is written (8 bytes) and one that is read (4 bytes), three live-outs and two
/// cells of four bytes.
class RuntimeRegions : public ::testing::Test {
 protected:
  void SetUp() override { start_run(); }

  std::uint32_t enter() {
    const std::array<const void*, 2> slots = {written_, read_};
    return __plumb_region_enter(&region_, ids_.data(), values_.data(), slots.data(), slot_ids_.data());
  }
  Decoder decode() const { return Decoder(stream(), {{6, {.makes = 5, .ins = 2, .slots = 2}}}); }

  std::array<plumb_slot, 2> slots_ = {
      {{.size = 8, .is_written = 1, .is_known = 1}, {.size = 4, .is_written = 0, .is_known = 1}}};
  std::array<plumb_cell, 2> cells_ = {{{.slot = 0, .offset = 0, .size = 4}, {.slot = 0, .offset = 4, .size = 4}}};
  /// The second live-in, and the last byte of the slot that is only read.
  std::array<plumb_mark, 2> marks_ = {
      {{.slot = PLUMB_IN, .offset = 1, .size = 1}, {.slot = 1, .offset = 3, .size = 1}}};
  plumb_region region_ = {.index = 6,
                          .in_count = 2,
                          .slot_count = 2,
                          .out_count = 3,
                          .cell_count = 2,
                          .slots = slots_.data(),
                          .cells = cells_.data(),
                          .mark_count = 2,
                          .marks = marks_.data()};
  std::array<plumb_id, 2> ids_{};
  std::array<std::uint64_t, 2> values_ = {5, 0x700000006};
  std::array<plumb_id, 2> slot_ids_{};
  std::array<std::uint8_t, 64> memory_{};
  std::uint8_t* written_ = memory_.data();
  std::uint8_t* read_ = memory_.data() + 32;
};

TEST_F(RuntimeRegions, AConcreteVisitRunsPlainAndLeavesNoRecord) {
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
  EXPECT_EQ(__plumb_region_exit(&region_, 0), 0U);
  EXPECT_TRUE(stream().empty());
}

TEST_F(RuntimeRegions, ASymbolicVisitIsRecordedWithItsInsAndSlots) {
  ids_[1] = fresh(8);
  const plumb_id word = fresh(4);
  __plumb_store(read_, 4, word);
  memory_[1] = 9;
  ASSERT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
  std::memcpy(written_, "whatever", 8);
  const plumb_id first = __plumb_region_exit(&region_, 1);
  const Decoder decoder = decode();
  const Record entered = decoder.of_kind(PLUMB_REGION_ENTER).at(0);
  EXPECT_EQ(entered.words, (std::vector<std::uint32_t>{6, 0, 5, 0, ids_[1], 6, 7}));
  EXPECT_EQ(entered.objects[0].address, reinterpret_cast<std::uintptr_t>(written_));
  EXPECT_EQ(entered.objects[0].bytes, (std::vector<std::uint8_t>{0, 9, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(entered.objects[1].terms, (std::vector<ByteTerm>{{word, 0}, {word, 1}, {word, 2}, {word, 3}}));
  const Record left = decoder.of_kind(PLUMB_REGION_EXIT).at(0);
  EXPECT_EQ(left.words, (std::vector<std::uint32_t>{6, 1}));
  EXPECT_EQ(left.first_id, first);
  EXPECT_EQ(__plumb_load(written_, 4), first + 3);
  EXPECT_EQ(__plumb_load(written_ + 4, 4), first + 4);
  EXPECT_EQ(__plumb_load(read_, 4), word);
}

TEST_F(RuntimeRegions, ASymbolicSlotIsReasonEnoughForARecord) {
  __plumb_store(read_ + 3, 1, fresh(1));
  ASSERT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
  EXPECT_NE(__plumb_region_exit(&region_, 0), 0U);
}

TEST_F(RuntimeRegions, SymbolicDataThatNoConditionDependsOnTakesThePath) {
  ids_[0] = fresh(4);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
  ids_[0] = 0;
  __plumb_store(read_, 2, fresh(2));
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
  __plumb_store(written_, 8, fresh(8));
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
  EXPECT_TRUE(decode().of_kind(PLUMB_REGION_ENTER).empty());
  ids_[1] = fresh(8);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
}

TEST_F(RuntimeRegions, ASymbolicAddressOfASlotTakesThePath) {
  slot_ids_[1] = fresh(8);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
}

TEST_F(RuntimeRegions, OverlapWithAWrittenSlotTakesThePathAtEveryDistance) {
  ids_[1] = fresh(8);
  for (std::ptrdiff_t distance = -8; distance <= 12; ++distance) {
    written_ = memory_.data() + 16;
    read_ = written_ + distance;
    const bool is_apart = distance >= 8 || distance <= -4;
    EXPECT_EQ(enter(), static_cast<std::uint32_t>(is_apart ? PLUMB_PLAIN : PLUMB_PATH)) << distance;
  }
  // Slots that are only read may overlap.
  slots_[0].is_written = 0;
  read_ = written_;
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
}

TEST_F(RuntimeRegions, ASlotOfAnUnknownObjectTakesThePath) {
  ids_[1] = fresh(8);
  slots_[1].is_known = 0;
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
  __plumb_stack_object(read_, 3);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
  __plumb_stack_object(read_, 4);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
}

TEST_F(RuntimeRegions, AVisitCountsAsANode) {
  start_run({.max_nodes = 1});
  ids_[1] = fresh(8);
  enter();
  __plumb_region_exit(&region_, 0);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PLAIN));
  EXPECT_EQ(stream().back() & 0xffU, static_cast<std::uint32_t>(PLUMB_CUT));
}

TEST_F(RuntimeRegions, WithoutRoomForCellsThePathIsTaken) {
  start_run({.stream_words = 1U << 20});
  std::vector<std::uint8_t> filler(64 * std::size_t{free_granules()});
  ids_[1] = fresh(8);
  const plumb_id byte = fresh(1);
  for (std::size_t i = 0; i < filler.size(); i += 64) __plumb_store(filler.data() + i, 1, byte);
  EXPECT_EQ(enter(), static_cast<std::uint32_t>(PLUMB_PATH));
}

TEST_F(RuntimeRegions, AConcreteVisitAfterARecordedOneIsNotTakenForIt) {
  ids_[1] = fresh(8);
  enter();  // and left by longjmp
  ids_[1] = 0;
  enter();
  EXPECT_EQ(__plumb_region_exit(&region_, 0), 0U);
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
