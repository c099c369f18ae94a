#include "term/term_store.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/error.h"
#include "random_terms.h"

namespace plumb::term {
namespace {

TEST(TermStore, EqualRequestsGiveEqualHandles) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TermStore store;
    std::vector<Term> variables;
    for (const std::uint32_t w : {1U, 8U, 8U, 8U, 64U, 70U}) variables.push_back(store.variable(w, "x"));
    RandomTerms first(store, seed, 140);
    RandomTerms second(store, seed, 140);
    for (RandomTerms* terms : {&first, &second}) {
      const std::uint32_t before = store.size();
      for (const Term v : variables) terms->add_variable(v);
      for (int i = 0; i < 500; ++i) terms->add_random(terms->below(terms->size()));
      EXPECT_EQ(store.size() == before, terms == &second);
    }
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) ASSERT_EQ(first.term(i), second.term(i));
  }
}

TEST(TermStore, GivesTheSameHandlesInEveryRun) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TermStore one;
    TermStore other;
    RandomTerms first(one, seed, 140);
    RandomTerms second(other, seed, 140);
    for (const std::uint32_t w : {1U, 8U, 8U, 8U, 64U, 70U}) {
      first.add_variable(one.variable(w, "x"));
      second.add_variable(other.variable(w, "y"));
    }
    for (int i = 0; i < 1000; ++i) {
      first.add_random(first.below(first.size()));
      second.add_random(second.below(second.size()));
      ASSERT_EQ(first.term(first.size() - 1), second.term(second.size() - 1));
    }
    EXPECT_EQ(one.size(), other.size());
  }
}

TEST(TermStore, VariablesAreAlwaysNew) {
  TermStore store;
  std::set<Term> variables;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(variables.insert(store.variable(8, "x")).second);
    EXPECT_TRUE(variables.insert(store.variable(Sort{8, 4}, "x")).second);
  }
  for (const Term v : variables) EXPECT_EQ(store.name(v), "x");
}

TEST(TermStore, ConstantsAreTheirValue) {
  TermStore store;
  for (const std::uint32_t w : {1U, 7U, 32U, 33U, 63U, 64U, 65U, 128U, 200U}) {
    for (const BitVector& v : {BitVector(w, 0), BitVector(w, 1), BitVector::ones(w), BitVector::min_signed(w)}) {
      const Term t = store.constant(v);
      EXPECT_EQ(store.value(t), v);
      EXPECT_EQ(store.constant(v), t);
      EXPECT_EQ(store.sort(t), (Sort{w, 0}));
    }
    EXPECT_EQ(store.constant(w, 1), store.one(w));
    EXPECT_EQ(store.constant(w, UINT64_MAX), store.constant(BitVector(w, UINT64_MAX)));
  }
  EXPECT_EQ(store.one(1), store.boolean(true));
  EXPECT_EQ(store.zero(1), store.boolean(false));
  EXPECT_TRUE(store.is_true(store.one(1)));
  EXPECT_NE(store.constant(8, 5), store.constant(9, 5));
}

TEST(TermStore, CommutativeOperatorsInEitherOrderGiveOneTerm) {
  for (const std::uint32_t w : {1U, 4U, 32U}) {
    TermStore store;
    const Term x = store.variable(w, "x");
    const Term y = store.variable(w, "y");
    const std::array operands{x,
                              y,
                              store.bit_not(x),
                              store.neg(y),
                              store.mul(x, y),
                              store.udiv(y, x),
                              store.one(w),
                              store.sub(x, y),
                              store.bit_or(x, y),
                              store.ite(store.ult(x, y), x, y)};
    for (const Op op : bit_vector_operators()) {
      if (!is_commutative(op)) continue;
      std::size_t different = 0;
      for (const Term a : operands)
        for (const Term b : operands)
          different += store.make(op, std::array{a, b}) == store.make(op, std::array{b, a}) ? 0 : 1;
      EXPECT_EQ(different, 0U) << name(op) << " width " << w;
    }
  }
}

