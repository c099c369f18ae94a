#include "solve/linear/linear_relaxation.h"

#include <gtest/gtest.h>

#include "term/smtlib_printer.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Term;

class Relaxation : public ::testing::Test {
 protected:
  std::vector<Term> core(const std::vector<Term>& constraints) { return relaxation.examine(constraints).core; }
  Term constant(std::uint64_t value) { return store.constant(32, value); }
  Term byte(const char* name) { return store.zero_extend(store.variable(8, name), 32); }

  term::TermStore store;
  LinearRelaxation relaxation{store};
  Term a = byte("a");
  Term b = byte("b");
  Term c = byte("c");
  Term x = store.variable(32, "x");
  Term y = store.variable(32, "y");
  Term z = store.variable(32, "z");
};

TEST_F(Relaxation, InequalitiesOfSumsAreCombined) {
  const std::vector<Term> constraints = {store.slt(store.add(a, b), store.add(c, constant(10))), store.slt(a, x),
                                         store.slt(store.add(c, constant(20)), store.add(a, constant(13))),
                                         store.slt(constant(2), b)};
  EXPECT_EQ(core(constraints), (std::vector<Term>{constraints[0], constraints[2], constraints[3]}));
  EXPECT_TRUE(core({constraints[0], constraints[1], constraints[2]}).empty());
}

TEST_F(Relaxation, DifferencesMayBeNegativeWhereTheComparisonIsSigned) {
  const Term difference = store.sub(a, b);
  EXPECT_EQ(core({store.slt(difference, constant(0)), store.slt(b, a)}).size(), 2U);
  EXPECT_EQ(core({store.slt(store.sub(difference, c), store.neg(constant(510)))}).size(), 1U);
  EXPECT_TRUE(core({store.ult(constant(1000), difference)}).empty()) << "a difference may wrap around";
}

TEST_F(Relaxation, SumsThatMayWrapAroundAreLeftOutUnlessBoundsForbidIt) {
  const std::vector<Term> wrapping = {store.slt(x, y), store.slt(store.add(y, constant(1)), x)};
  EXPECT_TRUE(core(wrapping).empty());
  std::vector<Term> bounded = wrapping;
  bounded.push_back(store.slt(y, constant(1000)));
  bounded.push_back(store.slt(constant(5), y));
  EXPECT_EQ(core(bounded), bounded) << "the bounds are part of the reason";
}

TEST_F(Relaxation, ACycleOfComparisonsIsRefutedSignedAndUnsigned) {
  EXPECT_EQ(core({store.slt(x, y), store.slt(y, z), store.slt(z, x)}).size(), 3U);
  EXPECT_EQ(core({store.ult(x, y), store.ult(y, z), store.ult(z, x)}).size(), 3U);
  EXPECT_TRUE(core({store.slt(x, y), store.slt(y, z), store.ult(z, x)}).empty());
}

TEST_F(Relaxation, AWrappedRangeCheckIsABound) {
  const Term digit = store.ult(store.sub(x, constant(48)), constant(10));
  EXPECT_EQ(core({digit, store.slt(constant(57), x)}).size(), 2U);
  EXPECT_EQ(core({digit, store.ult(x, constant(48))}).size(), 2U);
  EXPECT_TRUE(core({digit, store.eq(x, constant(48))}).empty());
}

TEST_F(Relaxation, AnExcludedValueMovesABound) {
  EXPECT_EQ(core({store.ult(x, constant(2)), store.distinct(x, constant(0)), store.distinct(x, constant(1))}).size(),
            3U);
  EXPECT_TRUE(
      core({store.ult(x, constant(3)), store.distinct(x, constant(0)), store.distinct(x, constant(1))}).empty());
}

TEST_F(Relaxation, BoundsOfSumsAreRoundedToIntegers) {
  const Term sum = store.add(store.mul(constant(6), a), store.mul(constant(9), b));
  EXPECT_EQ(core({store.ult(constant(15), sum), store.ult(sum, constant(18))}).size(), 2U);
  EXPECT_TRUE(core({store.ult(constant(14), sum), store.ult(sum, constant(18))}).empty());
}

