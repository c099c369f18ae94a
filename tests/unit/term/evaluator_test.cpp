#include "term/evaluator.h"

#include <gtest/gtest.h>

#include <array>

namespace plumb::term {
namespace {

ArrayValue array_of(std::uint32_t index_width, std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> elements,
                    std::uint64_t otherwise = 0) {
  ArrayValue a{index_width, BitVector(8, otherwise), {}};
  for (const auto& [i, v] : elements) a.elements.emplace(BitVector(index_width, i), BitVector(8, v));
  return a;
}

TEST(Evaluator, VariablesWithoutAValueAreZero) {
  TermStore s;
  const Assignment assignment;
  Evaluator evaluator(s, assignment);
  EXPECT_EQ(evaluator.bits(s.variable(70, "x")), BitVector(70, 0));
  const Term a = s.variable(Sort{8, 4}, "a");
  EXPECT_EQ(evaluator.bits(s.select(a, s.variable(4, "i"))), BitVector(8, 0));
  EXPECT_EQ(std::get<ArrayValue>(evaluator.value(a)), array_of(4, {}));
}

TEST(Evaluator, ForgetsOnClearAlone) {
  TermStore s;
  const Term x = s.variable(8, "x");
  const Term square = s.mul(x, x);
  Assignment assignment{{x, BitVector(8, 3)}};
  Evaluator evaluator(s, assignment);
  EXPECT_EQ(evaluator.bits(square), BitVector(8, 9));
  assignment[x] = BitVector(8, 4);
  EXPECT_EQ(evaluator.bits(square), BitVector(8, 9));
  evaluator.clear();
  EXPECT_EQ(evaluator.bits(square), BitVector(8, 16));
}

TEST(Evaluator, ReadsThroughStoresChoicesAndConstants) {
  TermStore s;
  const Term a = s.variable(Sort{8, 4}, "a");
  const Term i = s.variable(4, "i");
  const Term j = s.variable(4, "j");
  const Term p = s.variable(1, "p");
  const Term x = s.variable(8, "x");
  const Term stored = s.store(a, i, x);
  const Term filled = s.store(s.constant_array(4, x), i, s.constant(8, 9));
  const Term chosen = s.ite(p, stored, filled);
  const Term read = s.select(chosen, j);
  for (std::uint64_t vi = 0; vi < 16; ++vi) {
    for (std::uint64_t vj = 0; vj < 16; ++vj) {
      for (const std::uint64_t vp : {0U, 1U}) {
        const ArrayValue content = array_of(4, {{1, 11}, {2, 22}, {5, 55}}, 77);
        const Assignment assignment{
            {a, content}, {i, BitVector(4, vi)}, {j, BitVector(4, vj)}, {p, BitVector(1, vp)}, {x, BitVector(8, 200)}};
        Evaluator evaluator(s, assignment);
        const BitVector of_a = vi == vj ? BitVector(8, 200) : content.at(BitVector(4, vj));
        const BitVector of_constant(8, vi == vj ? 9 : 200);
        ASSERT_EQ(evaluator.bits(read), vp == 1 ? of_a : of_constant) << vi << " " << vj << " " << vp;
        ASSERT_EQ(std::get<ArrayValue>(evaluator.value(chosen)).at(BitVector(4, vj)), vp == 1 ? of_a : of_constant);
      }
    }
  }
}

TEST(Evaluator, LaterStoresHideEarlierOnes) {
  TermStore s;
  const Term a = s.variable(Sort{8, 4}, "a");
  const Term i = s.variable(4, "i");
  const Term j = s.variable(4, "j");
  const Term t = s.store(s.store(a, i, s.constant(8, 1)), j, s.constant(8, 2));
  const Assignment assignment{{i, BitVector(4, 3)}, {j, BitVector(4, 3)}};
  Evaluator evaluator(s, assignment);
  EXPECT_EQ(evaluator.bits(s.select(t, i)), BitVector(8, 2));
  EXPECT_EQ(std::get<ArrayValue>(evaluator.value(t)), array_of(4, {{3, 2}}));
}

TEST(Evaluator, ArraysAreEqualWhenTheirElementsAre) {
  TermStore s;
  const Term a = s.variable(Sort{8, 1}, "a");
  const Term b = s.variable(Sort{8, 1}, "b");
  const Term same = s.eq(a, b);
  const Term zero = s.zero(1);
  const Term one = s.one(1);
  // Two writes cover every index, so the arrays below do not matter.
  const Term covered = s.eq(s.store(s.store(a, zero, s.constant(8, 4)), one, s.constant(8, 5)),
                            s.store(s.store(b, one, s.constant(8, 5)), zero, s.constant(8, 4)));
  const Assignment different{{a, array_of(1, {}, 1)}, {b, array_of(1, {}, 2)}};
  EXPECT_FALSE(Evaluator(s, different).is_true(same));
  EXPECT_TRUE(Evaluator(s, different).is_true(covered));
  const Assignment listed{{a, array_of(1, {{0, 7}, {1, 8}}, 1)}, {b, array_of(1, {{0, 7}}, 8)}};
  EXPECT_TRUE(Evaluator(s, listed).is_true(same));
  const Assignment partly{{a, array_of(1, {{0, 7}}, 1)}, {b, array_of(1, {{0, 7}}, 8)}};
  EXPECT_FALSE(Evaluator(s, partly).is_true(same));
  EXPECT_TRUE(Evaluator(s, Assignment{}).is_true(same));
}

TEST(Evaluator, KeepsResultsWhileTermsAreMade) {
  TermStore s;
  const Term x = s.variable(100, "x");
  const Assignment assignment{{x, BitVector(100, 5)}};
  Evaluator evaluator(s, assignment);
  Term t = x;
  BitVector expected(100, 5);
  for (std::uint64_t i = 1; i < 2000; ++i) {
    t = s.mul(s.add(t, s.constant(100, i)), x);
    expected = (expected + BitVector(100, i)) * BitVector(100, 5);
    ASSERT_EQ(evaluator.bits(t), expected);
  }
}

}  // namespace
}  // namespace plumb::term
