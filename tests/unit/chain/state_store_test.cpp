#include "chain/state_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "chain/offsets.h"
#include "chain/value_column.h"

namespace plumb::chain {
namespace {

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
    std::map<std::vector<std::uint64_t>, StateId> expected;
    std::mt19937_64 random(7);
    std::vector<std::uint64_t> state(layout.words());
    for (int i = 0; i < 60000; ++i) {
      for (std::size_t v = 0; v < 3; ++v) layout.set(state.data(), v, static_cast<std::int64_t>(random() % 30));
      const auto [place, is_new] = expected.try_emplace(state, static_cast<StateId>(expected.size()));
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

TEST(NarrowArray, WidensWithoutLosingAnything) {
  std::mt19937 random(3);
  for (const std::uint32_t limit : {200U, 60'000U, 4'000'000'000U}) {
    NarrowArray array;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 5000; ++i) {
      // Small numbers first, so that it has to widen on the way.
      expected.push_back(static_cast<std::uint32_t>(random()) % (i < 1000 ? 100 : limit));
      array.push_back(expected.back());
    }
    array.shrink();
    ASSERT_EQ(array.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(array[i], expected[i]);
    EXPECT_EQ(array.bytes(), expected.size() * (limit <= 256 ? 1 : limit <= 65536 ? 2 : 4));
  }
}

TEST(Offsets, AreTheSumsOfTheCounts) {
  std::mt19937 random(5);
  Offsets offsets;
  std::vector<std::uint64_t> begins{0};
  EXPECT_EQ(offsets.begin(0), 0U);
  for (int i = 0; i < 3000; ++i) {
    const auto count = static_cast<std::uint32_t>(random() % (i < 2000 ? 5 : 70'000));
    offsets.push_back(count);
    begins.push_back(begins.back() + count);
  }
  for (std::size_t i = 0; i < begins.size(); ++i) ASSERT_EQ(offsets.begin(i), begins[i]);
  EXPECT_EQ(offsets.total(), begins.back());
}

TEST(ValueColumn, KeepsEachDistinctValueOnce) {
  std::mt19937 random(9);
  ValueColumn column;
  std::vector<double> expected;
  for (int i = 0; i < 10000; ++i) {
    expected.push_back(static_cast<double>(random() % 300) / 7);
    column.push_back(expected.back());
  }
  column.push_back(-0.0);
  column.finish();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(column[i], expected[i]);
  EXPECT_TRUE(std::signbit(column[10000])) << "by bit pattern";
  EXPECT_EQ(column.distinct().size(), 301U);
  EXPECT_FALSE(column.is_all_zero());
}

}  // namespace
}  // namespace plumb::chain
