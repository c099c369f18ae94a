#include "chain/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chain/analysis.h"
#include "unit/chain/random_chain.h"

namespace plumb::chain {
namespace {

const Budget kBudget;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

SimulationOptions quick(std::uint64_t seed) {
  SimulationOptions options;
  options.seed = seed;
  options.paths = 2000;
  options.max_steps = 300;
  return options;
}

TEST(Simulate, AgreesWithTheProbabilitiesOfRandomChains) {
  AnalysisOptions analysis;
  analysis.threads = 1;
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc})
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      ChainGenerator generator(seed);
      const Chain chain = generator.chain(kind, 6);
      const StateSet target = generator.set(6, 5);
      const StateSet allowed = generator.set(6, 5).complement();
      const TimeBound bounds[] = {{0, kInfinity}, {0, 3}, {2, 5}, {2, 2}};
      for (const TimeBound& time : bounds) {
        const bool is_unbounded = std::isinf(time.high);
        const Solution solution = is_unbounded
                                      ? until(chain, allowed, target, Direction::Max, analysis, kBudget)
                                      : bounded_until(chain, allowed, target, time, Direction::Max, analysis, kBudget);
        const Estimate estimate = simulate_until(chain, 0, allowed, target, time, quick(seed), kBudget);
        EXPECT_NEAR(estimate.mean, solution.value(0), estimate.half_width)
            << to_string(kind) << " seed " << seed << " time " << time.low << " " << time.high;
      }
    }
}

TEST(Simulate, AgreesWithTheRewardsOfRandomChains) {
  AnalysisOptions analysis;
  analysis.threads = 1;
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc})
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      ChainGenerator generator(seed);
      const Chain chain = generator.chain(kind, 6);
      const Solution within = cumulative_reward(chain, 0, 4, Direction::Max, analysis, kBudget);
      const Estimate estimate = simulate_reward(chain, 0, 0, StateSet(6), 4, quick(seed), kBudget);
      EXPECT_NEAR(estimate.mean, within.value(0), estimate.half_width) << to_string(kind) << " seed " << seed;
      StateSet target(6);
      target.insert(5);
      const Solution reached = reach_reward(chain, 0, target, Direction::Max, analysis, kBudget);
      if (std::isinf(reached.value(0))) continue;
      SimulationOptions patient = quick(seed);
      patient.max_steps = 100'000;
      const Estimate passage = simulate_reward(chain, 0, 0, target, kInfinity, patient, kBudget);
      EXPECT_EQ(passage.cut, 0U);
      EXPECT_NEAR(passage.mean, reached.value(0), passage.half_width) << to_string(kind) << " seed " << seed;
    }
}

TEST(Simulate, FollowsAStrategyThatReachesTheMaximum) {
  AnalysisOptions analysis;
  analysis.threads = 1;
  analysis.want_strategy = true;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    ChainGenerator generator(seed);
    const Chain chain = generator.chain(Kind::Mdp, 7);
    StateSet target(7);
    target.insert(6);
    StateSet allowed(7, true);
    allowed.erase(5);
    for (const Direction direction : {Direction::Min, Direction::Max}) {
      const Solution solution = until(chain, allowed, target, direction, analysis, kBudget);
      ASSERT_EQ(solution.strategy.size(), 7U);
      SimulationOptions options = quick(seed);
      options.strategy = &solution.strategy;
      const Estimate estimate = simulate_until(chain, 0, allowed, target, {0, kInfinity}, options, kBudget);
      EXPECT_NEAR(estimate.mean, solution.value(0), estimate.half_width) << "seed " << seed;
    }
  }
}

TEST(Simulate, IsRepeatable) {
  ChainGenerator generator(3);
  const Chain chain = generator.chain(Kind::Ctmc, 20);
  Simulator a(chain, 7);
  Simulator b(chain, 7);
  a.start(0);
  b.start(0);
  for (int i = 0; i < 1000; ++i) {
    a.step();
    b.step();
    ASSERT_EQ(a.state(), b.state());
    ASSERT_EQ(a.time(), b.time());
  }
}

}  // namespace
}  // namespace plumb::chain
