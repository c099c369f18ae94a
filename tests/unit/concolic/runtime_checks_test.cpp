#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>

#include "term/op.h"
#include "unit/concolic/runtime_harness.h"

extern "C" {
#include "runtime/checks/checks.h"
}

namespace plumb::concolic::runtime_test {
namespace {

using term::Op;

plumb_id fresh(std::uint32_t size) {
  __plumb_nondet(size, "x");
  return __plumb_results[0];
}

/// A PLUMB_RANGE, taken apart.
struct Range {
  std::uint32_t defect, width, site, held, object;
  plumb_id value_id;
  std::uint64_t value, base;
  plumb_id limit_id;
  std::uint64_t limit;
};
std::vector<Range> ranges() {
  std::vector<Range> result;
  for (const Record& r : Decoder(stream()).of_kind(PLUMB_RANGE)) {
    const auto value = [&](std::size_t i) { return r.words[i] | std::uint64_t{r.words[i + 1]} << 32; };
    result.push_back(
        {r.code, r.width, r.words[0], r.words[1], r.words[2], r.words[3], value(4), value(6), r.words[8], value(9)});
  }
  return result;
}
std::vector<std::uint32_t> told() {
  std::vector<std::uint32_t> sites;
  for (const Record& r : Decoder(stream()).of_kind(PLUMB_DEFECT)) sites.push_back(r.words[0]);
  return sites;
}

/// The runtime tells of each place once a process, so each has a number of its own.
std::uint32_t new_site() {
  static std::uint32_t last = 1000;
  return ++last;
}

plumb_defect_record defect_at(std::uint32_t site) {
  plumb_defect_record record{};
  record.kind = PLUMB_DEFECT_NULL;
  record.site = site;
  return record;
}

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(RuntimeChecks, AnAccessIsHeldAgainstTheObjectOfItsRoot) {
  start_run();
  std::array<std::uint8_t, 64> memory{};
  const plumb_id id = fresh(8);
  std::uint8_t* const root = memory.data() + 16;
  const std::uint32_t site = new_site();
  EXPECT_EQ(__plumb_access(site, id, root + 16, 4, root, 20), root + 16);
  EXPECT_TRUE(told().empty());
  void* const elsewhere = __plumb_access(site, id, root + 17, 4, root, 20);
  EXPECT_TRUE(number(elsewhere) - number(memory.data()) >= memory.size());
  EXPECT_EQ(told(), std::vector{site});
  const auto all = ranges();
  ASSERT_EQ(all.size(), 2U);
  for (const Range& range : all) {
    EXPECT_EQ(range.defect, PLUMB_DEFECT_ARRAY);
    EXPECT_EQ(range.site, site);
    EXPECT_EQ(range.value_id, id);
    EXPECT_EQ(range.base, number(root));
    EXPECT_EQ(range.limit, 16U);
    EXPECT_EQ(range.limit_id, 0U);
  }
  EXPECT_EQ(all[0].held, 1U);
  EXPECT_EQ(all[1].held, 0U);
}

TEST(RuntimeChecks, AnAccessLargerThanItsObjectIsWrongWithEveryInput) {
  start_run();
  std::array<std::uint8_t, 64> memory{};
  const std::uint32_t site = new_site();
  EXPECT_NE(__plumb_access(site, fresh(8), memory.data(), 8, memory.data(), 4), memory.data());
  EXPECT_TRUE(ranges().empty());
  EXPECT_EQ(told(), std::vector{site});
}

TEST(RuntimeChecks, ObjectsAreFoundFromARootInsideOrJustBehind) {
  start_run();
  std::array<std::uint8_t, 40> memory{};
  __plumb_stack_object(memory.data(), memory.size());
  for (const std::size_t offset : {0U, 7U, 40U}) {
    EXPECT_EQ(__plumb_access(1, fresh(8), memory.data(), 8, memory.data() + offset, 0), memory.data());
    ASSERT_FALSE(ranges().empty());
    EXPECT_EQ(ranges().back().base, number(memory.data()));
    EXPECT_EQ(ranges().back().limit, 32U);
  }
  EXPECT_EQ(ranges().size(), 3U);
  EXPECT_EQ(__plumb_access(1, fresh(8), memory.data(), 8, reinterpret_cast<void*>(16), 0), memory.data());
  EXPECT_EQ(ranges().size(), 3U);
}

TEST(RuntimeChecks, ASymbolicRootStaysInTheObjectThatItLeadsInto) {
  start_run();
  std::array<std::uint8_t, 40> memory{};
  __plumb_stack_object(memory.data(), memory.size());
  const plumb_id root = fresh(8);
  __plumb_root(1, root, memory.data() + 7);
  __plumb_root(1, 0, memory.data() + 7);
  __plumb_root(1, root, reinterpret_cast<void*>(16));
  ASSERT_EQ(ranges().size(), 1U);
  EXPECT_EQ(ranges()[0].defect, 0U);
  EXPECT_EQ(ranges()[0].value_id, root);
  EXPECT_EQ(ranges()[0].base, number(memory.data()));
  EXPECT_EQ(ranges()[0].limit, 40U);
  EXPECT_EQ(ranges()[0].held, 1U);
}

TEST(RuntimeChecks, OverflowsAreThoseOfTheTypeWhateverTheValues) {
  std::mt19937_64 random(5);
  start_run();
  const plumb_id id = fresh(8);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t width = std::array{8U, 16U, 32U}[random() % 3];
    const Op op = std::array{Op::Add, Op::Sub, Op::Mul, Op::Sdiv}[random() % 4];
    const auto operand = [&]() {
      const std::int64_t limit = std::int64_t{1} << (width - 1);
      const std::array<std::int64_t, 5> edges{-limit, limit - 1, -1, 0, 1};
      const std::uint64_t choice = random() % 8;
      return choice < 5 ? edges[choice] : static_cast<std::int64_t>(random() % (2 * limit)) - limit;
    };
    const std::int64_t a = operand();
    std::int64_t b = operand();
    if (op == Op::Sdiv && b == 0) b = -1;
    const std::int64_t exact = op == Op::Add ? a + b : op == Op::Sub ? a - b : op == Op::Mul ? a * b : a / b;
    const std::int64_t limit = std::int64_t{1} << (width - 1);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    __plumb_overflow(1, static_cast<std::uint32_t>(op), width, id, static_cast<std::uint64_t>(a) & mask, 0,
                     static_cast<std::uint64_t>(b) & mask);
    const std::vector<std::uint32_t> all = stream();
    const bool held = all[all.size() - 7] != 0;
    ASSERT_EQ(held, exact >= -limit && exact < limit) << a << " " << b << " width " << width;
  }
}

TEST(RuntimeChecks, WideOverflowsAreSeen) {
  start_run();
  const plumb_id id = fresh(8);
  const auto held = [&](Op op, std::uint64_t a, std::uint64_t b) {
    __plumb_overflow(1, static_cast<std::uint32_t>(op), 64, id, a, 0, b);
    const std::vector<std::uint32_t> all = stream();
    return all[all.size() - 7] != 0;
  };
  const std::uint64_t lowest = std::uint64_t{1} << 63;
  EXPECT_FALSE(held(Op::Add, lowest - 1, 1));
  EXPECT_TRUE(held(Op::Add, lowest, 1));
  EXPECT_FALSE(held(Op::Sub, 0, lowest));
  EXPECT_FALSE(held(Op::Mul, lowest, ~std::uint64_t{0}));
  EXPECT_FALSE(held(Op::Sdiv, lowest, ~std::uint64_t{0}));
  EXPECT_TRUE(held(Op::Sdiv, lowest, 1));
}

TEST(RuntimeChecks, IndicesShiftsAndAlignmentsAreRanges) {
  start_run();
  __plumb_index(7, fresh(8), 4, 5);
  __plumb_index(7, fresh(8), static_cast<std::uint64_t>(-1), 5);
  __plumb_shift(8, 32, fresh(4), 32);
  __plumb_alignment(9, fresh(8), reinterpret_cast<void*>(0x1006), 4);
  __plumb_index(7, 0, 9, 5);
  __plumb_index(7, fresh(8), 9, 0);
  const auto all = ranges();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].defect, PLUMB_DEFECT_INDEX);
  EXPECT_EQ(all[0].limit, 4U);
  EXPECT_EQ(all[0].held, 1U);
  EXPECT_EQ(all[1].held, 0U);
  EXPECT_EQ(all[2].defect, PLUMB_DEFECT_SHIFT);
  EXPECT_EQ(all[2].width, 32U);
  EXPECT_EQ(all[2].limit, 31U);
  EXPECT_EQ(all[2].held, 0U);
  EXPECT_EQ(all[3].defect, PLUMB_DEFECT_ALIGNMENT);
  EXPECT_EQ(all[3].value, 2U);
  EXPECT_EQ(all[3].held, 0U);
}

