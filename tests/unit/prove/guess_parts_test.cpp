#include <gtest/gtest.h>

#include <random>
#include <set>

#include "prove/guess/affine_hull.h"
#include "prove/guess/polynomial_facts.h"
#include "prove/guess/premise.h"
#include "prove/guess/value_sets.h"
#include "term/evaluator.h"

namespace plumb::prove {
namespace {

/// All combinations of rows modulo 2^width.
std::set<std::vector<std::uint64_t>> span_of(const std::vector<AffineHull::Equation>& rows, std::uint32_t width,
                                             std::size_t size) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::set<std::vector<std::uint64_t>> span = {std::vector<std::uint64_t>(size, 0)};
  for (const AffineHull::Equation& row : rows) {
    std::vector<std::uint64_t> values = row.coefficients;
    values.push_back(row.constant);
    std::set<std::vector<std::uint64_t>> next;
    for (const auto& sum : span)
      for (std::uint64_t factor = 0; factor <= mask; ++factor) {
        std::vector<std::uint64_t> more = sum;
        for (std::size_t i = 0; i < size; ++i) more[i] = (more[i] + factor * values[i]) & mask;
        next.insert(std::move(more));
      }
    span = std::move(next);
  }
  return span;
}

TEST(AffineHull, EquationsSpanExactlyThoseThatHoldInAllPoints) {
  constexpr std::uint32_t kWidth = 3;
  constexpr std::uint64_t kValues = 8;
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    AffineHull hull(kWidth, 2);
    std::vector<std::vector<std::uint64_t>> points;
    for (std::uint64_t count = random() % 5; count-- > 0;) {
      points.push_back({random() % kValues, random() % kValues});
      hull.add(points.back());
      EXPECT_FALSE(hull.add(points.back()));
    }
    const std::vector<int> ranks = {1, static_cast<int>(random() % 3)};
    const auto span = span_of(hull.equations(ranks), kWidth, 3);
    for (std::uint64_t a = 0; a < kValues; ++a)
      for (std::uint64_t b = 0; b < kValues; ++b)
        for (std::uint64_t c = 0; c < kValues; ++c) {
          // Where nobody was, every equation holds, and those without a variable are not listed.
          if (points.empty()) continue;
          bool holds = true;
          for (const auto& point : points) holds = holds && (a * point[0] + b * point[1] + c) % kValues == 0;
          EXPECT_EQ(span.contains({a, b, c}), holds);
        }
  }
}

TEST(AffineHull, APivotStandsAloneInItsEquationAndInNoOther) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    AffineHull hull(32, 5);
    for (std::uint64_t count = 1 + random() % 5; count-- > 0;)
      hull.add(std::vector<std::uint64_t>{random() % 100, random() % 100, random() % 4, random() % 100, 3});
    const std::vector<int> ranks = {1, 2, 3, 0, 5};
    const auto equations = hull.equations(ranks);
    for (std::size_t i = 0; i < equations.size(); ++i) {
      if (!equations[i].pivot) continue;
      EXPECT_GT(ranks[*equations[i].pivot], 0);
      for (std::size_t j = 0; j < equations.size(); ++j)
        EXPECT_EQ(equations[j].coefficients[*equations[i].pivot], i == j ? 1U : 0U);
    }
  }
}

TEST(PolynomialFacts, WhatTheyImplyHoldsInEveryAssignmentOfTheFacts) {
  constexpr std::uint32_t kWidth = 3;
  std::mt19937_64 random(5);
  std::size_t implied = 0;
  for (int trial = 0; trial < 400; ++trial) {
    term::TermStore store;
    const std::vector<Term> x = {store.variable(kWidth, "x"), store.variable(kWidth, "y"), store.variable(kWidth, "z")};
    const auto sum = [&] {
      Term t = store.constant(kWidth, random() % 8);
      for (std::uint64_t i = random() % 4; i-- > 0;) {
        const Term a = store.add(x[random() % 3], store.constant(kWidth, random() % 2));
        t = store.add(t, random() % 2 == 0 ? a : store.mul(a, x[random() % 3]));
      }
      return t;
    };
    const std::vector<Term> sides = {sum(), sum(), sum(), sum()};
    const std::vector<Term> facts = {store.eq(sides[0], sides[1]), store.eq(sides[2], sides[3])};
    const PolynomialFacts known(store, facts);
    const Term factor = sum();
    const Term candidates[] = {
        store.eq(sum(), sum()), store.eq(store.add(sides[0], sides[2]), store.add(sides[1], sides[3])),
        store.eq(store.sub(sides[0], store.mul(factor, x[0])), store.sub(sides[1], store.mul(x[0], factor)))};
    for (const Term wanted : candidates) {
      if (!known.imply(wanted)) continue;
      ++implied;
      for (std::uint64_t code = 0; code < 512; ++code) {
        term::Assignment assignment;
        for (std::size_t i = 0; i < 3; ++i) assignment[x[i]] = BitVector(kWidth, code >> (3 * i));
        term::Evaluator evaluator(store, assignment);
        if (evaluator.is_true(facts[0]) && evaluator.is_true(facts[1])) {
          EXPECT_TRUE(evaluator.is_true(wanted));
        }
      }
    }
  }
  EXPECT_GT(implied, 200U);
}

