#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chain/analysis.h"
#include "unit/chain/time_oracle.h"

namespace plumb::chain {
namespace {

using namespace plumb::chain::testing;

AnalysisOptions precise(double epsilon = 1e-11) {
  AnalysisOptions options;
  options.epsilon = epsilon;
  return options;
}
TimeBound within(double low, double high) { return {low, high, false, false}; }
StateSet all(const Chain& chain) { return StateSet(chain.states, true); }

void expect_encloses(const Solution& solution, StateId s, double expected, double accuracy) {
  EXPECT_TRUE(solution.is_guaranteed);
  const double high = solution.high.empty() ? solution.low[s] : solution.high[s];
  const double slack = 1e-12 * std::abs(expected);  // the oracle's own rounding
  EXPECT_LE(solution.low[s], expected + slack);
  EXPECT_GE(high, expected - slack);
  EXPECT_NEAR(solution.value(s), expected, accuracy * std::max(1.0, std::abs(expected)));
}

/// Phases of rate `rate` one after the other; the last state is absorbing.
Chain erlang(std::size_t phases, double rate) {
  Matrix rates(phases + 1, std::vector<double>(phases + 1));
  for (std::size_t i = 0; i < phases; ++i) rates[i][i + 1] = rate;
  rates[phases][phases] = 1;
  return chain_of(Kind::Ctmc, rates);
}

TEST(BoundedUntil, OfAnErlangDistributionIsItsClosedForm) {
  for (const double time : {0.01, 1.0, 3.0, 20.0}) {
    const Chain chain = erlang(5, 2.5);
    const Solution result = bounded_until(chain, all(chain), set_of_states(chain, {5}), within(0, time), Direction::Max,
                                          precise(), Budget());
    double reached = 0;  // five events or more
    for (int k = 5; k < 200; ++k) reached += std::exp(k * std::log(2.5 * time) - 2.5 * time - std::lgamma(k + 1));
    EXPECT_NEAR(result.value(0), reached, 1e-9 * reached);
    EXPECT_LE(result.high[0] - result.low[0], 1e-11);
    EXPECT_EQ(result.value(5), 1);
  }
}

TEST(BoundedUntil, KeepsTheDigitsOfSmallProbabilities) {
  const Chain chain = erlang(1, 1e-12);
  AnalysisOptions options = precise(1e-6);
  const Solution result =
      bounded_until(chain, all(chain), set_of_states(chain, {1}), within(0, 1), Direction::Max, options, Budget());
  EXPECT_NEAR(result.value(0), 1e-12, 1e-13);
}

class RandomCtmc : public ::testing::TestWithParam<int> {};

TEST_P(RandomCtmc, BoundedUntilIsTheMatrixExponentialOfTheAbsorbingChain) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const Matrix rates = random_rates(random, 8, 0.3);
  const Chain chain = chain_of(Kind::Ctmc, rates);
  const StateSet target = set_of_states(chain, {2, 5});
  StateSet allowed = all(chain);
  allowed.erase(3);
  allowed.erase(5);
  StateSet active = allowed;
  active.erase(2);
  const Matrix expected = exponential(generator(rates, &active), 0.7);
  const Solution result = bounded_until(chain, allowed, target, within(0, 0.7), Direction::Max, precise(), Budget());
  for (StateId s = 0; s < 8; ++s) expect_encloses(result, s, expected[s][2] + expected[s][5], 1e-10);
}

TEST_P(RandomCtmc, IntervalOfTimeHasTwoPhases) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const Matrix rates = random_rates(random, 7, 0.3);
  const Chain chain = chain_of(Kind::Ctmc, rates);
  const StateSet target = set_of_states(chain, {2, 5});
  StateSet allowed = all(chain);
  allowed.erase(3);
  allowed.erase(5);
  StateSet active = allowed;
  active.erase(2);
  // First stay in allowed states for 0.4, then reach the target within 0.5.
  const Matrix first = exponential(generator(rates, &allowed), 0.4);
  const Matrix second = exponential(generator(rates, &active), 0.5);
  const Solution result = bounded_until(chain, allowed, target, within(0.4, 0.9), Direction::Max, precise(), Budget());
  for (StateId s = 0; s < 7; ++s) {
    double expected = 0;
    for (StateId m = 0; m < 7; ++m)
      if (allowed.contains(m)) expected += first[s][m] * (second[m][2] + second[m][5]);
    expect_encloses(result, s, allowed.contains(s) ? expected : 0, 1e-10);
  }
}

