#include <gtest/gtest.h>

#include "pass_check.h"
#include "solve/native/problem.h"

namespace plumb::solve {
namespace {

using term::Sort;
using term::Term;

bool eliminate(Problem& problem) { return eliminate_unconstrained(problem, Budget()); }

class Unconstrained : public ::testing::Test {
 protected:
  /// What the pass, which must be sound on it, makes of a problem.
  Problem eliminated(const std::vector<Term>& assertions) {
    expect_sound(store, assertions, eliminate);
    Problem problem(store);
    problem.assertions = assertions;
    eliminate(problem);
    return problem;
  }
  bool is_eliminated(const Problem& problem, Term variable) {
    return std::ranges::any_of(problem.definitions, [&](const auto& d) { return d.variable == variable; });
  }
  /// In udiv(t, y) < z, which can't be inverted above t, `t` gives way to a new variable.
  void expect_replaced(Term t) {
    const Problem problem = eliminated({store.ult(store.udiv(t, y), store.udiv(y, z))});
    const std::vector<Term> left = term::support(store, problem.assertions);
    for (const Term v : term::support(store, std::span(&t, 1)))
      EXPECT_TRUE(v == y || v == z || (is_eliminated(problem, v) && std::ranges::count(left, v) == 0));
  }
  Term constant(std::uint64_t value) { return store.constant(3, value); }

