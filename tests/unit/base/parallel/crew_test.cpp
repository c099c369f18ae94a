#include "base/parallel/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumb::parallel {
namespace {

TEST(Crew, EveryPartIsDoneOnceAndExceptionsComeOut) {
  Crew crew(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> seen(100);
    crew.run_parts(seen.size(), [&](std::size_t first, std::size_t last, unsigned) {
      for (std::size_t i = first; i < last; ++i) ++seen[i];
    });
    crew.run_each(seen.size(), [&](std::size_t i, unsigned) { ++seen[i]; });
    for (const auto& count : seen) ASSERT_EQ(count, 2);
    EXPECT_THROW(crew.run([](unsigned worker) {
      if (worker == 2) throw std::runtime_error("two");
    }),
                 std::runtime_error);
  }
}

TEST(Crew, ThrowsTheFailureOfTheLeastIndex) {
  Crew crew(4);
  for (int round = 0; round < 50; ++round) {
    try {
      crew.run_each(64, [](std::size_t i, unsigned) {
        if (i == 7) std::this_thread::yield();
        if (i >= 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "it should throw";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "7");
    }
  }
}

TEST(Crew, NobodyPassesAStepBeforeAllHaveComeToIt) {
  constexpr int kSteps = 2000;
  Crew crew(3);
  std::vector<int> at(crew.size());  // written before a step and read after it
  crew.run([&](unsigned worker) {
    for (int step = 1; step <= kSteps; ++step) {
      at[worker] = step;
      crew.sync();
      for (const int other : at) ASSERT_EQ(other, step);
      crew.sync();
    }
  });
  EXPECT_EQ(at, std::vector<int>(3, kSteps));
}

TEST(Crew, OfOneIsTheCallingThread) {
  Crew crew(1);
  crew.run([&, caller = std::this_thread::get_id()](unsigned worker) {
    EXPECT_EQ(worker, 0U);
    EXPECT_EQ(std::this_thread::get_id(), caller);
    crew.sync();
  });
}

}  // namespace
}  // namespace plumb::parallel
