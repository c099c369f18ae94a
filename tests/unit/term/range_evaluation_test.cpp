#include "term/range_evaluation.h"

#include <gtest/gtest.h>

#include <random>

#include "term/evaluator.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kWidth = 4;

class Generator {
 public:
  Generator(TermStore& store, std::uint32_t seed) : store_(store), random_(seed) {
    for (const char* name : {"x", "y"}) variables.push_back(store.variable(kWidth, name));
  }

  std::vector<Term> variables;

  Term word(int depth) {
    if (depth == 0) return pick(3) == 0 ? store_.constant(kWidth, pick(16)) : variables[pick(2)];
    const Term a = word(depth - 1);
    const Term b = word(depth - 1);
    switch (pick(9)) {
      case 0:
        return store_.add(a, b);
      case 1:
        return store_.sub(a, b);
      case 2:
        return store_.mul(a, b);
      case 3:
        return store_.bit_and(a, b);
      case 4:
        return store_.bit_xor(a, b);
      case 5:
        return store_.urem(a, b);
      case 6:
        return store_.sdiv(a, b);
      case 7:
        return store_.lshr(a, b);
      default:
        return store_.ite(condition(depth - 1), a, b);
    }
  }
  Term condition(int depth) {
    const int below = depth > 0 ? depth - 1 : 0;
    switch (pick(depth > 0 ? 5 : 3)) {
      case 0:
        return store_.eq(word(below), word(below));
      case 1:
        return store_.ult(word(below), word(below));
      case 2:
        return store_.slt(word(below), word(below));
      case 3:
        return store_.bit_and(condition(below), condition(below));
      default:
        return store_.bit_not(condition(below));
    }
  }
  Range range() {
    const std::uint64_t low = pick(16);
    return *Range::of_unsigned(kWidth, low, low + pick(static_cast<std::uint32_t>(16 - low)));
  }
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

 private:
  TermStore& store_;
  std::mt19937 random_;
};

TEST(RangeEvaluation, ContainsEveryValueThatFitsTheConditions) {
  std::size_t fitting = 0;
  std::size_t impossible = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    TermStore store;
    Generator generator(store, seed);
    const RangeEvaluation::Positions positions{{generator.variables[0], 0}, {generator.variables[1], 1}};
    const Ranges ranges{generator.range(), generator.range()};
    const Term condition = generator.condition(2);
    const bool assumed = generator.pick(2) == 0;
    const Term word = generator.word(2);
    RangeEvaluation evaluation(store, positions);
    evaluation.start(ranges);
    evaluation.assume(condition, assumed);
    impossible += evaluation.is_possible() ? 0 : 1;
    for (std::uint64_t x = ranges[0].low; x <= ranges[0].high; ++x)
      for (std::uint64_t y = ranges[1].low; y <= ranges[1].high; ++y) {
        const Assignment assignment{{generator.variables[0], Value(BitVector(kWidth, x))},
                                    {generator.variables[1], Value(BitVector(kWidth, y))}};
        Evaluator evaluator(store, assignment);
        if (evaluator.is_true(condition) != assumed) continue;
        ++fitting;
        ASSERT_TRUE(evaluation.is_possible()) << "seed " << seed;
        const std::uint64_t value = evaluator.bits(word).to_uint64();
        const Range found = evaluation.of(word);
        const Range one = Range::of(kWidth, value);
        ASSERT_TRUE(found.low <= value && value <= found.high && found.least <= one.least &&
                    one.least <= found.greatest)
            << "seed " << seed << " x " << x << " y " << y;
      }
  }
  EXPECT_GT(fitting, 10'000U);
  EXPECT_GT(impossible, 50U);
}

TEST(RangeEvaluation, BoundsWhatAConditionCompares) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const RangeEvaluation::Positions positions{{x, 0}};
  const Ranges ranges{Range::all(8)};
  RangeEvaluation evaluation(store, positions);
  evaluation.start(ranges);
  evaluation.assume(store.ult(x, store.constant(8, 10)), true);
  EXPECT_EQ(evaluation.of(store.add(x, store.one(8))).high, 10U);
  evaluation.assume(store.ult(x, store.constant(8, 20)), false);
  EXPECT_FALSE(evaluation.is_possible());
}

}  // namespace
}  // namespace plumb::term