TEST_P(RandomCtmc, InstantaneousRewardIsThatOfTheTransientDistribution) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const Matrix rates = random_rates(random, 8, 0.3);
  Chain chain = chain_of(Kind::Ctmc, rates);
  chain.rewards.emplace_back();
  for (int s = 0; s < 8; ++s) chain.rewards[0].states.push_back(s * s / 4.0);
  for (const double time : {0.0, 0.3, 2.0, 300.0}) {
    const Matrix expected = exponential(generator(rates), time);
    const Solution result = instantaneous_reward(chain, 0, time, Direction::Max, precise(1e-10), Budget());
    for (StateId s = 0; s < 8; ++s) {
      double value = 0;
      for (int j = 0; j < 8; ++j) value += expected[s][static_cast<std::size_t>(j)] * j * j / 4.0;
      expect_encloses(result, s, value, 1e-9);
    }
  }
}

TEST_P(RandomCtmc, CumulativeRewardIsTheIntegral) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const std::size_t n = 6;
  const Matrix rates = random_rates(random, n, 0.3);
  Chain chain = chain_of(Kind::Ctmc, rates);
  chain.rewards.emplace_back();
  for (std::size_t s = 0; s < n; ++s) {
    chain.rewards[0].states.push_back(static_cast<double>(s % 3));
    chain.rewards[0].rows.push_back(s == 4 ? 2.5 : 0);
  }
  // An extra state integrates: exp of [[Q, r], [0, 0]] has the integral of exp(Qt) r in its last column.
  Matrix extended = generator(rates);
  for (std::size_t s = 0; s < n; ++s) extended[s].push_back(static_cast<double>(s % 3) + (s == 4 ? 2.5 : 0));
  extended.emplace_back(n + 1);
  for (const double time : {0.1, 2.0, 50.0}) {
    const Matrix expected = exponential(extended, time);
    const Solution result = cumulative_reward(chain, 0, time, Direction::Max, precise(1e-10), Budget());
    for (StateId s = 0; s < n; ++s) expect_encloses(result, s, expected[s][n], 1e-9);
  }
}

