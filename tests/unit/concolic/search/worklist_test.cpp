#include "concolic/search/worklist.h"

#include <gtest/gtest.h>

namespace plumb::concolic {
namespace {

class WorklistTest : public ::testing::Test {
 protected:
  /// One way to the target, which no other is.
  void add(std::uint64_t target) {
    Candidate candidate;
    candidate.origin = std::make_shared<Origin>();
    candidate.target = target;
    candidate.key = ++last_key_;
    Enumeration enumeration;
    enumeration.candidates = {candidate};
    worklist_.add(std::move(enumeration));
  }

  Subject subject_;
  std::uint64_t last_key_ = 0;
  Worklist worklist_{subject_, Strategy::Generational, 1, {}, {}};
};

TEST_F(WorklistTest, ATargetFromWhichNearlyAllRunsWentAnotherWayWaitsForTheOthers) {
  constexpr int kLost = 40;
  for (int i = 0; i < kLost; ++i) {
    add(1);
    if (const auto candidate = worklist_.take()) worklist_.diverged(*candidate);
  }
  const std::size_t waiting = worklist_.pending();
  EXPECT_GT(waiting, 0U);
  add(1);
  add(2);
  const auto first = worklist_.take();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->target, 2U);
  EXPECT_FALSE(worklist_.take());
  std::size_t late = 0;
  while (const auto candidate = worklist_.take_retry()) late += candidate->target == 1;
  EXPECT_EQ(late, waiting + 1);
}

TEST_F(WorklistTest, ATargetThatIsReachedNowAndThenIsTakenAsEver) {
  for (int i = 0; i < 40; ++i) {
    add(1);
    const auto candidate = worklist_.take();
    ASSERT_TRUE(candidate) << i;
    if (i % 3 != 0) worklist_.diverged(*candidate);
  }
}

}  // namespace
}  // namespace plumb::concolic
