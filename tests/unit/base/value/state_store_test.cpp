#include "base/value/state_store.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace plumb {
namespace {

struct Variable {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

TEST(StateLayout, KeepsEveryValueOfEveryVariable) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Variable> variables(1 + random() % 12);
    for (Variable& variable : variables) {
      variable.low = static_cast<std::int64_t>(random() % 2000) - 1000;
      variable.high = variable.low + static_cast<std::int64_t>(random() >> (random() % 64)) / 2;
      if (variable.high < variable.low) variable.high = variable.low;
    }
    const StateLayout layout(variables);
    std::vector<std::uint64_t> state(layout.words());
    std::vector<std::int64_t> values(variables.size());
    for (int i = 0; i < 50; ++i) {
      const std::size_t v = random() % variables.size();
      const auto span = static_cast<std::uint64_t>(variables[v].high - variables[v].low);
      values[v] = variables[v].low + static_cast<std::int64_t>(span == ~0ULL ? random() : random() % (span + 1));
      if (i < static_cast<int>(variables.size())) continue;
      layout.set(state.data(), v, values[v]);
      EXPECT_EQ(layout.get(state.data(), v), values[v]);
    }
    for (std::size_t v = 0; v < variables.size(); ++v) layout.set(state.data(), v, variables[v].high);
    for (std::size_t v = 0; v < variables.size(); ++v) EXPECT_EQ(layout.get(state.data(), v), variables[v].high);
  }
}

TEST(StateStore, NumbersStatesAsAMapDoes) {
  for (const std::int64_t high : {std::int64_t{300}, std::int64_t{1} << 15, std::int64_t{1} << 40}) {
    std::vector<Variable> variables(3);
    for (Variable& variable : variables) variable.high = high;
    const StateLayout layout(variables);
    StateStore store(layout);
    std::map<std::vector<std::uint64_t>, StateStore::Id> expected;
    std::mt19937_64 random(7);
    std::vector<std::uint64_t> state(layout.words());
    for (int i = 0; i < 60000; ++i) {
      for (std::size_t v = 0; v < 3; ++v) layout.set(state.data(), v, static_cast<std::int64_t>(random() % 30));
      const auto [place, is_new] = expected.try_emplace(state, static_cast<StateStore::Id>(expected.size()));
      if (store.wants_to_grow(1)) store.grow(1);
      EXPECT_EQ(store.find(state.data(), layout.hash(state.data())), is_new ? StateStore::kMissing : place->second);
      const StateStore::Found found = store.find_or_insert(state.data(), layout.hash(state.data()));
      ASSERT_EQ(found.id, place->second);
      ASSERT_EQ(found.is_new, is_new);
    }
    store.drop_table();
    EXPECT_EQ(store.size(), expected.size());
    for (const auto& [words, id] : expected)
      for (std::size_t v = 0; v < 3; ++v) ASSERT_EQ(store.value(id, v), layout.get(words.data(), v));
  }
}

}  // namespace
}  // namespace plumb
