#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "prove/certificate.h"
#include "unit/prove/explicit_states.h"
#include "unit/system/random_system.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

/// Small enough to enumerate, with all kinds of states, inputs and arrays; the same for the same number.
std::vector<System> small_systems(std::size_t count) {
  std::vector<System> systems;
  system::RandomSystem::Shape shape;
  shape.max_index_width = 1;
  for (std::uint64_t seed = 1; systems.size() < count; ++seed) {
    shape.max_width = static_cast<std::uint32_t>(1 + seed % 3);
    shape.operators = 6 + seed % 12;
    System system = system::RandomSystem(seed * 7919, shape).make();
    if (ExplicitStates::bits(system) > 8) continue;
    systems.push_back(std::move(system));
  }
  return systems;
}

/// What every engine promises, against the truth. `is_complete`: it must come to a decision.
void expect_true(const System& system, std::size_t bad, const ExplicitStates& truth, const Result& result,
                 bool is_complete) {
  const auto first = truth.first_step(bad);
  switch (result.verdict) {
    case Verdict::Holds:
      EXPECT_FALSE(first) << result.engine;
      EXPECT_TRUE(result.is_rechecked);
      EXPECT_EQ(result.is_vacuous, truth.is_vacuous()) << result.engine;
      ASSERT_TRUE(result.certificate);
      {
        const Check check = check_certificate(system, bad, *result.certificate, Budget().with_timeout(20s));
        EXPECT_TRUE(check.is_confirmed()) << result.engine << ": " << check.reason;
      }
      break;
    case Verdict::HoldsUpTo:
      EXPECT_TRUE(!first || *first > result.bound) << result.engine;
      EXPECT_FALSE(is_complete);
      break;
    case Verdict::Violated:
      ASSERT_TRUE(first) << result.engine;
      ASSERT_TRUE(result.trace);
      EXPECT_EQ(result.trace->steps.size(), result.bound + 1);
      EXPECT_TRUE(system::replay(system, *result.trace).reaches(bad));
      EXPECT_GE(result.bound, *first);
      break;
    case Verdict::Unknown:
      EXPECT_FALSE(is_complete) << result.engine << ": " << result.reason;
      break;
  }
}

TEST(RandomSystems, BmcKInductionAndAbcAgreeWithTheEnumerationOfAllStates) {
  const bool has_abc = find_program("berkeley-abc").has_value();
  static const char* const kScripts[] = {"pdr",
                                         "scl; scorr; dc2; balance; pdr",
                                         "int",
                                         "balance; rewrite; refactor; int",
                                         "ssweep -r; pdr",
                                         "retime; pdr",
                                         "scl; dprove",
                                         "ind; pdr",
                                         "scorr; int",
                                         "lcorr; scl -m; retime -M 3; balance; dprove"};
  std::size_t number = 0;
  std::size_t decided = 0;
  for (const System& system : small_systems(300)) {
    SCOPED_TRACE(number);
    const ExplicitStates truth(system);
    const std::size_t bad = number % system.bads().size();
    const Budget budget = Budget().with_timeout(20s);

    const Result bounded = bmc(system, bad, budget, {.max_bound = 12});
    expect_true(system, bad, truth, bounded, false);
    if (bounded.verdict == Verdict::Violated) {
      EXPECT_EQ(bounded.bound, *truth.first_step(bad));
    } else if (bounded.verdict == Verdict::HoldsUpTo) {
      EXPECT_EQ(bounded.bound, 12U);
    }
    expect_true(system, bad, truth, k_induction(system, bad, budget), true);
    if (has_abc) {
      AbcProveOptions options;
      options.script = kScripts[number % std::size(kScripts)];
      const Result by_abc = abc_prove(system, bad, budget, options);
      expect_true(system, bad, truth, by_abc, false);
      decided += by_abc.verdict != Verdict::Unknown;
    }
    ++number;
  }
  if (has_abc) {
    EXPECT_GE(decided, 295U);
  }
}

}  // namespace
}  // namespace plumb::prove