TEST(TermStore, DerivedOperatorsNeverAppear) {
  const std::set<Op> derived = {
      Op::Or,           Op::Sub,          Op::Sdiv,         Op::Srem,        Op::Smod,         Op::RotateLeft,
      Op::RotateRight,  Op::Ule,          Op::Sle,          Op::NegOverflow, Op::UaddOverflow, Op::SaddOverflow,
      Op::UsubOverflow, Op::SsubOverflow, Op::SdivOverflow, Op::ZeroExtend,  Op::Repeat};
  TermStore store;
  RandomTerms terms(store, 1, 40);
  for (const std::uint32_t w : {1U, 8U, 8U, 13U}) terms.add_variable(store.variable(w, "x"));
  for (int i = 0; i < 5000; ++i) terms.add_random(terms.below(terms.size()));
  for (Term t{1}; t.id < store.size(); ++t.id) {
    EXPECT_FALSE(derived.contains(store.op(t))) << name(store.op(t));
    for (unsigned i = 0; i < store.arity(t); ++i) EXPECT_LT(store.child(t, i), t);
  }
}

TEST(TermStore, AMillionTermsCostAtMost48BytesEach) {
  TermStore store;
  std::vector<Term> variables;
  for (int i = 0; i < 1500; ++i) variables.push_back(store.variable(32, {}));
  for (const Term a : variables)
    for (const Term b : variables)
      if (a < b) store.mul(a, b);
  ASSERT_GT(store.size(), 1000000U);
  EXPECT_LE(store.memory() / store.size(), 48U);
  EXPECT_GE(store.memory() / store.size(), 24U);
}

TEST(TermStore, SortsAreThoseOfTheOperators) {
  TermStore store;
  const Term a = store.variable(Sort{8, 4}, "a");
  const Term i = store.variable(4, "i");
  const Term x = store.variable(8, "x");
  const Term p = store.variable(1, "p");
  const Sort array{8, 4};
  EXPECT_EQ(store.sort(a), array);
  EXPECT_EQ(store.sort(store.store(a, i, x)), array);
  EXPECT_EQ(store.sort(store.constant_array(4, x)), array);
  EXPECT_EQ(store.sort(store.ite(p, a, store.store(a, i, x))), array);
  EXPECT_EQ(store.sort(store.select(a, i)), (Sort{8, 0}));
  EXPECT_EQ(store.sort(store.extract(x, 6, 3)), (Sort{4, 0}));
  EXPECT_EQ(store.sort(store.eq(a, store.constant_array(4, x))), (Sort{1, 0}));
  EXPECT_EQ(store.sort(store.ite(p, x, store.neg(x))), (Sort{8, 0}));
}

TEST(TermStore, RefusesOperandsOfWrongSorts) {
  TermStore store;
  const Term a = store.variable(Sort{8, 4}, "a");
  const Term x = store.variable(8, "x");
  const Term y = store.variable(9, "y");
  for (const Op op : bit_vector_operators()) {
    if (arity(op) != 2 || op == Op::Concat) continue;
    EXPECT_THROW(store.make(op, std::array{x, y}), InternalError) << name(op);
    EXPECT_THROW(store.make(op, std::array{y, x}), InternalError) << name(op);
  }
  EXPECT_THROW(store.ite(x, x, x), InternalError);
  EXPECT_THROW(store.ite(store.boolean(true), x, y), InternalError);
  EXPECT_THROW(store.extract(x, 8, 0), InternalError);
  EXPECT_THROW(store.zero_extend(x, 7), InternalError);
  EXPECT_THROW(store.sign_extend(x, 7), InternalError);
  EXPECT_THROW(store.select(x, x), InternalError);
  EXPECT_THROW(store.select(a, x), InternalError);
  EXPECT_THROW(store.store(a, store.zero(4), y), InternalError);
  EXPECT_THROW(store.eq(a, x), InternalError);
  EXPECT_THROW(store.make(Op::Add, std::array{x}), InternalError);
  EXPECT_THROW(store.make(Op::Variable, {}), InternalError);
  EXPECT_THROW(store.variable(0, "x"), InternalError);
}

}  // namespace
}  // namespace plumb::term
