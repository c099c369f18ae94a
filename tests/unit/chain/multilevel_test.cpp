#include "chain/steady/multilevel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "chain/build.h"
#include "chain/steady/elimination.h"
#include "chain/steady/order.h"
#include "chain/steady/stationary.h"
#include "unit/chain/random_model.h"
#include "unit/chain/time_oracle.h"

namespace plumb::chain {
namespace {

using namespace plumb::chain::testing;

AnalysisOptions options_of(double epsilon, unsigned threads = 0) {
  AnalysisOptions options;
  options.epsilon = epsilon;
  options.threads = threads;
  return options;
}

constexpr double kFail = 1 / (10 * 365.25 * 86400);
constexpr double kRepair = 1 / 3600.0;

/// Two queues that change every second beside two machines that fail once in ten years and are repaired in an hour,
/// with the values of the variables; the states are numbered at random.
struct Grid {
  Chain chain;
  StateSet both_broken;

  Grid(StateId first, StateId second) {
    std::vector<Variable> variables(3);
    const std::int64_t highs[] = {first - std::int64_t{1}, second - std::int64_t{1}, 2};
    for (std::size_t v = 0; v < 3; ++v) variables[v].high = highs[v];
    chain.kind = Kind::Ctmc;
    chain.states = std::uint64_t{3} * first * second;
    const StateLayout layout{variables};
    chain.store = StateStore(layout);
    chain.store.grow(chain.states);
    std::vector<StateId> cells(chain.states);
    std::iota(cells.begin(), cells.end(), StateId{0});
    std::shuffle(cells.begin() + 1, cells.end(), std::mt19937(11));
    std::vector<StateId> number(chain.states);
    for (StateId s = 0; s < chain.states; ++s) number[cells[s]] = s;
    const auto id = [&](StateId a, StateId b, StateId broken) { return number[(a * second + b) * 3 + broken]; };
    both_broken = StateSet(chain.states);
    std::vector<Rows::Entry> entries;
    for (const StateId cell : cells) {
      const StateId broken = cell % 3;
      const StateId b = cell / 3 % second;
      const StateId a = cell / 3 / second;
      entries.clear();
      if (a + 1 < first) entries.push_back({id(a + 1, b, broken), 0.8});
      if (a > 0 && b + 1 < second && broken < 2) entries.push_back({id(a - 1, b + 1, broken), 1.0});
      if (b > 0) entries.push_back({id(a, b - 1, broken), broken == 0 ? 2.0 : 0.5});
      if (broken < 2) entries.push_back({id(a, b, broken + 1), kFail * (2 - broken)});
      if (broken > 0) entries.push_back({id(a, b, broken - 1), kRepair});
      chain.rows.add_row(entries);
      if (broken == 2) both_broken.insert(number[cell]);
      std::uint64_t state = 0;  // three small variables fit a word
      const StateId values[] = {a, b, broken};
      for (std::size_t v = 0; v < 3; ++v) layout.set(&state, v, values[v]);
      chain.store.find_or_insert(&state, layout.hash(&state));
    }
    chain.rows.finish();
    chain.initial = {0};
    chain.deadlocks = StateSet(chain.states);
  }
  /// The machines are a birth-death chain of their own.
  static double expected() {
    const double r = kFail / kRepair;
    return 2 * r * r / (1 + 2 * r + 2 * r * r);
  }
};

Stationary iterate_on(const Grid& grid, const std::vector<double>& reward_by_state, const AnalysisOptions& options) {
  std::vector<StateId> local_of;
  Part part;
  part.local_of = &local_of;
  const Inflow inflow(grid.chain, part, true, options.threads, Budget());
  std::vector<double> reward(inflow.size());
  for (StateId i = 0; i < reward.size(); ++i) reward[i] = reward_by_state[part.state(i)];
  Stationary result = iterate(inflow, {&grid.chain.store, &part}, reward, options, Budget());
  std::vector<double> by_state(reward.size());
  for (StateId i = 0; i < reward.size(); ++i) by_state[part.state(i)] = result.vector[i];
  result.vector = std::move(by_state);
  return result;
}

TEST(Multilevel, SolvesAStiffGridByTheValuesOfItsVariables) {
  const Grid grid(110, 90);
  std::vector<double> reward(grid.chain.states);
  grid.both_broken.for_each([&](StateId s) { reward[s] = 1; });
  const Stationary result = iterate_on(grid, reward, options_of(1e-9));
  const double value = std::inner_product(reward.begin(), reward.end(), result.vector.begin(), 0.0);
  EXPECT_NEAR(value, Grid::expected(), 1e-8 * Grid::expected());
  EXPECT_LT(result.iterations, 80U);
  EXPECT_GT(result.bytes_vectors, grid.chain.states * 8);
}

TEST(Multilevel, IsTheSameForAnyNumberOfThreads) {
  const Grid grid(220, 210);
  const std::vector<double> reward(grid.chain.states, 1);
  const Stationary one = iterate_on(grid, reward, options_of(0.1, 1));
  const Stationary three = iterate_on(grid, reward, options_of(0.1, 3));
  EXPECT_EQ(one.vector, three.vector);
  EXPECT_EQ(one.iterations, three.iterations);
  EXPECT_EQ(one.residual, three.residual);
}

TEST(Multilevel, EstimatesItsErrorOnStiffRandomChains) {
  std::mt19937 random(2024);
  const double epsilon = 1e-6;
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 20 + random() % 281;
    Matrix rates(size, std::vector<double>(size));
    std::uniform_real_distribution<double> exponent(-10, 0);
    // A ring makes it irreducible; its rates too are over ten orders of magnitude.
    std::vector<std::size_t> ring(size);
    std::iota(ring.begin(), ring.end(), std::size_t{0});
    std::ranges::shuffle(ring, random);
    for (std::size_t i = 0; i < size; ++i) rates[ring[i]][ring[(i + 1) % size]] = std::pow(10, exponent(random));
    for (std::size_t k = 0; k < 2 * size; ++k) {
      const std::size_t i = random() % size;
      const std::size_t j = random() % size;
      if (i != j) rates[i][j] = std::pow(10, exponent(random));
    }
    const Chain chain = chain_of(Kind::Ctmc, rates);
    Part part;
    const Inflow inflow(chain, part, false, 1, Budget());
    std::vector<double> reward(size);
    for (std::size_t s = 0; s < size; s += 2) reward[s] = 1;
    BandOrder order;
    order.bandwidth = size - 1;
    const StationaryElimination exact = eliminate(inflow, order, reward, Budget());
    const Budget minute = Budget().with_timeout(std::chrono::minutes(1));
    const Stationary result = iterate(inflow, {}, reward, options_of(epsilon, 1), minute);
    double distance = 0;
    double value = 0;
    for (std::size_t s = 0; s < size; ++s) {
      distance += std::abs(result.vector[s] - exact.stationary[s]);
      value += reward[s] * result.vector[s];
    }
    EXPECT_NEAR(value, exact.average, epsilon) << "round " << round << ", " << result.method;
    EXPECT_LE(distance, epsilon) << "round " << round << ", " << result.method;
  }
}

TEST(ValueGroups, TakeFastValuesTogetherAndLeaveSlowOnesApart) {
  const Grid grid(30, 20);
  std::vector<StateId> local_of;
  Part part;
  part.local_of = &local_of;
  const Inflow inflow(grid.chain, part, true, 1, Budget());
  const std::vector<double> x(inflow.size(), 1 / static_cast<double>(inflow.size()));
  const ValueGroups groups = group_values(inflow, x, {&grid.chain.store, &part}, 10, Budget());
  EXPECT_LE(groups.count, inflow.size() / 5);
  EXPECT_GE(groups.count, inflow.size() / 20);
  std::map<StateId, std::int64_t> broken;
  for (StateId i = 0; i < inflow.size(); ++i) {
    const std::int64_t value = grid.chain.store.value(part.state(i), 2);
    EXPECT_EQ(broken.try_emplace(groups.group_of[i], value).first->second, value);
  }
}

TEST(Inflow, InAnyOrderIsTheTransposedChain) {
  const Grid grid(12, 9);
  std::vector<StateId> local_of;
  for (const bool is_ordered : {false, true}) {
    Part part;
    part.local_of = &local_of;
    const Inflow inflow(grid.chain, part, is_ordered, 1, Budget());
    std::map<std::pair<StateId, StateId>, double> expected;
    for (StateId s = 0; s < grid.chain.states; ++s)
      grid.chain.rows.for_each(s, [&](StateId t, double w) { expected[{s, t}] = w; });
    std::uint64_t count = 0;
    inflow.visit([&](const auto& view) {
      for (StateId j = 0; j < inflow.size(); ++j)
        for (std::uint64_t t = view.begin(j); t < view.begin(j + std::uint64_t{1}); ++t, ++count)
          EXPECT_EQ(expected.at({part.state(view.sources[t]), part.state(j)}), view.rate(t));
    });
    EXPECT_EQ(count, expected.size());
  }
}

TEST(Inflow, OfMoreStatesThanABlockOfStartsIsTheTransposedChain) {
  Chain chain;
  chain.kind = Kind::Ctmc;
  chain.states = 140'000;
  std::vector<Rows::Entry> entries;
  for (StateId s = 0; s < chain.states; ++s) {
    entries.clear();
    for (StateId k = 1; k <= 1 + s % 3; ++k) entries.push_back({(s + k) % 140'000, 1.0 * k});
    chain.rows.add_row(entries);
  }
  chain.rows.finish();
  Part part;
  const Inflow inflow(chain, part, false, 1, Budget());
  for (const StateId j : {5U, 65'535U, 65'536U, 65'537U, 131'071U, 131'072U, 139'999U}) {
    double sum = 0;
    for (std::uint64_t t = inflow.begin(j); t < inflow.begin(j + std::uint64_t{1}); ++t) sum += j - inflow.sources[t];
    double expected = 0;
    for (StateId k = 1; k <= 3; ++k)
      if ((j - k) % 3 + 1 >= k) expected += k;
    EXPECT_EQ(sum, expected) << j;
  }
  EXPECT_EQ(inflow.begin(chain.states), inflow.transitions());
}

TEST(Inflow, TellsWhetherAllStatesLeadToEachOther) {
  const auto is_irreducible = [](const Matrix& rates, StateId root) {
    const Chain chain = chain_of(Kind::Ctmc, rates);
    Part part;
    return is_surely_irreducible(Inflow(chain, part, false, 1, Budget()), root, false, Budget());
  };
  EXPECT_TRUE(is_irreducible({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, 1));
  EXPECT_TRUE(is_irreducible({{1}}, 0));
  EXPECT_FALSE(is_irreducible({{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}, 0));
  EXPECT_FALSE(is_irreducible({{0, 1, 1}, {1, 0, 0}, {0, 0, 1}}, 0));
}

TEST(SteadyState, OfAChainWithoutRowsIsThatOfTheChainWithThem) {
  int solved = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Model model = ModelGenerator(seed).model(Kind::Ctmc);
    BuildOptions options;
    BuildReport report;
    const Chain kept = build(model, Budget(), options, report);
    options.keep_rows = KeepRows::Never;
    const Chain dropped = build(model, Budget(), options, report);
    StateSet some(kept.states);
    for (StateId s = 0; s < kept.states; s += 2) some.insert(s);
    const Solution expected = steady_state(kept, some, options_of(1e-9), Budget());
    try {
      const Solution result = steady_state(dropped, some, options_of(1e-9), Budget());
      EXPECT_NEAR(result.value(0), expected.value(0), 2e-9);
      EXPECT_TRUE(result.is_guaranteed);
      ++solved;
    } catch (const UserError&) {
      // Several components.
    }
  }
  EXPECT_GT(solved, 3);
}

TEST(InflowSweep, CountsTheBytesOfWhatASweepReads) {
  const Grid grid(20, 20);
  Part part;
  const Inflow inflow(grid.chain, part, false, 1, Budget());
  const InflowSweep timing = time_inflow_sweep(inflow, 1);
  EXPECT_EQ(timing.bytes, inflow.transitions() * 5 + inflow.size() * 28);
  EXPECT_GT(timing.sweep_seconds, 0);
  EXPECT_GT(timing.stream_seconds, 0);
}

}  // namespace
}  // namespace plumb::chain