/// Comparisons of sums and products of three words of three bits, and a Boolean.
class RandomFacts {
 public:
  explicit RandomFacts(std::uint64_t seed) : random_(seed) {
    for (const char* const name : {"x", "y", "z"}) words_.push_back(store.variable(3, name));
    flag_ = store.variable(1, "b");
  }

  Term fact() {
    switch (random_() % 6) {
      case 0:
        return store.ule(sum(), sum());
      case 1:
        return store.slt(sum(), sum());
      case 2:
        return store.bit_not(store.eq(sum(), sum()));
      case 3:
        return random_() % 2 == 0 ? flag_ : store.bit_not(flag_);
      default:
        return store.eq(sum(), sum());
    }
  }
  /// Calls use() with an evaluator for each assignment.
  template <typename Use>
  void each_assignment(const Use& use) {
    for (std::uint64_t code = 0; code < 1024; ++code) {
      term::Assignment assignment;
      for (std::size_t i = 0; i < 3; ++i) assignment[words_[i]] = BitVector(3, code >> (3 * i));
      assignment[flag_] = BitVector(1, code >> 9);
      term::Evaluator evaluator(store, assignment);
      use(evaluator);
    }
  }

  term::TermStore store;

 private:
  Term sum() {
    const Term word = words_[random_() % 3];
    switch (random_() % 6) {
      case 0:
        return store.add(word, words_[random_() % 3]);
      case 1:
        return store.mul(word, store.add(words_[random_() % 3], store.constant(3, random_() % 3)));
      case 2:
        return store.ite(flag_, word, store.add(word, store.one(3)));
      case 3:
        return store.add(word, store.constant(3, random_() % 8));
      default:
        return word;
    }
  }

  std::mt19937_64 random_;
  std::vector<Term> words_;
  Term flag_;
};

TEST(Premise, SaysOfEveryTermWhatTheFactsSay) {
  std::size_t implied = 0;
  std::size_t contradictions = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomFacts random(seed);
    std::vector<Term> facts;
    for (std::uint64_t i = 0; i < 1 + seed % 5; ++i) facts.push_back(random.fact());
    Premise premise(random.store, facts);
    const Term all = random.store.all_of(facts);
    const Term left = random.store.all_of(premise.assumptions());
    std::vector<std::pair<Term, Term>> terms;
    for (int i = 0; i < 12; ++i) {
      const Term t = random.fact();
      const Term applied = premise.apply(t);
      terms.emplace_back(t, premise.implies(applied) ? random.store.boolean(true) : applied);
      implied += random.store.is_true(terms.back().second);
    }
    contradictions += premise.is_contradictory();
    random.each_assignment([&](term::Evaluator& evaluator) {
      if (!evaluator.is_true(all)) return;
      EXPECT_TRUE(evaluator.is_true(left));
      for (const auto& [t, applied] : terms) EXPECT_EQ(evaluator.is_true(t), evaluator.is_true(applied));
    });
  }
  EXPECT_GT(implied, 50U);
  EXPECT_GT(contradictions, 5U);
}

TEST(ProductsExpanded, MeanTheSame) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomFacts random(seed);
    const Term t = random.store.bit_and(random.fact(), random.fact());
    const Term expanded = with_products_expanded(random.store, t);
    random.each_assignment(
        [&](term::Evaluator& evaluator) { EXPECT_EQ(evaluator.is_true(t), evaluator.is_true(expanded)); });
  }
}

TEST(ValueSet, HoldsExactlyInTheValuesThatItWasGiven) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    term::TermStore store;
    const std::vector<Term> words = {store.variable(2, "x"), store.variable(1, "b"), store.variable(3, "y")};
    ValueSet set(words, 20);
    std::set<std::vector<std::uint64_t>> values;
    for (std::uint64_t i = 0; i < 1 + random() % 12; ++i) {
      const std::vector<std::uint64_t> value = {random() % 4, random() % 2, random() % 8};
      values.insert(value);
      set.add(value);
    }
    ASSERT_FALSE(set.is_lost());
    const Term t = set.term(store);
    for (std::uint64_t code = 0; code < 64; ++code) {
      const std::vector<std::uint64_t> value = {code & 3, (code >> 2) & 1, code >> 3};
      term::Assignment assignment;
      for (std::size_t i = 0; i < words.size(); ++i) assignment[words[i]] = BitVector(store.width(words[i]), value[i]);
      EXPECT_EQ(term::Evaluator(store, assignment).is_true(t), values.contains(value));
    }
  }
}

TEST(ValueSet, SaysNothingBehindItsLimit) {
  term::TermStore store;
  ValueSet set({store.variable(8, "x")}, 3);
  for (std::uint64_t i = 0; i < 4; ++i) set.add({i});
  EXPECT_TRUE(set.is_lost());
  EXPECT_TRUE(store.is_true(set.term(store)));
}

}  // namespace
}  // namespace plumb::prove
