#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/bit_vector.h"
#include "random_bit_vector.h"

namespace plumb {
namespace {

TEST(BitVectorText, PrintsEverySmallValue) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    for (unsigned a = 0; a < 1U << width; ++a) {
      const BitVector v(width, a);
      std::string binary;
      for (std::uint32_t i = width; i-- > 0;) binary += (a >> i & 1U) != 0 ? '1' : '0';
      std::string hex = width > 4 ? std::string(1, "01"[a >> 4]) : "";
      hex += "0123456789abcdef"[a & 15U];
      EXPECT_EQ(v.to_binary(), binary);
      EXPECT_EQ(v.to_hex(), hex);
      EXPECT_EQ(v.to_decimal(), std::to_string(a));
    }
  }
}

TEST(BitVectorText, ParsesExactlyTheNumbersThatFit) {
  for (std::uint32_t width = 1; width <= 5; ++width) {
    for (unsigned a = 0; a < 70; ++a) {
      const BitVector wide(8, a);
      const std::optional<BitVector> expected = a < 1U << width ? std::optional(BitVector(width, a)) : std::nullopt;
      EXPECT_EQ(BitVector::parse(width, wide.to_binary(), 2), expected);
      EXPECT_EQ(BitVector::parse(width, wide.to_decimal(), 10), expected);
      EXPECT_EQ(BitVector::parse(width, "000" + wide.to_hex(), 16), expected);
    }
  }
}

TEST(BitVectorText, RoundTripsInEveryBase) {
  RandomBitVectors random(1);
  for (const std::uint32_t width : kInterestingWidths) {
    for (int i = 0; i < 500; ++i) {
      const BitVector v = random.next(width);
      EXPECT_EQ(v.to_binary().size(), width);
      EXPECT_EQ(v.to_hex().size(), (width + 3) / 4);
      EXPECT_EQ(BitVector::parse(width, v.to_binary(), 2), v);
      EXPECT_EQ(BitVector::parse(width, v.to_decimal(), 10), v);
      EXPECT_EQ(BitVector::parse(width, v.to_hex(), 16), v);
    }
  }
}

TEST(BitVectorText, DecimalAgreesWithDivisionByTen) {
  RandomBitVectors random(2);
  for (const std::uint32_t width : kInterestingWidths) {
    for (int i = 0; i < 50; ++i) {
      const BitVector v = random.next(width);
      std::string digits;
      BitVector rest = v;
      do {
        digits.insert(digits.begin(), static_cast<char>('0' + rest.urem(BitVector(width, 10)).to_uint64()));
        rest = rest.udiv(BitVector(width, 10));
      } while (!rest.is_zero());
      EXPECT_EQ(v.to_decimal(), digits);
    }
  }
}

TEST(BitVectorText, KnowsPublishedPowersOfTwo) {
  EXPECT_EQ(BitVector::min_signed(65).to_decimal(), "18446744073709551616");
  EXPECT_EQ(BitVector::ones(128).to_decimal(), "340282366920938463463374607431768211455");
  EXPECT_EQ(BitVector::parse(128, "340282366920938463463374607431768211455", 10), BitVector::ones(128));
  EXPECT_EQ(BitVector::parse(128, "340282366920938463463374607431768211456", 10), std::nullopt);
  EXPECT_EQ(BitVector::parse(64, "18446744073709551616", 10), std::nullopt);
  EXPECT_EQ(BitVector::parse(64, "18446744073709551615", 10), BitVector::ones(64));
}

TEST(BitVectorText, RejectsForeignDigitsAndEmptyText) {
  for (const unsigned base : {2U, 10U, 16U}) {
    for (const char* const text : {"", "-1", "+1", " 1", "1 ", "0x1", "1g", "1_0", "\xff"}) {
      EXPECT_EQ(BitVector::parse(32, text, base), std::nullopt) << '"' << text << "\" in base " << base;
      EXPECT_EQ(BitVector::parse(200, text, base), std::nullopt) << '"' << text << "\" in base " << base;
    }
  }
  EXPECT_EQ(BitVector::parse(32, "2", 2), std::nullopt);
  EXPECT_EQ(BitVector::parse(32, "a", 10), std::nullopt);
  EXPECT_EQ(BitVector::parse(32, "aF", 16), BitVector(32, 0xaf));
}

TEST(BitVectorText, LeadingZerosDoNotCount) {
  for (const unsigned base : {2U, 10U, 16U}) {
    EXPECT_EQ(BitVector::parse(1, std::string(100000, '0') + "1", base), BitVector(1, 1));
    EXPECT_EQ(BitVector::parse(100, std::string(100000, '0'), base), BitVector(100, 0));
  }
}

TEST(BitVectorText, ConvertsTheGreatestWidthToDecimalAndBackWellWithinASecond) {
  const auto start = std::chrono::steady_clock::now();
  const BitVector v = BitVector::ones(BitVector::kMaxWidth);
  const std::string text = v.to_decimal();
  EXPECT_EQ(text.size(), 19729U);
  EXPECT_EQ(BitVector::parse(BitVector::kMaxWidth, text, 10), v);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace plumb
