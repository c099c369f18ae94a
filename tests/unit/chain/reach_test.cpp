#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/analysis.h"
#include "reach_chains.h"

namespace plumb::chain {
namespace {

using testing::ChainMaker;
using testing::Row;
using testing::set_of;
using testing::under_strategy;
using Method = AnalysisOptions::Method;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

AnalysisOptions options_of(Method method, double epsilon = 1e-6) {
  AnalysisOptions options;
  options.method = method;
  options.epsilon = epsilon;
  options.want_strategy = true;
  return options;
}

Solution reach(const Chain& chain, StateId target, const AnalysisOptions& options,
               Direction direction = Direction::Max) {
  return until(chain, StateSet(chain.states, true), set_of(chain, {target}), direction, options, Budget());
}

void expect_contains(const Solution& solution, StateId s, double value, double width) {
  EXPECT_TRUE(solution.is_guaranteed);
  EXPECT_LE(solution.low[s], value * (1 + 1e-13)) << solution.method;
  EXPECT_GE(solution.high[s], value * (1 - 1e-13)) << solution.method;
  EXPECT_LE(solution.high[s] - solution.low[s], width) << solution.method;
}

/// States 0 to n: up with probability `up`, down with the rest, the ends stay. Each step earns one.
Chain random_walk(StateId n, double up, double down) {
  ChainMaker maker(Kind::Dtmc);
  std::vector<double> rewards(std::size_t{n} + 1, 1.0);
  maker.state({{{0, 1}}});
  for (StateId s = 1; s < n; ++s) maker.state({{{s - 1, down}, {s + 1, up}}});
  maker.state({{{n, 1}}});
  return maker.finish(rewards);
}

TEST(Reach, GamblersRuinHasItsClosedForm) {
  const Chain chain = random_walk(20, 0.4, 0.6);
  for (const Method method :
       {Method::Automatic, Method::Interval, Method::GaussSeidel, Method::Jacobi, Method::Policy}) {
    const Solution solution = reach(chain, 20, options_of(method, 1e-9));
    for (StateId s = 1; s < 20; ++s)
      expect_contains(solution, s, (std::pow(1.5, s) - 1) / (std::pow(1.5, 20) - 1), 1e-9);
    const Solution steps =
        reach_reward(chain, 0, set_of(chain, {0, 20}), Direction::Max, options_of(method, 1e-9), Budget());
    for (StateId s = 1; s < 20; ++s) {
      const double expected = s / 0.2 - 20 / 0.2 * (1 - std::pow(1.5, s)) / (1 - std::pow(1.5, 20));
      expect_contains(steps, s, expected, 1e-9 * expected);
    }
  }
}

TEST(Reach, AFairWalkOfManyStatesIsSolved) {
  constexpr StateId kStates = 200'000;
  const Chain chain = random_walk(kStates, 0.5, 0.5);
  const Solution solution = reach(chain, kStates, options_of(Method::Automatic));
  for (const StateId s : {1U, 1000U, 100'000U, 199'999U})
    expect_contains(solution, s, static_cast<double>(s) / kStates, 1e-6);
  const Solution steps =
      reach_reward(chain, 0, set_of(chain, {0, kStates}), Direction::Max, options_of(Method::Automatic), Budget());
  expect_contains(steps, kStates / 2, 0.25 * kStates * kStates, 1e-6 * 0.25 * kStates * kStates);
}

TEST(Reach, AMillionComponentsAreSolvedOneAfterTheOther) {
  constexpr StateId kStates = 1'000'000;
  ChainMaker maker(Kind::Dtmc);
  for (StateId s = 0; s < kStates; ++s) maker.state({{{s, 0.25}, {s + 1, 0.5}, {kStates + 1, 0.25}}});
  maker.state({{{kStates, 1}}}).state({{{kStates + 1, 1}}});
  const Solution solution = reach(maker.finish(), kStates, options_of(Method::Automatic));
  expect_contains(solution, kStates - 10, std::pow(2.0 / 3, 10), 1e-6);
  expect_contains(solution, 0, 0, 1e-6);
}

TEST(Reach, KnuthAndYaoMakeADieOfACoin) {
  ChainMaker maker(Kind::Dtmc);
  const auto flip = [](StateId a, StateId b) { return Row{{a, 0.5}, {b, 0.5}}; };
  maker.state({flip(1, 2)})
      .state({flip(3, 4)})
      .state({flip(5, 6)})
      .state({flip(1, 7)})
      .state({flip(8, 9)})
      .state({flip(10, 11)})
      .state({flip(2, 12)});
  for (StateId face = 7; face < 13; ++face) maker.state({{{face, 1}}});
  const Chain chain = maker.finish(std::vector<double>{1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0});
  for (StateId face = 7; face < 13; ++face) {
    expect_contains(reach(chain, face, options_of(Method::Automatic)), 0, 1.0 / 6, 1e-6);
    EXPECT_EQ(reach(chain, face, options_of(Method::Exact)).exact[0], Fraction(1, 6));
  }
  const StateSet faces = set_of(chain, {7, 8, 9, 10, 11, 12});
  EXPECT_EQ(reach_reward(chain, 0, faces, Direction::Max, options_of(Method::Exact), Budget()).exact[0],
            Fraction(11, 3));
  EXPECT_EQ(total_reward(chain, 0, Direction::Max, options_of(Method::Exact), Budget()).exact[0], Fraction(11, 3));
}

/// Components in series that each fail once in ten years and are repaired in an hour; the time until all of `n` are
/// down.
Chain redundant(StateId n, double failure, double repair) {
  ChainMaker maker(Kind::Ctmc);
  for (StateId down = 0; down < n; ++down) {
    Row row{{down + 1, (n - down) * failure}};
    if (down > 0) row.push_back({down - 1, down * repair});
    maker.state({row});
  }
  maker.state({{{n, 1}}});
  return maker.finish(std::vector<double>(std::size_t{n} + 1, 1.0));
}

TEST(Reach, TheTimeToFailureOfAStiffSystemIsRight) {
  const double failure = 1.0 / 87600;
  for (const StateId n : {2U, 3U, 6U}) {
    // h(k): from k down to k + 1 down.
    double time = 0;
    double step = 0;
    for (StateId down = 0; down < n; ++down) {
      const double up = (n - down) * failure;
      step = (1 + down * step) / up;
      time += step;
    }
    const Chain chain = redundant(n, failure, 1);
    const Solution solution =
        reach_reward(chain, 0, set_of(chain, {n}), Direction::Max, options_of(Method::Automatic), Budget());
    expect_contains(solution, 0, time, 1e-10 * time);
  }
}

TEST(Reach, SlowConvergenceIsNotTakenForConvergence) {
  // From 1 to 0 or 2 once in 10^7 steps each, by way of 3: the values hardly change from sweep to sweep, and are far
  // from one half.
  ChainMaker maker(Kind::Dtmc);
  maker.state({{{0, 1}}}).state({{{0, 1e-7}, {2, 1e-7}, {3, 1 - 2e-7}}}).state({{{2, 1}}}).state({{{1, 1}}});
  const Chain chain = maker.finish();
  expect_contains(reach(chain, 2, options_of(Method::Automatic)), 1, 0.5, 1e-6);
  const Solution naive = reach(chain, 2, options_of(Method::Value));
  EXPECT_FALSE(naive.is_guaranteed);
  EXPECT_LT(naive.low[1], 0.1);
}

TEST(Reach, EndComponentsDoNotHoldTheUpperBoundUp) {
  // 0 and 1 can go round for ever; 1 can also gamble, and 2 has a worse gamble.
  ChainMaker maker(Kind::Mdp);
  maker.state({{{1, 1}}, {{2, 1}}}).state({{{0, 1}}, {{3, 0.6}, {4, 0.4}}}).state({{{3, 0.1}, {4, 0.8}, {0, 0.1}}});
  maker.state({{{3, 1}}}).state({{{4, 1}}});
  const Chain chain = maker.finish();
  for (const Method method : {Method::Automatic, Method::Interval, Method::Policy, Method::Exact}) {
    const Solution best = reach(chain, 3, options_of(method));
    expect_contains(best, 0, 0.6, 1e-6);
    expect_contains(best, 1, 0.6, 1e-6);
    expect_contains(best, 2, 0.16, 1e-6);
    const Chain played = under_strategy(chain, best.strategy);
    expect_contains(reach(played, 3, options_of(Method::Exact)), 0, 0.6, 1e-15);
    EXPECT_EQ(reach(chain, 3, options_of(method), Direction::Min).high[0], 0);
  }
}

TEST(Reach, GoingRoundForNothingDoesNotMakeTheLeastRewardLess) {
  // 0 and 1 go round for nothing; to the target it is 3 from 0 and 1 from 1.
  ChainMaker maker(Kind::Mdp);
  maker.state({{{1, 1}}, {{2, 1}}}).state({{{0, 1}}, {{2, 1}}}).state({{{2, 1}}});
  const Chain chain = maker.finish({}, {0, 3, 0, 1, 0});
  const Solution least =
      reach_reward(chain, 0, set_of(chain, {2}), Direction::Min, options_of(Method::Automatic), Budget());
  expect_contains(least, 0, 1, 1e-6);
  EXPECT_EQ(least.strategy[0], 0U);
  EXPECT_EQ(least.strategy[1], 1U);
  const Solution most =
      reach_reward(chain, 0, set_of(chain, {2}), Direction::Max, options_of(Method::Automatic), Budget());
  EXPECT_EQ(most.low[0], kInfinity);
  EXPECT_EQ(total_reward(chain, 0, Direction::Min, options_of(Method::Automatic), Budget()).high[0], 0);
  expect_contains(total_reward(chain, 0, Direction::Max, options_of(Method::Automatic), Budget()), 1, 3, 1e-5);
}

TEST(Reach, RewardsThatDivergeAreInfinite) {
  ChainMaker maker(Kind::Dtmc);
  maker.state({{{1, 0.5}, {2, 0.5}}}).state({{{1, 1}}}).state({{{2, 1}}}).state({{{2, 1}}});
  const Chain chain = maker.finish({1, 1, 0, 4});
  const Solution missed =
      reach_reward(chain, 0, set_of(chain, {2}), Direction::Max, options_of(Method::Automatic), Budget());
  EXPECT_EQ(missed.low[0], kInfinity);
  EXPECT_EQ(missed.high[0], kInfinity);
  expect_contains(missed, 3, 4, 1e-5);
  const Solution total = total_reward(chain, 0, Direction::Max, options_of(Method::Automatic), Budget());
  EXPECT_EQ(total.low[0], kInfinity);
  EXPECT_EQ(total.high[2], 0);
  expect_contains(total, 3, 4, 1e-5);
  EXPECT_EQ(total_reward(chain, 0, Direction::Max, options_of(Method::Exact), Budget()).exact[0], std::nullopt);
}

TEST(Reach, ANegativeRewardIsRefused) {
  ChainMaker maker(Kind::Dtmc);
  maker.state({{{0, 1}}});
  const Chain chain = maker.finish({-1});
  EXPECT_THROW(total_reward(chain, 0, Direction::Max, options_of(Method::Automatic), Budget()), UserError);
}

TEST(Reach, AStiffMdpHasBoundsThatClose) {
  // A walk against the drift, where each state may also push harder at the risk of ending at once.
  constexpr StateId kLast = 200;
  ChainMaker maker(Kind::Mdp);
  std::vector<double> rewards;
  maker.state({{{0, 0.5}, {1, 0.5}}});
  rewards.push_back(1);
  for (StateId s = 1; s < kLast; ++s) {
    maker.state({{{s - 1, 0.51}, {s + 1, 0.49}}, {{s - 1, 0.5}, {s + 1, 0.4999}, {kLast + 1, 0.0001}}});
    rewards.insert(rewards.end(), {1, 1});
  }
  maker.state({{{kLast, 1}}}).state({{{kLast + 1, 1}}});
  rewards.insert(rewards.end(), {0, 0});
  const Chain chain = maker.finish({}, rewards);
  for (const Direction direction : {Direction::Min, Direction::Max}) {
    const Solution probability = reach(chain, kLast, options_of(Method::Automatic), direction);
    EXPECT_LE(probability.high[0] - probability.low[0], 1e-6) << probability.method;
    const Solution time =
        reach_reward(chain, 0, set_of(chain, {kLast, kLast + 1}), direction, options_of(Method::Automatic), Budget());
    EXPECT_LE(time.high[0] - time.low[0], 1e-6 * time.high[0]) << time.method;
    const Chain played = under_strategy(chain, time.strategy);
    const Solution again =
        reach_reward(played, 0, set_of(played, {kLast, kLast + 1}), direction, options_of(Method::Automatic), Budget());
    EXPECT_NEAR(again.value(0), time.value(0), 1e-6 * time.high[0]);
  }
}

TEST(Reach, ALargeComponentThatMixesFastIsSwept) {
  std::mt19937 random(9);
  constexpr StateId kStates = 200'000;
  ChainMaker maker(Kind::Dtmc);
  for (StateId s = 0; s < kStates; ++s) {
    Row row{{kStates, 0.1}, {kStates + 1, 0.2}};
    for (int i = 0; i < 7; ++i) row.push_back({static_cast<StateId>(random() % kStates), 0.1});
    maker.state({row});
  }
  maker.state({{{kStates, 1}}}).state({{{kStates + 1, 1}}});
  const Solution solution = reach(maker.finish(), kStates, options_of(Method::Automatic, 1e-8));
  for (const StateId s : {0U, 77U, kStates - 1}) expect_contains(solution, s, 1.0 / 3, 1e-8);
  EXPECT_NE(solution.method.find("interval iteration"), std::string::npos);
}

}  // namespace
}  // namespace plumb::chain
