// What takes many states: threads, components that are swept in lanes, slow ones that are solved as linear equations.

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/parallel/crew.h"
#include "chain/analysis.h"
#include "chain/reach/policy_system.h"
#include "chain/reach/sweep_timing.h"
#include "reach_chains.h"

namespace plumb::chain {
namespace {

using testing::ChainMaker;
using testing::Row;
using testing::set_of;
using testing::under_strategy;
using Method = AnalysisOptions::Method;

AnalysisOptions with_threads(unsigned threads, Method method = Method::Automatic) {
  AnalysisOptions options;
  options.threads = threads;
  options.method = method;
  options.want_strategy = true;
  return options;
}

void expect_same_bits(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.low.size(), b.low.size());
  ASSERT_EQ(a.high.size(), b.high.size());
  for (std::size_t s = 0; s < a.low.size(); ++s)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.low[s]), std::bit_cast<std::uint64_t>(b.low[s])) << s;
  for (std::size_t s = 0; s < a.high.size(); ++s)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.high[s]), std::bit_cast<std::uint64_t>(b.high[s])) << s;
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.method, b.method);
}

void expect_narrow(const Solution& solution, double epsilon) {
  ASSERT_TRUE(solution.is_guaranteed);
  for (std::size_t s = 0; s < solution.low.size(); ++s) {
    if (solution.high.empty() || solution.low[s] == solution.high[s]) continue;
    ASSERT_LE(solution.high[s] - solution.low[s], epsilon * std::max(1.0, solution.low[s])) << solution.method;
  }
}

/// Layers of an mdp in which time only grows.
Chain layers(std::mt19937& random, StateId width, StateId count) {
  ChainMaker maker(Kind::Mdp);
  std::vector<double> rewards;
  const StateId states = width * count;
  for (StateId s = 0; s < states; ++s) {
    const StateId next = s / width * width + width;
    std::vector<Row> rows;
    for (std::uint32_t r = 0; r < 1 + random() % 2; ++r) {
      if (next == states)
        rows.push_back({{s, 1}});
      else
        rows.push_back({{static_cast<StateId>(next + random() % width), 0.25},
                        {static_cast<StateId>(next + random() % width), 0.75}});
      rewards.push_back(next == states ? 0 : static_cast<double>(random() % 4));
    }
    maker.state(std::move(rows));
  }
  return maker.finish({}, rewards);
}

