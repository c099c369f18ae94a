#include "energy/profile.h"

#include <gtest/gtest.h>

#include <numeric>

#include "energy/study.h"
#include "unit/energy/scenarios.h"

namespace plumb::energy {
namespace {

TEST(PowerProfile, SpreadsAJobOverTheWindowsThatItTouches) {
  Scenario scenario = simple_scenario(3, {10, 10}, {40, 20}, 1);
  scenario.loss = 0.01;
  scenario.distance = {0, 25};
  scenario.loads[0].jobs = {{ticks(0.5), ticks(2.25), 4}};
  PowerProfile profile(scenario);
  static_cast<void>(simulate(scenario, 1, 0, Budget(), &profile));
  const std::vector<double> expected = {0, 0, 0, 2.5, 5, 1.25};
  ASSERT_EQ(profile.values().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(profile.values()[i], expected[i], 1e-9);
}

TEST(PowerProfile, HasTheEnergyOfTheRunOnRandomScenarios) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Scenario scenario = random_scenario(seed, false);
    PowerProfile profile(scenario);
    const Outcome outcome = simulate(scenario, 1, seed, Budget(), &profile);
    const double energy = std::accumulate(profile.values().begin(), profile.values().end(), 0.0);
    EXPECT_NEAR(energy, outcome.total[Metric::DeliveredEnergy] + outcome.total[Metric::LostEnergy], 1e-6) << seed;
  }
}

TEST(PowerProfile, IsAveragedOverReplicationsOnAnyNumberOfThreads) {
  Scenario scenario = simple_scenario(2, {1, 1}, {40, 20}, 1);
  scenario.loads[0].jobs = {{0, ticks(1), 1}};
  scenario.policy = Policy::Random;
  StudyOptions options;
  options.replications = 1000;
  options.wants_profile = true;
  options.threads = 1;
  const Summary alone = run_study(scenario, options, Budget());
  options.threads = 3;
  const Summary together = run_study(scenario, options, Budget());
  ASSERT_EQ(alone.profile.size(), 4U);
  EXPECT_NEAR(alone.profile[0].mean(), 0.5, 0.1);
  EXPECT_DOUBLE_EQ(alone.profile[0].mean() + alone.profile[2].mean(), 1);
  EXPECT_EQ(alone.profile[1].mean(), 0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(alone.profile[i].mean(), together.profile[i].mean());
}

}  // namespace
}  // namespace plumb::energy
