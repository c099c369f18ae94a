// Construction, predicates, bitwise operations, shifts and structure: exhaustive at widths 1 to 5 against machine
// integers, random at widths around the word boundaries against a value kept as a plain list of bits.
#include "base/bit_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_set>
#include <vector>

#include "random_bit_vector.h"

namespace plumb {
namespace {

using Bits = std::vector<bool>;

Bits bits_of(const BitVector& v) {
  Bits bits(v.width());
  for (std::uint32_t i = 0; i < v.width(); ++i) bits[i] = v.bit(i);
  return bits;
}

BitVector from_bits(const Bits& bits) {
  BitVector v(static_cast<std::uint32_t>(bits.size()), 0);
  for (std::uint32_t i = 0; i < v.width(); ++i) v.set_bit(i, bits[i]);
  return v;
}

/// Bit i of the result is bit i + offset of the value, or `fill` outside.
Bits moved(const Bits& bits, std::int64_t offset, bool fill) {
  Bits result(bits.size(), fill);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::int64_t from = static_cast<std::int64_t>(i) + offset;
    if (from >= 0 && from < static_cast<std::int64_t>(bits.size())) result[i] = bits[static_cast<std::size_t>(from)];
  }
  return result;
}

TEST(BitVector, ReducesTheInitialValueModuloTheWidth) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    for (std::uint64_t value = 0; value < 200; ++value) {
      EXPECT_EQ(BitVector(width, value).to_uint64(), value % (1U << width));
    }
  }
  EXPECT_EQ(BitVector(64, ~0ULL).to_uint64(), ~0ULL);
  EXPECT_EQ(BitVector(65, ~0ULL).to_binary(), "0" + std::string(64, '1'));
}

TEST(BitVector, RejectsWidthZeroAndUnequalWidths) {
  EXPECT_THROW(BitVector(0, 0), InternalError);
  EXPECT_THROW(BitVector::ones(0), InternalError);
  EXPECT_THROW(BitVector(8, 1) + BitVector(9, 1), InternalError);
  EXPECT_THROW(BitVector(100, 1) & BitVector(200, 1), InternalError);
  EXPECT_THROW(BitVector(100, 1).ult(BitVector(200, 1)), InternalError);
  EXPECT_THROW(BitVector(8, 1).udiv(BitVector(9, 1)), InternalError);
  EXPECT_THROW(BitVector(8, 1).shl(BitVector(9, 1)), InternalError);
  EXPECT_THROW(BitVector(8, 1).extract(8, 0), InternalError);
  EXPECT_THROW(BitVector(8, 1).extract(2, 3), InternalError);
  EXPECT_THROW(BitVector(8, 1).zero_extend(7), InternalError);
}

TEST(BitVector, CopiesAndMovesBetweenAllStorageKinds) {
  const std::vector<BitVector> values = {BitVector(7, 99), BitVector(64, ~0ULL), BitVector::ones(65),
                                         BitVector::ones(128), BitVector::min_signed(200)};
  for (const BitVector& from : values) {
    for (const BitVector& to : values) {
      BitVector copied = to;
      copied = from;
      EXPECT_EQ(copied, from);
      BitVector source = from;
      BitVector moved_to = to;
      moved_to = std::move(source);
      EXPECT_EQ(moved_to, from);
      EXPECT_EQ(source, BitVector(1, 0));
      source = to;
      EXPECT_EQ(source, to);
      const BitVector constructed(std::move(source));
      EXPECT_EQ(constructed, to);
      BitVector& alias = copied;
      copied = alias;
      EXPECT_EQ(copied, from);
    }
  }
}

TEST(BitVector, PredicatesAgreeWithIntegersAtSmallWidths) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    const unsigned size = 1U << width;
    for (unsigned a = 0; a < size; ++a) {
      const BitVector v(width, a);
      const auto signed_a = static_cast<std::int64_t>(a) - (a >= size / 2 ? static_cast<std::int64_t>(size) : 0);
      EXPECT_EQ(v.is_zero(), a == 0);
      EXPECT_EQ(v.is_one(), a == 1);
      EXPECT_EQ(v.is_ones(), a == size - 1);
      EXPECT_EQ(v.sign(), a >= size / 2);
      EXPECT_EQ(v.to_int64(), signed_a);
      ASSERT_EQ(v.log2().has_value(), std::has_single_bit(a));
      EXPECT_EQ(std::has_single_bit(a) ? 1U << *v.log2() : a, a);
      EXPECT_EQ(v.trailing_zeros(), a == 0 ? width : static_cast<std::uint32_t>(std::countr_zero(a)));
      EXPECT_EQ(v.leading_zeros(), width - static_cast<std::uint32_t>(std::bit_width(a)));
    }
    EXPECT_EQ(BitVector::ones(width).to_uint64(), size - 1);
    EXPECT_EQ(BitVector::min_signed(width).to_uint64(), size / 2);
    EXPECT_EQ(BitVector::max_signed(width).to_uint64(), size / 2 - 1);
  }
}

