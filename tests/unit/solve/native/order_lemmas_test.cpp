#include "solve/native/order_lemmas.h"

#include <gtest/gtest.h>

#include <random>

#include "solve/solver.h"
#include "term/evaluator.h"
#include "term/substitution.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Term;

class Orders : public ::testing::Test {
 protected:
  std::vector<Term> variables(std::uint32_t width, std::size_t count) {
    std::vector<Term> made;
    while (made.size() < count) made.push_back(store.variable(width, "v"));
    return made;
  }
  std::vector<Term> lemmas_of(std::span<const Term> roots) {
    for (const Term root : roots) lemmas.add(root);
    return lemmas.take();
  }
  /// No values of the comparisons, taken for free bits, satisfy the formulas and their lemmas.
  bool is_refuted_by_lemmas(std::vector<Term> formulas) {
    const std::vector<Term> found = lemmas_of(formulas);
    formulas.insert(formulas.end(), found.begin(), found.end());
    term::Substitution free(store);
    term::TermSet seen;
    std::vector<Term> atoms;
    term::post_order(store, formulas, seen, [&](Term t) {
      if (store.op(t) == Op::Eq || store.op(t) == Op::Ult || store.op(t) == Op::Slt) atoms.push_back(t);
    });
    for (const Term atom : atoms) free.add(atom, store.variable(1, "atom"));
    const std::unique_ptr<Solver> solver = make_solver(store, "native", {});
    for (const Term formula : formulas) solver->assert_true(free.apply(formula));
    return solver->check({}, Budget()).answer == Answer::Unsat;
  }

  term::TermStore store;
  OrderLemmas lemmas{store};
};

TEST_F(Orders, LemmasAreValid) {
  std::mt19937_64 random(5);
  const std::vector<Term> words = variables(2, 4);
  std::size_t count = 0;
  for (int round = 0; round < 200; ++round) {
    OrderLemmas fresh(store);
    for (int i = 0; i < 8; ++i) {
      const std::array compared{words[random() % 4], words[random() % 4]};
      const std::array operators{Op::Eq, Op::Ult, Op::Slt};
      fresh.add(store.make(operators[random() % 3], compared));
    }
    for (const Term lemma : fresh.take()) {
      ++count;
      for (std::uint64_t values = 0; values < 256; ++values) {
        term::Assignment assignment;
        for (std::size_t i = 0; i < 4; ++i) assignment.emplace(words[i], BitVector(2, values >> (2 * i) & 3));
        ASSERT_TRUE(term::Evaluator(store, assignment).is_true(lemma)) << round << ": " << values;
      }
    }
  }
  EXPECT_GT(count, 300U);
}

TEST_F(Orders, AValueIsNotOnBothSidesOfASortedArray) {
  const std::vector<Term> sorted = variables(32, 50);
  const Term key = store.variable(32, "key");
  std::vector<Term> formulas;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) formulas.push_back(store.sle(sorted[i], sorted[i + 1]));
  for (const Term word : sorted) formulas.push_back(store.implies(store.eq(word, key), store.sle(word, key)));
  formulas.push_back(store.eq(sorted.back(), key));
  formulas.push_back(store.slt(key, sorted.front()));
  for (const Term word : sorted) formulas.push_back(store.bit_or(store.slt(key, word), store.sle(word, key)));
  EXPECT_TRUE(is_refuted_by_lemmas(formulas));
}

TEST_F(Orders, AValueBelowASortedArrayEqualsNoneOfItsElements) {
  const std::vector<Term> sorted = variables(32, 50);
  const Term key = store.variable(32, "key");
  std::vector<Term> formulas{store.slt(key, sorted.front())};
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) formulas.push_back(store.sle(sorted[i], sorted[i + 1]));
  std::vector<Term> found;
  for (const Term word : sorted) found.push_back(store.eq(word, key));
  formulas.push_back(store.any_of(found));
  EXPECT_TRUE(is_refuted_by_lemmas(formulas));
}

TEST_F(Orders, ACycleOfThreeIsRefuted) {
  const std::vector<Term> words = variables(16, 3);
  EXPECT_TRUE(is_refuted_by_lemmas(
      {store.ult(words[0], words[1]), store.ult(words[1], words[2]), store.ult(words[2], words[0])}));
  EXPECT_TRUE(is_refuted_by_lemmas(
      {store.ule(words[0], words[1]), store.ule(words[1], words[2]), store.ult(words[2], words[0])}));
}

TEST_F(Orders, SignedAndUnsignedComparisonsAreApart) {
  const std::vector<Term> words = variables(16, 3);
  const std::array formulas{store.ult(words[0], words[1]), store.slt(words[1], words[2]),
                            store.ult(words[2], words[0])};
  EXPECT_TRUE(lemmas_of(formulas).empty());
}

TEST_F(Orders, WhatComesLaterIsTiedToWhatWasThere) {
  const std::vector<Term> words = variables(16, 3);
  const std::array first{store.ult(words[0], words[1]), store.ult(words[1], words[2])};
  EXPECT_TRUE(lemmas_of(first).empty());
  const std::array second{store.ult(words[0], words[2])};
  EXPECT_FALSE(lemmas_of(second).empty());
  EXPECT_TRUE(lemmas.take().empty());
}

TEST_F(Orders, ManyComparisonsGiveALimitedNumberOfLemmas) {
  const std::vector<Term> words = variables(16, 120);
  std::vector<Term> formulas;
  for (const Term a : words)
    for (const Term b : words) formulas.push_back(store.ult(a, b));
  EXPECT_LE(lemmas_of(formulas).size(), 40'000U);
}

}  // namespace
}  // namespace plumb::solve
