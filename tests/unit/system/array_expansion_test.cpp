#include "system/array_expansion.h"

#include <gtest/gtest.h>

#include "term/evaluator.h"

namespace plumb::system {
namespace {

TEST(ArrayExpansion, ComparisonsWithReadsKeepTheirValueForAllArraysAndIndices) {
  TermStore store;
  const Term a = store.variable(Sort{2, 1}, "a");
  const Term i = store.variable(1, "i");
  const Term c = store.variable(1, "c");
  const Term x = store.variable(2, "x");
  const Term read = store.select(a, i);
  const Term choice = store.ite(c, read, store.select(a, store.zero(1)));
  const std::vector<Term> terms = {store.ult(read, x),  store.ult(x, read),   store.eq(read, x),
                                   store.slt(x, read),  store.ult(x, choice), store.ult(choice, x),
                                   store.eq(x, choice), store.slt(choice, x)};
  ArrayExpansion expansion(store, store, 100, ArrayExpansion::Indices::NearlyConstant);
  const std::vector<Term> cells = {store.variable(2, "a0"), store.variable(2, "a1")};
  expansion.bind(a, cells);
  for (const Term scalar : {i, c, x}) expansion.bind(scalar, {scalar});
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto word = [&](unsigned at, unsigned width) { return BitVector(width, bits >> at & ((1U << width) - 1)); };
    term::Assignment assignment;
    assignment[i] = word(0, 1);
    assignment[c] = word(1, 1);
    assignment[x] = word(2, 2);
    assignment[cells[0]] = word(4, 2);
    assignment[cells[1]] = word(6, 2);
    term::ArrayValue array{1, word(4, 2), {}};
    array.elements[BitVector(1, 1)] = word(6, 2);
    assignment[a] = array;
    for (const Term t : terms) {
      const Term expanded = expansion.expand(t).front();
      term::Evaluator evaluator(store, assignment);
      ASSERT_EQ(evaluator.is_true(expanded), evaluator.is_true(t)) << bits << ", " << t.id;
    }
  }
}

TEST(ArrayExpansion, ABudgetThatEndsStopsTheMakingOfElements) {
  TermStore from;
  TermStore to;
  const Term array = from.variable(Sort{8, 4}, "a");
  const Term index = from.variable(4, "i");
  const Budget budget = Budget().with_own_cancellation();
  ArrayExpansion expansion(from, to, 1000, ArrayExpansion::Indices::Any, budget);
  expansion.declare(array, "a");
  expansion.declare(index, "i");
  budget.cancel();
  EXPECT_THROW(expansion.declare(from.variable(Sort{8, 4}, "b"), "b"), OutOfBudget);
  EXPECT_THROW(expansion.expand(from.store(array, index, from.zero(8))), OutOfBudget);
}

}  // namespace
}  // namespace plumb::system