TEST(BitVector, PredicatesAgreeWithListsOfBits) {
  RandomBitVectors random(1);
  for (const std::uint32_t width : kInterestingWidths) {
    for (int i = 0; i < 300; ++i) {
      const BitVector v = random.next(width);
      const Bits bits = bits_of(v);
      const auto ones = static_cast<std::uint32_t>(std::count(bits.begin(), bits.end(), true));
      const auto first = static_cast<std::uint32_t>(std::find(bits.begin(), bits.end(), true) - bits.begin());
      const auto last = static_cast<std::uint32_t>(std::find(bits.rbegin(), bits.rend(), true) - bits.rbegin());
      EXPECT_EQ(v.is_zero(), ones == 0);
      EXPECT_EQ(v.is_one(), ones == 1 && bits[0]);
      EXPECT_EQ(v.is_ones(), ones == width);
      EXPECT_EQ(v.trailing_zeros(), first);
      EXPECT_EQ(v.leading_zeros(), last);
      EXPECT_EQ(v.log2(), ones == 1 ? std::optional(first) : std::nullopt);
      EXPECT_EQ(v.fits_uint64(), width - last <= 64);
      EXPECT_EQ(v, from_bits(bits));
      EXPECT_EQ(v, BitVector::from_words(width, v.words()));
      EXPECT_EQ(v.to_int64(), static_cast<std::int64_t>(v.sign_extend(300).word(0)));
    }
  }
}

TEST(BitVector, FromWordsIgnoresWhatIsBeyondTheWidthAndFillsWithZeros) {
  const std::vector<std::uint64_t> words = {~0ULL, ~0ULL, ~0ULL};
  EXPECT_EQ(BitVector::from_words(5, words), BitVector(5, 31));
  EXPECT_EQ(BitVector::from_words(100, words), BitVector::ones(100));
  EXPECT_EQ(BitVector::from_words(256, words), BitVector::ones(192).zero_extend(256));
  EXPECT_EQ(BitVector::from_words(70, {}), BitVector(70, 0));
}

TEST(BitVector, BitwiseOperationsAndOrderAgreeWithIntegersAtSmallWidths) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    const unsigned size = 1U << width;
    for (unsigned a = 0; a < size; ++a) {
      EXPECT_EQ((~BitVector(width, a)).to_uint64(), size - 1 - a);
      for (unsigned b = 0; b < size; ++b) {
        const BitVector x(width, a);
        const BitVector y(width, b);
        EXPECT_EQ((x & y).to_uint64(), a & b);
        EXPECT_EQ((x | y).to_uint64(), a | b);
        EXPECT_EQ((x ^ y).to_uint64(), a ^ b);
        EXPECT_EQ(x.ult(y), a < b);
        EXPECT_EQ(x.ule(y), a <= b);
        EXPECT_EQ(x.slt(y), (a ^ (size / 2)) < (b ^ (size / 2)));
        EXPECT_EQ(x.sle(y), (a ^ (size / 2)) <= (b ^ (size / 2)));
        EXPECT_EQ(x == y, a == b);
        EXPECT_EQ(x <=> y, a <=> b);
      }
    }
  }
}

TEST(BitVector, BitwiseOperationsAndOrderAgreeWithListsOfBits) {
  RandomBitVectors random(2);
  for (const std::uint32_t width : kInterestingWidths) {
    for (int i = 0; i < 300; ++i) {
      const BitVector x = random.next(width);
      const BitVector y = i % 10 == 0 ? x : random.next(width);
      const Bits a = bits_of(x);
      const Bits b = bits_of(y);
      Bits conjunction(width), disjunction(width), difference(width), complement(width);
      for (std::size_t k = 0; k < width; ++k) {
        conjunction[k] = a[k] && b[k];
        disjunction[k] = a[k] || b[k];
        difference[k] = a[k] != b[k];
        complement[k] = !a[k];
      }
      EXPECT_EQ(x & y, from_bits(conjunction));
      EXPECT_EQ(x | y, from_bits(disjunction));
      EXPECT_EQ(x ^ y, from_bits(difference));
      EXPECT_EQ(~x, from_bits(complement));
      const bool less = std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
      EXPECT_EQ(x.ult(y), less);
      EXPECT_EQ(x.ule(y), less || a == b);
      EXPECT_EQ(x.slt(y), a.back() != b.back() ? a.back() : less);
      EXPECT_EQ(x.sle(y), x.slt(y) || a == b);
      EXPECT_EQ(x == y, a == b);
      EXPECT_EQ(x < y, less);
    }
  }
}

