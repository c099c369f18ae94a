#include "semantics/memory/address_space.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace plumb::semantics {
namespace {

class AddressSpaceTest : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Widths, AddressSpaceTest, testing::Values(32U, 64U), testing::PrintToStringParamName());

TEST_P(AddressSpaceTest, AnAddressLeadsToItsObjectFromOneBelowItToOnePastItsEnd) {
  AddressSpace space(GetParam());
  std::mt19937 random(7);
  std::vector<std::pair<AddressSpace::Slot, std::uint64_t>> slots;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t size = random() % (i % 100 == 0 ? 100'000 : 300);
    const std::uint32_t alignment = 1U << (random() % (i % 10 == 0 ? 21 : 5));
    const AddressSpace::Slot slot = space.allocate(size, alignment);
    EXPECT_EQ(slot.base % alignment, 0U);
    slots.emplace_back(slot, size);
  }
  for (const auto& [slot, size] : slots) {
    ASSERT_EQ(space.at(slot.base), slot.object);
    ASSERT_EQ(space.at(slot.base - 1), slot.object);
    ASSERT_EQ(space.at(slot.base - 16), slot.object);
    ASSERT_EQ(space.at(slot.base + size), slot.object);
    ASSERT_EQ(space.at(slot.base + size + 15), slot.object);
  }
}

TEST_P(AddressSpaceTest, NullTheLowestMegabytesAndUnwrittenPointersAreNobodys) {
  AddressSpace space(GetParam());
  for (int i = 0; i < 100; ++i) space.allocate(1000, 1);
  for (const std::uint64_t address :
       {0ULL, 1ULL, 4096ULL, 1ULL << 20, 8ULL << 20, 0xBEBE'BEBEULL, 0xBEBE'BEBE'BEBE'BEBEULL, ~0ULL, ~0ULL >> 32}) {
    EXPECT_EQ(space.at(address), kNone) << address;
  }
}

TEST_P(AddressSpaceTest, EqualCallsGiveEqualAddressesAndCopiesGoOnAlike) {
  AddressSpace a(GetParam());
  AddressSpace b(GetParam());
  std::mt19937 random(3);
  const auto step = [&random](AddressSpace& first, AddressSpace& second) {
    const std::uint64_t size = random() % 5000;
    const AddressSpace::Slot x = first.allocate(size, 8);
    const AddressSpace::Slot y = second.allocate(size, 8);
    ASSERT_EQ(x.object, y.object);
    ASSERT_EQ(x.base, y.base);
    if (random() % 2 == 0) {
      first.release(x.object);
      second.release(y.object);
    }
  };
  for (int i = 0; i < 1000; ++i) step(a, b);
  AddressSpace copy = a;
  for (int i = 0; i < 1000; ++i) step(a, copy);
}

TEST_P(AddressSpaceTest, ADeadObjectIsReusedOnlyAfterTheQuarantine) {
  AddressSpace space(GetParam());
  const AddressSpace::Slot first = space.allocate(8, 8);
  space.release(first.object);
  for (std::uint64_t i = 0; i < AddressSpace::kQuarantine; ++i) {
    const AddressSpace::Slot other = space.allocate(8, 8);
    ASSERT_NE(other.object, first.object) << i;
    space.release(other.object);
  }
  const AddressSpace::Slot reused = space.allocate(8, 8);
  EXPECT_EQ(reused.object, first.object);
  EXPECT_EQ(reused.base, first.base);
}

TEST_P(AddressSpaceTest, ManyShortLivesDoNotGrowTheSpace) {
  AddressSpace space(GetParam());
  std::uint64_t highest = 0;
  ObjectId most = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const AddressSpace::Slot slot = space.allocate(24, 8);
    highest = std::max(highest, slot.base);
    most = std::max(most, slot.object);
    space.release(slot.object);
  }
  EXPECT_EQ(most, AddressSpace::kQuarantine);
  EXPECT_EQ(space.at(highest + 8192), kNone);
}

TEST_P(AddressSpaceTest, LargeObjectsThatDieDoNotFillTheSpace) {
  AddressSpace space(GetParam());
  for (int i = 0; i < 10'000; ++i) space.release(space.allocate(std::uint64_t{1} << 20, 16).object);
}

TEST_P(AddressSpaceTest, LiveObjectsNeverShareAByte) {
  AddressSpace space(GetParam());
  std::mt19937 random(11);
  std::map<std::uint64_t, std::pair<std::uint64_t, ObjectId>> live;
  for (int i = 0; i < 30'000; ++i) {
    if (live.size() < 20 || random() % 2 == 0) {
      // Large enough that rooms come back from the quarantine within the test
      const std::uint64_t size = random() % (std::uint64_t{8} << (GetParam() == 64 ? 20 : 17));
      const AddressSpace::Slot slot = space.allocate(size, 1U << (random() % 14));
      const auto above = live.lower_bound(slot.base);
      ASSERT_TRUE(above == live.end() || above->first > slot.base + size);
      ASSERT_TRUE(above == live.begin() || slot.base > std::prev(above)->first + std::prev(above)->second.first);
      live[slot.base] = {size, slot.object};
    } else {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      space.release(victim->second.second);
      live.erase(victim);
    }
    if (live.size() > 60) {
      space.release(live.begin()->second.second);
      live.erase(live.begin());
    }
  }
}

TEST(AddressSpace, A32BitSpaceIsFullInTheEndAndUsableAgainAfterADeath) {
  AddressSpace space(32);
  std::vector<AddressSpace::Slot> slots;
  EXPECT_THROW(for (int i = 0; i < 100; ++i) slots.push_back(space.allocate(std::uint64_t{100} << 20, 1)), OutOfMemory);
  EXPECT_GE(slots.size(), 20U);
  for (const AddressSpace::Slot& slot : slots) EXPECT_LT(slot.base + (std::uint64_t{100} << 20), 0xBEAE'0000U);
  space.release(slots[5].object);
  EXPECT_EQ(space.allocate(std::uint64_t{100} << 20, 1).base, slots[5].base);
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) space.allocate(std::uint64_t{1} << 20, 1), OutOfMemory);
  space.release(slots[6].object);
  EXPECT_EQ(space.allocate(std::uint64_t{30} << 20, 1).base, slots[6].base) << "a larger room serves as well";
  EXPECT_THROW(space.allocate(std::uint64_t{30} << 20, 1), OutOfMemory);
}

TEST_P(AddressSpaceTest, AnObjectLargerThanTheSpaceIsOutOfMemory) {
  AddressSpace space(GetParam());
  EXPECT_THROW(space.allocate(~std::uint64_t{0}, 1), OutOfMemory);
  EXPECT_THROW(space.allocate(std::uint64_t{1} << 46, 1), OutOfMemory);
  EXPECT_EQ(space.allocate(1, 1).object, 0U);
}

}  // namespace
}  // namespace plumb::semantics
