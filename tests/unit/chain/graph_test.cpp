#include "chain/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "chain/graph_search.h"
#include "reach_chains.h"

namespace plumb::chain {
namespace {

using testing::ChainMaker;
using testing::for_each_strategy;
using testing::random_chain;
using testing::set_of;
using testing::under_strategy;

std::vector<std::vector<bool>> reachability(const Chain& chain, const StateSet* through = nullptr) {
  std::vector<std::vector<bool>> reach(chain.states, std::vector<bool>(chain.states));
  for (StateId s = 0; s < chain.states; ++s) {
    reach[s][s] = true;
    if (through && !through->contains(s)) continue;
    for (std::uint64_t row = chain.first_row(s); row < chain.first_row(s) + chain.row_count(s); ++row)
      chain.rows.for_each(row, [&](StateId target, double) { reach[s][target] = true; });
  }
  for (StateId k = 0; k < chain.states; ++k)
    for (StateId i = 0; i < chain.states; ++i)
      for (StateId j = 0; j < chain.states; ++j)
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;
  return reach;
}

Kind kind_of(int round) { return round % 2 == 0 ? Kind::Dtmc : Kind::Mdp; }

TEST(Graph, ComponentsAreMutualReachabilityAndAreNumberedFromTheBottom) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const Chain chain = random_chain(random, kind_of(round), 1 + static_cast<std::uint32_t>(random() % 12));
    const Components components = strong_components(chain, Budget());
    const auto reach = reachability(chain);
    for (StateId i = 0; i < chain.states; ++i) {
      ASSERT_LT(components.of_state[i], components.count);
      for (StateId j = 0; j < chain.states; ++j) {
        ASSERT_EQ(components.of_state[i] == components.of_state[j], reach[i][j] && reach[j][i]);
        if (reach[i][j]) {
          ASSERT_GE(components.of_state[i], components.of_state[j]);
        }
      }
    }
  }
}

TEST(Graph, BottomComponentsAreThoseThatReachNothingElse) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const Chain chain = random_chain(random, Kind::Dtmc, 1 + static_cast<std::uint32_t>(random() % 10));
    const Components components = strong_components(chain, Budget());
    const auto bottoms = bottom_components(chain, components);
    const auto reach = reachability(chain);
    for (StateId i = 0; i < chain.states; ++i) {
      bool comes_back = true;
      for (StateId j = 0; j < chain.states; ++j) comes_back &= !reach[i][j] || reach[j][i];
      ASSERT_EQ(std::ranges::count(bottoms, components.of_state[i]) == 1, comes_back);
    }
  }
}

/// Of a dtmc, by reachability: zero where no target is reached through allowed states; one where no such state is
/// reached before the target.
CertainStates certain_by_hand(const Chain& chain, const StateSet& allowed, const StateSet& target) {
  StateSet inner = allowed;
  inner &= target.complement();
  const auto reach = reachability(chain, &inner);
  CertainStates result{StateSet(chain.states), StateSet(chain.states)};
  for (StateId s = 0; s < chain.states; ++s) {
    bool hits = false;
    target.for_each([&](StateId t) { hits |= reach[s][t]; });
    if (!hits) result.zero.insert(s);
  }
  for (StateId s = 0; s < chain.states; ++s) {
    bool misses = false;
    result.zero.for_each([&](StateId z) { misses |= reach[s][z]; });
    if (!misses) result.one.insert(s);
  }
  return result;
}

TEST(Graph, CertainStatesAreThoseOfTheBestOfAllStrategies) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const Chain chain = random_chain(random, kind_of(round), 1 + static_cast<std::uint32_t>(random() % 7));
    StateSet allowed(chain.states, true);
    StateSet target(chain.states);
    for (StateId s = 0; s < chain.states; ++s) {
      if (random() % 5 == 0) allowed.erase(s);
      if (random() % 4 == 0) target.insert(s);
    }
    CertainStates all{StateSet(chain.states, true), StateSet(chain.states, true)};
    CertainStates some{StateSet(chain.states), StateSet(chain.states)};
    for_each_strategy(chain, [&](const std::vector<std::uint32_t>& strategy) {
      const CertainStates one = certain_by_hand(under_strategy(chain, strategy), allowed, target);
      all.zero &= one.zero;
      all.one &= one.one;
      some.zero |= one.zero;
      some.one |= one.one;
    });
    ASSERT_EQ(until_is_zero(chain, allowed, target, Direction::Max, Budget()), all.zero) << round;
    ASSERT_EQ(until_is_zero(chain, allowed, target, Direction::Min, Budget()), some.zero) << round;
    ASSERT_EQ(until_is_one(chain, allowed, target, Direction::Max, Budget()), some.one) << round;
    ASSERT_EQ(until_is_one(chain, allowed, target, Direction::Min, Budget()), all.one) << round;
  }
}

