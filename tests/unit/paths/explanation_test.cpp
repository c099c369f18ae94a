#include "paths/explanation.h"

#include <gtest/gtest.h>

#include "random_terms.h"
#include "solve/native/blast_solver.h"

namespace plumb::paths {
namespace {

/// The literal as a term.
Term term_of(TermStore& terms, const Domains& domains, const Literal& a) {
  const Term t = domains.term(a.cell);
  const Term bound = terms.constant(terms.width(t), a.value & Range::all(terms.width(t)).high);
  switch (a.bound) {
    case kLow:
      return terms.ule(bound, t);
    case kHigh:
      return terms.ule(t, bound);
    case kLeast:
      return terms.sle(bound, t);
    default:
      return terms.sle(t, bound);
  }
}

TEST(Explanation, WhatIsLearntCannotHoldTogether) {
  std::size_t learnt_in_all = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    TermStore terms;
    RandomTerms random(terms, seed);
    Domains domains(terms);
    Nogoods nogoods;
    Explanation explanation(domains, nogoods);
    std::vector<Cell> conditions;
    for (unsigned i = 0; i < 8; ++i) conditions.push_back(domains.add(random.condition(), {}));
    bool is_possible = true;
    for (std::size_t i = 0; i < conditions.size() && is_possible; ++i) {
      if (domains.is_known(conditions[i])) continue;
      domains.push_level();
      domains.decide(Literal::of(conditions[i], (seed >> i & 1) != 0));
      is_possible = domains.propagate();
    }
    if (is_possible) continue;
    const auto learnt = explanation.of(explanation.of_conflict(domains.conflict()));
    ASSERT_TRUE(learnt.has_value()) << "seed " << seed;
    ++learnt_in_all;
    solve::BlastSolver solver(terms, {});
    for (const Literal& each : learnt->literals) {
      EXPECT_TRUE(domains.is_true(each)) << "seed " << seed;
      solver.assert_true(term_of(terms, domains, each));
    }
    EXPECT_EQ(solver.check({}).answer, Answer::Unsat) << "seed " << seed;
    for (std::size_t i = 1; i < learnt->levels.size(); ++i)
      EXPECT_LT(learnt->levels[i], learnt->levels[0]) << "seed " << seed;
  }
  EXPECT_GT(learnt_in_all, 100U);
}

}  // namespace
}  // namespace plumb::paths
