#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "unit/concolic/runtime_harness.h"

namespace plumb::concolic::runtime_test {
namespace {

plumb_id fresh(std::uint32_t size) {
  __plumb_nondet(size, "x");
  return __plumb_results[0];
}

TEST(RuntimeObjects, HeapObjectsAreFoundAsAMapFindsThem) {
  start_run();
  std::mt19937_64 random(1);
  std::map<std::uintptr_t, std::size_t> model;
  const auto in_model = [&](std::uintptr_t address, std::size_t size) -> Object {
    auto it = model.upper_bound(address);
    if (it == model.begin()) return {};
    --it;
    return address - it->first + size <= it->second ? Object{it->first, it->second} : Object{};
  };
  // Addresses of nothing: the table never looks at the memory. Several densities, so that blocks of a size class are
  // next to each other as well as far apart, and small beside large.
  for (int step = 0; step < 200'000; ++step) {
    const std::uintptr_t arena = 0x10000 + ((random() % 3) << 24);
    const std::uintptr_t address = arena + 16 * (random() % 6000);
    const std::size_t size = std::size_t{1} + random() % (std::size_t{1} << random() % 14);
    const auto next = model.lower_bound(address);
    const bool is_free = in_model(address, 1).size == 0 && (next == model.end() || next->first >= address + size);
    if (is_free && random() % 4 != 0) {
      ASSERT_TRUE(add_heap_object(address, size));
      model[address] = size;
    } else if (!is_free && random() % 4 != 0) {
      const Object object = in_model(address, 1);
      if (object.size != 0) {
        ASSERT_EQ(remove_heap_object(object.base), object.size);
        model.erase(object.base);
      }
    }
    const std::uintptr_t probe = address + random() % 200;
    const std::size_t length = 1 + random() % 8;
    const Object found = find_object(probe, length);
    const Object expected = in_model(probe, length);
    ASSERT_EQ(found.size, expected.size) << step;
    if (expected.size != 0) {
      ASSERT_EQ(found.base, expected.base) << step;
    }
  }
  ASSERT_GT(model.size(), 500U);
  for (const auto& [base, size] : model) ASSERT_EQ(remove_heap_object(base), size);
  EXPECT_EQ(remove_heap_object(0x10000), 0U);
}

TEST(RuntimeObjects, AFullHeapTableIsToldAndUsableAgain) {
  start_run();
  std::uintptr_t count = 0;
  while (add_heap_object(0x100000 + 64 * count, 40)) ++count;
  EXPECT_GT(count, 100'000U);
  EXPECT_EQ(find_object(0x100000 + 64 * (count - 1) + 39, 1).size, 40U);
  EXPECT_EQ(find_object(0x100000 + 64 * (count - 1) + 40, 1).size, 0U);
  EXPECT_EQ(remove_heap_object(0x100000), 40U);
  EXPECT_TRUE(add_heap_object(0x100000, 30));
  EXPECT_EQ(remove_heap_object(0x100000), 30U);
  for (std::uintptr_t i = 1; i < count; ++i) ASSERT_EQ(remove_heap_object(0x100000 + 64 * i), 40U);
}

TEST(RuntimeObjects, AnObjectReplacesOneThatWasFreedBehindTheRuntimesBack) {
  start_run();
  ASSERT_TRUE(add_heap_object(0x5000, 1000));
  ASSERT_TRUE(add_heap_object(0x5010, 40));
  EXPECT_EQ(find_object(0x5020, 1).size, 40U);
  EXPECT_EQ(find_object(0x5100, 1).size, 0U);
  EXPECT_EQ(remove_heap_object(0x5010), 40U);
}

TEST(RuntimeObjects, GlobalsAreFoundWithinTheirBoundsAlone) {
  start_run();
  for (std::size_t i = 0; i < kGlobalCount; ++i) {
    const auto base = reinterpret_cast<std::uintptr_t>(global(i).base);
    for (std::size_t offset = 0; offset <= 40; ++offset)
      for (std::size_t size = 1; size <= 8; ++size) {
        const Object found = find_object(base + offset, size);
        const bool is_inside = offset + size <= global(i).size;
        if (is_inside) {
          EXPECT_EQ(found.base, base);
        }
        if (offset < 40) {
          EXPECT_EQ(found.size, is_inside ? global(i).size : 0);
        }
      }
  }
}

TEST(RuntimeObjects, StackObjectsLiveUntilTheTopIsRestored) {
  start_run();
  std::array<std::uint8_t, 64> outer{};
  std::array<std::uint8_t, 64> inner{};
  const auto address_of = [](auto& object) { return reinterpret_cast<std::uintptr_t>(object.data()); };
  __plumb_stack_object(outer.data(), outer.size());
  const std::uint32_t saved = __plumb_stack_top;
  __plumb_stack_object(inner.data(), inner.size());
  EXPECT_EQ(find_object(address_of(inner) + 60, 4).base, address_of(inner));
  EXPECT_EQ(find_object(address_of(inner) + 60, 5).size, 0U);
  __plumb_stack_top = saved;
  EXPECT_EQ(find_object(address_of(inner), 1).size, 0U);
  EXPECT_EQ(find_object(address_of(outer), 64).base, address_of(outer));
}

TEST(RuntimeObjects, ADeepStackIsCountedOnceAndDoesNotOverflow) {
  start_run();
  for (int i = 0; i < 100'000; ++i) __plumb_stack_object(reinterpret_cast<const void*>(std::uintptr_t{4096}), 16);
  EXPECT_EQ(__plumb_stack_top, 100'000U);
  EXPECT_EQ(Decoder(stream()).of_kind(PLUMB_LOST).size(), 1U);
  EXPECT_EQ(find_object(4096, 16).size, 16U);
}

TEST(RuntimeHeap, AllocationsAreKnownFromBirthToDeath) {
  start_run();
  for (const std::size_t size : {1U, 16U, 17U, 100U, 5000U}) {
    void* object = __plumb_malloc(size);
    const auto base = reinterpret_cast<std::uintptr_t>(object);
    EXPECT_EQ(find_object(base, size).base, base);
    EXPECT_EQ(find_object(base, size + 1).size, 0U);
    __plumb_free(object);
    EXPECT_EQ(find_object(base, 1).size, 0U);
  }
  void* zeros = __plumb_calloc(3, 7);
  EXPECT_EQ(find_object(reinterpret_cast<std::uintptr_t>(zeros), 21).size, 21U);
  __plumb_free(zeros);
  __plumb_free(nullptr);
}

TEST(RuntimeHeap, FreedMemoryHasNoShadow) {
  start_run();
  auto* object = static_cast<std::uint8_t*>(__plumb_malloc(200));
  std::memset(object, 0, 200);
  __plumb_filled(object, 200, fresh(1));
  const std::uint32_t free_before = free_granules();
  __plumb_free(object);
  EXPECT_GT(free_granules(), free_before);
  auto* again = static_cast<std::uint8_t*>(__plumb_malloc(200));
  for (int i = 0; i < 200; ++i) EXPECT_EQ(__plumb_load(again + i, 1), 0U);
  __plumb_free(again);
}

TEST(RuntimeHeap, ReallocTakesShadowsAlongAndLeavesNoneBehind) {
  start_run();
  const std::uint32_t all_free = free_granules();
  const plumb_id word = fresh(4);
  for (const std::size_t grown : {48U, 300U, 300'000U, 20U, 6U}) {
    auto* object = static_cast<std::uint8_t*>(__plumb_malloc(40));
    std::memset(object, 1, 40);
    __plumb_store(object + 4, 4, word);
    __plumb_store(object + 36, 4, word);
    object = static_cast<std::uint8_t*>(__plumb_realloc(object, grown));
    EXPECT_EQ(find_object(reinterpret_cast<std::uintptr_t>(object), grown).size, grown);
    if (grown >= 40) {
      EXPECT_EQ(__plumb_load(object + 4, 4), word);
      EXPECT_EQ(__plumb_load(object + 36, 4), word);
    } else {
      EXPECT_EQ(__plumb_load(object + 4, 2) != 0, true);
    }
    __plumb_free(object);
    EXPECT_EQ(free_granules(), all_free) << grown;
  }
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
