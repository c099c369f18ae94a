#include "energy/allocation.h"

#include <gtest/gtest.h>

namespace plumb::energy {
namespace {

const std::vector<Offer> kOffers = {
    {0, 10, 3, 30, 0.2},
    {1, 11, 1, 10, 0.5},
    {2, 12, 0, 20, 0.9},
    {3, 11, 1, 10, 0.9},
};

TEST(Choose, TakesTheLeastOfWhatThePolicyLooksAtAndTheFirstOfEquals) {
  EXPECT_EQ(choose(Policy::LowestCost, kOffers, 0).provider, 1U);
  EXPECT_EQ(choose(Policy::LowestPrice, kOffers, 0).provider, 0U);
  EXPECT_EQ(choose(Policy::Nearest, kOffers, 0).provider, 1U);
  EXPECT_EQ(choose(Policy::LeastLoaded, kOffers, 0).provider, 2U);
}

TEST(Choose, SpreadsRandomNumbersOverAllOffers) {
  for (const double random : {0.0, 0.2499}) EXPECT_EQ(choose(Policy::Random, kOffers, random).provider, 0U);
  EXPECT_EQ(choose(Policy::Random, kOffers, 0.25).provider, 1U);
  EXPECT_EQ(choose(Policy::Random, kOffers, 0.74).provider, 2U);
  EXPECT_EQ(choose(Policy::Random, kOffers, 0x1.fffffffffffffp-1).provider, 3U);
}

}  // namespace
}  // namespace plumb::energy
