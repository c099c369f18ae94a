#include "energy/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace plumb::energy {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, DiffersInEveryPartOfItsName) {
  std::set<double> values;
  for (const std::uint64_t seed : {1ULL, 2ULL, 1ULL << 32})
    for (const std::uint64_t replication : {0ULL, 1ULL, 1ULL << 32})
      for (const std::uint32_t stream : {0U, 1U})
        for (const std::uint32_t position : {0U, 1U, 2U})
          values.insert(RandomStream(seed, replication, stream).uniform(position));
  EXPECT_EQ(values.size(), 3U * 3 * 2 * 3);
}

TEST(RandomStream, IsUniformAndUncorrelatedWithItsNeighbours) {
  constexpr int kCount = 200'000;
  double sum = 0;
  double squares = 0;
  double next_position = 0;
  double next_replication = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double x = RandomStream(7, i / 100, 3).uniform(i % 100);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
    next_position += x * RandomStream(7, i / 100, 3).uniform(i % 100 + 1);
    next_replication += x * RandomStream(7, i / 100 + 1, 3).uniform(i % 100);
  }
  // Six standard deviations of each mean.
  EXPECT_NEAR(sum / kCount, 0.5, 6 * std::sqrt(1 / 12.0 / kCount));
  EXPECT_NEAR(squares / kCount, 1 / 3.0, 6 * std::sqrt(4 / 45.0 / kCount));
  EXPECT_NEAR(next_position / kCount, 0.25, 6 * std::sqrt(7 / 144.0 / kCount));
  EXPECT_NEAR(next_replication / kCount, 0.25, 6 * std::sqrt(7 / 144.0 / kCount));
}

}  // namespace
}  // namespace plumb::energy
