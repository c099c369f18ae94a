#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chain/analysis.h"
#include "chain/steady/elimination.h"
#include "chain/steady/stationary.h"
#include "unit/chain/time_oracle.h"

namespace plumb::chain {

/// Where the test framework looks for it.
inline void PrintTo(AnalysisOptions::Method method, std::ostream* out) {
  using enum AnalysisOptions::Method;
  *out << (method == Automatic     ? "Automatic"
           : method == GaussSeidel ? "GaussSeidel"
           : method == Jacobi      ? "Jacobi"
           : method == Power       ? "Power"
                                   : "Krylov");
}

namespace {

using namespace plumb::chain::testing;
using Method = AnalysisOptions::Method;

AnalysisOptions by(Method method, double epsilon = 1e-11) {
  AnalysisOptions options;
  options.method = method;
  options.epsilon = epsilon;
  return options;
}

/// Births at up(i) and deaths at down(i) on 0 to states - 1.
template <typename Up, typename Down>
Chain birth_death(StateId states, Up up, Down down) {
  Chain chain;
  chain.kind = Kind::Ctmc;
  chain.states = states;
  std::vector<Rows::Entry> entries;
  for (StateId i = 0; i < states; ++i) {
    entries.clear();
    if (i + 1 < states) entries.push_back({i + 1, up(i)});
    if (i > 0) entries.push_back({i - 1, down(i)});
    chain.rows.add_row(entries);
  }
  chain.rows.finish();
  return chain;
}
template <typename Up, typename Down>
std::vector<double> balance(StateId states, Up up, Down down) {
  std::vector<long double> x(states, 1);
  for (StateId i = 1; i < states; ++i) x[i] = x[i - 1] * up(i - 1) / down(i);
  const long double sum = std::accumulate(x.begin(), x.end(), 0.0L);
  std::vector<double> result;
  for (const long double v : x) result.push_back(static_cast<double>(v / sum));
  return result;
}

/// Two queues in a row, each with room for `room`; arrivals that find the first full are lost, a full second one blocks
/// the first.
Chain tandem(StateId room, double arrival, double first, double second) {
  Chain chain;
  chain.kind = Kind::Ctmc;
  const StateId side = room + 1;
  chain.states = std::uint64_t{side} * side;
  std::vector<Rows::Entry> entries;
  for (StateId a = 0; a < side; ++a)
    for (StateId b = 0; b < side; ++b) {
      entries.clear();
      if (a < room) entries.push_back({(a + 1) * side + b, arrival});
      if (a > 0 && b < room) entries.push_back({(a - 1) * side + b + 1, first});
      if (b > 0) entries.push_back({a * side + b - 1, second});
      chain.rows.add_row(entries);
    }
  chain.rows.finish();
  return chain;
}

class SteadyMethods : public ::testing::TestWithParam<Method> {};

TEST_P(SteadyMethods, MMcKQueueHasItsClosedForm) {
  const StateId capacity = 30;
  const auto up = [](StateId) { return 4.5; };
  const auto down = [](StateId i) { return 1.25 * std::min<StateId>(i, 4); };
  const Chain chain = birth_death(capacity + 1, up, down);
  const std::vector<double> expected = balance(capacity + 1, up, down);
  for (const StateId s : {StateId{0}, StateId{3}, StateId{10}, capacity}) {
    const Solution result = steady_state(chain, set_of_states(chain, {s}), by(GetParam()), Budget());
    EXPECT_NEAR(result.value(17), expected[s], 1e-9 * expected[s]) << result.method;
    EXPECT_EQ(result.is_guaranteed, GetParam() == Method::Automatic);
  }
}

TEST_P(SteadyMethods, RandomChainsAgreeWithElimination) {
  std::mt19937 random(99);
  for (int round = 0; round < 5; ++round) {
    const Chain chain = chain_of(Kind::Ctmc, random_rates(random, 80, 0.05));
    Part part;
    const Inflow inflow(chain, part, false, 0, Budget());
    std::vector<double> reward(80);
    for (std::size_t s = 0; s < 80; s += 3) reward[s] = 1;
    BandOrder order;
    order.bandwidth = 79;
    const StationaryElimination exact = eliminate(inflow, order, reward, Budget());
    const Stationary result = iterate(inflow, {}, reward, by(GetParam()), Budget());
    for (std::size_t s = 0; s < 80; ++s)
      EXPECT_NEAR(result.vector[s], exact.stationary[s], 1e-9 * exact.stationary[s]) << result.method;
    EXPECT_LT(result.residual, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SteadyMethods,
                         ::testing::Values(Method::Automatic, Method::GaussSeidel, Method::Jacobi, Method::Power,
                                           Method::Krylov),
                         ::testing::PrintToStringParamName());

TEST(SteadyState, OfALargeTandemIsTheProductFormFarFromItsBounds) {
  // Light load: the chance that a bound of 60 matters is below 1e-20.
  const Chain chain = tandem(60, 1, 3, 2.5);
  const double a = 1 / 3.0;
  const double b = 1 / 2.5;
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {2, 3}, {5, 5}}) {
    const auto s = static_cast<StateId>(i * 61 + j);
    const Solution result = steady_state(chain, set_of_states(chain, {s}), by(Method::Automatic), Budget());
    const double expected = (1 - a) * std::pow(a, i) * (1 - b) * std::pow(b, j);
    EXPECT_NEAR(result.value(0), expected, 1e-9 * expected);
  }
}

TEST(SteadyState, MultilevelAgreesWithEliminationOnATandem) {
  const Chain chain = tandem(60, 1, 1.1, 1.2);
  Part part;
  const Inflow inflow(chain, part, false, 0, Budget());
  std::vector<double> reward(chain.states);
  reward[0] = 1;
  const StationaryElimination exact = eliminate(inflow, *elimination_order(inflow, Budget()), reward, Budget());
  const Stationary result = iterate(inflow, {}, reward, by(Method::Automatic, 1e-10), Budget());
  double error = 0;
  for (std::size_t s = 0; s < chain.states; ++s) error += std::abs(result.vector[s] - exact.stationary[s]);
  EXPECT_LT(error, 1e-9);
  EXPECT_LT(result.iterations, 60u);
}

TEST(SteadyState, ProbabilitiesThatDifferByHundredsOfOrdersAreRight) {
  // Two heaps with a valley of 10^-400 between them.
  const auto up = [](StateId i) { return i < 400 || i >= 800 ? 0.1 : 1.0; };
  const auto down = [](StateId i) { return i <= 400 || i > 800 ? 1.0 : 0.1; };
  const Chain chain = birth_death(900, up, down);
  const std::vector<double> expected = balance(900, up, down);
  const Solution result = steady_state(chain, set_of_states(chain, {800}), by(Method::Automatic, 1e-9), Budget());
  EXPECT_NEAR(result.value(0), expected[800], 1e-9 * expected[800]);
}

TEST(SteadyState, OfAStiffChainConvergesInAFewCycles) {
  // Queues that change every second, beside a part that fails once in ten years and is repaired in an hour.
  const StateId room = 40;
  const double fail = 1 / (10 * 365.25 * 86400);
  const double repair = 1 / 3600.0;
  Chain chain;
  chain.kind = Kind::Ctmc;
  chain.states = 3 * std::uint64_t{room} * room;
  std::vector<Rows::Entry> entries;
  const auto id = [&](StateId a, StateId b, StateId broken) { return (a * room + b) * 3 + broken; };
  for (StateId a = 0; a < room; ++a)
    for (StateId b = 0; b < room; ++b)
      for (StateId broken = 0; broken < 3; ++broken) {
        entries.clear();
        if (a + 1 < room) entries.push_back({id(a + 1, b, broken), 0.8});
        if (a > 0 && b + 1 < room && broken < 2) entries.push_back({id(a - 1, b + 1, broken), 1.0});
        if (b > 0) entries.push_back({id(a, b - 1, broken), broken == 0 ? 2.0 : 0.5});
        if (broken < 2) entries.push_back({id(a, b, broken + 1), fail * (2 - broken)});
        if (broken > 0) entries.push_back({id(a, b, broken - 1), repair});
        chain.rows.add_row(entries);
      }
  chain.rows.finish();
  std::vector<double> reward(chain.states);
  for (std::uint64_t s = 2; s < chain.states; s += 3) reward[s] = 1;
  Part part;
  const Inflow inflow(chain, part, false, 0, Budget());
  const Stationary result = iterate(inflow, {}, reward, by(Method::Automatic, 1e-9), Budget());
  double both = 0;
  for (std::uint64_t s = 0; s < chain.states; ++s) both += reward[s] * result.vector[s];
  // The failing part is a birth-death chain of its own.
  const double r = fail / repair;
  const double expected = 2 * r * r / (1 + 2 * r + 2 * r * r);
  EXPECT_NEAR(both, expected, 1e-8 * expected);
  EXPECT_LT(result.iterations, 60u);
}

TEST(SteadyState, OfNearlySeparateClustersIsSolvedDespiteTheirTinyCoupling) {
  std::mt19937 random(5);
  const std::size_t size = 60;
  Matrix rates(4 * size, std::vector<double>(4 * size));
  for (std::size_t c = 0; c < 4; ++c) {
    const Matrix inner = random_rates(random, size, 0.1);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) rates[c * size + i][c * size + j] = i == j ? 0 : inner[i][j];
    rates[c * size][((c + 1) % 4) * size + 1] = 1e-9 * static_cast<double>(c + 1);
  }
  const Chain chain = chain_of(Kind::Ctmc, rates);
  Part part;
  const Inflow inflow(chain, part, false, 0, Budget());
  std::vector<double> reward(4 * size);
  std::fill_n(reward.begin(), size, 1.0);
  BandOrder order;
  order.bandwidth = 4 * size - 1;
  const StationaryElimination exact = eliminate(inflow, order, reward, Budget());
  const Stationary result = iterate(inflow, {}, reward, by(Method::Automatic, 1e-10), Budget());
  for (std::size_t s = 0; s < 4 * size; ++s)
    EXPECT_NEAR(result.vector[s], exact.stationary[s], 1e-8 * exact.stationary[s]);
}

TEST(SteadyState, BoundsOfEliminationContainTheTrueValue) {
  const auto up = [](StateId i) { return 1.0 + i % 3; };
  const auto down = [](StateId i) { return 2.0 + i % 2; };
  const Chain chain = birth_death(50, up, down);
  std::vector<long double> x(50, 1);
  for (StateId i = 1; i < 50; ++i) x[i] = x[i - 1] * up(i - 1) / down(i);
  const long double sum = std::accumulate(x.begin(), x.end(), 0.0L);
  for (StateId s = 0; s < 50; ++s) {
    const Solution result = steady_state(chain, set_of_states(chain, {s}), by(Method::Automatic, 1e-12), Budget());
    ASSERT_TRUE(result.is_guaranteed);
    EXPECT_LE(result.low[0], static_cast<double>(x[s] / sum));
    EXPECT_GE(result.high[0], static_cast<double>(x[s] / sum));
  }
}

TEST(SteadyState, OfAPeriodicDtmcIsTheLongRunAverage) {
  const Chain chain = chain_of(Kind::Dtmc, {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}});
  for (const Method method : {Method::Automatic, Method::GaussSeidel, Method::Jacobi, Method::Power, Method::Krylov}) {
    const Solution result = steady_state(chain, set_of_states(chain, {1, 2, 3}), by(method, 1e-10), Budget());
    EXPECT_NEAR(result.value(2), 0.75, 1e-9) << result.method;
  }
}