  term::TermStore store;
  Term x = store.variable(3, "x");
  Term y = store.variable(3, "y");
  Term z = store.variable(3, "z");
  Term p = store.variable(1, "p");
};

TEST_F(Unconstrained, InvertibleOperatorsOfAFreeVariableBecomeAVariable) {
  const Term rest = store.urem(y, z);
  expect_replaced(store.add(x, rest));
  expect_replaced(store.sub(rest, x));
  expect_replaced(store.bit_xor(x, rest));
  expect_replaced(store.bit_not(x));
  expect_replaced(store.neg(x));
  for (const std::uint64_t odd : {3, 5, 7}) expect_replaced(store.mul(x, constant(odd)));
}

TEST_F(Unconstrained, InvertibleOperatorsNestAsDeepAsTheyAreFree) {
  const Term rest = store.urem(y, z);
  expect_replaced(store.mul(constant(3), store.add(store.bit_xor(store.neg(x), rest), y)));
}

TEST_F(Unconstrained, ATwoSidedChoiceNeedsBothSidesFree) {
  const Term x2 = store.variable(3, "x2");
  expect_replaced(store.bit_and(x, x2));
  expect_replaced(store.mul(x, x2));
  expect_replaced(store.ite(store.ult(y, z), x, x2));
  expect_replaced(store.ite(p, x, y));
  expect_replaced(store.ite(p, y, x));
  for (const Term t : {store.bit_and(x, z), store.mul(x, z), store.ite(store.ult(y, z), x, y)}) {
    const Problem problem = eliminated({store.ult(store.udiv(t, y), store.udiv(y, z))});
    EXPECT_FALSE(is_eliminated(problem, x));
  }
}

TEST_F(Unconstrained, AnEvenProductIsKept) {
  for (const std::uint64_t even : {2, 4, 6}) {
    const Problem problem = eliminated({store.ult(store.udiv(store.mul(x, constant(even)), y), store.udiv(y, z))});
    EXPECT_FALSE(is_eliminated(problem, x));
  }
}

TEST_F(Unconstrained, StructureOfFreeVariablesBecomesAVariable) {
  const Term high = store.variable(1, "high");
  const Term low = store.variable(2, "low");
  expect_replaced(store.concat(high, low));
  const Term wide = store.variable(5, "wide");
  for (std::uint32_t from = 0; from <= 2; ++from) expect_replaced(store.extract(wide, from + 2, from));
}

TEST_F(Unconstrained, EqualityWithAFreeVariableGoesBothWays) {
  const Term rest = store.urem(y, z);
  EXPECT_TRUE(is_eliminated(eliminated({store.eq(x, rest), store.ult(y, z)}), x));
  EXPECT_TRUE(is_eliminated(eliminated({store.distinct(x, rest), store.ult(y, z)}), x));
  EXPECT_TRUE(is_eliminated(eliminated({store.bit_or(store.eq(x, rest), store.ult(y, z)), store.ult(z, y)}), x));
}

TEST_F(Unconstrained, ComparisonsKeepTheirUnreachableSide) {
  const Term rest = store.urem(y, z);
  for (const Term side : {rest, y}) {
    for (const Term t : {store.ult(x, side), store.ult(side, x), store.slt(x, side), store.slt(side, x)}) {
      for (const Term claim : {t, store.bit_not(t)}) {
        EXPECT_TRUE(is_eliminated(eliminated({claim, store.ult(y, z)}), x));
        // Every value of the other side in turn, the extreme ones among them.
        for (std::uint64_t value = 0; value < 8; ++value)
          eliminated({claim, store.eq(side, constant(value)), store.eq(store.udiv(y, z), store.urem(z, y))});
      }
    }
  }
}

TEST_F(Unconstrained, AReadOfAFreeArrayBecomesAVariable) {
  const Term a = store.variable(Sort{3, 1}, "a");
  const Term i = store.variable(1, "i");
  const Problem problem =
      eliminated({store.ult(store.udiv(store.select(a, i), y), store.udiv(y, y)), store.eq(i, store.ult(y, y))});
  EXPECT_TRUE(is_eliminated(problem, a));
  const Problem twice = eliminated({store.ult(store.udiv(store.select(a, i), y), store.udiv(y, y)),
                                    store.ult(store.select(a, store.bit_not(i)), y)});
  EXPECT_FALSE(is_eliminated(twice, a));
}

TEST_F(Unconstrained, AVariableUsedTwiceIsKept) {
  for (const Term t : {store.add(x, y), store.bit_xor(x, y), store.mul(x, constant(3))}) {
    const Problem twice = eliminated({store.ult(store.udiv(t, y), store.udiv(x, z))});
    EXPECT_FALSE(is_eliminated(twice, x));
    const Problem across = eliminated({store.ult(store.udiv(t, y), z), store.eq(store.udiv(x, z), y)});
    EXPECT_FALSE(is_eliminated(across, x));
    const Problem shared = eliminated({store.eq(t, z), store.ult(t, z)});
    EXPECT_FALSE(is_eliminated(shared, z));
  }
}

TEST_F(Unconstrained, AnAssertedVariableThatIsUsedElsewhereIsKept) {
  const Problem problem = eliminated({p, store.ult(store.ite(p, y, z), store.udiv(y, z))});
  EXPECT_FALSE(is_eliminated(problem, p));
}

TEST_F(Unconstrained, ATermThatSimplifiesToAVariableWithOtherUsesLeavesThatVariableAlone) {
  // x < y is replaced by "free and y is not 0", which contradicts y = 0: the choice becomes q, which occurs elsewhere
  // too.
  const Term q = store.variable(3, "q");
  const Term never = store.bit_and(store.ult(x, y), store.eq(y, constant(0)));
  eliminated({store.eq(store.ite(never, z, q), constant(5)), store.ult(q, constant(3))});
  eliminated({store.ult(q, constant(3)), store.eq(store.ite(never, z, q), constant(5))});
}

TEST_F(Unconstrained, DeepTermsNeedNoStack) {
  Term t = x;
  for (int i = 0; i < 50'000; ++i) t = store.bit_xor(store.mul(constant(3), store.add(t, constant(1))), y);
  Problem problem(store);
  problem.assertions = {store.ult(store.udiv(t, y), store.udiv(y, z))};
  EXPECT_TRUE(eliminate(problem));
  EXPECT_TRUE(is_eliminated(problem, x));
}

TEST_F(Unconstrained, EndsWithTheBudget) {
  Term t = y;
  for (int i = 0; i < 20'000; ++i) t = store.udiv(t, store.bit_xor(t, z));
  Problem problem(store);
  problem.assertions = {store.ult(t, z)};
  const Budget budget;
  budget.cancel();
  EXPECT_THROW(eliminate_unconstrained(problem, budget), OutOfBudget);
}

TEST_F(Unconstrained, IsSoundOnRandomProblems) {
  EXPECT_GT(expect_sound_on_random_problems(eliminate, 8000, kBitVectorSorts, 5000), 2000);
  EXPECT_GT(expect_sound_on_random_problems(eliminate, 300, kArraySorts, 6000), 100);
}

}  // namespace
}  // namespace plumb::solve
