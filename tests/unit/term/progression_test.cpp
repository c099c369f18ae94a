#include "term/progression.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bit_vector.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kWidth = 6;

std::int64_t as_signed(std::uint64_t value) { return BitVector(kWidth, value).to_int64(); }

/// The number of kWidth bits may be what the progression says.
bool contains(const Progression& p, std::int64_t value) {
  if (p.is_empty()) return false;
  if (!p.is_bounded()) {
    const auto stride = static_cast<std::int64_t>(p.stride());
    const std::int64_t size = std::int64_t{1} << kWidth;
    return ((value - p.first()) % std::min(stride, size) + size) % std::min(stride, size) == 0;
  }
  if (value < p.first() || value > p.last()) return false;
  return p.stride() == 0 || (value - p.first()) % static_cast<std::int64_t>(p.stride()) == 0;
}

Progression random_progression(std::mt19937& random) {
  const auto number = [&] { return static_cast<std::int64_t>(random() % 64) - 32; };
  switch (random() % 4) {
    case 0:
      return Progression::exactly(number());
    case 1:
      return Progression::multiples(std::uint64_t{1} << random() % 4);
    case 2:
      return Progression::between(number(), 31, 1 + random() % 5).loosened();
    default: {
      const std::int64_t first = number();
      return Progression::between(first, std::min<std::int64_t>(31, first + static_cast<std::int64_t>(random() % 40)),
                                  1 + random() % 6);
    }
  }
}

TEST(Progression, OperationsContainTheResultsOfAllTheirMembersAtSmallWidths) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const Progression a = random_progression(random);
    const Progression b = random_progression(random);
    const std::int64_t factor = static_cast<std::int64_t>(random() % 16) - 8;
    const std::uint64_t count = 1 + random() % 31;
    const Progression sum = a.sum(b).fitted(kWidth);
    const Progression joined = a.joined(b);
    const Progression scaled = a.scaled(factor).fitted(kWidth);
    const Progression negated = a.negated().fitted(kWidth);
    const Progression below = a.below(count);
    const Progression wide = a.zero_extended(kWidth);
    const Progression wide_signed = a.sign_extended(kWidth);
    for (std::int64_t x = -32; x < 32; ++x) {
      if (!contains(a, x)) continue;
      EXPECT_TRUE(contains(joined, x));
      EXPECT_TRUE(contains(a.loosened(), x));
      EXPECT_TRUE(contains(scaled, as_signed(static_cast<std::uint64_t>(x * factor))));
      EXPECT_TRUE(contains(negated, as_signed(static_cast<std::uint64_t>(-x))));
      EXPECT_TRUE(contains(wide, x < 0 ? x + 64 : x));
      EXPECT_TRUE(contains(wide_signed, x));
      EXPECT_TRUE(wide.is_bounded() && wide_signed.is_bounded());
      const bool is_below = x >= 0 && x < static_cast<std::int64_t>(count);
      EXPECT_EQ(contains(below, x), is_below);
      for (std::int64_t y = -32; y < 32; ++y)
        if (contains(b, y)) {
          EXPECT_TRUE(contains(joined, y));
          EXPECT_TRUE(contains(sum, as_signed(static_cast<std::uint64_t>(x + y))));
        }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Progression, LargeNumbersLoseTheirBoundsAndKeepWhatTheWrapKeeps) {
  const Progression large = Progression::between(0, std::int64_t{1} << 61, 12);
  EXPECT_FALSE(large.scaled(8).is_bounded());
  EXPECT_EQ(large.scaled(8).stride(), 32U);
  EXPECT_EQ(Progression::any().scaled(12), Progression::multiples(4));
  EXPECT_EQ(Progression::exactly(5).joined(Progression::exactly(17)), Progression::between(5, 17, 12));
  EXPECT_TRUE(Progression().sum(large).is_empty());
}

}  // namespace
}  // namespace plumb::term
