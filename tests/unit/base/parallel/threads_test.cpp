#include "base/parallel/threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace plumb::parallel {
namespace {

using namespace std::chrono_literals;

int priority_of(pid_t thread) { return getpriority(PRIO_PROCESS, static_cast<id_t>(thread)); }

TEST(ThreadCount, IsWhatIsWantedOrTheCoresThatMayBeUsed) {
  EXPECT_EQ(thread_count(1), 1U);
  EXPECT_EQ(thread_count(70), 70U);
  EXPECT_GE(thread_count(0), 1U);
  Threads confined;
  confined.start([](const std::stop_token&) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(thread_count(0), 1U);
  });
  confined.join();
}

TEST(Threads, JoinWaitsForAllAndThrowsWhatTheFirstStartedThrew) {
  Threads threads;
  std::atomic<int> ended = 0;
  threads.start([&](const std::stop_token&) { ++ended; });
  threads.start([&](const std::stop_token&) {
    std::this_thread::sleep_for(20ms);
    ++ended;
    throw std::runtime_error("second");
  });
  threads.start([&](const std::stop_token&) {
    ++ended;
    throw std::runtime_error("third");
  });
  try {
    threads.join();
    FAIL() << "it should throw";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "second");
  }
  EXPECT_EQ(ended, 3);
  EXPECT_TRUE(threads.is_empty());
  threads.start([&](const std::stop_token&) { ++ended; });
  EXPECT_NO_THROW(threads.join()) << "what was thrown before is no failure of this thread";
  EXPECT_EQ(ended, 4);
}

TEST(Threads, AreAskedToStopAndWaitedForWhenTheyGo) {
  std::atomic<bool> has_ended = false;
  {
    Threads threads;
    threads.start([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      has_ended = true;
      throw std::runtime_error("nobody asks for this one");
    });
  }
  EXPECT_TRUE(has_ended);
}

TEST(LowerPriority, IsOfOneThreadAloneAndNeverRaisesIt) {
  const int before = priority_of(gettid());
  Threads threads;
  std::atomic<pid_t> id = 0;
  std::atomic<bool> may_end = false;
  threads.start([&](const std::stop_token&) {
    lower_priority(gettid(), before + 1);
    EXPECT_EQ(priority_of(gettid()), before + 1);
    id = gettid();
    while (!may_end) std::this_thread::yield();
  });
  while (id == 0) std::this_thread::yield();
  lower_priority(id, before + 2);
  lower_priority(id, before + 1);
  EXPECT_EQ(priority_of(id), before + 2);
  EXPECT_EQ(priority_of(gettid()), before);
  may_end = true;
  threads.join();
}

}  // namespace
}  // namespace plumb::parallel
