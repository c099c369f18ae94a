#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "chain/narrow_array.h"
#include "chain/offsets.h"
#include "chain/value_column.h"

namespace plumb::chain {
namespace {

TEST(NarrowArray, WidensWithoutLosingAnything) {
  std::mt19937 random(3);
  for (const std::uint32_t limit : {200U, 60'000U, 4'000'000'000U}) {
    NarrowArray array;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 5000; ++i) {
      // Small numbers first, so that it has to widen on the way.
      expected.push_back(static_cast<std::uint32_t>(random()) % (i < 1000 ? 100 : limit));
      array.push_back(expected.back());
    }
    array.shrink();
    ASSERT_EQ(array.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(array[i], expected[i]);
    EXPECT_EQ(array.bytes(), expected.size() * (limit <= 256 ? 1 : limit <= 65536 ? 2 : 4));
  }
}

TEST(Offsets, AreTheSumsOfTheCounts) {
  std::mt19937 random(5);
  Offsets offsets;
  std::vector<std::uint64_t> begins{0};
  EXPECT_EQ(offsets.begin(0), 0U);
  for (int i = 0; i < 3000; ++i) {
    const auto count = static_cast<std::uint32_t>(random() % (i < 2000 ? 5 : 70'000));
    offsets.push_back(count);
    begins.push_back(begins.back() + count);
  }
  for (std::size_t i = 0; i < begins.size(); ++i) ASSERT_EQ(offsets.begin(i), begins[i]);
  EXPECT_EQ(offsets.total(), begins.back());
}

TEST(ValueColumn, KeepsEachDistinctValueOnce) {
  std::mt19937 random(9);
  ValueColumn column;
  std::vector<double> expected;
  for (int i = 0; i < 10000; ++i) {
    expected.push_back(static_cast<double>(random() % 300) / 7);
    column.push_back(expected.back());
  }
  column.push_back(-0.0);
  column.finish();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(column[i], expected[i]);
  EXPECT_TRUE(std::signbit(column[10000])) << "by bit pattern";
  EXPECT_EQ(column.distinct().size(), 301U);
  EXPECT_FALSE(column.is_all_zero());
}

}  // namespace
}  // namespace plumb::chain