TEST(SteadyState, WeighsBottomComponentsByTheWayToThem) {
  // From 0: a third each to {1, 2} (half of the time in 2), to the absorbing 3, and to the ring {4, 5, 6}.
  const double third = 1 / 3.0;
  const Chain chain = chain_of(Kind::Dtmc, {{0, third, 0, third, third, 0, 0},
                                            {0, 0, 1, 0, 0, 0, 0},
                                            {0, 1, 0, 0, 0, 0, 0},
                                            {0, 0, 0, 1, 0, 0, 0},
                                            {0, 0, 0, 0, 0, 1, 0},
                                            {0, 0, 0, 0, 0, 0, 1},
                                            {0, 0, 0, 0, 1, 0, 0}});
  const Solution result = steady_state(chain, set_of_states(chain, {2, 3, 5}), by(Method::Automatic, 1e-10), Budget());
  EXPECT_NEAR(result.value(0), (0.5 + 1 + third) / 3, 1e-9);
  EXPECT_NEAR(result.value(1), 0.5, 1e-10);
  EXPECT_NEAR(result.value(3), 1, 1e-10);
  EXPECT_NEAR(result.value(6), third, 1e-10);
  EXPECT_TRUE(result.is_guaranteed);
}

TEST(SteadyState, OfAReducibleCtmcAgreesWithALongTransientRun) {
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    Matrix rates(14, std::vector<double>(14));
    for (std::size_t i = 0; i < 6; ++i)
      for (int k = 0; k < 3; ++k) rates[i][random() % 14] += 0.5 + k;
    for (std::size_t i = 0; i < 6; ++i) rates[i][6 + random() % 8] += 0.2;
    for (std::size_t c : {6u, 9u}) {
      for (std::size_t i = 0; i < 3; ++i) rates[c + i][c + (i + 1) % 3] = 1 + static_cast<double>(i + c) / 7;
    }
    rates[12][12] = rates[13][13] = 1;
    const Chain chain = chain_of(Kind::Ctmc, rates);
    const Matrix limit = exponential(generator(rates), 2000);
    const Solution result =
        steady_state(chain, set_of_states(chain, {7, 10, 12}), by(Method::Automatic, 1e-10), Budget());
    for (StateId s = 0; s < 14; ++s) EXPECT_NEAR(result.value(s), limit[s][7] + limit[s][10] + limit[s][12], 1e-9);
  }
}

