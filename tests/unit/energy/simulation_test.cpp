#include "energy/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "unit/energy/scenarios.h"

namespace plumb::energy {
namespace {

Outcome run(const Scenario& scenario, std::uint64_t replication = 0, EventListener* listener = nullptr) {
  check(scenario);
  return simulate(scenario, 1, replication, Budget(), listener);
}

/// What happened, as one word an event, for scenarios of a few jobs.
class Story : public EventListener {
 public:
  void on_event(const Event& event) override {
    if (event.kind == EventKind::Quote) return;
    text += fmt::format("{}{}{}@{}", text.empty() ? "" : " ", to_string(event.kind), event.load,
                        event.time * 100 / kTicksPerHour);
  }
  std::string text;
};

TEST(Simulation, HasTheExactRevenueOfOneLoadAndOneProvider) {
  Scenario scenario = simple_scenario(3, {10}, {0}, 1);
  scenario.providers[0].price = {20, 30, 50};
  scenario.loads[0].jobs = make_jobs({4, 5, 6}, scenario.window, {{0, scenario.window, 1}});
  scenario.loss = 0.01;
  scenario.distance = {25};
  scenario.conversion = 2;
  const Outcome outcome = run(scenario);
  const double value = 2 * (4 * 20 + 5 * 30 + 6 * 50);
  EXPECT_NEAR(outcome.total[Metric::Revenue], 1.25 * value, 1e-9);
  EXPECT_NEAR(outcome.total[Metric::LineLoss], 0.25 * value, 1e-9);
  EXPECT_NEAR(outcome.total[Metric::LostEnergy], 0.25 * 15, 1e-12);
  EXPECT_EQ(outcome.total[Metric::DeliveredEnergy], 15);
  EXPECT_EQ(outcome.total[Metric::UnservedEnergy], 0);
  EXPECT_EQ(outcome.total[Metric::ServedJobs], 3);
  EXPECT_EQ(outcome.total[Metric::Unpaid], 0);
  EXPECT_NEAR(outcome.total[Metric::MeanPrice], 1.25 * value / 15, 1e-12);
  EXPECT_NEAR(outcome.providers[0][Metric::Utilisation], 1.25 * 15 / 30, 1e-12);
  EXPECT_NEAR(outcome.total[Metric::PeakPower], 7.5, 1e-12);
  EXPECT_TRUE(std::isnan(outcome.total[Metric::FinalTrust]));
}

TEST(Simulation, FollowsTheTrustOfALoadThatAlwaysPays) {
  constexpr std::size_t kWindows = 20;
  Scenario scenario = simple_scenario(kWindows, {10}, {40}, 1);
  scenario.pricing = PricingScheme::Trust;
  scenario.trust.beta = 2;
  scenario.trust.initial = 2;
  scenario.trust.paid = 0.5;
  scenario.loads[0].jobs = make_jobs(std::vector<double>(kWindows, 3), scenario.window, {{0, scenario.window, 1}});
  double revenue = 0;
  for (std::size_t i = 0; i < kWindows; ++i) {
    const double trust = std::min(10.0, 2 + 0.5 * static_cast<double>(i));
    revenue += 3 * 40 * (2 / trust + 1 - 2 / scenario.trust.neutral);
  }
  const Outcome outcome = run(scenario);
  EXPECT_NEAR(outcome.total[Metric::Revenue], revenue, 1e-9);
  EXPECT_EQ(outcome.total[Metric::FinalTrust], 10);
}

TEST(Simulation, GivesEnergyAwayToALoadThatNeverPays) {
  Scenario scenario = simple_scenario(3, {10}, {40}, 1);
  scenario.pricing = PricingScheme::Trust;
  scenario.payment = PaymentRule::ByExpectation;
  scenario.trust.initial = 5;
  scenario.trust.unpaid = 1;
  scenario.trust.unpaid_expensive = 3;
  scenario.trust.threshold_unpaid = scenario.trust.threshold_expensive = 0;
  scenario.loads[0].refuse_above = scenario.loads[0].refuse_below = 1;
  scenario.loads[0].expected_price_factor = 1.04;
  scenario.loads[0].jobs = make_jobs({1, 1, 1}, scenario.window, {{0, scenario.window, 1}});
  const Outcome outcome = run(scenario);
  // At trust 5 it pays the neutral price, as expected; at 4 it is 40 (1/4 + 1 - 1/5), above 41.6; then trust is 1.
  EXPECT_EQ(outcome.total[Metric::Revenue], 0);
  EXPECT_NEAR(outcome.total[Metric::Unpaid], 40 + 42 + 72, 1e-9);
  EXPECT_EQ(outcome.total[Metric::Refusals], 3);
  EXPECT_EQ(outcome.total[Metric::ExpensiveJobs], 2);
  EXPECT_EQ(outcome.total[Metric::FinalTrust], 1);
}

TEST(Simulation, RefusesToPayAsOftenAsTheBinomialDistributionSays) {
  constexpr std::size_t kJobs = 100;
  constexpr int kRuns = 2000;
  for (const bool is_expensive : {false, true}) {
    Scenario scenario = simple_scenario(kJobs, {10}, {40}, 1);
    scenario.payment = PaymentRule::ByExpectation;
    scenario.loads[0].expected_price_factor = is_expensive ? 0.9 : 1.1;
    scenario.loads[0].jobs = make_jobs(std::vector<double>(kJobs, 1), scenario.window, {{0, scenario.window, 1}});
    const double p = is_expensive ? 0.15 : 0.05;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kRuns; ++i) {
      const double refusals = run(scenario, static_cast<std::uint64_t>(i)).total[Metric::Refusals];
      sum += refusals;
      squares += refusals * refusals;
    }
    const double mean = sum / kRuns;
    const double variance = squares / kRuns - mean * mean;
    EXPECT_NEAR(mean, kJobs * p, 5 * std::sqrt(kJobs * p * (1 - p) / kRuns));
    EXPECT_NEAR(variance / (kJobs * p * (1 - p)), 1, 0.2);
  }
}

TEST(Simulation, ReleasesCapacityBeforeTheNextWindowAsks) {
  Scenario scenario = simple_scenario(50, {1.1}, {40}, 1);
  scenario.loss = 0.001;
  scenario.distance = {100};
  scenario.window = 1;  // as short as time can be told apart
  scenario.loads[0].jobs = make_jobs(std::vector<double>(50, hours(1)), scenario.window, {{0, scenario.window, 1}});
  EXPECT_EQ(run(scenario).total[Metric::UnservedJobs], 0);
}

TEST(Simulation, DropsWhatFindsNoCapacity) {
  Scenario scenario = simple_scenario(2, {1}, {40}, 2);
  scenario.loads[0].jobs = {{0, ticks(1), 0.6}};
  scenario.loads[1].jobs = {{0, ticks(1), 0.6}, {ticks(1), ticks(2), 0.6}};
  Story story;
  const Outcome outcome = run(scenario, 0, &story);
  EXPECT_EQ(story.text,
            "request0@0 request1@0 start0@0 unserved1@0 release0@100 pay0@100 request1@100 start1@100 "
            "release1@200 pay1@200");
  EXPECT_DOUBLE_EQ(outcome.total[Metric::UnservedEnergy], 0.6);
  EXPECT_EQ(outcome.loads[1][Metric::UnservedJobs], 1);
  EXPECT_EQ(outcome.loads[0][Metric::UnservedJobs], 0);
}

TEST(Simulation, LetsWaitingJobsInWhenCapacityIsFree) {
  Scenario scenario = simple_scenario(2, {1}, {40}, 2);
  scenario.when_full = WhenFull::Wait;
  scenario.loads[0].jobs = {{0, ticks(1), 1}};
  scenario.loads[1].jobs = {{ticks(0.25), ticks(0.75), 1}, {ticks(0.5), ticks(2), 1}};
  Story story;
  const Outcome outcome = run(scenario, 0, &story);
  EXPECT_EQ(story.text,
            "request0@0 start0@0 request1@25 wait1@25 request1@50 wait1@50 unserved1@75 release0@100 "
            "pay0@100 start1@100 release1@200 pay1@200");
  EXPECT_DOUBLE_EQ(outcome.loads[1][Metric::UnservedEnergy], 0.5 + 0.5);
  EXPECT_EQ(outcome.loads[1][Metric::UnservedJobs], 1);
  EXPECT_DOUBLE_EQ(outcome.loads[1][Metric::DeliveredEnergy], 1);
  EXPECT_DOUBLE_EQ(outcome.loads[1][Metric::WaitingTime], 0.5 + 0.5);
  EXPECT_DOUBLE_EQ(outcome.total[Metric::Revenue], 2 * 40);
}

TEST(Simulation, ServesTheHigherPriorityFirst) {
  Scenario scenario = simple_scenario(1, {1}, {40}, 3);
  for (Load& load : scenario.loads) load.jobs = {{0, ticks(1), 1}};
  scenario.loads[1].priority = 2;
  scenario.loads[2].priority = 1;
  const Outcome outcome = run(scenario);
  EXPECT_EQ(outcome.loads[0][Metric::ServedJobs], 0);
  EXPECT_EQ(outcome.loads[1][Metric::ServedJobs], 1);
  EXPECT_EQ(outcome.loads[2][Metric::ServedJobs], 0);
}

TEST(Simulation, ShufflesRequestsOfTheSameMomentIfAsked) {
  Scenario scenario = simple_scenario(1, {1}, {40}, 3);
  for (Load& load : scenario.loads) load.jobs = {{0, ticks(1), 1}};
  scenario.order = RequestOrder::Random;
  std::array<int, 3> served{};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Outcome outcome = run(scenario, i);
    for (std::size_t l = 0; l < 3; ++l) served[l] += outcome.loads[l][Metric::ServedJobs] > 0 ? 1 : 0;
  }
  for (const int count : served) EXPECT_NEAR(count, 1000, 150);
}