TEST(RuntimeChecks, ABlockIsHeldAgainstTheRoomFromItsAddress) {
  start_run();
  std::array<std::uint8_t, 40> memory{};
  __plumb_stack_object(memory.data(), memory.size());
  const plumb_id size = fresh(8), address = fresh(8);
  __plumb_block(1, 0, memory.data() + 10, size, 30, 1);
  __plumb_block(1, address, memory.data() + 10, 0, 31, 1);
  const auto all = ranges();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].value_id, size);
  EXPECT_EQ(all[0].base, 0U);
  EXPECT_EQ(all[0].limit, 30U);
  EXPECT_EQ(all[0].held, 1U);
  EXPECT_EQ(all[1].value_id, address);
  EXPECT_EQ(all[1].limit, 40U);
  EXPECT_EQ(all[2].value, 31U);
  EXPECT_NE(all[2].limit_id, 0U);
  EXPECT_EQ(all[2].held, 0U);
}

TEST(RuntimeChecks, AccessesToAWatchedObjectAreToldWhileTheyGoFarther) {
  start_run();
  std::array<std::uint8_t, 40> memory{};
  const plumb_id size = fresh(8);
  const auto tell = [&](std::size_t offset) {
    plumb_tell_watched(1, memory.data() + offset, 4, memory.data(), memory.size(), size);
    return ranges().size();
  };
  EXPECT_EQ(tell(8), 1U);
  EXPECT_EQ(tell(8), 1U);
  EXPECT_EQ(tell(4), 1U);
  EXPECT_EQ(tell(12), 2U);
  EXPECT_EQ(ranges()[1].value, number(memory.data()) + 16);
  EXPECT_EQ(ranges()[1].limit_id, size);
  EXPECT_EQ(ranges()[1].limit, 40U);
  EXPECT_EQ(ranges()[1].held, 1U);
}

