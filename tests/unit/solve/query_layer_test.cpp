#include "solve/query_layer.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "incremental_script.h"

namespace plumb::solve {
namespace {

using term::Term;

/// Decides by enumeration, reports minimal failed assumptions and keeps a record of what it was asked.
class EnumeratingSolver : public Solver {
 public:
  using Solver::Solver;
  std::string_view name() const override { return "enumeration"; }

  std::vector<std::vector<Term>> queries;
  std::set<Term> unanswerable;  ///< queries with one of these are Unknown

 protected:
  Result decide(std::span<const Term> assumptions, const Budget&) override {
    EXPECT_TRUE(assertions().empty()) << "the inner solver should not hold assertions";
    queries.emplace_back(assumptions.begin(), assumptions.end());
    if (std::ranges::any_of(assumptions, [&](Term t) { return unanswerable.contains(t); }))
      return Result::unknown("too hard");
    const auto find = [&](std::span<const Term> constraints) {
      return some_assignment(store(), term::support(store(), constraints),
                             [&](const term::Assignment& assignment, term::Evaluator& e) {
                               if (!all_hold(e, constraints)) return false;
                               model_ = assignment;
                               return true;
                             });
    };
    if (find(assumptions)) return Result::sat();
    failed_.assign(assumptions.begin(), assumptions.end());
    for (std::size_t i = failed_.size(); i-- > 0;) {
      std::vector<Term> fewer = failed_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!find(fewer)) failed_ = fewer;
    }
    model_.clear();
    return Result::unsat();
  }
};

class QueryLayers : public ::testing::Test {
 protected:
  Answer check(const std::vector<Term>& assumptions = {}) { return layer.check(assumptions, Budget()).answer; }
  std::size_t asked() const { return inner->queries.size(); }
  std::map<std::string, double> statistics() {
    const auto all = layer.statistics();
    return {all.begin(), all.end()};
  }
  Term constant(std::uint64_t value) { return store.constant(3, value); }
  Term below(Term v, std::uint64_t bound) { return store.ult(v, constant(bound)); }
  Term above(Term v, std::uint64_t bound) { return store.ult(constant(bound), v); }
  BitVector value(Term t) { return term::Evaluator(store, layer.model()).bits(t); }

  term::TermStore store;
  EnumeratingSolver* inner = new EnumeratingSolver(store);
  QueryLayer layer{std::unique_ptr<Solver>(inner)};
  Term x = store.variable(3, "x");
  Term y = store.variable(3, "y");
  Term z = store.variable(3, "z");
};

TEST_F(QueryLayers, IndependentPartsAreAskedSeparately) {
  layer.assert_true(above(x, 3));
  layer.assert_true(above(y, 4));
  ASSERT_EQ(check({above(z, 5)}), Answer::Sat);
  ASSERT_EQ(asked(), 3U);
  for (const auto& query : inner->queries) EXPECT_EQ(query.size(), 1U);
  EXPECT_TRUE(BitVector(3, 3).ult(value(x)) && BitVector(3, 4).ult(value(y)) && BitVector(3, 5).ult(value(z)));
}

TEST_F(QueryLayers, ConjunctionsAreTakenApart) {
  ASSERT_EQ(check({store.bit_and(store.bit_and(above(x, 3), above(y, 4)), below(x, 6))}), Answer::Sat);
  ASSERT_EQ(asked(), 2U);
  EXPECT_EQ(inner->queries[0].size() + inner->queries[1].size(), 3U);
}

TEST_F(QueryLayers, ConstraintsThatAreLinkedThroughOthersAreOnePart) {
  layer.assert_true(above(x, 3));
  layer.assert_true(above(z, 4));
  layer.assert_true(store.ult(x, y));
  ASSERT_EQ(check({store.ult(y, z)}), Answer::Sat);
  ASSERT_EQ(asked(), 1U);
  EXPECT_EQ(inner->queries[0].size(), 4U);
}

TEST_F(QueryLayers, TheSamePartIsNotAskedTwice) {
  layer.assert_true(above(x, 3));
  ASSERT_EQ(check({below(x, 5)}), Answer::Sat);
  ASSERT_EQ(check({above(y, 3), below(y, 4)}), Answer::Unsat);
  const std::size_t before = asked();
  ASSERT_EQ(check({below(x, 5)}), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(3, 4));
  ASSERT_EQ(check({store.bit_and(below(y, 4), above(y, 3))}), Answer::Unsat);
  layer.push();
  layer.assert_true(below(x, 5));
  ASSERT_EQ(check({above(x, 3), store.boolean(true)}), Answer::Sat);
  EXPECT_EQ(asked(), before);
  EXPECT_GE(statistics().at("answered-by-same-part"), 3);
}

TEST_F(QueryLayers, APartWithAKnownUnsatisfiableSubsetIsNotAsked) {
  const Term low = below(x, 2);
  const Term high = above(x, 5);
  ASSERT_EQ(check({low, store.ult(x, y), high}), Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), (std::vector<Term>{low, high}));
  const std::size_t before = asked();
  ASSERT_EQ(check({store.ult(z, x), high, store.ult(y, z), low}), Answer::Unsat);
  EXPECT_EQ(asked(), before);
  EXPECT_EQ(layer.failed_assumptions(), (std::vector<Term>{high, low}));
  EXPECT_EQ(statistics().at("answered-by-unsat-subset"), 1);
  ASSERT_EQ(check({store.ult(z, x), high, store.ult(y, z)}), Answer::Sat) << "a part of the core is not the core";
}

