// Programs that are built for this test (bare_cases.c, kept_cases.c, arena_driver.c): the checks of bare metal on a
// board of their own, and the core of the runtime with arenas of several sizes.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/subprocess.h"

namespace plumb::instrument {
namespace {

std::string output_of(const std::string& program, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> command = {PLUMB_BARE_PROGRAMS "/" + program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_process(command, "", Budget());
  EXPECT_EQ(result.end, ProcessResult::End::Exited) << program;
  EXPECT_EQ(result.code, 0) << program << ": " << result.output;
  return result.output;
}

class BareChecks : public ::testing::TestWithParam<std::string> {};

TEST_P(BareChecks, TellWhatIsWrongAndNothingElse) { EXPECT_EQ(output_of("bare_cases-" + GetParam()), "right\n"); }

INSTANTIATE_TEST_SUITE_P(Sizes, BareChecks,
                         ::testing::Values("64-262144", "64-65536", "64-16384", "32-262144", "32-65536", "32-16384"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           name[2] = '_';
                           return name;
                         });

// With a linker that tells of data, and without.
TEST(BareHeap, KeepsWhatALibraryHasBetweenRuns) {
  for (const char* word_size : {"32", "64"}) {
    EXPECT_EQ(output_of(std::string("kept_cases-") + word_size), "right\n") << word_size;
    EXPECT_EQ(output_of(std::string("kept_unknown-") + word_size), "right\n") << word_size;
  }
}

struct ArenaRun {
  std::uint64_t lost = 0;
  std::string sum;
};

std::vector<ArenaRun> runs_of(const std::string& arena) {
  std::istringstream lines(output_of("arena_driver-" + arena, {"1", "1000"}));
  std::vector<ArenaRun> runs;
  for (ArenaRun run; lines >> run.lost >> run.sum;) runs.push_back(run);
  return runs;
}

// That every expression has the value of what it stands for is checked by the driver itself.
TEST(Arenas, LoseAndCountButNeverChangeAValue) {
  const std::vector<ArenaRun> large = runs_of("0");
  ASSERT_EQ(large.size(), 1000U);
  for (const char* arena : {"262144", "65536", "16384"}) {
    const std::vector<ArenaRun> small = runs_of(arena);
    ASSERT_EQ(small.size(), large.size()) << arena;
    std::size_t complete = 0;
    for (std::size_t i = 0; i < small.size(); ++i) {
      EXPECT_EQ(large[i].lost, 0U) << i;
      if (small[i].lost != 0) continue;
      ++complete;
      EXPECT_EQ(small[i].sum, large[i].sum) << "arena " << arena << ", seed " << i + 1;
    }
    EXPECT_GT(complete, 100U) << arena;
    if (std::string(arena) != "262144") {
      EXPECT_LT(complete, 900U) << arena;
    }
  }
}

}  // namespace
}  // namespace plumb::instrument
