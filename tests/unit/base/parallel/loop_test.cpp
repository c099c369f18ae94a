#include "base/parallel/loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumb::parallel {
namespace {

using namespace std::chrono_literals;

class ForEachIndex : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, ForEachIndex, testing::Values(1U, 2U, 3U, 8U));

TEST_P(ForEachIndex, CallsEachOnceWithItsOwnWorkerAtATime) {
  std::vector<std::atomic<int>> calls(1000);
  std::vector<int> by_worker(GetParam());  // not atomic: a worker is one thread at a time
  for_each_index(calls.size(), GetParam(), Budget(), [&](std::size_t i, unsigned worker) {
    ++calls[i];
    ++by_worker.at(worker);
  });
  for (const std::atomic<int>& count : calls) ASSERT_EQ(count, 1);
  int total = 0;
  for (const int count : by_worker) total += count;
  EXPECT_EQ(total, 1000);
}

TEST_P(ForEachIndex, GivesThemOutInOrder) {
  std::vector<std::vector<std::size_t>> taken(GetParam());
  for_each_index(500, GetParam(), Budget(), [&](std::size_t i, unsigned worker) { taken[worker].push_back(i); });
  for (const std::vector<std::size_t>& each : taken) EXPECT_TRUE(std::ranges::is_sorted(each));
}

TEST_P(ForEachIndex, ThrowsTheFailureOfTheLeastIndexWhoeverIsFirst) {
  for (int round = 0; round < 20; ++round) {
    try {
      for_each_index(200, GetParam(), Budget(), [&](std::size_t i, unsigned) {
        // The least one that fails is the last to do so.
        if (i == 20) std::this_thread::sleep_for(2ms);
        if (i >= 20) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "it should throw";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "20");
    }
  }
}

TEST_P(ForEachIndex, BeginsNothingMoreAfterAFailure) {
  std::atomic<std::size_t> begun = 0;
  EXPECT_THROW(for_each_index(1'000'000, GetParam(), Budget(),
                              [&](std::size_t i, unsigned) {
                                ++begun;
                                if (i == 0) throw std::runtime_error("first");
                                std::this_thread::sleep_for(1ms);
                              }),
               std::runtime_error);
  EXPECT_LT(begun, 100'000U);
}

TEST_P(ForEachIndex, EndsWithTheBudget) {
  const Budget budget = Budget().with_own_cancellation();
  std::atomic<std::size_t> calls = 0;
  try {
    for_each_index(1'000'000, GetParam(), budget, [&](std::size_t, unsigned) {
      if (++calls == 50) budget.cancel();
    });
    FAIL() << "it should throw";
  } catch (const OutOfBudget& end) {
    EXPECT_EQ(end.stop, Stop::Cancelled);
  }
  EXPECT_LE(calls, 50U + GetParam());
}

TEST(ForEachIndexOnCores, NothingIsNoWorkAndMoreThreadsThanWorkAreNotStarted) {
  for_each_index(0, 4, Budget(), [](std::size_t, unsigned) { FAIL() << "there is no index"; });
  for_each_index(1, 4, Budget(), [caller = std::this_thread::get_id()](std::size_t, unsigned worker) {
    EXPECT_EQ(worker, 0U);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(RunOn, CallsEveryWorkerAndTheFirstIsTheCaller) {
  std::vector<std::thread::id> ids(5);
  run_on(5, [&](unsigned worker) { ids[worker] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 5U);
}

TEST(RunOn, WaitsForAllBeforeTheFirstFailureComesOut) {
  for (const unsigned failing : {0U, 1U, 3U}) {
    std::atomic<unsigned> ended = 0;
    try {
      run_on(4, [&](unsigned worker) {
        if (worker > failing) std::this_thread::sleep_for(5ms);
        ++ended;
        if (worker >= failing) throw std::runtime_error(std::to_string(worker));
      });
      FAIL() << "it should throw";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(failing));
    }
    EXPECT_EQ(ended, 4U);
  }
}

}  // namespace
}  // namespace plumb::parallel