TEST_F(Relaxation, APointSatisfiesWhatIsLinear) {
  const std::vector<Term> constraints = {store.slt(x, y), store.slt(y, z), store.slt(z, constant(3)),
                                         store.slt(constant(0), x)};
  EXPECT_EQ(core(constraints).size(), 4U);
  const std::vector<Term> weaker(constraints.begin(), constraints.end() - 1);
  const auto finding = relaxation.examine(weaker);
  ASSERT_TRUE(finding.core.empty());
  term::Evaluator evaluator(store, finding.point);
  EXPECT_TRUE(all_hold(evaluator, weaker));
}

TEST_F(Relaxation, TheWidestWordsDoNotOverflow) {
  const Term u = store.variable(64, "u");
  const Term v = store.variable(64, "v");
  EXPECT_EQ(core({store.ult(u, v), store.ult(v, u)}).size(), 2U);
  EXPECT_TRUE(core({store.ult(u, v), store.ult(v, store.ones(64)), store.slt(v, u)}).empty());
  const Term w = store.variable(65, "w");
  EXPECT_TRUE(core({store.ult(w, store.constant(65, 3)), store.ult(store.constant(65, 4), w)}).empty());
}

/// Comparisons of random linear sums, at widths at which some wrap around and some do not.
class LinearConstraints {
 public:
  LinearConstraints(term::TermStore& store, std::uint64_t seed) : store_(store), random_(seed) {
    for (int i = 0; i < 3; ++i) variables_.push_back(store.variable(2, "v"));
    variables_.push_back(store.variable(4, "w"));
  }

  Term constraint() {
    const std::uint32_t width = random_() % 2 == 0 ? 4 : 6;
    Term t;
    const Term left = sum(width);
    const Term right = random_() % 2 == 0 ? store_.constant(width, random_()) : sum(width);
    switch (random_() % 4) {
      case 0:
        t = store_.ult(left, right);
        break;
      case 1:
        t = store_.eq(left, right);
        break;
      default:
        t = store_.slt(left, right);
    }
    return random_() % 2 == 0 ? t : store_.bit_not(t);
  }

 private:
  Term sum(std::uint32_t width) {
    Term result = store_.constant(width, random_() % 3 == 0 ? random_() : 0);
    for (std::uint64_t n = 1 + random_() % 3; n > 0; --n) {
      const Term v = variables_[random_() % variables_.size()];
      const Term wide = random_() % 3 == 0 ? store_.sign_extend(v, width) : store_.zero_extend(v, width);
      const Term factor = store_.constant(width, random_() % 4 == 0 ? random_() % 4 : 1);
      const Term product = store_.mul(factor, wide);
      result = random_() % 3 == 0 ? store_.sub(result, product) : store_.add(result, product);
    }
    return result;
  }

  term::TermStore& store_;
  std::mt19937_64 random_;
  std::vector<Term> variables_;
};

TEST(RelaxationRandom, EveryCoreIsUnsatisfiableAndManyContradictionsAreFound) {
  int unsatisfiable = 0;
  int refuted = 0;
  int guessed = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    term::TermStore store;
    LinearConstraints random(store, seed);
    LinearRelaxation relaxation(store);
    std::vector<Term> constraints;
    for (std::uint64_t n = 1 + seed % 7; n > 0; --n) constraints.push_back(random.constraint());
    const auto finding = relaxation.examine(constraints);
    const bool satisfiable = is_satisfiable(store, constraints);
    unsatisfiable += !satisfiable;
    if (!finding.core.empty()) {
      ++refuted;
      ASSERT_FALSE(is_satisfiable(store, finding.core)) << term::to_smtlib_script(store, constraints, {});
    } else if (!finding.point.empty()) {
      term::Evaluator evaluator(store, finding.point);
      guessed += all_hold(evaluator, constraints);
    }
  }
  EXPECT_GT(refuted, unsatisfiable / 6);
  EXPECT_GT(guessed, 200);
}

TEST(RelaxationRandom, AnyTermsMayBeAmongTheConstraints) {
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    term::TermStore store;
    RandomTerms terms(store, seed, seed % 4 == 0 ? kArraySorts : kBitVectorSorts);
    LinearRelaxation relaxation(store);
    const auto core = relaxation.examine(terms.constraints(6, 2)).core;
    refuted += !core.empty();
    ASSERT_TRUE(core.empty() || !is_satisfiable(store, core)) << term::to_smtlib_script(store, core, {});
  }
  EXPECT_GT(refuted, 30);
}

}  // namespace
}  // namespace plumb::solve