TEST_F(QueryLayers, AModelOfAnEarlierQueryAnswersALaterOne) {
  ASSERT_EQ(check({above(x, 3)}), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(3, 4));
  ASSERT_EQ(asked(), 1U);
  ASSERT_EQ(check({above(x, 2), below(x, 6)}), Answer::Sat);
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(value(x), BitVector(3, 4));
  EXPECT_EQ(statistics().at("answered-by-model"), 1);
  ASSERT_EQ(check({above(x, 4)}), Answer::Sat);
  EXPECT_EQ(asked(), 2U);
  ASSERT_EQ(check({below(x, 5), above(x, 1)}), Answer::Sat) << "older models are tried too";
  EXPECT_EQ(asked(), 2U);
}

TEST_F(QueryLayers, AVariableThatAnEarlierModelLacksCountsAsZero) {
  ASSERT_EQ(check({above(x, 3)}), Answer::Sat);
  ASSERT_EQ(check({below(y, 1)}), Answer::Sat);
  EXPECT_EQ(asked(), 1U);
  EXPECT_TRUE(value(y).is_zero());
}

TEST_F(QueryLayers, FailedAssumptionsAreTheGivenOnesThatTheCoreTouches) {
  const Term pair = store.bit_and(below(x, 2), below(y, 5));
  ASSERT_EQ(check({above(z, 1), pair, above(x, 4)}), Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), (std::vector<Term>{pair, above(x, 4)}));
  layer.assert_true(above(y, 6));
  ASSERT_EQ(check({above(z, 1), pair}), Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), std::vector<Term>{pair});
}

TEST_F(QueryLayers, AContradictionOfAssertionsFailsNoAssumption) {
  layer.assert_true(below(x, 2));
  layer.assert_true(above(x, 4));
  ASSERT_EQ(check({above(y, 1)}), Answer::Unsat);
  EXPECT_TRUE(layer.failed_assumptions().empty());
}

TEST_F(QueryLayers, ConstantsAreDecided) {
  layer.assert_true(store.boolean(true));
  ASSERT_EQ(check({store.boolean(true)}), Answer::Sat);
  EXPECT_EQ(asked(), 0U);
  ASSERT_EQ(check({above(x, 1), store.boolean(false)}), Answer::Unsat);
  EXPECT_EQ(layer.failed_assumptions(), std::vector<Term>{store.boolean(false)});
  ASSERT_EQ(check({above(x, 1)}), Answer::Sat);
}

