// Random chains through check(): intervals against fractions, path operators against linear temporal logic, values
// against simulated paths.

#include <cmath>
#include <limits>

#include "chain/exact/fraction.h"
#include "chain/simulate.h"
#include "unit/lang/prism/random_models.h"

namespace plumb::prism {
namespace {

using chain::Kind;
using Method = chain::AnalysisOptions::Method;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// P=? of a dtmc, Pmin=? or Pmax=? of an mdp, in turns.
std::string query(char letter, Kind kind, std::uint32_t turn) {
  const std::string which = kind == Kind::Mdp ? (turn % 2 == 0 ? "min" : "max") : "";
  return letter == 'R' ? "R{\"r\"}" + which + "=? " : "P" + which + "=? ";
}

TEST(RandomCheck, IntervalsOfNestedPropertiesContainTheRationalResult) {
  const std::vector<std::string> inner = {"P>=0.5 [ X \"b\" ]", "P>0 [ F \"c\" ]", "P<0.75 [ \"a\" U \"b\" ]",
                                          "(\"a\" | P>=1 [ F \"b\" ])"};
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Kind kind = seed % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const RandomModel model(kind, 2 + seed % 11, seed);
    const std::string& part = inner[seed % inner.size()];
    const std::vector<std::string> properties = {
        query('P', kind, seed) + "[ F (\"a\" & " + part + ") ]",
        query('P', kind, seed / 2) + "[ !\"c\" U " + part + " ]",
        query('P', kind, seed / 3) + "[ G (\"b\" | " + part + ") ]",
        query('R', kind, seed) + "[ F (\"a\" | " + part + ") ]",
        "filter(max, " + query('P', kind, seed) + "[ F " + part + " ], !\"c\" | \"init\")",
        "filter(min, " + query('R', kind, seed) + "[ F \"b\" ], " + part + " | \"init\")",
        query('P', kind, seed) + "[ (F \"a\") & (G F " + part + ") ]",
    };
    for (const std::string& property : properties) {
      const chain::Bounded exact = model.number(property, with_method(Method::Exact));
      ASSERT_TRUE(exact.high == exact.low || exact.high - exact.low <= 1e-15 * std::max(1.0, exact.high)) << property;
      const double epsilon = seed % 3 == 0 ? 1e-9 : 1e-4;
      for (const Method method : {Method::Automatic, Method::Interval, Method::Policy}) {
        const chain::Bounded found = model.number(property, with_method(method, epsilon));
        ASSERT_TRUE(found.is_guaranteed);
        ASSERT_LE(found.low, exact.high) << seed << " " << property;
        ASSERT_GE(found.high, exact.low) << seed << " " << property;
        if (std::isfinite(exact.value)) {
          ASSERT_LE(found.high - found.low, 1.01 * epsilon * std::max(1.0, exact.value)) << seed << " " << property;
        }
      }
    }
  }
}

TEST(RandomCheck, PathOperatorsAgreeWithLinearTemporalLogic) {
  // "X false" never holds, and makes a path formula of what it is added to.
  const auto as_path = [](const std::string& name) { return "(" + name + " | X false)"; };
  const std::vector<std::string> unary = {"F",   "G",    "F<=3", "G<=2", "F[1,4]", "G[2,3]",
                                          "F=2", "F>=2", "G<3",  "F>1",  "X"};
  const std::vector<std::string> binary = {"U", "W", "R", "U<=3", "W<=3", "R<=2", "U[1,3]", "R[1,2]", "U>=2", "W>=1"};
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Kind kind = seed % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const RandomModel model(kind, 2 + seed % 7, 1000 + seed);
    const auto compare = [&](const std::string& one, const std::string& other) {
      const chain::CheckOptions narrow = with_method(Method::Automatic, 1e-9);
      const chain::Bounded direct = model.number(query('P', kind, seed / 2) + "[ " + one + " ]", narrow);
      const chain::Bounded by_logic = model.number(query('P', kind, seed / 2) + "[ " + other + " ]", narrow);
      EXPECT_NEAR(direct.value, by_logic.value, 2e-9) << seed << " " << one;
      EXPECT_LE(direct.low, by_logic.high + 1e-15) << seed << " " << one;
      EXPECT_GE(direct.high, by_logic.low - 1e-15) << seed << " " << one;
    };
    for (const std::string& sign : unary) compare(sign + " \"a\"", sign + " " + as_path("\"a\""));
    for (const std::string& sign : binary)
      compare("\"a\" " + sign + " \"b\"", as_path("\"a\"") + " " + sign + " " + as_path("\"b\""));
    compare("F \"a\"", "!(G !\"a\") & (\"b\" => F \"a\")");
    compare("\"a\" W \"b\"", "(\"a\" U \"b\") | G \"a\"");
    compare("\"a\" R \"b\"", "!(!\"a\" U !\"b\")");
    if (HasFailure()) return;
  }
}

