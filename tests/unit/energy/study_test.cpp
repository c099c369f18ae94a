#include "energy/study.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/energy/scenarios.h"

namespace plumb::energy {
namespace {

Scenario paying_now_and_then(std::size_t jobs, double refusal) {
  Scenario scenario = simple_scenario(jobs, {10}, {20}, 1);
  scenario.payment = PaymentRule::ByExpectation;
  scenario.loads[0].refuse_above = scenario.loads[0].refuse_below = refusal;
  scenario.loads[0].jobs = make_jobs(std::vector<double>(jobs, 2), scenario.window, {{0, scenario.window, 1}});
  return scenario;
}

TEST(Study, DoesNotDependOnTheNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Scenario scenario = random_scenario(seed, false);
    StudyOptions options;
    options.replications = 203;
    options.seed = seed;
    options.threads = 1;
    const Summary alone = run_study(scenario, options, Budget());
    for (const unsigned threads : {2U, 3U, 7U, 100U}) {
      options.threads = threads;
      const Summary together = run_study(scenario, options, Budget());
      EXPECT_EQ(together.events, alone.events);
      for (std::size_t i = 0; i < kMetrics; ++i) {
        const Sample& a = alone.total[metric_at(i)];
        const Sample& b = together.total[metric_at(i)];
        EXPECT_EQ(a.count(), b.count());
        if (a.count() == 0) continue;
        EXPECT_EQ(a.mean(), b.mean()) << info(metric_at(i)).name;
        EXPECT_EQ(a.deviation(), b.deviation()) << info(metric_at(i)).name;
      }
    }
  }
}

TEST(Study, CountsEachReplicationOnce) {
  for (const std::uint64_t replications : {1U, 15U, 16U, 17U, 100U}) {
    StudyOptions options;
    options.replications = replications;
    options.threads = 3;
    std::uint64_t last = 0;
    options.on_progress = [&](std::uint64_t done) { last = std::max(last, done); };
    const Summary summary = run_study(paying_now_and_then(5, 0.5), options, Budget());
    EXPECT_EQ(summary.replications, replications);
    EXPECT_EQ(summary.total[Metric::Revenue].count(), replications);
    EXPECT_EQ(last, replications);
  }
}

TEST(Study, DependsOnTheSeed) {
  StudyOptions options;
  options.replications = 50;
  const Scenario scenario = paying_now_and_then(10, 0.5);
  const double one = run_study(scenario, options, Budget()).total[Metric::Revenue].mean();
  options.seed = 2;
  EXPECT_NE(run_study(scenario, options, Budget()).total[Metric::Revenue].mean(), one);
}

TEST(Study, HasTheMeanAndDeviationOfTheBinomialDistribution) {
  StudyOptions options;
  options.replications = 20'000;
  const Sample revenue = run_study(paying_now_and_then(10, 0.3), options, Budget()).total[Metric::Revenue];
  const double deviation = 40 * std::sqrt(10 * 0.3 * 0.7);
  EXPECT_NEAR(revenue.mean(), 40 * 10 * 0.7, 5 * deviation / std::sqrt(20'000));
  EXPECT_NEAR(revenue.deviation() / deviation, 1, 0.03);
}

TEST(Study, HasIntervalsThatContainTheMeanAsOftenAsTheySay) {
  constexpr int kStudies = 1000;
  const Scenario scenario = paying_now_and_then(20, 0.3);
  const double truth = 40 * 20 * 0.7;
  for (const double confidence : {0.8, 0.95}) {
    int hits = 0;
    for (int i = 0; i < kStudies; ++i) {
      StudyOptions options;
      options.replications = 25;
      options.seed = 1000 + static_cast<std::uint64_t>(i);
      options.threads = 1;
      const Sample revenue = run_study(scenario, options, Budget()).total[Metric::Revenue];
      if (std::abs(revenue.mean() - truth) <= revenue.half_width(confidence)) ++hits;
    }
    // Five standard deviations of the count, and a percent for the means not being quite normal.
    const double margin = 5 * std::sqrt(confidence * (1 - confidence) / kStudies) + 0.01;
    EXPECT_NEAR(static_cast<double>(hits) / kStudies, confidence, margin);
  }
}

TEST(Study, GivesScenariosTheSameLuckSoThatTheirDifferenceIsSharp) {
  StudyOptions options;
  options.replications = 100;
  Scenario scenario = paying_now_and_then(50, 0.3);
  const Sample one = run_study(scenario, options, Budget()).total[Metric::Refusals];
  for (double& price : scenario.providers[0].price) price *= 2;
  const Sample two = run_study(scenario, options, Budget()).total[Metric::Refusals];
  EXPECT_EQ(one.mean(), two.mean());
  EXPECT_GT(one.deviation(), 0);
}

TEST(Study, StopsWithItsBudget) {
  const Budget budget;
  budget.cancel();
  StudyOptions options;
  options.threads = 2;
  EXPECT_THROW(static_cast<void>(run_study(paying_now_and_then(5, 0.5), options, budget)), OutOfBudget);
}

}  // namespace
}  // namespace plumb::energy