TEST_F(QueryLayers, PoppedConstraintsAreNoLongerAsked) {
  layer.assert_true(above(x, 2));
  layer.push();
  layer.assert_true(below(x, 2));
  ASSERT_EQ(check(), Answer::Unsat);
  layer.push();
  layer.assert_true(below(x, 7));
  ASSERT_EQ(check(), Answer::Unsat);
  layer.pop(2);
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(inner->queries.back(), std::vector<Term>{above(x, 2)});
  layer.push();
  layer.assert_true(below(x, 4));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(3, 3));
}

TEST_F(QueryLayers, AnUnknownPartMakesTheAnswerUnknownUnlessAnotherIsUnsatisfiable) {
  const Term hard = above(x, 3);
  inner->unanswerable = {hard};
  const Result result = layer.check(std::vector<Term>{above(y, 3), hard, above(z, 3)}, Budget());
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "too hard");
  EXPECT_TRUE(layer.model().empty());
  for (const auto& order : {std::vector<Term>{hard, above(y, 3), below(y, 3)}, {above(y, 3), below(y, 3), hard}}) {
    EXPECT_EQ(check(order), Answer::Unsat);
    EXPECT_EQ(layer.failed_assumptions().size(), 2U);
  }
}

TEST_F(QueryLayers, AnUnknownAnswerIsNotRemembered) {
  const Term hard = above(x, 3);
  inner->unanswerable = {hard};
  ASSERT_EQ(check({hard, above(y, 2)}), Answer::Unknown);
  ASSERT_EQ(check({above(y, 2), below(y, 7)}), Answer::Sat);
  const std::size_t before = asked();
  ASSERT_EQ(check({hard}), Answer::Unknown);
  EXPECT_EQ(asked(), before + 1);
  inner->unanswerable.clear();
  ASSERT_EQ(check({hard}), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(3, 4));
}

TEST_F(QueryLayers, ACancelledBudgetIsUnknownAndTheNextQueryWorks) {
  const Budget budget;
  budget.cancel();
  EXPECT_EQ(layer.check(std::vector<Term>{above(x, 3)}, budget).answer, Answer::Unknown);
  EXPECT_EQ(check({above(x, 3)}), Answer::Sat);
}

TEST_F(QueryLayers, EveryPartIsCountedOnceByHowItWasAnswered) {
  RandomTerms terms(store, 4, kBitVectorSorts);
  run_random_script(layer, terms, 400);
  const auto counts = statistics();
  EXPECT_EQ(counts.at("searches"), static_cast<double>(asked()));
  EXPECT_EQ(counts.at("query-parts"), counts.at("answered-by-same-part") + counts.at("answered-by-unsat-subset") +
                                          counts.at("answered-by-model") + counts.at("searches"));
  for (const auto& [name, count] : counts) EXPECT_GT(count, 0) << name;
  EXPECT_LT(counts.at("searches") * 2, counts.at("query-parts"));
}

TEST_F(QueryLayers, NoPartIsAskedTwiceInLongScripts) {
  RandomTerms terms(store, 5, kBitVectorSorts);
  run_random_script(layer, terms, 1500);
  std::set<std::vector<Term>> different;
  for (std::vector<Term> query : inner->queries) {
    std::ranges::sort(query);
    EXPECT_TRUE(different.insert(query).second);
  }
  EXPECT_GT(different.size(), 50U);
}

TEST(QueryLayerRandom, ScriptsAgreeWithEnumeration) {
  ScriptCounts all;
  for (std::uint64_t seed = 0; seed < 400 && !::testing::Test::HasFailure(); ++seed) {
    term::TermStore store;
    QueryLayer layer(std::make_unique<EnumeratingSolver>(store));
    RandomTerms terms(store, seed, kBitVectorSorts);
    const ScriptCounts counts = run_random_script(layer, terms, 30);
    all.satisfiable += counts.satisfiable;
    all.checks += counts.checks;
  }
  EXPECT_GT(all.satisfiable, all.checks / 5);
  EXPECT_LT(all.satisfiable, all.checks - all.checks / 5);
}

}  // namespace
}  // namespace plumb::solve