TEST(Simulation, LooksAtTheCapacityOfEveryWindowThatAJobTouches) {
  Scenario scenario = simple_scenario(3, {0, 0}, {10, 40}, 1);
  scenario.providers[0].capacity = {5, 1, 5};
  scenario.providers[1].capacity = {2, 2, 2};
  scenario.loads[0].jobs = {{0, ticks(1), 2}, {ticks(1), ticks(3), 2}};
  const Outcome outcome = run(scenario);
  EXPECT_EQ(outcome.providers[0][Metric::ServedJobs], 1);
  EXPECT_EQ(outcome.providers[1][Metric::ServedJobs], 1);
}

TEST(Simulation, KeepsToTheCapacityOfTheRouter) {
  Scenario scenario = simple_scenario(1, {10, 10}, {10, 40}, 3);
  for (Load& load : scenario.loads) load.jobs = {{0, ticks(1), 2}};
  scenario.router_capacity = 4;
  EXPECT_EQ(run(scenario).total[Metric::ServedJobs], 2);
}

TEST(Simulation, SettlesPaymentsWhenTheyAreDue) {
  Scenario scenario = simple_scenario(3, {10}, {40}, 1);
  scenario.pricing = PricingScheme::Trust;
  scenario.trust.paid = 1;
  scenario.loads[0].jobs = make_jobs({1, 1, 1}, scenario.window, {{0, scenario.window, 1}});
  scenario.payment_delay = ticks(1.5);
  Story story;
  const Outcome outcome = run(scenario, 0, &story);
  EXPECT_EQ(story.text,
            "request0@0 start0@0 release0@100 request0@100 start0@100 release0@200 request0@200 start0@200 "
            "pay0@250 release0@300 pay0@350 pay0@450");
  EXPECT_DOUBLE_EQ(outcome.total[Metric::Revenue], 3 * 40) << "trust grew after the last quote";
}

