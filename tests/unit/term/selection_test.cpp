#include "term/selection.h"

#include <gtest/gtest.h>

#include <random>

#include "term/evaluator.h"

namespace plumb::term {
namespace {

TEST(Selection, TheElementOfEveryIndexIsSelectedAmongAnyNumber) {
  TermStore store;
  const Term index = store.variable(8, "i");
  for (std::uint64_t count = 1; count <= 20; ++count) {
    for (const std::uint32_t low : {0U, 2U}) {
      std::vector<Term> elements;
      for (std::uint64_t i = 0; i < count; ++i) elements.push_back(store.constant(16, i * 977));
      const Term selected = select_by_bits(store, index, elements, low);
      for (std::uint64_t i = 0; i < count; ++i) {
        const Assignment assignment{{index, BitVector(8, i << low)}};
        Evaluator evaluator(store, assignment);
        EXPECT_EQ(evaluator.bits(selected).to_uint64(), i * 977);
        for (std::uint64_t k = 0; k < count; ++k)
          EXPECT_EQ(evaluator.is_true(is_element(store, index, k, count, low)), i == k);
      }
    }
  }
}

TEST(Selection, TablesWithFewDifferentElementsHaveFewTerms) {
  TermStore store;
  std::vector<Term> table;
  for (std::uint64_t i = 0; i < 1024; ++i) table.push_back(store.constant(8, i % 4 == 0 ? i / 256 : 0));
  const Term index = store.variable(64, "i");
  const std::uint32_t before = store.size();
  select_by_bits(store, index, std::move(table));
  EXPECT_LT(store.size() - before, 64U);
}

TEST(LowBits, ShapesOfOffsetsShowThem) {
  TermStore store;
  const Term x = store.variable(32, "x");
  const auto number = [&](std::uint64_t n) { return store.constant(64, n); };
  const Term index = store.sign_extend(x, 64);
  const Term scaled = store.mul(index, number(12));
  EXPECT_EQ(known_low_bits(store, scaled).count, 2U);
  EXPECT_EQ(known_low_bits(store, store.add(scaled, number(7))).value, 3U);
  EXPECT_EQ(known_low_bits(store, store.shl(index, number(3))).count, 3U);
  EXPECT_EQ(known_low_bits(store, store.bit_and(index, number(~std::uint64_t{15}))).count, 4U);
  const Term chosen = store.ite(store.variable(1, "c"), store.add(scaled, number(8)), number(20));
  EXPECT_EQ(known_low_bits(store, chosen).count, 2U);
  EXPECT_EQ(known_low_bits(store, index).count, 0U);
}

TEST(LowBits, EveryAssignmentHasThem) {
  std::mt19937_64 random(11);
  int known = 0;
  for (int round = 0; round < 3000; ++round) {
    TermStore store;
    const std::array variables{store.variable(8, "x"), store.variable(8, "y")};
    Term built = variables[0];
    for (int i = 0; i < 3; ++i) {
      const Term other = store.constant(8, random() % 64);
      built = random() % 2 == 0 ? store.mul(built, other) : store.add(store.shl(built, store.constant(8, 1)), other);
      if (random() % 3 == 0) built = store.ite(store.bit(variables[1], 2), built, other);
      if (random() % 3 == 0) built = store.bit_and(built, store.constant(8, random()));
      if (random() % 3 == 0) built = store.extract(store.concat(built, store.zero(2)), 7, 0);
    }
    const LowBits low = known_low_bits(store, built);
    known += low.count > 0 ? 1 : 0;
    for (int i = 0; i < 8; ++i) {
      const Assignment assignment{{variables[0], BitVector(8, random())}, {variables[1], BitVector(8, random())}};
      const std::uint64_t value = Evaluator(store, assignment).bits(built).to_uint64();
      ASSERT_EQ(value & ((std::uint64_t{1} << low.count) - 1), low.value);
    }
  }
  EXPECT_GT(known, 1000);
}

}  // namespace
}  // namespace plumb::term