TEST(RuntimeChecks, AnAccessBehindAWatchedObjectIsAFailedRange) {
  start_run();
  void* const object = __plumb_malloc(40);
  const plumb_id size = fresh(8);
  __plumb_sized(object, 40, size);
  const auto tell = [&](std::uint64_t offset) {
    plumb_defect_record record = defect_at(new_site());
    record.kind = PLUMB_DEFECT_POINTER;
    record.object_kind = PLUMB_OBJECT_HEAP;
    record.access = 4;
    record.address = number(object) + offset;
    record.object_base = number(object);
    record.object_size = 40;
    plumb_tell_defect(&record);
    return ranges().size();
  };
  EXPECT_EQ(tell(44), 1U);
  EXPECT_EQ(tell(48), 1U);
  EXPECT_EQ(tell(40), 2U);
  EXPECT_EQ(ranges()[1].held, 0U);
  EXPECT_EQ(ranges()[1].value, number(object) + 44);
  EXPECT_EQ(ranges()[1].limit_id, size);
  __plumb_free(object);
}

TEST(RuntimeChecks, TheSizeOfALargeAllocationIsPinned) {
  start_run();
  const plumb_id size = fresh(8);
  __plumb_sized(nullptr, std::size_t{1} << 30, size);
  const Decoder decoded(stream());
  ASSERT_EQ(decoded.of_kind(PLUMB_BRANCH).size(), 1U);
  EXPECT_EQ(decoded.of_kind(PLUMB_BRANCH)[0].words[1], 1U);
  ASSERT_EQ(decoded.of_kind(PLUMB_PIN).size(), 1U);
  EXPECT_EQ(decoded.of_kind(PLUMB_PIN)[0].words[1], size);
}

TEST(RuntimeChecks, ADefectIsToldOnceAPlaceKindAndStack) {
  start_run();
  plumb_defect_record record = defect_at(new_site());
  const auto tell = [&] {
    plumb_tell_defect(&record);
    return told().size();
  };
  EXPECT_EQ(tell(), 1U);
  EXPECT_EQ(tell(), 1U);
  record.kind = PLUMB_DEFECT_WILD;
  EXPECT_EQ(tell(), 2U);
  record.stack.depth = 1;
  record.stack.frames[0] = &record;
  EXPECT_EQ(tell(), 3U);
  record.site = new_site();
  EXPECT_EQ(tell(), 4U);
}

TEST(RuntimeChecks, ARunThatIsCutStillTellsItsDefects) {
  start_run({.max_nodes = 0});
  __plumb_branch(1, 0, fresh(1));
  const plumb_defect_record record = defect_at(new_site());
  plumb_tell_defect(&record);
  EXPECT_EQ(Decoder(stream()).of_kind(PLUMB_CUT).size(), 1U);
  EXPECT_EQ(told(), std::vector{record.site});
}

TEST(RuntimeChecks, ADefectEndsARunInsideOfARecordedRegionOnly) {
  static const std::uint32_t site = new_site();
  static const plumb_mark mark{PLUMB_IN, 0, 0};
  static const plumb_region region{0, 1, 0, 0, 0, nullptr, nullptr, 1, &mark};
  for (const bool is_symbolic : {true, false}) {
    start_run();
    const auto end = ending_of([&] {
      const plumb_id id = is_symbolic ? fresh(8) : 0;
      const std::uint64_t value = 0;
      __plumb_region_enter(&region, &id, &value, nullptr, nullptr);
      const plumb_defect_record record = defect_at(site);
      plumb_tell_defect(&record);
    });
    ASSERT_EQ(end.has_value(), is_symbolic);
    if (!is_symbolic) continue;
    EXPECT_TRUE(end->is_error);
    EXPECT_EQ(end->code, PLUMB_ERROR_DEFECT);
    const Decoder decoded(stream(), {{0, {.makes = 0, .ins = 1, .slots = 0}}});
    ASSERT_GE(decoded.records().size(), 2U);
    EXPECT_EQ(decoded.records().end()[-2].kind, PLUMB_DEFECT);
    EXPECT_EQ(decoded.records().back().kind, PLUMB_ERROR);
  }
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
