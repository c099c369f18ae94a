#include "chain/build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chain/composition.h"
#include "unit/chain/naive_explorer.h"
#include "unit/chain/random_model.h"

namespace plumb::chain {
namespace {

using Flat = std::vector<std::pair<std::vector<std::pair<NaiveExplorer::State, double>>, std::vector<double>>>;

/// Rows in an order of their own, with weights that rounding cannot tell apart made equal.
Flat sorted(std::vector<NaiveExplorer::Row> rows) {
  const auto rounded = [](double x) { return std::round(x * 1e9) / 1e9; };
  Flat result;
  for (NaiveExplorer::Row& row : rows) {
    auto& [targets, rewards] = result.emplace_back();
    for (const auto& [target, weight] : row.targets) targets.emplace_back(target, rounded(weight));
    for (const double reward : row.rewards) rewards.push_back(rounded(reward));
  }
  std::ranges::sort(result);
  return result;
}

NaiveExplorer::Explored read(const Model& model, const Chain& chain) {
  NaiveExplorer::Explored result;
  const auto state = [&](StateId s) {
    NaiveExplorer::State values;
    for (std::size_t v = 0; v < model.variables.size(); ++v) values.push_back(chain.store.value(s, v));
    return values;
  };
  for (StateId s = 0; s < chain.states; ++s) {
    std::vector<NaiveExplorer::Row>& rows = result.rows[state(s)];
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t i = first; i < first + chain.row_count(s); ++i) {
      NaiveExplorer::Row& row = rows.emplace_back();
      chain.rows.for_each(i, [&](StateId target, double weight) { row.targets[state(target)] += weight; });
      for (const Chain::Rewards& rewards : chain.rewards)
        row.rewards.push_back(rewards.rows.size() == 0 ? 0 : rewards.rows[i]);
    }
    for (const Chain::Rewards& rewards : chain.rewards)
      result.state_rewards[state(s)].push_back(rewards.states.size() == 0 ? 0 : rewards.states[s]);
    if (chain.deadlocks.contains(s)) result.deadlocks.insert(state(s));
  }
  return result;
}

Chain explored(const Model& model, unsigned threads) {
  BuildOptions options;
  options.threads = threads;
  options.keep_actions = true;
  BuildReport report;
  return build(model, Budget(), options, report);
}

TEST(Build, FindsTheStatesRowsAndRewardsOfANaiveExplorer) {
  std::size_t states = 0;
  std::size_t synchronised = 0;
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
      const Model model = ModelGenerator(seed).model(kind);
      const Chain chain = explored(model, 1);
      const NaiveExplorer::Explored expected = NaiveExplorer(model).run();
      const NaiveExplorer::Explored found = read(model, chain);
      ASSERT_EQ(found.rows.size(), expected.rows.size()) << to_string(kind) << " seed " << seed;
      for (const auto& [state, rows] : expected.rows) {
        ASSERT_TRUE(found.rows.contains(state));
        ASSERT_EQ(sorted(found.rows.at(state)), sorted(rows)) << to_string(kind) << " seed " << seed;
        ASSERT_EQ(found.state_rewards.at(state), expected.state_rewards.at(state));
      }
      ASSERT_EQ(found.deadlocks, expected.deadlocks);
      states += expected.rows.size();
      for (const Synchronisation& move : synchronisations(model)) synchronised += move.participants.size() > 1;
    }
  EXPECT_GT(states, 5000U);
  EXPECT_GT(synchronised, 300U);
}

/// Variables have more values than are ever reached, so that guards are computed in each state and effects looked up.
Model widened(Model model) {
  for (Variable& variable : model.variables) {
    variable.low -= 300;
    variable.high += 300;
  }
  return model;
}

TEST(Build, FindsTheSameWhereVariablesCouldHaveMoreValues) {
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const Model model = widened(ModelGenerator(seed).model(kind));
      const NaiveExplorer::Explored expected = NaiveExplorer(model).run();
      const NaiveExplorer::Explored found = read(model, explored(model, 2));
      ASSERT_EQ(found.rows.size(), expected.rows.size()) << to_string(kind) << " seed " << seed;
      for (const auto& [state, rows] : expected.rows) {
        ASSERT_TRUE(found.rows.contains(state));
        ASSERT_EQ(sorted(found.rows.at(state)), sorted(rows)) << to_string(kind) << " seed " << seed;
      }
      ASSERT_EQ(found.deadlocks, expected.deadlocks);
    }
}

TEST(Build, DoesNotDependOnTheNumberOfThreads) {
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const Model model = ModelGenerator(seed).model(kind);
      const Chain one = explored(model, 1);
      const Chain three = explored(model, 3);
      ASSERT_EQ(one.states, three.states);
      ASSERT_EQ(one.rows.transitions(), three.rows.transitions());
      for (StateId s = 0; s < one.states; ++s) ASSERT_EQ(describe(one, model, s), describe(three, model, s));
      for (std::uint64_t t = 0; t < one.rows.transitions(); ++t) {
        ASSERT_EQ(one.rows.target(t), three.rows.target(t));
        ASSERT_EQ(one.rows.weight(t), three.rows.weight(t));
      }
      for (std::uint64_t row = 0; row < one.rows.size(); ++row) {
        ASSERT_EQ(one.rows.count(row), three.rows.count(row));
        if (kind == Kind::Mdp) {
          ASSERT_EQ(one.actions[row], three.actions[row]);
        }
      }
    }
}

TEST(Build, StopsAtItsLimitWithTheNumberOfStatesReached) {
  Model model;
  model.kind = Kind::Mdp;
  Variable x;
  x.name = "x";
  x.high = 1'000'000;
  x.component = 0;
  model.variables.push_back(x);
  Command up;
  const Expression value = model.expressions.variable(0, Type::Int);
  up.guard = model.expressions.make(Op::Less, value, model.expressions.integer(x.high));
  up.alternatives.push_back(
      {model.expressions.real(1), {{0, model.expressions.make(Op::Add, value, model.expressions.integer(1)), {}}}, {}});
  model.components.push_back({"m", {}});
  model.components[0].commands.push_back(std::move(up));
  BuildOptions options;
  options.threads = 1;
  options.max_states = 1000;
  BuildReport report;
  EXPECT_THROW(build(model, Budget(), options, report), OutOfBudget);
  EXPECT_GT(report.states, 1000U);
  EXPECT_LT(report.states, 100'000U);
  const Budget cancelled;
  cancelled.cancel();
  options.max_states = ~std::uint64_t{0};
  EXPECT_THROW(build(model, cancelled, options, report), OutOfBudget);
}

}  // namespace
}  // namespace plumb::chain
