#include "chain/build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "chain/composition.h"
#include "unit/chain/naive_explorer.h"

namespace plumb::chain {
namespace {

/// Models of two to four components of one or two variables, with shared actions and a random composition.
class ModelGenerator {
 public:
  explicit ModelGenerator(std::uint32_t seed) : random_(seed) {}

  Model model(Kind kind) {
    Model m;
    m.kind = kind;
    m.actions = {"", "a", "b", "c", "d"};
    const std::uint32_t components = 2 + pick(3);
    for (std::uint32_t c = 0; c < components; ++c) {
      m.components.push_back({"m" + std::to_string(c), {}});
      for (std::uint32_t i = 0, n = 1 + pick(2); i < n; ++i) {
        Variable variable;
        variable.name = "v" + std::to_string(m.variables.size());
        variable.low = static_cast<int>(pick(3)) - 1;
        variable.high = variable.low + 1 + pick(3);
        variable.initial = variable.low;
        variable.component = c;
        m.variables.push_back(variable);
      }
    }
    for (std::uint32_t c = 0; c < components; ++c)
      for (std::uint32_t i = 0, n = 2 + pick(3); i < n; ++i) m.components[c].commands.push_back(command(m, c));
    add_composition(m);
    for (std::size_t r = 0; r < 2; ++r) {
      RewardStructure structure{"r" + std::to_string(r), {}};
      structure.items.push_back({condition(m), weight(m), std::nullopt, {}});
      structure.items.push_back({condition(m), weight(m), pick(4), {}});
      structure.items.push_back({condition(m), weight(m), 0, {}});
      m.rewards.push_back(structure);
    }
    return m;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  Expression any_variable(Model& m) {
    return m.expressions.variable(pick(static_cast<std::uint32_t>(m.variables.size())), Type::Int);
  }
  Expression constant(Model& m) { return m.expressions.integer(static_cast<int>(pick(5)) - 1); }

  Expression condition(Model& m) {
    ExpressionPool& pool = m.expressions;
    switch (pick(6)) {
      case 0:
        return pool.boolean(true);
      case 1:
        return pool.make(Op::LessEqual, any_variable(m), constant(m));
      case 2:
        return pool.make(Op::Less, constant(m), any_variable(m));
      case 3:
        return pool.make(Op::Not, pool.make(Op::Equal, any_variable(m), constant(m)));
      case 4:
        return pool.make(Op::And, pool.make(Op::LessEqual, any_variable(m), constant(m)),
                         pool.make(Op::LessEqual, constant(m), any_variable(m)));
      default:
        return pool.make(Op::Less, any_variable(m), pool.make(Op::Add, any_variable(m), constant(m)));
    }
  }
  Expression weight(Model& m) {
    ExpressionPool& pool = m.expressions;
    const Expression base = pool.real(0.5 * (1 + pick(4)));
    if (pick(3) != 0) return base;
    return pool.make(Op::Multiply, base, pool.to_double(pool.make(Op::Max, any_variable(m), pool.integer(0))));
  }
  Expression new_value(Model& m, std::uint32_t variable) {
    ExpressionPool& pool = m.expressions;
    const Variable& v = m.variables[variable];
    const auto span = static_cast<std::uint32_t>(v.high - v.low + 1);
    if (pick(2) == 0) return pool.integer(v.low + pick(span));
    const Expression moved = pool.make(Op::Add, any_variable(m), pool.integer(static_cast<int>(pick(3)) - 1));
    return pool.make(Op::Min, pool.make(Op::Max, moved, pool.integer(v.low)), pool.integer(v.high));
  }
  Command command(Model& m, std::uint32_t component) {
    Command result;
    result.action = pick(4);
    result.guard = condition(m);
    const std::uint32_t alternatives = 1 + pick(3);
    for (std::uint32_t i = 0; i < alternatives; ++i) {
      Alternative alternative;
      constexpr double kParts[3][3] = {{1, 0, 0}, {0.25, 0.75, 0}, {0.5, 0.25, 0.25}};
      alternative.weight = m.kind == Kind::Ctmc ? weight(m) : m.expressions.real(kParts[alternatives - 1][i]);
      for (std::uint32_t v = 0; v < m.variables.size(); ++v)
        if (m.variables[v].component == component && pick(2) == 0)
          alternative.assignments.push_back({v, new_value(m, v), {}});
      result.alternatives.push_back(std::move(alternative));
    }
    return result;
  }

  void add_composition(Model& m) {
    using Shape = Composition::Kind;
    std::vector<std::uint32_t> open;
    const auto add = [&](Shape kind, std::vector<std::uint32_t> operands) {
      Composition node;
      node.kind = kind;
      node.operands = std::move(operands);
      if (kind == Shape::On || kind == Shape::Hide) node.actions = {1 + pick(3), 4};
      if (kind == Shape::Rename) {
        node.actions = {1, 2};
        node.renamed = {1 + pick(4), 1 + pick(4)};
      }
      m.composition.push_back(node);
      return static_cast<std::uint32_t>(m.composition.size() - 1);
    };
    for (std::uint32_t c = 0; c < m.components.size(); ++c) {
      const std::uint32_t node = add(Shape::Leaf, {});
      m.composition[node].component = c;
      open.push_back(pick(3) == 0 ? add(pick(2) == 0 ? Shape::Hide : Shape::Rename, {node}) : node);
    }
    while (open.size() > 1) {
      const std::uint32_t b = open.back();
      open.pop_back();
      const std::uint32_t a = open.back();
      open.pop_back();
      constexpr Shape kShapes[] = {Shape::Full, Shape::Full, Shape::Interleaved, Shape::On};
      open.push_back(add(kShapes[pick(4)], {a, b}));
    }
  }

  std::mt19937 random_;
};

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