TEST(Graph, RowsAreAvoidedWhereAStrategyNeverComesToThem) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const Chain chain = random_chain(random, kind_of(round), 1 + static_cast<std::uint32_t>(random() % 7));
    StateSet rows(chain.rows.size());
    for (StateId row = 0; row < chain.rows.size(); ++row)
      if (random() % 4 == 0) rows.insert(row);
    StateSet every(chain.states, true);
    StateSet some(chain.states);
    for_each_strategy(chain, [&](const std::vector<std::uint32_t>& strategy) {
      const auto reach = reachability(under_strategy(chain, strategy));
      StateSet avoids(chain.states, true);
      for (StateId i = 0; i < chain.states; ++i)
        for (StateId j = 0; j < chain.states; ++j)
          if (reach[i][j] && rows.contains(static_cast<StateId>(chain.first_row(j) + strategy[j]))) avoids.erase(i);
      every &= avoids;
      some |= avoids;
    });
    ASSERT_EQ(can_avoid_rows(chain, rows, Direction::Min, Budget()), some);
    ASSERT_EQ(can_avoid_rows(chain, rows, Direction::Max, Budget()), every);
  }
}

/// Whether the states of a set can be kept to and all be come to from each other.
bool is_end_component(const Chain& chain, const StateSet& set) {
  ChainMaker maker(Kind::Mdp);
  for (StateId s = 0; s < chain.states; ++s) {
    testing::Row targets{{s, 1}};
    bool can_stay = !set.contains(s);
    for (std::uint64_t row = chain.first_row(s); row < chain.first_row(s) + chain.row_count(s) && set.contains(s);
         ++row) {
      bool stays = true;
      chain.rows.for_each(row, [&](StateId target, double) { stays &= set.contains(target); });
      can_stay |= stays;
      if (stays) chain.rows.for_each(row, [&](StateId target, double) { targets.push_back({target, 1}); });
    }
    if (!can_stay) return false;
    maker.state({targets});
  }
  const auto reach = reachability(maker.finish());
  bool connected = true;
  set.for_each([&](StateId i) { set.for_each([&](StateId j) { connected &= reach[i][j]; }); });
  return connected;
}

TEST(Graph, EndComponentsAreTheGreatestSetsThatCanBeKeptTo) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const Chain chain = random_chain(random, Kind::Mdp, 1 + static_cast<std::uint32_t>(random() % 7));
    StateSet within(chain.states);
    for (StateId s = 0; s < chain.states; ++s)
      if (random() % 5 != 0) within.insert(s);
    std::vector<std::uint32_t> masks;
    for (std::uint32_t mask = 1; mask < 1U << chain.states; ++mask) {
      StateSet set(chain.states);
      for (StateId s = 0; s < chain.states; ++s)
        if (mask >> s & 1) set.insert(s);
      StateSet inside = set;
      inside &= within;
      if (inside == set && is_end_component(chain, set)) masks.push_back(mask);
    }
    std::set<std::uint32_t> expected;
    for (const std::uint32_t mask : masks)
      if (std::ranges::none_of(masks, [&](std::uint32_t other) { return other != mask && (mask & other) == mask; }))
        expected.insert(mask);
    std::set<std::uint32_t> found;
    for (const EndComponent& component : maximal_end_components(chain, within, Budget())) {
      std::uint32_t mask = 0;
      for (const StateId s : component.states) mask |= 1U << s;
      found.insert(mask);
      for (const std::uint64_t row : component.rows)
        chain.rows.for_each(row, [&](StateId target, double) { ASSERT_TRUE(mask >> target & 1); });
    }
    ASSERT_EQ(found, expected) << round;
  }
}

TEST(Graph, EndComponentsWithoutSomeRowsAreThoseOfTheMdpThatLacksThem) {
  ChainMaker maker(Kind::Mdp);
  maker.state({{{1, 1}}, {{2, 1}}}).state({{{0, 1}}}).state({{{0, 1}}, {{2, 1}}});
  const Chain chain = maker.finish();
  StateSet excluded(chain.rows.size());
  excluded.insert(1);
  const auto components = maximal_end_components(chain, StateSet(3, true), Budget(), &excluded);
  ASSERT_EQ(components.size(), 2U);
  EXPECT_EQ(components[0].states, (std::vector<StateId>{0, 1}));
  EXPECT_EQ(components[0].rows, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(components[1].states, (std::vector<StateId>{2}));
}

TEST(Graph, APathOfAMillionStatesTakesNoStack) {
  constexpr StateId kStates = 1'000'000;
  ChainMaker maker(Kind::Dtmc);
  for (StateId s = 0; s < kStates; ++s) maker.state({{{(s + 1) % kStates, 0.5}, {s, 0.5}}});
  const Chain ring = maker.finish();
  EXPECT_EQ(strong_components(ring, Budget()).count, 1U);
  EXPECT_EQ(until_is_one(ring, StateSet(kStates, true), set_of(ring, {7}), Direction::Max, Budget()).count(), kStates);
}

}  // namespace
}  // namespace plumb::chain