TEST(ReachLarge, LevelsGiveTheSameBitsForAnyNumberOfThreadsAndTheirStrategyItsValue) {
  std::mt19937 random(1);
  const Chain chain = layers(random, 20'000, 6);
  StateSet last(chain.states);
  for (StateId s = 100'000; s < 120'000; ++s) last.insert(s);
  for (const Direction direction : {Direction::Min, Direction::Max}) {
    const Solution one = reach_reward(chain, 0, last, direction, with_threads(1), Budget());
    expect_same_bits(one, reach_reward(chain, 0, last, direction, with_threads(3), Budget()));
    expect_narrow(one, 1e-12);
    EXPECT_EQ(one.iterations, 1U);
    EXPECT_GE(one.bytes, 16 * chain.states);
    const Solution under =
        reach_reward(under_strategy(chain, one.strategy), 0, last, direction, with_threads(1), Budget());
    for (StateId s = 0; s < 100'000; s += 997) ASSERT_NEAR(under.value(s), one.value(s), 1e-10);
  }
}

/// Strongly connected but for two ends; leaves for one of them with `exit`.
Chain mixing(std::mt19937& random, Kind kind, StateId states, double exit) {
  ChainMaker maker(kind);
  for (StateId s = 0; s < states; ++s) {
    std::vector<Row> rows;
    for (std::uint32_t r = 0; r < (kind == Kind::Mdp ? 2U : 1U); ++r) {
      const double first = exit * static_cast<double>(1 + random() % 3) / 4;
      Row row{{states, first}, {states + 1, exit - first}, {(s + 1) % states, (1 - exit) / 2}};
      for (int i = 0; i < 2; ++i) row.push_back({static_cast<StateId>(random() % states), (1 - exit) / 4});
      rows.push_back(std::move(row));
    }
    maker.state(std::move(rows));
  }
  return maker.state({{{states, 1}}}).state({{{states + 1, 1}}}).finish();
}

TEST(ReachLarge, LanesGiveTheSameBitsForAnyNumberOfThreads) {
  for (const Kind kind : {Kind::Dtmc, Kind::Mdp}) {
    std::mt19937 random(2);
    const Chain chain = mixing(random, kind, 66'000, 0.5);
    const StateSet target = set_of(chain, {66'000});
    const StateSet all(chain.states, true);
    const Solution one = until(chain, all, target, Direction::Max, with_threads(1), Budget());
    expect_same_bits(one, until(chain, all, target, Direction::Max, with_threads(3), Budget()));
    expect_narrow(one, 1e-6);
    const Solution other = until(chain, all, target, Direction::Max, with_threads(2, Method::Jacobi), Budget());
    for (StateId s = 0; s < chain.states; ++s) {
      ASSERT_LE(one.low[s], other.high[s]);
      ASSERT_GE(one.high[s], other.low[s]);
    }
  }
}

TEST(ReachLarge, ASlowComponentIsSolvedAsLinearEquationsAndThreadsDoNotMatter) {
  std::mt19937 random(3);
  const Chain chain = mixing(random, Kind::Dtmc, 66'000, 0.002);
  const StateSet target = set_of(chain, {66'000});
  const StateSet all(chain.states, true);
  const Solution one = until(chain, all, target, Direction::Max, with_threads(1), Budget());
  EXPECT_NE(one.method.find("linear equations"), std::string::npos) << one.method;
  expect_same_bits(one, until(chain, all, target, Direction::Max, with_threads(2), Budget()));
  expect_narrow(one, 1e-6);
}

TEST(ReachLarge, TheStrategyOfASlowComponentHasTheValueThatIsReported) {
  std::mt19937 random(4);
  const Chain chain = mixing(random, Kind::Mdp, 4'000, 0.0005);
  const StateSet target = set_of(chain, {4'000});
  const StateSet all(chain.states, true);
  for (const Direction direction : {Direction::Min, Direction::Max}) {
    const Solution solution = until(chain, all, target, direction, with_threads(1), Budget());
    EXPECT_NE(solution.method.find("linear equations"), std::string::npos) << solution.method;
    expect_narrow(solution, 1e-6);
    const Solution under =
        until(under_strategy(chain, solution.strategy), all, target, direction, with_threads(1), Budget());
    for (StateId s = 0; s < 4'000; ++s) ASSERT_NEAR(under.value(s), solution.value(s), 2e-6);
  }
}

TEST(ReachLarge, SeveralSlowComponentsOfOneLevelAreSolvedSideBySide) {
  constexpr StateId kStates = 3'000;
  constexpr StateId kCopies = 4;
  constexpr StateId kEnd = kStates * kCopies;
  std::mt19937 random(5);
  ChainMaker maker(Kind::Dtmc);
  for (StateId s = 0; s < kEnd; ++s) {
    const StateId first = s / kStates * kStates;
    Row row{{kEnd, 0.0001}, {kEnd + 1, 0.0003}, {first + (s + 1) % kStates, 0.5}};
    for (int i = 0; i < 2; ++i) row.push_back({static_cast<StateId>(first + random() % kStates), 0.2498});
    maker.state({row});
  }
  const Chain chain = maker.state({{{kEnd, 1}}}).state({{{kEnd + 1, 1}}}).finish();
  const StateSet all(chain.states, true);
  const Solution one = until(chain, all, set_of(chain, {kEnd}), Direction::Max, with_threads(1), Budget());
  expect_same_bits(one, until(chain, all, set_of(chain, {kEnd}), Direction::Max, with_threads(3), Budget()));
  EXPECT_NE(one.method.find("linear equations"), std::string::npos) << one.method;
  for (StateId s = 0; s < kEnd; ++s) {
    ASSERT_LE(one.low[s], 0.25 + 1e-12);
    ASSERT_GE(one.high[s], 0.25 - 1e-12);
  }
}

TEST(ReachLarge, AWalkInThePlaneHasItsClosedForm) {
  // From (x, y) to one of the four neighbours; up and down it is turned back at the border, left and right it ends. The
  // probability to end on the left is linear in x, the time to the end is 2 x (last - x).
  constexpr StateId kSide = 110;
  ChainMaker maker(Kind::Ctmc);
  std::vector<double> rewards;
  for (StateId y = 0; y < kSide; ++y)
    for (StateId x = 0; x < kSide; ++x) {
      const StateId s = y * kSide + x;
      rewards.push_back(1);
      if (x == 0 || x == kSide - 1)
        maker.state({{{s, 1}}});
      else
        maker.state(
            {{{s - 1, 0.25}, {s + 1, 0.25}, {y == 0 ? s : s - kSide, 0.25}, {y == kSide - 1 ? s : s + kSide, 0.25}}});
    }
  const Chain chain = maker.finish(rewards);
  StateSet left(chain.states);
  StateSet ends(chain.states);
  for (StateId y = 0; y < kSide; ++y) {
    left.insert(y * kSide);
    ends.insert(y * kSide);
    ends.insert(y * kSide + kSide - 1);
  }
  const Solution probability =
      until(chain, StateSet(chain.states, true), left, Direction::Max, with_threads(1), Budget());
  const Solution time = reach_reward(chain, 0, ends, Direction::Max, with_threads(1), Budget());
  EXPECT_NE(time.method.find("linear equations"), std::string::npos) << time.method;
  expect_narrow(probability, 1e-6);
  expect_narrow(time, 1e-6);
  for (StateId s = 0; s < chain.states; ++s) {
    const double x = s % kSide;
    const double on_left = 1 - x / (kSide - 1);
    const double steps = 2 * x * (kSide - 1 - x);
    ASSERT_LE(probability.low[s], on_left + 1e-12);
    ASSERT_GE(probability.high[s], on_left - 1e-12);
    ASSERT_LE(time.low[s], steps * (1 + 1e-12));
    ASSERT_GE(time.high[s], steps * (1 - 1e-12));
  }
}

TEST(ReachLarge, IntervalsDoNotWidenAlongManyComponents) {
  // Rings of three states with a choice, one after the other; each is left for the next, or for good with a thousandth.
  constexpr StateId kRings = 3'000;
  ChainMaker maker(Kind::Mdp);
  const StateId end = 3 * kRings;
  for (StateId ring = 0; ring < kRings; ++ring)
    for (StateId i = 0; i < 3; ++i) {
      const StateId s = 3 * ring + i;
      const StateId next = 3 * ring + (i + 1) % 3;
      const StateId on = ring + 1 < kRings ? s + 3 : end;
      maker.state({{{next, 0.5}, {on, 0.4999}, {end + 1, 0.0001}}, {{next, 0.9}, {on, 0.09998}, {end + 1, 0.00002}}});
    }
  const Chain chain = maker.state({{{end, 1}}}).state({{{end + 1, 1}}}).finish();
  const StateSet all(chain.states, true);
  for (const Method method : {Method::Automatic, Method::Interval})
    for (const double epsilon : {1e-4, 1e-9}) {
      AnalysisOptions options = with_threads(2, method);
      options.epsilon = epsilon;
      const Solution solution = until(chain, all, set_of(chain, {end}), Direction::Max, options, Budget());
      expect_narrow(solution, epsilon);
      // Both choices leave for good with 2 of 10,000, so every ring is passed with probability 0.9998.
      const double expected = std::pow(0.9998, kRings);
      EXPECT_LE(solution.low[0], expected * (1 + 1e-10)) << solution.method;
      EXPECT_GE(solution.high[0], expected * (1 - 1e-10)) << solution.method;
    }
}

TEST(ReachLarge, ProbabilitiesNearZeroStayInTheirInterval) {
  // 1,200 coins in a row, which is less than the least double.
  ChainMaker maker(Kind::Dtmc);
  constexpr StateId kLast = 1'200;
  for (StateId s = 0; s < kLast; ++s) maker.state({{{s + 1, 0.5}, {kLast + 1, 0.5}}});
  const Chain chain = maker.state({{{kLast, 1}}}).state({{{kLast + 1, 1}}}).finish();
  const Solution solution =
      until(chain, StateSet(chain.states, true), set_of(chain, {kLast}), Direction::Max, with_threads(1), Budget());
  for (StateId s = 0; s < kLast; ++s) {
    const double exact = std::ldexp(1.0, -static_cast<int>(kLast - s));
    ASSERT_LE(solution.low[s], exact);
    ASSERT_GE(solution.high[s], exact);
  }
  EXPECT_GT(solution.high[0], 0);
}

TEST(ReachLarge, WhereDoublesAreNotPreciseEnoughTheMethodSaysSo) {
  ChainMaker maker(Kind::Dtmc);
  constexpr StateId kLast = 1'000;
  maker.state({{{0, 1}}});
  for (StateId s = 1; s < kLast; ++s) maker.state({{{s - 1, 0.5}, {s + 1, 0.5}}});
  const Chain chain = maker.state({{{kLast, 1}}}).finish();
  for (const double epsilon : {1e-6, 1e-16}) {
    AnalysisOptions options = with_threads(1);
    options.epsilon = epsilon;
    const Solution solution =
        until(chain, StateSet(chain.states, true), set_of(chain, {kLast}), Direction::Max, options, Budget());
    EXPECT_EQ(solution.method.find("limits of double precision") != std::string::npos, epsilon < 1e-15);
    for (StateId s = 0; s <= kLast; ++s) {
      ASSERT_LE(solution.low[s], s / 1000.0);
      ASSERT_GE(solution.high[s], s / 1000.0);
    }
  }
}

TEST(PolicySystem, SolvesWithHolesAmongTheStatesAsElsewhere) {
  // States with even numbers are in the system, the others are outside.
  std::mt19937 random(4);
  ChainMaker maker(Kind::Dtmc);
  constexpr StateId kStates = 4'000;
  for (StateId s = 0; s < kStates; ++s) {
    Row row{{static_cast<StateId>(random() % kStates) | 1, 0.01}};
    for (int i = 0; i < 3; ++i) row.push_back({static_cast<StateId>(random() % kStates) & ~1U, 0.33});
    maker.state({row});
  }
  const Chain chain = maker.finish();
  std::vector<StateId> group;
  for (StateId s = 2; s < kStates; s += 2) group.push_back(s);
  const std::vector<std::uint32_t> policy(group.size());
  parallel::Crew crew(3);
  const Budget budget;
  PolicySystem system(chain, group, policy, nullptr, budget);
  std::vector<double> constants(system.size());
  for (const StateId s : group) constants[system.place(s)] = 1;
  std::vector<double> x(system.size());
  ASSERT_TRUE(system.solve(constants, x, 1e-10));
  std::vector<double> again(system.size());
  PolicySystem shared(chain, group, policy, &crew, budget);
  ASSERT_TRUE(shared.solve(constants, again, 1e-10));
  EXPECT_EQ(x, again);
  for (const StateId s : group) {
    double sum = 0;
    double total = 0;
    chain.rows.for_each(s, [&](StateId target, double weight) {
      if (target == s) return;
      total += weight;
      if (target % 2 == 0 && target >= 2) sum += weight * x[system.place(target)];
    });
    ASSERT_NEAR(x[system.place(s)], 1 + sum / total, 2e-10);
  }
}

TEST(SweepTiming, CountsTheBytesOfRowsAndVectors) {
  std::mt19937 random(5);
  const Chain chain = mixing(random, Kind::Dtmc, 1'000, 0.1);
  const SweepTiming timing = time_sweep(chain, 1, 1, Budget());
  // Targets of four bytes, indices and lengths of one; states of four, two vectors read and written.
  EXPECT_EQ(timing.bytes, 5 * chain.rows.transitions() + chain.states * (1 + 4 + 32));
}

}  // namespace
}  // namespace plumb::chain
