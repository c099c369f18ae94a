#include "solve/native/array_lemmas.h"

#include <gtest/gtest.h>

#include <map>

#include "term/smtlib_printer.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Sort;
using term::Term;

/// What a SAT solver would say that knows nothing of arrays: any values for variables, reads and equalities of arrays.
class FreeCandidate {
 public:
  FreeCandidate(const term::TermStore& store, std::uint64_t seed) : store_(store), random_(seed) {}

  void set(Term t, std::uint64_t value) { values_.insert_or_assign(t, BitVector(store_.width(t), value)); }

  BitVector operator()(Term t) {
    if (const auto it = values_.find(t); it != values_.end()) return it->second;
    const BitVector value = is_free(t) ? BitVector(store_.width(t), random_()) : compute(t);
    values_.emplace(t, value);
    return value;
  }

 private:
  bool is_free(Term t) const {
    return store_.is_variable(t) || store_.op(t) == Op::Select ||
           (store_.op(t) == Op::Eq && store_.is_array(store_.child(t, 0)));
  }
  BitVector compute(Term t) {
    if (store_.is_constant(t)) return store_.value(t);
    std::vector<BitVector> operands;
    for (unsigned i = 0; i < store_.arity(t); ++i) operands.push_back((*this)(store_.child(t, i)));
    std::vector<const BitVector*> pointers;
    for (const BitVector& v : operands) pointers.push_back(&v);
    return term::evaluate(store_.op(t), pointers, store_.width(t), store_.parameter(t));
  }

  const term::TermStore& store_;
  std::mt19937_64 random_;
  std::map<Term, BitVector> values_;
};

/// True for all values of the variables, where a witness may be chosen to fit.
bool is_valid(const term::TermStore& store, Term lemma) {
  std::vector<Term> witnesses;
  std::vector<Term> others;
  for (const Term v : term::support(store, std::span(&lemma, 1)))
    (store.name(v) == "witness" ? witnesses : others).push_back(v);
  return !some_assignment(store, others, [&](const term::Assignment& assignment, term::Evaluator&) {
    return !some_assignment(store, witnesses, [&](const term::Assignment& chosen, term::Evaluator&) {
      term::Assignment all = assignment;
      all.insert(chosen.begin(), chosen.end());
      return term::Evaluator(store, all).is_true(lemma);
    });
  });
}

class Lemmas : public ::testing::Test {
 protected:
  std::vector<Term> violated() {
    return lemmas.violated([this](Term t) { return candidate(t); }, model);
  }
  /// One lemma, which is valid and excludes the candidate.
  void expect_refuted() {
    const std::vector<Term> found = violated();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(is_valid(store, found[0])) << term::to_smtlib(store, found[0]);
    EXPECT_TRUE(candidate(found[0]).is_zero()) << term::to_smtlib(store, found[0]);
    EXPECT_TRUE(model.empty());
  }
  BitVector cell(Term array, std::uint64_t index) {
    return std::get<term::ArrayValue>(model.at(array)).at(BitVector(2, index));
  }

  term::TermStore store;
  ArrayLemmas lemmas{store};
  FreeCandidate candidate{store, 1};
  term::Assignment model;
  Term a = store.variable(Sort{2, 2}, "a");
  Term b = store.variable(Sort{2, 2}, "b");
  Term i = store.variable(2, "i");
  Term j = store.variable(2, "j");
  Term v = store.variable(2, "v");
  Term p = store.variable(1, "p");
};

TEST_F(Lemmas, AReadHasTheValueThatWasWritten) {
  const Term read = store.select(store.store(a, i, v), j);
  lemmas.add(read);
  candidate.set(i, 1);
  candidate.set(j, 1);
  candidate.set(v, 2);
  candidate.set(read, 3);
  expect_refuted();
  candidate.set(read, 2);
  EXPECT_TRUE(violated().empty());
}

TEST_F(Lemmas, TwoReadsOfOneCellAgree) {
  const Term first = store.select(a, i);
  const Term second = store.select(store.store(a, v, v), j);
  lemmas.add(store.eq(first, second));
  candidate.set(i, 1);
  candidate.set(j, 1);
  candidate.set(v, 0);
  candidate.set(first, 2);
  candidate.set(second, 3);
  expect_refuted();
  candidate.set(second, 2);
  EXPECT_TRUE(violated().empty());
  EXPECT_EQ(cell(a, 1), BitVector(2, 2));
}

