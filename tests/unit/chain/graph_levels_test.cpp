#include "chain/graph_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "chain/graph_search.h"
#include "chain/reach/local_numbers.h"
#include "chain/reach/row_list.h"
#include "reach_chains.h"

namespace plumb::chain {
namespace {

using testing::ChainMaker;
using testing::random_chain;
using testing::Row;

StateSet random_set(std::mt19937& random, std::uint64_t size, unsigned one_in) {
  StateSet set(size);
  for (std::uint64_t i = 0; i < size; ++i)
    if (random() % one_in != 0) set.insert(static_cast<StateId>(i));
  return set;
}

/// By transitions of `rows` that stay inside of `within`.
std::vector<std::vector<bool>> reachability(const Chain& chain, const StateSet& within, const StateSet& rows) {
  std::vector<std::vector<bool>> reach(chain.states, std::vector<bool>(chain.states));
  within.for_each([&](StateId s) {
    reach[s][s] = true;
    for (std::uint64_t row = chain.first_row(s); row < chain.first_row(s) + chain.row_count(s); ++row)
      if (rows.contains(static_cast<StateId>(row)))
        chain.rows.for_each(row, [&](StateId target, double) {
          if (within.contains(target)) reach[s][target] = true;
        });
  });
  for (StateId k = 0; k < chain.states; ++k)
    for (StateId i = 0; i < chain.states; ++i)
      for (StateId j = 0; j < chain.states; ++j)
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;
  return reach;
}

TEST(GraphLevels, ComponentsAreMutualReachabilityAndLeadToLowerLevels) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const Kind kind = round % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const Chain chain = random_chain(random, kind, 1 + static_cast<std::uint32_t>(random() % 14));
    const StateSet within = random_set(random, chain.states, 6);
    const StateSet rows = random_set(random, chain.rows.size(), 4);
    const ComponentLevels levels = component_levels(chain, within, round % 3 == 0 ? nullptr : &rows, Budget());
    const auto reach = reachability(chain, within, round % 3 == 0 ? StateSet(chain.rows.size(), true) : rows);
    std::vector<std::uint32_t> level(chain.states, ~0U);
    std::vector<std::uint32_t> component(chain.states, ~0U);
    std::uint32_t count = 0;
    const auto add = [&](std::span<const StateId> states, std::uint32_t at) {
      ASSERT_TRUE(std::ranges::is_sorted(states));
      for (const StateId s : states) {
        ASSERT_EQ(level[s], ~0U);
        level[s] = at;
        component[s] = count;
      }
      ++count;
    };
    for (std::uint32_t l = 0; l < levels.levels(); ++l)
      for (const StateId& s : levels.singles(l)) add({&s, 1}, l);
    for (const ComponentLevels::Group& group : levels.groups()) {
      ASSERT_GT(group.size, 1U);
      add(levels.members(group), group.level);
    }
    ASSERT_EQ(count, levels.components());
    for (StateId i = 0; i < chain.states; ++i) {
      ASSERT_EQ(level[i] != ~0U, within.contains(i));
      if (!within.contains(i)) continue;
      ASSERT_LT(level[i], levels.levels());
      for (StateId j = 0; j < chain.states; ++j) {
        if (!within.contains(j)) continue;
        ASSERT_EQ(component[i] == component[j], reach[i][j] && reach[j][i]);
        if (reach[i][j] && component[i] != component[j]) {
          ASSERT_GT(level[i], level[j]);
        }
      }
    }
  }
}

/// A path through all states in random order, with numbers that tell nothing: too slow for sweeps.
Chain shuffled_path(std::mt19937& random, std::uint32_t states, std::vector<StateId>& order) {
  order.resize(states);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, random);
  std::vector<StateId> next(states);
  for (std::uint32_t i = 0; i < states; ++i) next[order[i]] = order[std::min(i + 1, states - 1)];
  ChainMaker maker(Kind::Dtmc);
  for (std::uint32_t s = 0; s < states; ++s) maker.state({{{next[s], 1}}});
  return maker.finish();
}

TEST(GraphLevels, APathInRandomOrderHasALevelAState) {
  std::mt19937 random(2);
  std::vector<StateId> order;
  const Chain chain = shuffled_path(random, 100'000, order);
  const ComponentLevels levels = component_levels(chain, StateSet(chain.states, true), nullptr, Budget());
  ASSERT_EQ(levels.levels(), chain.states);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const auto states = levels.singles(static_cast<std::uint32_t>(order.size()) - 1 - i);
    ASSERT_EQ(states.size(), 1U);
    ASSERT_EQ(states[0], order[i]);
  }
}

TEST(GraphSearch, AClosureThatSweepsDoNotFinishIsFinishedByPredecessors) {
  std::mt19937 random(3);
  std::vector<StateId> order;
  const Chain chain = shuffled_path(random, 100'000, order);
  StateSet candidates(chain.states, true);
  candidates.erase(order[20'000]);
  StateSet set(chain.states);
  set.insert(order.back());
  close_backward(chain, candidates, set, Budget(),
                 [&](StateId, const StateRows& rows) { return set.contains(chain.rows.target(rows.begin())); });
  for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(set.contains(order[i]), i > 20'000);
}

TEST(GraphSearch, WindowsAndListsKnowWhereRowsAre) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const Kind kind = round % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const Chain chain = random_chain(random, kind, 1 + static_cast<std::uint32_t>(random() % 300));
    std::vector<StateId> states;
    for (StateId s = 0; s < chain.states; ++s)
      if (random() % 3 != 0) states.push_back(s);
    RowList list;
    list.load(chain, states);
    const auto expect_rows = [&](StateId s, const StateRows& rows) {
      ASSERT_EQ(rows.first, chain.first_row(s));
      ASSERT_EQ(rows.count, chain.row_count(s));
      for (std::uint32_t r = 0; r <= rows.count; ++r) ASSERT_EQ(rows.begins[r], chain.rows.begin(rows.first + r));
    };
    for (std::size_t i = 0; i < states.size(); ++i) expect_rows(states[i], list.rows(i));
    for (const bool descending : {false, true}) {
      std::vector<StateId> seen;
      sweep_states(
          chain, descending, Budget(), [&](StateId s) { return std::ranges::binary_search(states, s); },
          [&](StateId s, const StateRows& rows) {
            seen.push_back(s);
            expect_rows(s, rows);
          });
      if (descending) std::ranges::reverse(seen);
      ASSERT_EQ(seen, states);
    }
  }
}

TEST(GraphSearch, LocalNumbersArePlacesInTheList) {
  std::mt19937 random(5);
  for (const std::uint32_t step : {1U, 3U, 40U, 5000U}) {
    std::vector<StateId> states;
    StateId s = static_cast<StateId>(random() % 1000);
    for (int i = 0; i < 500; ++i) states.push_back(s += 1 + static_cast<StateId>(random() % step));
    const LocalNumbers numbers(states);
    std::size_t place = 0;
    for (StateId candidate = 0; candidate < states.back() + 100; ++candidate) {
      if (place < states.size() && states[place] == candidate)
        ASSERT_EQ(numbers[candidate], place++);
      else
        ASSERT_EQ(numbers[candidate], LocalNumbers::kNone);
    }
  }
}

}  // namespace
}  // namespace plumb::chain
