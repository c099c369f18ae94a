#include "energy/scenario.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.h"
#include "unit/energy/scenarios.h"

namespace plumb::energy {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Scenario valid() {
  Scenario scenario = simple_scenario(2, {5, 5}, {10, 10}, 1);
  scenario.loads[0].jobs = {{0, ticks(1), 1}, {ticks(1), ticks(2), 2}};
  return scenario;
}

TEST(CheckScenario, AcceptsAValidOne) { EXPECT_NO_THROW(check(valid())); }

TEST(CheckScenario, RefusesEveryNumberThatCannotBeSimulated) {
  const std::vector<std::function<void(Scenario&)>> mistakes = {
      [](Scenario& s) { s.windows = 0; },
      [](Scenario& s) { s.window = 0; },
      [](Scenario& s) { s.window = std::numeric_limits<Ticks>::max() / 2; },
      [](Scenario& s) { s.providers.clear(); },
      [](Scenario& s) { s.loads.clear(); },
      [](Scenario& s) { s.providers[1].name = s.providers[0].name; },
      [](Scenario& s) { s.providers[0].capacity = {0, 0}; },
      [](Scenario& s) { s.providers[0].capacity = {1}; },
      [](Scenario& s) { s.providers[0].capacity[1] = -1; },
      [](Scenario& s) { s.providers[0].price[1] = kNan; },
      [](Scenario& s) { s.providers[0].price[1] = kInfinity; },
      [](Scenario& s) { s.providers[0].price[1] = 1e300; },
      [](Scenario& s) { s.loads[0].jobs[0].power = 0; },
      [](Scenario& s) { s.loads[0].jobs[0].power = kNan; },
      [](Scenario& s) { s.loads[0].jobs[0].end = 0; },
      [](Scenario& s) { s.loads[0].jobs[1].end += 1; },
      [](Scenario& s) { std::swap(s.loads[0].jobs[0], s.loads[0].jobs[1]); },
      [](Scenario& s) { s.loads[0].refuse_above = 1.01; },
      [](Scenario& s) { s.loads[0].refuse_below = -0.01; },
      [](Scenario& s) { s.loads[0].expected_price_factor = -1; },
      [](Scenario& s) { s.loads[0].initial_trust = 11; },
      [](Scenario& s) { s.loads[0].estimated_price = {1}; },
      [](Scenario& s) { s.distance.pop_back(); },
      [](Scenario& s) { s.distance[0] = -1; },
      [](Scenario& s) { s.loss = kNan; },
      [](Scenario& s) { s.conversion = -1; },
      [](Scenario& s) { s.router_capacity = 0; },
      [](Scenario& s) { s.payment_delay = -1; },
      [](Scenario& s) { s.trust.minimum = 0; },
      [](Scenario& s) { s.trust.maximum = 0.5; },
      [](Scenario& s) { s.trust.initial = 0.5; },
      [](Scenario& s) { s.trust.threshold = 20; },
      [](Scenario& s) { s.trust.neutral = 0; },
      [](Scenario& s) { s.trust.alpha = 2; },
      [](Scenario& s) { s.trust.beta = kInfinity; },
      [](Scenario& s) { s.trust.beta = 3, s.trust.neutral = 1; },
      [](Scenario& s) { s.trust.paid = -1; },
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    Scenario scenario = valid();
    mistakes[i](scenario);
    EXPECT_THROW(check(scenario), UserError) << "mistake " << i;
  }
}

TEST(MakeJobs, KeepTheEnergyOfEachWindow) {
  const Ticks window = ticks(0.5);
  const std::vector<Job> jobs = make_jobs({3, 0, 7}, window, {{0, ticks(0.1), 0.2}, {ticks(0.2), ticks(0.3), 0.8}});
  ASSERT_EQ(jobs.size(), 4U);
  double energy = 0;
  for (const Job& job : jobs) {
    EXPECT_EQ(job.start / window, (job.end - 1) / window) << "a job stays inside of its window";
    energy += job.power * hours(job.end - job.start);
  }
  EXPECT_NEAR(energy, 10, 1e-9);
}

TEST(MakeJobs, ComeInTheOrderOfTheirStarts) {
  const std::vector<Job> jobs = make_jobs({1, 1}, ticks(1), {{ticks(0.5), ticks(0.5), 0.5}, {0, ticks(0.5), 0.5}});
  EXPECT_TRUE(std::ranges::is_sorted(jobs, {}, &Job::start));
}

TEST(Time, HasNoRoundingBetweenTheEndOfAWindowAndTheNext) {
  Ticks time = 0;
  for (int i = 0; i < 30; ++i) time += ticks(0.1);
  EXPECT_EQ(time, ticks(3));
}

}  // namespace
}  // namespace plumb::energy
