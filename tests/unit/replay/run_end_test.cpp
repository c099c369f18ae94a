#include "replay/run_end.h"

#include <gtest/gtest.h>

#include <csignal>

#include "runtime/concolic/protocol.h"

namespace plumb::replay {
namespace {

constexpr Ending kTold{RunEnd::Error, PLUMB_ERROR_ASSERT};
constexpr Ending kCrash{RunEnd::Signal, SIGSEGV};
constexpr Ending kSent{RunEnd::Signal, SIGSEGV, true};
constexpr Ending kTerminated{RunEnd::Signal, SIGTERM};

TEST(RunEnds, HaveNamesThatLeadBack) {
  for (int i = 0; i <= static_cast<int>(RunEnd::Corrupted); ++i) {
    const auto end = static_cast<RunEnd>(i);
    EXPECT_EQ(run_end(name(end)), end);
  }
  EXPECT_FALSE(run_end(""));
}

TEST(Endings, AreFailuresIfTheProgramDidWrong) {
  for (const Ending& failure : {kTold, kCrash, Ending{RunEnd::Defect}, Ending{RunEnd::Signal, SIGABRT}})
    EXPECT_TRUE(is_failure(failure)) << describe(failure);
  for (const Ending& other : {kSent, kTerminated, Ending{RunEnd::Exit, 1}, Ending{RunEnd::Signal, SIGKILL},
                              Ending{RunEnd::Timeout}, Ending{RunEnd::AssumeFailed}})
    EXPECT_FALSE(is_failure(other)) << describe(other);
}

TEST(Endings, AreCutOffIfThereMayBeMore) {
  for (const Ending& cut : {Ending{RunEnd::Timeout}, Ending{RunEnd::FileLimit}, Ending{RunEnd::Signal, SIGKILL}})
    EXPECT_TRUE(is_cut(cut)) << describe(cut);
  for (const Ending& whole : {kTold, kCrash, kTerminated, Ending{RunEnd::Exit, 1}})
    EXPECT_FALSE(is_cut(whole)) << describe(whole);
}

TEST(Endings, AreTheSameWithoutInstrumentationIfTheyAreOfOneClass) {
  EXPECT_TRUE(is_same_end(kTold, kTold));
  EXPECT_FALSE(is_same_end(kTold, {RunEnd::Error, PLUMB_ERROR_CHECK}));
  EXPECT_FALSE(is_same_end(kTold, {RunEnd::Signal, SIGABRT}));
  EXPECT_TRUE(is_same_end(kCrash, {RunEnd::Signal, SIGBUS}));
  EXPECT_TRUE(is_same_end({RunEnd::Error, PLUMB_ERROR_STACK}, kCrash));
  EXPECT_FALSE(is_same_end(kCrash, kTold));
  EXPECT_FALSE(is_same_end(kCrash, kTerminated));
  EXPECT_TRUE(is_same_end(kTerminated, kTerminated));
  EXPECT_FALSE(is_same_end(kTerminated, kCrash));
  EXPECT_TRUE(is_same_end({RunEnd::Error, PLUMB_ERROR_DIVISION}, {RunEnd::Signal, SIGFPE}));
  EXPECT_TRUE(is_same_end({RunEnd::Error, PLUMB_ERROR_ABORT}, {RunEnd::Signal, SIGABRT}));
  EXPECT_FALSE(is_same_end({RunEnd::Exit, 1}, {RunEnd::Exit, 2}));
  EXPECT_TRUE(is_same_end({RunEnd::AssumeFailed}, {RunEnd::Exit, 77}));
  EXPECT_TRUE(is_same_end({RunEnd::Timeout}, {RunEnd::FileLimit}));
  EXPECT_FALSE(is_same_end({RunEnd::Timeout}, {RunEnd::Exit, 0}));
  EXPECT_TRUE(is_same_end({RunEnd::DepthLimit}, {RunEnd::Exit, 5})) << "the search did not see its end";
}

}  // namespace
}  // namespace plumb::replay
