#include "chain/local_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "chain/weight_table.h"

namespace plumb::chain {
namespace {

Value real(double number) {
  Value value;
  value.real = number;
  return value;
}

/// Adds what `state` leads to, made up from the bits that count, and returns that.
std::vector<std::uint64_t> add(LocalTable& table, const std::vector<std::uint64_t>& state, std::uint64_t seed) {
  const std::size_t count = seed % 4;
  std::vector<std::uint32_t> weights;
  std::vector<std::uint64_t> targets;
  std::vector<std::uint64_t> expected;
  for (std::size_t t = 0; t < count; ++t) {
    weights.push_back(static_cast<std::uint32_t>(seed + t));
    expected.push_back(seed + t);
    for (const std::uint64_t word : state) {
      targets.push_back(word + seed * 7 + t);
      expected.push_back(seed * 7 + t);
    }
  }
  std::vector<SuccessorRow> rows;
  if (count > 0) rows.push_back({1, static_cast<std::uint32_t>(count)});
  const std::vector<Value> rewards(rows.size(), real(static_cast<double>(seed)));
  table.add(state.data(), rows, weights, targets.data(), rewards);
  return expected;
}

TEST(LocalTable, FindsWhatWasAddedByTheBitsThatCount) {
  constexpr std::uint64_t kFirst = 0xff0;
  constexpr std::uint64_t kSecond = 0xf;
  LocalTable table({{0, kFirst}, {1, kSecond}}, 2, 1);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::vector<std::uint64_t>, std::uint64_t>> expected;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::vector<std::uint64_t> state{random(), random()};
    const std::pair key{state[0] & kFirst, state[1] & kSecond};
    const LocalTable::Entry* entry = table.find(state.data());
    const auto known = expected.find(key);
    ASSERT_EQ(entry != nullptr, known != expected.end());
    if (!entry) {
      const std::uint64_t seed = random() % 1000;
      expected[key] = {add(table, state, seed), seed};
      continue;
    }
    const std::uint64_t* found = table.transitions(*entry);
    const auto& [transitions, seed] = known->second;
    ASSERT_EQ(std::vector<std::uint64_t>(found, found + entry->transitions * 3), transitions);
    ASSERT_EQ(entry->rows(), transitions.empty() ? 0U : 1U);
    if (!transitions.empty()) {
      ASSERT_EQ(table.rewards(*entry)[0].real, static_cast<double>(seed));
    }
  }
  EXPECT_GT(expected.size(), 4000U);
  EXPECT_TRUE(table.is_useful());
}

TEST(LocalTable, GivesUpWhereStatesSeldomAgree) {
  LocalTable table({{0, ~std::uint64_t{0}}}, 1, 0);
  std::uint64_t added = 0;
  for (; table.is_useful() && added < 1'000'000; ++added) {
    const std::vector<std::uint64_t> state{added};
    ASSERT_EQ(table.find(state.data()), nullptr);
    add(table, state, 3);
  }
  EXPECT_LT(added, 1'000'000U);
}

TEST(LocalTable, ForgetsEntriesThatPayButAreTooMany) {
  LocalTable table({{0, ~std::uint64_t{0}}}, 1, 0);
  std::uint64_t missed = 0;
  for (std::uint64_t i = 0; i < 50'000; ++i)
    for (int again = 0; again < 6; ++again) {
      const std::vector<std::uint64_t> state{i};
      const LocalTable::Entry* entry = table.find(state.data());
      missed += entry == nullptr ? 1 : 0;
      if (!entry) add(table, state, 3);
      entry = table.find(state.data());
      ASSERT_NE(entry, nullptr);
      ASSERT_EQ(entry->transitions, 3U);
    }
  EXPECT_EQ(missed, 50'000U);
  EXPECT_TRUE(table.is_useful());
  const std::vector<std::uint64_t> first{0};
  EXPECT_EQ(table.find(first.data()), nullptr) << "it should have been forgotten to stay small";
}

TEST(WeightTable, NumbersDistinctWeightsInAscendingOrderOnceSorted) {
  WeightTable table;
  WeightTable::Reader reader(table);
  std::mt19937 random(5);
  std::vector<double> given;
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < 5000; ++i) {
    given.push_back(0.25 + static_cast<double>(random() % 700));
    numbers.push_back(reader.index(real(given.back())));
    ASSERT_EQ(reader.value(numbers.back()).real, given.back());
  }
  const std::vector<std::uint32_t> renamed = table.sort();
  const std::vector<double> values = table.values();
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_EQ(values.size(), 700U);
  for (std::size_t i = 0; i < given.size(); ++i) {
    ASSERT_EQ(values[renamed[numbers[i]]], given[i]);
    ASSERT_EQ(table.index(real(given[i])), renamed[numbers[i]]);
  }
}

TEST(WeightTable, TellsFractionsApartThatAreOneAsDoubles) {
  FractionTable fractions;
  WeightTable table{Reals(&fractions)};
  const Fraction third(Natural(1), Natural(3));
  const Fraction nearly = *Fraction::of_decimal("0.333333333333333333333333");
  WeightTable::Reader reader(table);
  const std::uint32_t first = reader.index(fractions.number(third));
  const std::uint32_t second = reader.index(fractions.number(nearly));
  EXPECT_NE(first, second);
  const std::vector<std::uint32_t> renamed = table.sort();
  EXPECT_EQ(table.fractions(), (std::vector<Fraction>{nearly, third}));
  EXPECT_EQ(table.values(), (std::vector<double>{1.0 / 3, 1.0 / 3}));
  EXPECT_EQ(renamed[first], 1U);
}

}  // namespace
}  // namespace plumb::chain
