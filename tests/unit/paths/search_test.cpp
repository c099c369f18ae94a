#include "paths/search.h"

#include <gtest/gtest.h>

#include <array>

#include "random_terms.h"
#include "solve/native/blast_solver.h"

namespace plumb::paths {
namespace {

constexpr std::array kStrategies = {Strategy::Dpvs, Strategy::Cpbpv, Strategy::Both};

TEST(Search, AgreesWithTheBitVectorSolverOnRandomTerms) {
  unsigned satisfiable = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    TermStore terms;
    RandomTerms random(terms, seed);
    Statistics statistics;
    Options options;
    options.strategy = kStrategies[seed % 3];
    options.stores = {.orders = seed % 2 == 0, .linear = seed % 5 == 0};
    Search search(terms, options, statistics);
    solve::BlastSolver solver(terms, {});
    // What was learnt in one question serves the next one.
    for (unsigned question = 0; question < 4; ++question) {
      std::vector<Term> properties;
      for (unsigned i = 0; i <= question % 3; ++i) properties.push_back(random.condition());
      const Answer expected = solver.check(properties, {}).answer;
      satisfiable += expected == Answer::Sat ? 1 : 0;
      ASSERT_EQ(search.solve(properties, {}), expected) << "seed " << seed << ", question " << question;
    }
  }
  EXPECT_GT(satisfiable, 1500U);
  EXPECT_LT(satisfiable, 5500U);
}

TEST(Search, BoundsThatCreepAreLeftToTheEndOfThePath) {
  TermStore terms;
  const Term x = terms.variable(32, "x");
  const Term y = terms.variable(32, "y");
  const Term z = terms.variable(32, "z");
  const Term most = terms.constant(32, 1U << 30);
  const std::array properties = {terms.ult(x, most), terms.ult(y, most), terms.ult(z, most),
                                 terms.ult(terms.add(x, y), z), terms.ult(terms.add(z, terms.one(32)), x)};
  for (const bool has_orders : {false, true}) {
    Options options;
    options.stores.orders = has_orders;
    Statistics statistics;
    Search search(terms, options, statistics);
    EXPECT_EQ(search.solve(properties, Budget().with_timeout(std::chrono::duration<double>(20))), Answer::Unsat);
  }
}

TEST(Search, AQuestionWithoutTimeGoesOnWhereItWas) {
  TermStore terms;
  RandomTerms random(terms, 7);
  const std::array properties = {random.condition()};
  Statistics statistics;
  Search search(terms, {}, statistics);
  EXPECT_THROW(search.solve(properties, Budget().with_timeout(std::chrono::duration<double>(0))), OutOfBudget);
  solve::BlastSolver solver(terms, {});
  EXPECT_EQ(search.solve(properties, {}), solver.check(properties, {}).answer);
}

}  // namespace
}  // namespace plumb::paths