TEST(Simulation, LeavesALoadWithoutPowerWhereEveryProviderRefuses) {
  Scenario scenario = simple_scenario(1, {10, 10}, {40, 40}, 1);
  scenario.pricing = PricingScheme::Trust;
  scenario.trust.threshold = 5;
  scenario.trust.below_threshold = BelowThreshold::Refuse;
  scenario.loads[0].jobs = {{0, ticks(1), 2}};
  Outcome outcome = run(scenario);
  EXPECT_EQ(outcome.total[Metric::UnservedJobs], 1);
  EXPECT_EQ(outcome.total[Metric::Distrust], 2);
  scenario.trust.below_threshold = BelowThreshold::Minimum;
  outcome = run(scenario);
  EXPECT_EQ(outcome.total[Metric::ServedJobs], 1);
  EXPECT_EQ(outcome.total[Metric::Distrust], 2);
  EXPECT_NEAR(outcome.total[Metric::MeanPrice], 40 * (1.0 / 1 + 1 - 1.0 / 5), 1e-12);
}

/// Recomputes from starts and releases what is drawn, and that it fits.
class CapacityAuditor : public EventListener {
 public:
  explicit CapacityAuditor(const Scenario& scenario) : scenario_(scenario), in_use_(scenario.providers.size()) {}