TEST(SteadyReward, OfAnMMcKQueueIsItsMeanLengthAndLoss) {
  const auto up = [](StateId) { return 2.0; };
  const auto down = [](StateId i) { return 1.5 * std::min<StateId>(i, 2); };
  Chain chain = birth_death(21, up, down);
  const std::vector<double> expected = balance(21, up, down);
  chain.rewards.resize(2);
  double length = 0;
  double served = 0;
  for (StateId i = 0; i < 21; ++i) {
    chain.rewards[0].states.push_back(i);
    chain.rewards[1].rows.push_back(i == 0 ? 0 : down(i));  // one for each service
    length += i * expected[i];
    served += i == 0 ? 0 : expected[i] * down(i);
  }
  EXPECT_NEAR(steady_reward(chain, 0, by(Method::Automatic), Budget()).value(0), length, 1e-9 * length);
  const double throughput = steady_reward(chain, 1, by(Method::Automatic), Budget()).value(0);
  EXPECT_NEAR(throughput, served, 1e-9 * served);
  EXPECT_NEAR(throughput, 2.0 * (1 - expected[20]), 1e-9);
}

TEST(SteadyReward, MayBeNegativeAndDifferByComponent) {
  Chain chain = chain_of(Kind::Dtmc, {{0, 0.25, 0.75}, {0, 1, 0}, {0, 0, 1}});
  chain.rewards.emplace_back();
  for (const double v : {100.0, -8.0, 4.0}) chain.rewards[0].states.push_back(v);
  const Solution result = steady_reward(chain, 0, by(Method::Automatic, 1e-10), Budget());
  EXPECT_NEAR(result.value(0), 1, 1e-9);
  EXPECT_EQ(result.value(1), -8);
}

TEST(SteadyState, ByMultilevelIsTheSameForAnyNumberOfThreads) {
  const Chain chain = tandem(400, 1, 1.5, 1.4);
  Part part;
  const Inflow inflow(chain, part, false, 0, Budget());
  std::vector<double> reward(chain.states);
  reward[0] = 1;
  AnalysisOptions one = by(Method::Automatic, 1e-3);
  one.threads = 1;
  AnalysisOptions three = one;
  three.threads = 3;
  EXPECT_EQ(iterate(inflow, {}, reward, one, Budget()).vector, iterate(inflow, {}, reward, three, Budget()).vector);
}

TEST(SteadyState, AsksItsBudget) {
  const Chain chain = tandem(100, 1, 1.5, 1.4);
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(steady_state(chain, set_of_states(chain, {0}), by(Method::Jacobi), budget), OutOfBudget);
}

}  // namespace
}  // namespace plumb::chain
