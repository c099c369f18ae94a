#include "solve/word_sweep.h"

#include <gtest/gtest.h>

#include "term/evaluator.h"
#include "unit/term/random_terms.h"

namespace plumb::solve {
namespace {

using term::Term;
using term::TermStore;
const Budget kBudget;

/// The sum by carries, without addition.
Term carried_sum(TermStore& store, Term a, Term b) {
  Term sum = store.bit_xor(a, b);
  Term carry = store.bit_and(a, b);
  for (std::uint32_t i = 0; i < store.width(a); ++i) {
    const Term shifted = store.shl(carry, store.one(store.width(a)));
    carry = store.bit_and(sum, shifted);
    sum = store.bit_xor(sum, shifted);
  }
  return sum;
}

TEST(WordSweep, MergesTwoComputationsOfTheSameFunctionWordByWord) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const Term y = store.variable(8, "y");
  Term first = x;
  Term second = x;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Term constant = store.constant(8, 2 * i + 3);
    first = store.add(store.mul(first, y), constant);
    second = carried_sum(store, store.mul(y, second), constant);
  }
  const std::array roots{first, second};
  const WordSweep swept = sweep_words(store, roots, {}, kBudget);
  EXPECT_EQ(swept.roots[0], swept.roots[1]);
  EXPECT_GE(swept.merged, 5U);
  EXPECT_EQ(swept.undecided, 0U);
}

TEST(WordSweep, KeepsTheValuesOfRandomTerms) {
  std::size_t merged = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    TermStore store;
    term::RandomTerms random(store, seed, 6);
    std::vector<Term> variables{store.variable(3, "x"), store.variable(4, "y"), store.variable(1, "z")};
    for (const Term variable : variables) random.add_variable(variable);
    random.add_constant(BitVector(3, 5));
    for (int i = 0; i < 25; ++i) random.add_random(random.below(random.size()));
    std::vector<Term> roots;
    for (std::size_t i = random.size() - 8; i < random.size(); ++i) roots.push_back(random.term(i));
    const WordSweep swept = sweep_words(store, roots, {.constraints = {}, .patterns = 4}, kBudget);
    merged += swept.merged;
    for (std::uint64_t bits = 0; bits < 256; ++bits) {
      const term::Assignment assignment{{variables[0], BitVector(3, bits)},
                                        {variables[1], BitVector(4, bits >> 3)},
                                        {variables[2], BitVector(1, bits >> 7)}};
      term::Evaluator evaluator(store, assignment);
      for (std::size_t i = 0; i < roots.size(); ++i) {
        const BitVector expected = evaluator.bits(roots[i]);
        ASSERT_EQ(evaluator.bits(swept.roots[i]), expected) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(merged, 100U);
}

TEST(WordSweep, NeedsEqualityOnlyWhereTheConstraintsHold) {
  TermStore store;
  const Term x = store.variable(16, "x");
  const Term masked = store.bit_and(x, store.constant(16, 7));
  const std::array roots{store.mul(masked, masked), store.mul(x, x)};
  EXPECT_NE(sweep_words(store, roots, {}, kBudget).roots[0], store.mul(x, x));
  WordSweepOptions options;
  options.constraints = {store.ult(x, store.constant(16, 8))};
  const WordSweep swept = sweep_words(store, roots, options, kBudget);
  EXPECT_EQ(swept.roots[0], swept.roots[1]);
}

TEST(WordSweep, FindsConstantsAndNegations) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const Term square = store.mul(x, x);
  // A square is never 2 or 3 modulo 4.
  const Term never = store.extract(square, 1, 1);
  const Term is_odd = store.bit(carried_sum(store, x, store.zero(8)), 0);
  const Term is_even = store.eq(store.urem(x, store.constant(8, 2)), store.zero(8));
  const std::array roots{never, is_odd, is_even};
  const WordSweep swept = sweep_words(store, roots, {}, kBudget);
  EXPECT_EQ(swept.roots[0], store.zero(1));
  EXPECT_EQ(swept.roots[1], store.bit_not(swept.roots[2]));
}

TEST(WordSweep, RebuildsArraysAroundMergedWords) {
  TermStore store;
  const Term memory = store.variable(term::Sort{8, 4}, "memory");
  const Term x = store.variable(4, "x");
  const Term same = carried_sum(store, x, store.one(4));
  const Term value = store.constant(8, 9);
  const std::array roots{store.store(memory, store.add(x, store.one(4)), value), store.store(memory, same, value)};
  const WordSweep swept = sweep_words(store, roots, {}, kBudget);
  EXPECT_EQ(swept.roots[0], swept.roots[1]);
}

TEST(WordSweep, LeavesTermsAsTheyAreWhenTheBudgetHasEnded) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const std::array roots{store.add(x, x), carried_sum(store, x, x)};
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  const WordSweep swept = sweep_words(store, roots, {}, ended);
  EXPECT_EQ(swept.roots, std::vector<Term>(roots.begin(), roots.end()));
}

}  // namespace
}  // namespace plumb::solve
