#include "semantics/memory/concrete_bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace plumb::semantics {
namespace {

std::vector<std::uint8_t> content(const ConcreteBytes& bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }

TEST(ConcreteBytes, FreshMemoryHasThePatternOfUnwrittenMemoryOrZeros) {
  EXPECT_EQ(content(ConcreteBytes::uninitialised(3)), (std::vector<std::uint8_t>{0xBE, 0xBE, 0xBE}));
  EXPECT_EQ(content(ConcreteBytes::zeroed(2)), (std::vector<std::uint8_t>{0, 0}));
  const std::vector<std::uint8_t> start = {1, 2};
  EXPECT_EQ(content(ConcreteBytes::from(start, 4)), (std::vector<std::uint8_t>{1, 2, 0, 0}));
  EXPECT_EQ(ConcreteBytes::uninitialised(0).size(), 0U);
}

TEST(ConcreteBytes, EveryCountAtEveryOffsetIsReadAsWrittenLittleEndianAndTouchesNothingElse) {
  constexpr std::uint64_t kSize = 24;
  std::mt19937_64 random(5);
  for (std::uint32_t count = 1; count <= kSize; ++count) {
    for (std::uint64_t offset = 0; offset + count <= kSize; ++offset) {
      ConcreteBytes bytes = ConcreteBytes::filled(kSize, 0x5A);
      std::vector<std::uint8_t> expected(kSize, 0x5A);
      const std::vector<std::uint64_t> words = {random(), random(), random()};
      const BitVector value = BitVector::from_words(count * 8, words);
      for (std::uint32_t i = 0; i < count; ++i)
        expected[offset + i] = static_cast<std::uint8_t>(words[i / 8] >> (i % 8 * 8));
      bytes.store_wide(offset, value);
      EXPECT_EQ(content(bytes), expected);
      EXPECT_EQ(bytes.load_wide(offset, count), value);
      if (count > 8) continue;
      ConcreteBytes narrow = ConcreteBytes::filled(kSize, 0x5A);
      narrow.store(offset, words[0], count);
      EXPECT_EQ(content(narrow), expected);
      EXPECT_EQ(narrow.load(offset, count), value.to_uint64());
    }
  }
}

TEST(ConcreteBytes, ACopySharesUntilEitherSideWrites) {
  ConcreteBytes original = ConcreteBytes::zeroed(16);
  ConcreteBytes copy = original;
  EXPECT_TRUE(copy.shares_with(original));
  copy.store(0, 7, 4);
  EXPECT_FALSE(copy.shares_with(original));
  EXPECT_EQ(original.load(0, 4), 0U);
  const std::uint8_t* before = original.data();
  original.store(0, 9, 4);
  EXPECT_EQ(original.data(), before);
  EXPECT_EQ(copy.load(0, 4), 7U);
}

TEST(ConcreteBytes, CopyIsMemmoveForEveryOverlapWithinAnObjectSharedOrNot) {
  constexpr std::uint64_t kSize = 8;
  std::vector<std::uint8_t> start(kSize);
  for (std::uint64_t i = 0; i < kSize; ++i) start[i] = static_cast<std::uint8_t>(i + 1);
  for (const bool is_shared : {false, true}) {
    for (std::uint64_t to = 0; to <= kSize; ++to) {
      for (std::uint64_t from = 0; from <= kSize; ++from) {
        for (std::uint64_t count = 0; count + std::max(to, from) <= kSize; ++count) {
          ConcreteBytes bytes = ConcreteBytes::from(start, kSize);
          const ConcreteBytes other = is_shared ? bytes : ConcreteBytes();
          std::vector<std::uint8_t> expected = start;
          for (std::uint64_t i = 0; i < count; ++i) expected[to + i] = start[from + i];
          bytes.copy(to, bytes, from, count);
          EXPECT_EQ(content(bytes), expected);
          EXPECT_TRUE(!is_shared || content(other) == start);
        }
      }
    }
  }
}

TEST(ConcreteBytes, WhatTheHostDoesNotHaveIsRefused) {
  EXPECT_THROW(ConcreteBytes::uninitialised(~std::uint64_t{0}), std::bad_alloc);
}

}  // namespace
}  // namespace plumb::semantics
