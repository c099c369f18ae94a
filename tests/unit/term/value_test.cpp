#include "term/value.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::term {
namespace {

/// Every way to write an array of bits: a default, and at each index no entry or one of two.
std::vector<ArrayValue> all_arrays(std::uint32_t index_width) {
  std::vector<ArrayValue> result;
  const std::uint64_t indices = std::uint64_t{1} << index_width;
  std::uint64_t ways = 1;
  for (std::uint64_t i = 0; i < indices; ++i) ways *= 3;
  for (std::uint64_t code = 0; code < 2 * ways; ++code) {
    ArrayValue a{index_width, BitVector(1, code & 1U), {}};
    std::uint64_t rest = code / 2;
    for (std::uint64_t i = 0; i < indices; ++i, rest /= 3)
      if (rest % 3 != 2) a.elements.emplace(BitVector(index_width, i), BitVector(1, rest % 3));
    result.push_back(std::move(a));
  }
  return result;
}

TEST(ArrayValue, EqualsExactlyWhatHasTheSameElements) {
  for (const std::uint32_t index_width : {1U, 2U}) {
    const std::vector<ArrayValue> arrays = all_arrays(index_width);
    for (const ArrayValue& a : arrays) {
      for (const ArrayValue& b : arrays) {
        bool same = true;
        for (std::uint64_t i = 0; i < (1U << index_width); ++i)
          same = same && a.at(BitVector(index_width, i)) == b.at(BitVector(index_width, i));
        ASSERT_EQ(a == b, same);
      }
    }
  }
}

TEST(ArrayValue, OfWideIndicesIsNeverFullyListed) {
  for (const std::uint32_t index_width : {64U, 65U, 128U}) {
    ArrayValue a{index_width, BitVector(8, 0), {}};
    const ArrayValue b{index_width, BitVector(8, 1), {}};
    a.elements.emplace(BitVector(index_width, 0), BitVector(8, 1));
    EXPECT_FALSE(a == b);
    EXPECT_FALSE(b == a);
    EXPECT_TRUE(a == a);
  }
}

TEST(ArrayValue, OfOtherIndexWidthIsAnother) {
  EXPECT_FALSE((ArrayValue{2, BitVector(8, 0), {}} == ArrayValue{3, BitVector(8, 0), {}}));
}

TEST(ZeroValue, IsZeroOfTheSort) {
  EXPECT_EQ(std::get<BitVector>(zero_value(Sort{70, 0})), BitVector(70, 0));
  const ArrayValue a = std::get<ArrayValue>(zero_value(Sort{8, 4}));
  EXPECT_EQ(a.index_width, 4U);
  EXPECT_EQ(a.at(BitVector(4, 9)), BitVector(8, 0));
  EXPECT_TRUE(a.elements.empty());
}

}  // namespace
}  // namespace plumb::term
