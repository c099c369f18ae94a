#include "paths/search.h"

#include <gtest/gtest.h>

#include <random>

#include "solve/native/blast_solver.h"

namespace plumb::paths {
namespace {

/// Random terms as an execution makes them: joined values, comparisons, sums, conditions.
class RandomTerms {
 public:
  RandomTerms(TermStore& terms, unsigned seed) : terms_(terms), random_(seed) {
    for (unsigned i = 0; i < 3; ++i) words_.push_back(terms.variable(4, "w"));
    for (unsigned i = 0; i < 2; ++i) conditions_.push_back(terms.variable(1, "c"));
    for (unsigned i = 0; i < 30; ++i) grow();
  }

  Term condition() { return conditions_[conditions_.size() - 1 - below(6)]; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Term word() { return words_[below(static_cast<unsigned>(words_.size()))]; }
  Term any_condition() { return conditions_[below(static_cast<unsigned>(conditions_.size()))]; }
  void grow() {
    switch (below(10)) {
      case 0:
        return words_.push_back(terms_.add(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 1:
      case 2:
      case 3:
        return words_.push_back(
            terms_.ite(any_condition(), word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 4:
        return words_.push_back(
            terms_.make(below(2) == 0 ? term::Op::Mul : term::Op::Urem, std::array{word(), word()}));
      case 5:
        return conditions_.push_back(terms_.bit_and(any_condition(), any_condition()));
      case 6:
        return conditions_.push_back(terms_.bit_or(any_condition(), terms_.bit_not(any_condition())));
      case 7:
        return conditions_.push_back(terms_.eq(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      case 8:
        return conditions_.push_back(terms_.slt(word(), below(2) == 0 ? terms_.constant(4, below(16)) : word()));
      default:
        return conditions_.push_back(terms_.ult(word(), word()));
    }
  }

  TermStore& terms_;
  std::mt19937 random_;
  std::vector<Term> words_;
  std::vector<Term> conditions_;
};

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
