#include "base/budget.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <thread>

namespace plumb {
namespace {

using namespace std::chrono_literals;

TEST(Budget, WithoutLimitsIsNeverExceeded) {
  const Budget budget;
  EXPECT_EQ(budget.exceeded(), std::nullopt);
  EXPECT_EQ(budget.time_left(), std::nullopt);
  EXPECT_EQ(budget.memory_limit(), std::nullopt);
  EXPECT_NO_THROW(budget.check());
}

TEST(Budget, EndsAtItsDeadlineAndNotBefore) {
  const auto start = Budget::Clock::now();
  const Budget budget = Budget().with_timeout(50ms);
  EXPECT_LE(*budget.time_left(), 50ms);
  while (!budget.exceeded()) ASSERT_LT(Budget::Clock::now() - start, 10s);
  EXPECT_GE(Budget::Clock::now() - start, 50ms);
  EXPECT_EQ(budget.exceeded(), Stop::Time);
  EXPECT_EQ(*budget.time_left(), 0s);
}

TEST(Budget, ASubBudgetEndsNoLaterThanItsParent) {
  const Budget parent = Budget().with_timeout(0.01s);
  EXPECT_LE(*parent.with_timeout(1000s).time_left(), 0.01s);
  const Budget child = Budget().with_timeout(1000s).with_timeout(0.01s);
  EXPECT_LE(*child.time_left(), 0.01s);
  EXPECT_EQ(Budget().with_memory_limit(100).with_memory_limit(200).memory_limit(), 100U);
  EXPECT_EQ(Budget().with_memory_limit(200).with_memory_limit(100).memory_limit(), 100U);
}

TEST(Budget, TakesTimeoutsThatTheClockCannotCount) {
  EXPECT_EQ(Budget().with_timeout(std::chrono::duration<double>(1e30)).exceeded(), std::nullopt);
  EXPECT_EQ(Budget().with_timeout(-5s).exceeded(), Stop::Time);
  EXPECT_EQ(Budget().with_timeout(0s).exceeded(), Stop::Time);
}

TEST(Budget, CopiesAndSubBudgetsShareTheCancellation) {
  const Budget budget;
  const Budget copy = budget;
  const Budget child = budget.with_timeout(1000s).with_memory_limit(std::uint64_t{1} << 60);
  copy.cancel();
  EXPECT_EQ(budget.exceeded(), Stop::Cancelled);
  EXPECT_EQ(child.exceeded(), Stop::Cancelled);
}

TEST(Budget, CancellingAChildLeavesTheParentAloneButNotTheReverse) {
  const Budget parent;
  const Budget first = parent.with_own_cancellation();
  const Budget second = parent.with_own_cancellation();
  const Budget grandchild = second.with_own_cancellation();
  first.cancel();
  EXPECT_EQ(first.exceeded(), Stop::Cancelled);
  EXPECT_EQ(parent.exceeded(), std::nullopt);
  EXPECT_EQ(second.exceeded(), std::nullopt);
  parent.cancel();
  EXPECT_EQ(second.exceeded(), Stop::Cancelled);
  EXPECT_EQ(grandchild.exceeded(), Stop::Cancelled);
}

TEST(Budget, CancellationReachesOtherThreads) {
  const Budget budget = Budget().with_timeout(20s);
  std::optional<Stop> seen;
  std::thread worker([&seen, budget] {
    while (!(seen = budget.exceeded())) std::this_thread::yield();
  });
  budget.cancel();
  worker.join();
  EXPECT_EQ(seen, Stop::Cancelled);
}

TEST(Budget, NoticesMemoryThatIsTakenAndGivenBack) {
  constexpr std::uint64_t kBlock = 128U << 20;
  const Budget budget = Budget().with_memory_limit(resident_memory() + kBlock / 2);
  EXPECT_EQ(budget.exceeded(), std::nullopt);
  // Straight from the system, since an allocator may keep what is freed.
  void* const block = mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kBlock);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(budget.exceeded(), Stop::Memory);
  EXPECT_EQ(budget.with_timeout(1000s).exceeded(), Stop::Memory);
  munmap(block, kBlock);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(budget.exceeded(), std::nullopt);
}

TEST(Budget, ResidentMemoryIsPlausible) {
  EXPECT_GT(resident_memory(), std::uint64_t{1} << 20);
  EXPECT_LT(resident_memory(), std::uint64_t{1} << 40);
}

TEST(Budget, IsCheapToAsk) {
  const Budget budget = Budget().with_timeout(1000s).with_memory_limit(std::uint64_t{1} << 50).with_own_cancellation();
  const auto start = Budget::Clock::now();
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(budget.exceeded(), std::nullopt);
  EXPECT_LT(Budget::Clock::now() - start, 1s);
}

TEST(Budget, CheckThrowsTheReason) {
  try {
    Budget().with_timeout(0s).check();
    FAIL() << "should have thrown";
  } catch (const OutOfBudget& out) {
    EXPECT_EQ(out.stop, Stop::Time);
  }
  EXPECT_EQ(to_string(Stop::Time), "out of time");
  EXPECT_EQ(to_string(Stop::Memory), "out of memory");
  EXPECT_EQ(to_string(Stop::Cancelled), "cancelled");
}

}  // namespace
}  // namespace plumb