TEST(BitVector, ShiftsAndRotationsMoveBits) {
  RandomBitVectors random(3);
  std::vector<std::uint32_t> widths = {1, 2, 3, 4, 5};
  widths.insert(widths.end(), kInterestingWidths.begin(), kInterestingWidths.end());
  for (const std::uint32_t width : widths) {
    for (std::uint32_t amount = 0; amount <= width + 2; ++amount) {
      const BitVector v = random.next(width);
      const Bits bits = bits_of(v);
      EXPECT_EQ(v.shl(amount), from_bits(moved(bits, -std::int64_t{amount}, false)));
      EXPECT_EQ(v.lshr(amount), from_bits(moved(bits, amount, false)));
      EXPECT_EQ(v.ashr(amount), from_bits(moved(bits, amount, v.sign())));
      Bits rotated = bits;
      std::rotate(rotated.rbegin(), rotated.rbegin() + amount % width, rotated.rend());
      EXPECT_EQ(v.rotate_left(amount), from_bits(rotated));
      EXPECT_EQ(v.rotate_left(amount).rotate_right(amount), v);
      const BitVector by(width, amount);
      const auto seen = static_cast<std::uint32_t>(by.to_uint64());
      EXPECT_EQ(v.shl(by), v.shl(seen));
      EXPECT_EQ(v.lshr(by), v.lshr(seen));
      EXPECT_EQ(v.ashr(by), v.ashr(seen));
    }
  }
}

TEST(BitVector, HugeShiftAmountsGiveZerosOrSignBits) {
  for (const std::uint32_t width : kInterestingWidths) {
    const BitVector v = BitVector::min_signed(width);
    for (const BitVector& amount : {BitVector::ones(width), BitVector::min_signed(width)}) {
      EXPECT_TRUE(v.shl(amount).is_zero());
      EXPECT_TRUE(v.lshr(amount).is_zero());
      EXPECT_TRUE(v.ashr(amount).is_ones());
      EXPECT_TRUE((~v).ashr(amount).is_zero());
    }
  }
}

TEST(BitVector, ConcatExtractAndExtendKeepTheBits) {
  RandomBitVectors random(4);
  std::vector<std::uint32_t> widths = {1, 3};
  widths.insert(widths.end(), kInterestingWidths.begin(), kInterestingWidths.end());
  for (const std::uint32_t high_width : widths) {
    for (const std::uint32_t low_width : widths) {
      const BitVector high = random.next(high_width);
      const BitVector low = random.next(low_width);
      const BitVector both = high.concat(low);
      EXPECT_EQ(both.to_binary(), high.to_binary() + low.to_binary());
      EXPECT_EQ(both.extract(both.width() - 1, low_width), high);
      EXPECT_EQ(both.extract(low_width - 1, 0), low);
      EXPECT_EQ(high.zero_extend(both.width()).to_binary(), std::string(low_width, '0') + high.to_binary());
      EXPECT_EQ(high.sign_extend(both.width()).to_binary(),
                std::string(low_width, high.sign() ? '1' : '0') + high.to_binary());
    }
  }
}

TEST(BitVector, ExtractTakesEverySlice) {
  RandomBitVectors random(5);
  for (const std::uint32_t width : {5U, 64U, 130U}) {
    const BitVector v = random.next(width);
    const std::string text = v.to_binary();
    for (std::uint32_t high = 0; high < width; ++high) {
      for (std::uint32_t low = 0; low <= high; ++low) {
        EXPECT_EQ(v.extract(high, low).to_binary(), text.substr(width - 1 - high, high - low + 1));
      }
    }
  }
}

TEST(BitVector, OrdersByWidthFirstAndHashesDistinctly) {
  EXPECT_LT(BitVector::ones(5), BitVector(6, 0));
  EXPECT_LT(BitVector::ones(64), BitVector(65, 0));
  EXPECT_NE(BitVector(8, 1), BitVector(9, 1));
  std::set<BitVector> values;
  std::unordered_set<std::size_t> hashes;
  RandomBitVectors random(6);
  for (const std::uint32_t width : kInterestingWidths) {
    for (int i = 0; i < 100; ++i) {
      const BitVector v = random.next(width);
      values.insert(v);
      hashes.insert(v.hash());
      EXPECT_EQ(v.hash(), BitVector(v).hash());
    }
  }
  EXPECT_EQ(values.size(), hashes.size());
}

}  // namespace
}  // namespace plumb
