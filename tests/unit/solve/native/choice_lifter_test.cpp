#include "solve/native/choice_lifter.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "term/evaluator.h"
#include "term/selection.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Term;

constexpr std::uint32_t kWidth = 32;

class Lifter : public ::testing::Test {
 protected:
  std::map<Op, std::size_t> operators(std::span<const Term> roots) {
    std::map<Op, std::size_t> counts;
    term::TermSet seen;
    term::post_order(store, roots, seen, [&](Term t) { ++counts[store.op(t)]; });
    return counts;
  }
  /// Choices of words, of the terms together.
  std::size_t word_choices(std::span<const Term> roots) {
    std::size_t count = 0;
    term::TermSet seen;
    term::post_order(store, roots, seen,
                     [&](Term t) { count += store.op(t) == Op::Ite && store.width(t) > 1 ? 1 : 0; });
    return count;
  }
  std::vector<Term> variables(std::size_t count) {
    std::vector<Term> made;
    while (made.size() < count) made.push_back(store.variable(kWidth, "v"));
    return made;
  }
  /// The element of a table at an index that is not known.
  Term read(const std::vector<Term>& table) { return term::select_by_bits(store, store.variable(kWidth, "i"), table); }

  term::TermStore store;
  ChoiceLifter lifter{store};
};

TEST_F(Lifter, RandomTermsKeepTheirValues) {
  std::mt19937_64 random(3);
  int changed = 0;
  for (int round = 0; round < 300; ++round) {
    term::TermStore local;
    ChoiceLifter lift(local);
    std::vector<Term> words;
    for (int i = 0; i < 5; ++i) words.push_back(local.variable(4, "w"));
    for (int i = 0; i < 30; ++i) {
      const auto any = [&] { return words[random() % words.size()]; };
      const std::array operators{Op::Eq, Op::Ult, Op::Slt};
      const std::array compared{any(), any()};
      const Term condition = local.make(operators[random() % 3], compared);
      words.push_back(local.ite(condition, any(), any()));
    }
    const Term before = local.slt(words.back(), words.front());
    const Term after = lift.apply(before);
    changed += after != before ? 1 : 0;
    for (int sample = 0; sample < 20; ++sample) {
      term::Assignment assignment;
      for (std::size_t i = 0; i < 5; ++i) assignment.emplace(words[i], BitVector(4, random() % 16));
      term::Evaluator evaluator(local, assignment);
      ASSERT_EQ(evaluator.bits(after), evaluator.bits(before)) << round;
    }
  }
  EXPECT_GT(changed, 100);
}

TEST_F(Lifter, ReadsComparedWithOneValueShareTheComparisonsOfElements) {
  const std::vector<Term> table = variables(16);
  const Term key = store.variable(kWidth, "key");
  std::vector<Term> lifted;
  for (int i = 0; i < 10; ++i) lifted.push_back(lifter.apply(store.eq(read(table), key)));
  EXPECT_EQ(word_choices(lifted), 0U);
  EXPECT_EQ(operators(lifted)[Op::Eq], table.size());
}

TEST_F(Lifter, SidesStayWhereTheyAre) {
  const Term x = store.variable(kWidth, "x");
  const Term y = store.variable(kWidth, "y");
  const Term z = store.variable(kWidth, "z");
  const Term c = store.variable(1, "c");
  EXPECT_EQ(lifter.apply(store.slt(store.ite(c, x, y), z)), store.ite(c, store.slt(x, z), store.slt(y, z)));
  EXPECT_EQ(lifter.apply(store.ult(z, store.ite(c, x, y))), store.ite(c, store.ult(z, x), store.ult(z, y)));
}

TEST_F(Lifter, ResultsAreLeftAsTheyAre) {
  const std::vector<Term> table = variables(40);
  for (int i = 0; i < 30; ++i) {
    const Term lifted = lifter.apply(store.slt(read(table), store.variable(kWidth, "key")));
    EXPECT_EQ(lifter.apply(lifted), lifted);
    EXPECT_EQ(lifter.apply(store.bit_not(lifted)), store.bit_not(lifted));
  }
}

TEST_F(Lifter, TwoChoicesAreLeftAlone) {
  const Term both = store.eq(read(variables(8)), read(variables(8)));
  EXPECT_EQ(lifter.apply(both), both);
}

// The greatest of n, found one after the other: each comparison has all elements before it on one side.
TEST_F(Lifter, AChainThatGrowsStaysLinear) {
  const std::vector<Term> elements = variables(300);
  Term greatest = elements[0];
  for (const Term element : elements) greatest = store.ite(store.ult(greatest, element), element, greatest);
  const Term lifted = lifter.apply(store.eq(greatest, store.variable(kWidth, "key")));
  EXPECT_LT(operators(std::span(&lifted, 1))[Op::Ult], 3 * elements.size());
}

TEST_F(Lifter, DeepChainsNeedNoStack) {
  Term deep = store.variable(kWidth, "x");
  for (int i = 0; i < 100'000; ++i) deep = store.ite(store.variable(1, "c"), store.add(deep, store.one(kWidth)), deep);
  const Term root = store.eq(deep, store.variable(kWidth, "key"));
  EXPECT_EQ(store.width(lifter.apply(root)), 1U);
}

}  // namespace
}  // namespace plumb::solve