TEST_P(RandomCtmc, OpenIntervalIsUntilAfterAPhase) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  Matrix rates = random_rates(random, 6, 0.3);
  rates[4] = {0, 0, 0, 0, 1, 0};
  const Chain chain = chain_of(Kind::Ctmc, rates);
  const StateSet target = set_of_states(chain, {2});
  StateSet allowed = all(chain);
  const double infinity = std::numeric_limits<double>::infinity();
  const Solution unbounded = until(chain, allowed, target, Direction::Max, precise(1e-12), Budget());
  const Matrix first = exponential(generator(rates, &allowed), 0.8);
  const Solution result =
      bounded_until(chain, allowed, target, within(0.8, infinity), Direction::Max, precise(1e-10), Budget());
  for (StateId s = 0; s < 6; ++s) {
    double expected = 0;
    for (StateId m = 0; m < 6; ++m) expected += first[s][m] * unbounded.value(m);
    EXPECT_NEAR(result.value(s), expected, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCtmc, ::testing::Range(0, 12), ::testing::PrintToStringParamName());

TEST(BoundedUntil, OverAMillionStepsOfUniformisationIsStillExact) {
  // Two states swap a million times per unit of time; one of them fails once in ten.
  const Chain chain = chain_of(Kind::Ctmc, {{0, 5e5, 0}, {5e5, 0, 0.1}, {0, 0, 1}});
  const Solution result = bounded_until(chain, all(chain), set_of_states(chain, {2}), within(0, 2), Direction::Max,
                                        precise(1e-7), Budget());
  const double expected = 1 - std::exp(-0.05 * 2);
  EXPECT_NEAR(result.value(0), expected, 1e-7);
  EXPECT_LE(result.high[0] - result.low[0], 1e-7);
}

TEST(BoundedUntil, StopsEarlyWhenNothingCanChangeAnyMore) {
  // After a time a millionth of the bound the race between two absorbing states is over.
  const Chain chain = chain_of(Kind::Ctmc, {{0, 3, 1}, {0, 1, 0}, {0, 0, 1}});
  const Solution result = bounded_until(chain, all(chain), set_of_states(chain, {1}), within(0, 1e6), Direction::Max,
                                        precise(1e-9), Budget());
  expect_encloses(result, 0, 0.75, 1e-9);
  EXPECT_LT(result.iterations, 10'000u);
}

TEST(InstantaneousReward, OfASettledChainStopsEarly) {
  Chain chain = chain_of(Kind::Ctmc, {{0, 1}, {3, 0}});
  chain.rewards.emplace_back();
  chain.rewards[0].states.push_back(0);
  chain.rewards[0].states.push_back(8);
  const Solution result = instantaneous_reward(chain, 0, 1e15, Direction::Max, precise(1e-9), Budget());
  expect_encloses(result, 0, 2, 1e-9);
  EXPECT_LT(result.iterations, 1000u);
}

TEST(CumulativeReward, OfASettledChainGrowsByTheAverage) {
  Chain chain = chain_of(Kind::Ctmc, {{0, 1}, {3, 0}});
  chain.rewards.emplace_back();
  chain.rewards[0].states.push_back(0);
  chain.rewards[0].states.push_back(8);
  const Solution result = cumulative_reward(chain, 0, 1e5, Direction::Max, precise(1e-7), Budget());
  // 2 t - 2 (1 - exp(-4t)) / 4 from state 0.
  expect_encloses(result, 0, 2e5 - 0.5, 1e-9);
  EXPECT_LT(result.iterations, 1000u);
}

TEST(CumulativeReward, OfASettledChainHasTheErrorThatWasAskedFor) {
  // What is seldom earned: the error must not grow with the time.
  Chain chain = chain_of(Kind::Ctmc, {{0, 1, 0.125}, {32, 0, 0}, {16, 0, 0}});
  chain.rewards.emplace_back();
  for (const double reward : {0.0, 0.015625, 0.0}) chain.rewards[0].states.push_back(reward);
  const Solution result = cumulative_reward(chain, 0, 8760, Direction::Max, precise(1e-6), Budget());
  EXPECT_LT(result.iterations, 10'000U);
  for (StateId s = 0; s < 3; ++s) EXPECT_LE(result.high[s] - result.low[s], 2e-6 * result.low[s]);
}

class RandomDtmc : public ::testing::TestWithParam<int> {};

TEST_P(RandomDtmc, BoundedUntilWithinStepsIsTheSumOverPaths) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const Matrix p = random_probabilities(random, 5, 0.4);
  const Chain chain = chain_of(Kind::Dtmc, p);
  const StateSet target = set_of_states(chain, {1, 3});
  StateSet allowed = all(chain);
  allowed.erase(3);
  allowed.erase(4);
  for (const auto& [low, high] : {std::pair{0, 0}, {0, 4}, {2, 4}, {3, 3}, {1, 1}}) {
    const Solution result =
        bounded_until(chain, allowed, target, within(low, high), Direction::Max, precise(), Budget());
    // All paths, one by one.
    const auto count = [&](const auto& self, StateId s, int step) -> double {
      if (step >= low && target.contains(s)) return 1;
      if (step == high || !allowed.contains(s)) return 0;
      double sum = 0;
      for (StateId t = 0; t < 5; ++t)
        if (p[s][t] != 0) sum += p[s][t] * self(self, t, step + 1);
      return sum;
    };
    for (StateId s = 0; s < 5; ++s) expect_encloses(result, s, count(count, s, 0), 1e-12);
  }
}

TEST_P(RandomDtmc, RewardsAreTheSumOverPaths) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const Matrix p = random_probabilities(random, 5, 0.4);
  Chain chain = chain_of(Kind::Dtmc, p);
  chain.rewards.emplace_back();
  for (int s = 0; s < 5; ++s) {
    chain.rewards[0].states.push_back(s);
    chain.rewards[0].rows.push_back(s == 2 ? 10 : 0.5);
  }
  const auto earned = [&](const auto& self, StateId s, int left) -> double {
    if (left == 0) return 0;
    double sum = s + (s == 2 ? 10 : 0.5);
    for (StateId t = 0; t < 5; ++t) sum += p[s][t] * self(self, t, left - 1);
    return sum;
  };
  const auto at = [&](const auto& self, StateId s, int left) -> double {
    if (left == 0) return s;
    double sum = 0;
    for (StateId t = 0; t < 5; ++t) sum += p[s][t] * self(self, t, left - 1);
    return sum;
  };
  const Solution sum = cumulative_reward(chain, 0, 4, Direction::Max, precise(), Budget());
  const Solution last = instantaneous_reward(chain, 0, 4, Direction::Max, precise(), Budget());
  for (StateId s = 0; s < 5; ++s) {
    expect_encloses(sum, s, earned(earned, s, 4), 1e-12);
    expect_encloses(last, s, at(at, s, 4), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDtmc, ::testing::Range(0, 12), ::testing::PrintToStringParamName());

Chain gamble() {
  // State 0 chooses between a sure slow way (to 1, then 3) and a quick gamble (3 or the dead end 2).
  Chain chain;
  chain.kind = Kind::Mdp;
  chain.states = 4;
  const auto row = [&](std::vector<Rows::Entry> entries) { chain.rows.add_row(entries); };
  row({{1, 1}});
  row({{2, 0.5}, {3, 0.5}});
  row({{3, 1}});
  row({{2, 1}});
  row({{3, 1}});
  chain.rows.finish();
  for (const std::uint32_t count : {2u, 1u, 1u, 1u}) chain.choices.push_back(count);
  chain.deadlocks = StateSet(4);
  return chain;
}

TEST(BoundedUntil, OfAnMdpChoosesByTheStepsThatAreLeft) {
  const Chain chain = gamble();
  const StateSet target = set_of_states(chain, {3});
  const auto value = [&](double steps, Direction direction) {
    return bounded_until(chain, all(chain), target, within(0, steps), direction, precise(), Budget()).value(0);
  };
  EXPECT_NEAR(value(1, Direction::Max), 0.5, 1e-14);
  EXPECT_NEAR(value(2, Direction::Max), 1, 1e-14);
  EXPECT_DOUBLE_EQ(value(1, Direction::Min), 0);
  EXPECT_NEAR(value(2, Direction::Min), 0.5, 1e-14);
}

TEST(Next, TakesTheBestRowOfAnMdpAndTheJumpsOfACtmc) {
  const Chain mdp = gamble();
  EXPECT_DOUBLE_EQ(next(mdp, set_of_states(mdp, {3}), Direction::Max, precise(), Budget()).value(0), 0.5);
  EXPECT_DOUBLE_EQ(next(mdp, set_of_states(mdp, {3}), Direction::Min, precise(), Budget()).value(0), 0);
  const Chain ctmc = chain_of(Kind::Ctmc, {{0, 3, 1}, {0, 1, 0}, {2, 0, 0}});
  EXPECT_DOUBLE_EQ(next(ctmc, set_of_states(ctmc, {1}), Direction::Max, precise(), Budget()).value(0), 0.75);
}

TEST(Next, HasEqualEndsWhereNothingIsRounded) {
  const Chain chain = chain_of(Kind::Dtmc, {{0, 0.6, 0.4}, {0, 1, 0}, {0, 0, 1}});
  const Solution result = next(chain, set_of_states(chain, {1}), Direction::Max, precise(), Budget());
  EXPECT_EQ(result.low[0], 0.6);
  EXPECT_EQ(result.high[0], 0.6);
}

TEST(BoundedUntil, StrictBoundsOfStepsAreTheNextWholeOnes) {
  const Chain chain = chain_of(Kind::Dtmc, {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}});
  const StateSet target = set_of_states(chain, {2});
  const auto value = [&](TimeBound time) {
    return bounded_until(chain, all(chain), target, time, Direction::Max, precise(), Budget()).value(0);
  };
  EXPECT_EQ(value({0, 2, false, true}), 0);
  EXPECT_NEAR(value({0, 2, false, false}), 1, 1e-14);
  EXPECT_NEAR(value({0, 2.5, false, true}), 1, 1e-14);
  EXPECT_EQ(value({2, 2, false, true}), 0);
  EXPECT_NEAR(value({1, 2, true, false}), 1, 1e-14);
  EXPECT_EQ(value({3, 2, false, false}), 0);
}

TEST(BoundedUntil, IsTheSameForAnyNumberOfThreads) {
  std::mt19937 random(7);
  Chain chain;
  chain.kind = Kind::Ctmc;
  chain.states = 100'000;
  std::vector<Rows::Entry> entries;
  for (StateId s = 0; s < chain.states; ++s) {
    entries = {{static_cast<StateId>((s + 1) % chain.states), 1.5},
               {static_cast<StateId>(random() % chain.states), 0.5}};
    chain.rows.add_row(entries);
  }
  chain.rows.finish();
  StateSet target(chain.states);
  for (StateId s = 0; s < chain.states; s += 17) target.insert(s);
  AnalysisOptions one = precise();
  one.threads = 1;
  AnalysisOptions three = precise();
  three.threads = 3;
  const Solution a = bounded_until(chain, all(chain), target, within(0.5, 2), Direction::Max, one, Budget());
  const Solution b = bounded_until(chain, all(chain), target, within(0.5, 2), Direction::Max, three, Budget());
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

TEST(BoundedUntil, AsksItsBudget) {
  const Chain chain = chain_of(Kind::Ctmc, {{0, 1e9, 0}, {1e9, 0, 1e-3}, {0, 0, 1}});
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(
      bounded_until(chain, all(chain), set_of_states(chain, {2}), within(0, 1), Direction::Max, precise(), budget),
      OutOfBudget);
}

}  // namespace
}  // namespace plumb::chain