TEST_F(Lemmas, AReadFollowsTheChosenArray) {
  const Term read = store.select(store.ite(p, a, store.constant_array(2, v)), i);
  lemmas.add(read);
  candidate.set(p, 0);
  candidate.set(v, 1);
  candidate.set(read, 2);
  expect_refuted();
  candidate.set(p, 1);
  EXPECT_TRUE(violated().empty());
}

TEST_F(Lemmas, ClaimedEqualityIsRefinedWhereTheArraysDiffer) {
  const Term equal = store.eq(a, b);
  const Term in_a = store.select(a, i);
  const Term in_b = store.select(b, j);
  lemmas.add(store.bit_and(equal, store.distinct(in_a, in_b)));
  candidate.set(equal, 1);
  candidate.set(i, 2);
  candidate.set(j, 2);
  candidate.set(in_a, 1);
  candidate.set(in_b, 3);
  const std::vector<Term> found = violated();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(is_valid(store, found[0]));
  const std::vector<Term> together = {found[0], equal, store.eq(i, j), store.distinct(in_a, in_b)};
  EXPECT_FALSE(is_satisfiable(store, together));
}

TEST_F(Lemmas, DeniedEqualityGetsAWitnessAndTheSameEachTime) {
  const Term equal = store.eq(a, b);
  lemmas.add(equal);
  candidate.set(equal, 0);
  const std::vector<Term> found = violated();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(is_valid(store, found[0])) << term::to_smtlib(store, found[0]);
  EXPECT_EQ(violated(), found);
  EXPECT_EQ(lemmas.count(), 2U);
}

TEST_F(Lemmas, EqualArraysShareWhatAConstantArrayFixesInCellsThatNobodyReads) {
  const Term c = store.constant_array(2, store.constant(2, 3));
  const Term first = store.eq(a, b);
  const Term second = store.eq(b, c);
  lemmas.add(store.bit_and(first, second));
  candidate.set(first, 1);
  candidate.set(second, 1);
  ASSERT_TRUE(violated().empty());
  for (std::uint64_t k = 0; k < 4; ++k) {
    EXPECT_EQ(cell(a, k), BitVector(2, 3));
    EXPECT_EQ(cell(b, k), BitVector(2, 3));
  }
}

TEST_F(Lemmas, ClearForgetsReadsAndEqualities) {
  const Term read = store.select(store.store(a, i, v), i);
  lemmas.add(store.eq(a, b));
  lemmas.add(store.select(a, j));
  EXPECT_FALSE(lemmas.empty());
  lemmas.clear();
  EXPECT_TRUE(lemmas.empty());
  EXPECT_TRUE(violated().empty());
  EXPECT_TRUE(model.empty());
  EXPECT_EQ(read, v);
}

TEST(ArrayLemmasRandom, LemmasAreValidAndACandidateWithoutOneIsAModel) {
  int with_lemmas = 0;
  int models = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    term::TermStore store;
    const std::vector<Sort> sorts = {{1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}};
    RandomTerms terms(store, seed, sorts);
    const Term root = terms.bits(1, 4);
    ArrayLemmas lemmas(store);
    lemmas.add(root);
    FreeCandidate candidate(store, seed);
    term::Assignment model;
    const std::vector<Term> found = lemmas.violated([&](Term t) { return candidate(t); }, model);
    for (const Term lemma : found) {
      EXPECT_FALSE(store.is_true(lemma));
      ASSERT_TRUE(is_valid(store, lemma)) << "seed " << seed << ": " << term::to_smtlib(store, lemma);
    }
    with_lemmas += !found.empty();
    if (!found.empty()) continue;
    ++models;
    for (const Term v : term::support(store, std::span(&root, 1)))
      if (!store.is_array(v)) model.insert_or_assign(v, candidate(v));
    ASSERT_EQ(term::Evaluator(store, model).bits(root), candidate(root)) << "seed " << seed;
  }
  EXPECT_GT(with_lemmas, 200);
  EXPECT_GT(models, 200);
}

}  // namespace
}  // namespace plumb::solve
