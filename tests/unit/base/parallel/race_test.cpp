#include "base/parallel/race.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>

#include "base/error.h"

namespace plumb::parallel {
namespace {

using namespace std::chrono_literals;

bool until_cancelled(const Budget& budget) {
  while (true) {
    budget.check();
    std::this_thread::sleep_for(1ms);
  }
}

TEST(Race, TheFirstAnswerStopsTheOthers) {
  Race race(Budget().with_timeout(60s));
  race.start({{until_cancelled}, {[](const Budget&) { return true; }}, {until_cancelled}});
  race.wait();
  EXPECT_EQ(race.winner(), 1U);
  EXPECT_TRUE(race.outcome(1).has_answer);
  EXPECT_EQ(race.outcome(1).reason, "");
  for (const std::size_t other : {0U, 2U}) {
    EXPECT_FALSE(race.outcome(other).has_answer);
    EXPECT_EQ(race.outcome(other).reason, "cancelled");
    EXPECT_EQ(race.outcome(other).failure, nullptr);
    EXPECT_LT(race.outcome(other).seconds, 30);
  }
}

TEST(Race, ABudgetIsNotCancelledForWhoeverGaveIt) {
  const Budget given;
  Race race(given);
  race.start({{[](const Budget&) { return true; }}});
  race.wait();
  EXPECT_EQ(race.budget().exceeded(), Stop::Cancelled);
  EXPECT_EQ(given.exceeded(), std::nullopt);
}

TEST(Race, WithoutAnAnswerAllAreHeard) {
  Race race{Budget()};
  std::atomic<int> ended = 0;
  const auto nothing = [&](const Budget& budget) {
    budget.check();
    ++ended;
    return false;
  };
  race.start({{nothing}, {nothing}, {nothing}});
  race.wait();
  EXPECT_EQ(ended, 3);
  EXPECT_EQ(race.winner(), std::nullopt);
}

TEST(Race, WhatARunnerThrowsCostsItsOwnAnswerAndIsCarriedHome) {
  Race race(Budget().with_timeout(60s));
  race.start({{[](const Budget&) -> bool { throw OutOfBudget{Stop::Time}; }},
              {[](const Budget&) -> bool { throw std::bad_alloc(); }},
              {[](const Budget&) -> bool { throw UserError("no such file"); }},
              {[](const Budget&) -> bool { throw UserError(SourceLocation{"a.c", 3, 0}, "no such name"); }},
              {[](const Budget&) -> bool { throw std::runtime_error("a bug"); }},
              {[](const Budget&) -> bool { throw 5; }},
              {[](const Budget&) {
                std::this_thread::sleep_for(30ms);
                return true;
              }}});
  race.wait();
  const char* const reasons[] = {"out of time",
                                 "out of memory",
                                 "no such file",
                                 "a.c:3: no such name",
                                 "internal error: a bug",
                                 "internal error",
                                 ""};
  for (std::size_t i = 0; i < std::size(reasons); ++i) {
    EXPECT_EQ(race.outcome(i).reason, reasons[i]);
    EXPECT_EQ(race.outcome(i).failure != nullptr, i == 4 || i == 5) << i;
  }
  EXPECT_EQ(race.winner(), 6U);
  EXPECT_THROW(race.rethrow_failure(), std::runtime_error);
}

TEST(Race, AFailureEndsItWhereThatIsWanted) {
  Race race(Budget().with_timeout(60s), {.ends_at_failure = true});
  race.start({{until_cancelled}, {[](const Budget&) -> bool { throw std::runtime_error("a bug"); }}});
  race.wait();
  EXPECT_EQ(race.outcome(0).reason, "cancelled");
  EXPECT_EQ(race.winner(), std::nullopt);
  EXPECT_THROW(race.rethrow_failure(), std::runtime_error);
}

TEST(Race, IsOverAndEmptyWhenItGoes) {
  std::atomic<bool> has_ended = false;
  {
    Race race{Budget()};
    race.start({{[&](const Budget& budget) {
      while (!budget.exceeded()) std::this_thread::yield();
      has_ended = true;
      return false;
    }}});
  }
  EXPECT_TRUE(has_ended);
}

TEST(Race, MessagesAreHeardInTheThreadThatWaitsInTheirOrder) {
  Race race{Budget()};
  std::vector<std::vector<int>> heard(3);  // without a lock
  const auto speaker = [&](std::size_t who) {
    return [&, who](const Budget&) {
      for (int i = 0; i < 200; ++i)
        race.post([&heard, who, i, runner = std::this_thread::get_id()] {
          EXPECT_NE(std::this_thread::get_id(), runner);
          heard[who].push_back(i);
        });
      return false;
    };
  };
  race.start({{speaker(0)}, {speaker(1)}, {speaker(2)}});
  race.wait();
  for (const std::vector<int>& each : heard) {
    ASSERT_EQ(each.size(), 200U);
    EXPECT_TRUE(std::ranges::is_sorted(each));
  }
}

TEST(Race, WhoeverWaitsMayEndItAtOnceOrAfterAWhile) {
  for (const Race::Seconds grace : {Race::Seconds(0), Race::Seconds(0.05)}) {
    Race race(Budget().with_timeout(60s));
    Race::Clock::time_point heard;
    race.start({{until_cancelled}, {[&](const Budget&) {
                  race.post([&] {
                    heard = Race::Clock::now();
                    race.end_after(grace);
                    race.end_after(grace + 100s);  // the earlier one counts
                  });
                  return false;
                }}});
    race.wait();
    EXPECT_GE(Race::Clock::now() - heard, grace);
    EXPECT_EQ(race.outcome(0).reason, "cancelled");
    EXPECT_LT(race.outcome(0).seconds, 30);
  }
}

TEST(Race, WhatAMessageThrowsComesOutOfWaitAndEndsIt) {
  std::atomic<bool> has_ended = false;
  {
    Race race{Budget()};
    race.start({{[&](const Budget& budget) {
                  while (!budget.exceeded()) std::this_thread::yield();
                  has_ended = true;
                  return false;
                }},
                {[&](const Budget&) {
                  race.post([] { throw std::runtime_error("heard"); });
                  return false;
                }}});
    EXPECT_THROW(race.wait(), std::runtime_error);
  }
  EXPECT_TRUE(has_ended);
}

TEST(Race, MemoryIsSharedByPartsUnlessARunnerIsAlone) {
  const Budget budget = Budget().with_memory_limit(std::uint64_t{1} << 40);
  std::vector<std::uint64_t> limits(2);
  const auto note = [&](std::size_t i) {
    return [&, i](const Budget& own) {
      limits[i] = own.memory_limit().value_or(0);
      return false;
    };
  };
  Race both(budget);
  both.start({{note(0), 0, 0.5}, {note(1)}});
  both.wait();
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{std::uint64_t{1} << 39, std::uint64_t{1} << 40}));
  Race alone(budget);
  alone.start({{note(0), 0, 0.5}});
  alone.wait();
  EXPECT_EQ(limits[0], std::uint64_t{1} << 40);
}

TEST(Race, PrioritiesCountDuringTheHeadStartAndNotForOneAlone) {
  const auto own_priority = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
  const int normal = own_priority();
  const auto becomes = [&](int first, int later) {
    return [&, first, later](const Budget& budget) {
      EXPECT_EQ(own_priority(), first);
      while (own_priority() != later && !budget.exceeded()) std::this_thread::sleep_for(1ms);
      EXPECT_EQ(own_priority(), later);
      return false;
    };
  };
  Race race(Budget().with_timeout(20s), {.head_start = 0.05s, .later_priority = normal + 3});
  race.start({{becomes(normal, normal + 3)}, {becomes(normal + 2, normal + 3), normal + 2}});
  race.wait();
  Race alone(Budget(), {.head_start = 0.01s, .later_priority = normal + 3});
  alone.start({{[&](const Budget&) {
                  std::this_thread::sleep_for(50ms);
                  EXPECT_EQ(own_priority(), normal);
                  return false;
                },
                normal + 2}});
  alone.wait();
}

}  // namespace
}  // namespace plumb::parallel
