#include "ltl/formula.h"

#include <gtest/gtest.h>

#include "unit/ltl/lasso.h"

namespace plumb::ltl {
namespace {

TEST(Formulas, AreCoSafeWithoutRelease) {
  Formulas formulas;
  const Id a = formulas.literal(0);
  const Id b = formulas.literal(2);
  EXPECT_TRUE(formulas.is_co_safe(formulas.until(a, formulas.next(formulas.finally(b)))));
  EXPECT_FALSE(formulas.is_co_safe(formulas.finally(formulas.globally(b))));
}

TEST(Formulas, NegatedHoldOfTheOtherWords) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Formulas formulas;
    Generator generator(formulas, seed);
    const Id formula = generator.formula(4);
    const Id negation = formulas.negation(formula);
    EXPECT_EQ(formulas.negation(negation), formula) << "seed " << seed;
    for (int i = 0; i < 20; ++i) {
      const Lasso word = generator.word();
      ASSERT_NE(holds(formulas, formula, word)[0], holds(formulas, negation, word)[0]) << "seed " << seed;
    }
  }
}

TEST(Formulas, OfAnyDepthAreNegated) {
  Formulas formulas;
  const Id a = formulas.literal(0);
  Id formula = a;
  Id expected = formulas.literal(1);
  for (int i = 0; i < 300'000; ++i) {
    formula = formulas.conjunction(a, formulas.next(formula));
    expected = formulas.disjunction(formulas.literal(1), formulas.next(expected));
  }
  EXPECT_EQ(formulas.negation(formula), expected);
}

}  // namespace
}  // namespace plumb::ltl