  void on_event(const Event& event) override {
    if (event.kind != EventKind::Start && event.kind != EventKind::Release) return;
    const Job& job = scenario_.loads[event.load].jobs[event.job];
    const double drawn = job.power * (1 + scenario_.loss_share(event.load, event.provider));
    in_use_[event.provider] += event.kind == EventKind::Start ? drawn : -drawn;
    double sum = 0;
    for (std::size_t p = 0; p < in_use_.size(); ++p) {
      sum += in_use_[p];
      if (event.kind != EventKind::Start) continue;
      EXPECT_LE(in_use_[p], scenario_.providers[p].capacity[scenario_.window_of(event.time)] + 1e-6);
    }
    EXPECT_LE(sum, scenario_.router_capacity.value_or(1e9) + 1e-6);
  }

 private:
  const Scenario& scenario_;
  std::vector<double> in_use_;
};

TEST(Simulation, ConservesEnergyAndNeverExceedsCapacityOnRandomScenarios) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const Scenario scenario = random_scenario(seed, false);
    CapacityAuditor auditor(scenario);
    const Outcome outcome = run(scenario, seed, &auditor);
    double requested = 0;
    for (const Load& load : scenario.loads)
      for (const Job& job : load.jobs) requested += job.power * hours(job.end - job.start);
    EXPECT_NEAR(outcome.total[Metric::DeliveredEnergy] + outcome.total[Metric::UnservedEnergy], requested, 1e-9);
    EXPECT_EQ(outcome.total[Metric::ServedJobs] + outcome.total[Metric::UnservedJobs],
              static_cast<double>(scenario.job_count()));
    for (const Metric metric : {Metric::Revenue, Metric::Unpaid, Metric::LineLoss, Metric::DeliveredEnergy,
                                Metric::LostEnergy, Metric::ServedJobs, Metric::Refusals}) {
      double by_provider = 0;
      double by_load = 0;
      for (const Values& values : outcome.providers) by_provider += values[metric];
      for (const Values& values : outcome.loads) by_load += values[metric];
      EXPECT_NEAR(by_provider, outcome.total[metric], 1e-8);
      EXPECT_NEAR(by_load, outcome.total[metric], 1e-8);
    }
  }
}

TEST(Simulation, IsTheSameForTheSameSeedAndReplication) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Scenario scenario = random_scenario(seed, false);
    const Outcome one = simulate(scenario, 9, 4, Budget());
    const Outcome two = simulate(scenario, 9, 4, Budget());
    EXPECT_EQ(one.total[Metric::Revenue], two.total[Metric::Revenue]);
    EXPECT_EQ(one.events, two.events);
  }
}

TEST(Simulation, StopsWithItsBudget) {
  Scenario scenario = simple_scenario(20'000, {10}, {40}, 1);
  scenario.loads[0].jobs = make_jobs(std::vector<double>(20'000, 1), scenario.window, {{0, scenario.window, 1}});
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(static_cast<void>(simulate(scenario, 1, 0, budget)), OutOfBudget);
}

}  // namespace
}  // namespace plumb::energy