TEST(RandomCheck, RewardsUpToAFormulaAgreeWithRewardsUpToStates) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Kind kind = seed % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const RandomModel model(kind, 2 + seed % 6, 2000 + seed);
    const chain::Bounded direct = model.number(query('R', kind, seed / 2) + "[ F \"a\" ]");
    const chain::Bounded by_logic = model.number(query('R', kind, seed / 2) + "[ F (\"a\" | X false) ]");
    if (std::isinf(direct.value))
      EXPECT_EQ(by_logic.value, kInfinity) << seed;
    else
      EXPECT_NEAR(direct.value, by_logic.value, 2e-6 * (1 + direct.value)) << seed;
  }
}

TEST(RandomCheck, SimulatedPathsAgreeWithTheValues) {
  for (std::uint32_t seed = 0; seed < 18; ++seed) {
    const Kind kind = seed % 3 == 0 ? Kind::Dtmc : seed % 3 == 1 ? Kind::Ctmc : Kind::Mdp;
    const RandomModel model(kind, 4 + seed % 4, 3000 + seed);
    const std::string which = kind == Kind::Mdp ? (seed % 2 == 0 ? "min" : "max") : "";
    const chain::StateSet all(model.chain.states, true);
    chain::CheckOptions options;
    options.analysis.want_strategy = kind == Kind::Mdp;
    chain::SimulationOptions simulation;
    simulation.seed = seed;
    simulation.paths = 3000;
    simulation.max_steps = 600;  // these chains forget in a few dozen
    const auto compare = [&](const std::string& property, const auto& simulate) {
      const chain::PropertyResult result = model.check(property, options);
      const double value = std::get<chain::Bounded>(result.value).value;
      if (std::isinf(value)) return;
      ASSERT_TRUE(kind != Kind::Mdp || result.strategy.size() == model.chain.states) << property;
      simulation.strategy = kind == Kind::Mdp ? &result.strategy : nullptr;
      const chain::Estimate estimate = simulate();
      EXPECT_NEAR(estimate.mean, value, estimate.half_width) << seed << " " << property;
    };
    compare("P" + which + "=? [ !\"c\" U \"a\" ]", [&] {
      return chain::simulate_until(model.chain, 0, model.labels[2].complement(), model.labels[0], {0, kInfinity},
                                   simulation, Budget());
    });
    compare("R{\"r\"}" + which + "=? [ F \"b\" ]", [&] {
      return chain::simulate_reward(model.chain, 0, 0, model.labels[1], kInfinity, simulation, Budget());
    });
    if (kind == Kind::Mdp) continue;  // the best choice depends on the time that is left
    compare("P=? [ F[1,3] \"a\" ]",
            [&] { return chain::simulate_until(model.chain, 0, all, model.labels[0], {1, 3}, simulation, Budget()); });
    compare("R{\"r\"}=? [ C<=3 ]", [&] {
      return chain::simulate_reward(model.chain, 0, 0, chain::StateSet(model.chain.states), 3, simulation, Budget());
    });
  }
}

TEST(RandomCheck, LumpingChangesNoValue) {
  chain::CheckOptions lumped;
  lumped.lumping = chain::CheckOptions::Lumping::On;
  chain::CheckOptions plain;
  plain.lumping = chain::CheckOptions::Lumping::Off;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Kind kind = seed % 3 == 0 ? Kind::Dtmc : seed % 3 == 1 ? Kind::Ctmc : Kind::Mdp;
    RandomModel model(kind, 3 + seed % 5, 4000 + seed);
    model.chain = chain::blown_up(model.chain, 3);
    for (std::size_t i = 0; i < model.labels.size(); ++i)
      model.chain.labels.emplace_back(std::string(1, static_cast<char>('a' + i)), chain::blown_up(model.labels[i], 3));
    for (const std::string& property :
         {query('P', kind, seed) + "[ !\"c\" U \"a\" ]", query('R', kind, seed) + "[ F \"b\" ]",
          query('P', kind, seed) + "[ F<=2 (\"a\" & P>0.4 [ X \"b\" ]) ]", query('P', kind, seed) + "[ G F \"c\" ]",
          "filter(max, " + query('R', kind, seed) + "[ C<=2 ], \"a\" | \"init\")"}) {
      const chain::Bounded a = model.number(property, lumped);
      const chain::Bounded b = model.number(property, plain);
      if (std::isinf(b.value))
        EXPECT_EQ(a.value, b.value) << seed << " " << property;
      else
        EXPECT_NEAR(a.value, b.value, 2e-6 * (1 + b.value)) << seed << " " << property;
      EXPECT_LE(a.low, b.high) << seed << " " << property;
      EXPECT_GE(a.high, b.low) << seed << " " << property;
    }
  }
}

}  // namespace
}  // namespace plumb::prism
