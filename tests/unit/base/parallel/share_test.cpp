#include "base/parallel/share.h"

#include <gtest/gtest.h>

namespace plumb::parallel {
namespace {

using namespace std::chrono_literals;

TEST(ShareOf, WithoutALimitOfTimeIsTheWhole) { EXPECT_EQ(share_of(Budget(), 3).time_left(), std::nullopt); }

TEST(ShareOf, IsEqualForAllAndWhatOneLeavesIsForTheNext) {
  const Budget budget = Budget().with_timeout(1000s);
  // Nobody uses any time here, so that the next shares grow: a third, a half, all.
  EXPECT_NEAR(share_of(budget, 3).time_left()->count(), 1000.0 / 3, 5);
  EXPECT_NEAR(share_of(budget, 2).time_left()->count(), 500, 5);
  EXPECT_NEAR(share_of(budget, 1).time_left()->count(), 1000, 5);
  // Each takes all of its share: they are equal.
  double left = 1000;
  for (const std::size_t count : {4U, 3U, 2U, 1U}) {
    const double share =
        share_of(Budget().with_timeout(std::chrono::duration<double>(left)), count).time_left()->count();
    EXPECT_NEAR(share, 250, 5);
    left -= 250;
  }
}

TEST(ShareOf, IsCancelledWithTheWhole) {
  const Budget budget = Budget().with_timeout(1000s);
  const Budget share = share_of(budget, 2);
  budget.cancel();
  EXPECT_EQ(share.exceeded(), Stop::Cancelled);
}

}  // namespace
}  // namespace plumb::parallel
