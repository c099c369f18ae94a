#include "solve/native/blast_solver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "term/selection.h"
#include "term/smtlib_printer.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Sort;
using term::Term;
using namespace std::chrono_literals;

double statistic(const Solver& solver, std::string_view name) {
  for (const auto& [key, value] : solver.statistics())
    if (key == name) return value;
  ADD_FAILURE() << "no statistic " << name;
  return 0;
}

/// Takes the solver past the expander's limit with a table that folds to nothing, so that all later reads are left to
/// lemmas.
void exhaust_expansion(Solver& solver) {
  term::TermStore& store = solver.store();
  Term table = store.constant_array(17, store.zero(1));
  for (std::uint64_t i = 0; i < 70'000; ++i) table = store.store(table, store.constant(17, i), store.one(1));
  const Term read = store.select(table, store.variable(17, "index"));
  ASSERT_EQ(solver.check(std::span(&read, 1), Budget()).answer, Answer::Sat);
  ASSERT_GT(statistic(solver, "array-steps"), 1U << 17);
}

/// The same claims with reads expanded and with reads left to lemmas.
class BlastedArrays : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (on_lemmas()) exhaust_expansion(solver);
  }
  bool on_lemmas() const { return GetParam(); }
  Answer check(const std::vector<Term>& assumptions = {}) {
    const Result result = solver.check(assumptions, Budget().with_timeout(30s));
    EXPECT_NE(result.answer, Answer::Unknown) << result.reason;
    return result.answer;
  }
  bool is_valid(Term t) { return check({store.bit_not(t)}) == Answer::Unsat; }
  Term array(std::uint32_t index, std::uint32_t element, const char* name = "a") {
    return store.variable(Sort{element, index}, name);
  }
  Term var(std::uint32_t width, const char* name = "v") { return store.variable(width, name); }
  std::vector<Term> vars(std::uint32_t width, std::size_t count) {
    std::vector<Term> result;
    while (result.size() < count) result.push_back(var(width));
    return result;
  }
  Term constant(std::uint32_t width, std::uint64_t value) { return store.constant(width, value); }
  BitVector value(Term t) { return term::Evaluator(store, solver.model()).bits(t); }

  term::TermStore store;
  BlastSolver solver{store, {}};
};

TEST_P(BlastedArrays, HundredsOfWritesAtUnknownPlacesAreFollowed) {
  constexpr std::size_t kWrites = 300;
  const Term a = array(12, 8);
  const auto places = vars(12, kWrites);
  const auto values = vars(8, kWrites);
  Term written = a;
  for (std::size_t k = 0; k < kWrites; ++k) written = store.store(written, places[k], values[k]);
  const Term index = var(12, "index");
  const Term read = store.select(written, index);
  for (std::size_t k = 0; k < kWrites; ++k)
    if (k != 150) solver.assert_true(store.distinct(places[k], index));
  EXPECT_EQ(check({store.distinct(places[150], index), store.distinct(read, store.select(a, index))}), Answer::Unsat);
  EXPECT_EQ(check({store.eq(places[150], index), store.distinct(read, values[150])}), Answer::Unsat);
  ASSERT_EQ(check({store.eq(places[150], index), store.distinct(read, store.select(a, index))}), Answer::Sat);
  EXPECT_EQ(value(read), value(values[150]));
}

TEST_P(BlastedArrays, WritesAtDifferentPlacesMayBeExchanged) {
  const Term a = array(8, 8);
  const auto places = vars(8, 5);
  const auto values = vars(8, 5);
  const auto written = [&](std::vector<std::size_t> order) {
    Term t = a;
    for (const std::size_t k : order) t = store.store(t, places[k], values[k]);
    return t;
  };
  const Term same = store.eq(written({0, 1, 2, 3, 4}), written({3, 1, 4, 0, 2}));
  EXPECT_FALSE(is_valid(same));
  std::vector<Term> different;
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t m = 0; m < k; ++m) different.push_back(store.distinct(places[k], places[m]));
  EXPECT_TRUE(is_valid(store.implies(store.all_of(different), same)));
  different.pop_back();
  EXPECT_TRUE(is_valid(store.implies(store.all_of(different), same))) << "4 comes after 3 on both sides";
  different.erase(different.begin());
  EXPECT_FALSE(is_valid(store.implies(store.all_of(different), same))) << "0 and 1 are exchanged";
}

TEST_P(BlastedArrays, ThreeArraysEqualInPairsReadTheSame) {
  const Term a = array(16, 8, "a");
  const Term b = array(16, 8, "b");
  const Term c = array(16, 8, "c");
  const Term i = var(16, "i");
  solver.assert_true(store.eq(a, b));
  solver.assert_true(store.eq(b, store.store(c, i, constant(8, 7))));
  EXPECT_EQ(check({store.distinct(store.select(a, i), constant(8, 7))}), Answer::Unsat);
  const Term j = var(16, "j");
  EXPECT_EQ(check({store.distinct(i, j), store.distinct(store.select(a, j), store.select(c, j))}), Answer::Unsat);
  ASSERT_EQ(check({store.distinct(a, c)}), Answer::Sat);
  EXPECT_NE(value(store.select(c, i)), BitVector(8, 7));
}

TEST_P(BlastedArrays, ArraysThatDifferHaveAPlaceWhereTheyDo) {
  const Term a = array(2, 8, "a");
  const Term b = array(2, 8, "b");
  solver.assert_true(store.distinct(a, b));
  for (std::uint64_t k = 0; k < 3; ++k) {
    ASSERT_EQ(check(), Answer::Sat);
    solver.assert_true(store.eq(store.select(a, constant(2, k)), store.select(b, constant(2, k))));
  }
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_NE(value(store.select(a, constant(2, 3))), value(store.select(b, constant(2, 3))));
  solver.assert_true(store.eq(store.select(a, constant(2, 3)), store.select(b, constant(2, 3))));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(BlastedArrays, ManyArraysMayAllDifferOnlyIfThereAreEnoughValues) {
  // Of index width 1 and element width 1 there are four arrays.
  std::vector<Term> arrays;
  for (int k = 0; k < 4; ++k) {
    arrays.push_back(array(1, 1));
    for (int m = 0; m < k; ++m) solver.assert_true(store.distinct(arrays[static_cast<std::size_t>(m)], arrays.back()));
  }
  EXPECT_EQ(check(), Answer::Sat);
  arrays.push_back(array(1, 1));
  for (int m = 0; m < 4; ++m) solver.assert_true(store.distinct(arrays[static_cast<std::size_t>(m)], arrays.back()));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(BlastedArrays, ConstantArraysAreEqualExactlyIfTheirElementsAre) {
  const Term v = var(8, "v");
  const Term w = var(8, "w");
  for (const std::uint32_t index : {1U, 2U, 32U}) {
    const Term same = store.eq(store.constant_array(index, v), store.constant_array(index, w));
    EXPECT_TRUE(is_valid(store.eq(same, store.eq(v, w))));
  }
}

TEST_P(BlastedArrays, DifferentDefaultsAreHiddenOnlyByWritesToAllPlaces) {
  const auto same_after = [&](std::uint32_t index, const std::vector<Term>& places) {
    Term a = store.constant_array(index, constant(2, 1));
    Term b = store.constant_array(index, constant(2, 2));
    for (const Term place : places) {
      const Term v = var(2);
      a = store.store(a, place, v);
      b = store.store(b, place, v);
    }
    return store.eq(a, b);
  };
  const Term zero = constant(1, 0);
  EXPECT_TRUE(is_valid(same_after(1, {zero, constant(1, 1)})));
  EXPECT_EQ(check({same_after(1, {zero})}), Answer::Unsat);
  const Term i = var(1, "i");
  const Term j = var(1, "j");
  EXPECT_TRUE(is_valid(store.eq(same_after(1, {i, j}), store.distinct(i, j))));
  EXPECT_TRUE(is_valid(same_after(2, {constant(2, 3), constant(2, 1), constant(2, 0), constant(2, 2)})));
  EXPECT_EQ(check({same_after(2, {constant(2, 3), constant(2, 1), var(2)})}), Answer::Unsat);
  const auto k = vars(2, 4);
  std::vector<Term> different;
  for (std::size_t m = 0; m < 4; ++m)
    for (std::size_t n = 0; n < m; ++n) different.push_back(store.distinct(k[m], k[n]));
  EXPECT_TRUE(is_valid(store.eq(same_after(2, k), store.all_of(different))));
}

TEST_P(BlastedArrays, ChosenArraysFollowTheirCondition) {
  const Term a = array(8, 8, "a");
  const Term b = array(8, 8, "b");
  const Term p = var(1, "p");
  const Term i = var(8, "i");
  const Term chosen = store.ite(p, store.store(a, i, constant(8, 1)), store.store(b, i, constant(8, 2)));
  EXPECT_TRUE(is_valid(store.eq(p, store.eq(store.select(chosen, i), constant(8, 1)))));
  EXPECT_TRUE(is_valid(store.implies(p, store.eq(chosen, store.store(a, i, constant(8, 1))))));
  EXPECT_FALSE(is_valid(store.eq(chosen, store.store(a, i, constant(8, 1)))));
}

TEST_P(BlastedArrays, LemmasOfPoppedScopesDoNotConstrainLaterChecks) {
  const Term a = array(8, 8, "a");
  const Term b = array(8, 8, "b");
  const Term i = var(8, "i");
  solver.push();
  solver.assert_true(store.eq(a, b));
  EXPECT_EQ(check({store.distinct(store.select(a, i), store.select(b, i))}), Answer::Unsat);
  solver.pop();
  EXPECT_EQ(check({store.distinct(store.select(a, i), store.select(b, i))}), Answer::Sat);
  EXPECT_EQ(check({store.distinct(a, b)}), Answer::Sat);
  EXPECT_EQ(check({store.eq(a, b)}), Answer::Sat);
}

// Comparisons of choices are blasted in another shape, which must not make another read of one at such an index.
TEST_P(BlastedArrays, AReadAtAnIndexWithComparedChoicesIsThatRead) {
  const Term a = array(8, 8);
  std::vector<Term> words;
  for (int i = 0; i < 6; ++i) words.push_back(store.variable(8, "w"));
  const Term choice = store.ite(store.variable(1, "c"), words[0], words[1]);
  const Term index = store.ite(store.ult(choice, words[2]), words[3], words[4]);
  const Term read = store.select(a, index);
  EXPECT_EQ(check({store.eq(read, words[5]), store.distinct(store.select(a, words[3]), words[5]),
                   store.distinct(store.select(a, words[4]), words[5])}),
            Answer::Unsat);
  const Term again = store.select(a, store.add(read, index));
  EXPECT_EQ(check({store.ult(again, read), store.ult(choice, words[2]), store.ult(read, words[5])}), Answer::Sat);
}

TEST_P(BlastedArrays, RandomProblemsAgreeWithEnumeration) {
  int satisfiable = 0;
  constexpr int kProblems = 250;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    RandomTerms terms(store, seed, kArraySorts);
    std::vector<Term> constraints = terms.constraints(2, 3);
    constraints.push_back(terms.predicate(2));
    constraints.push_back(store.eq(terms.array({2, 1}, 2), terms.array({2, 1}, 2)));
    const bool expected = is_satisfiable(store, constraints);
    ASSERT_EQ(check(constraints), expected ? Answer::Sat : Answer::Unsat) << term::to_smtlib_script(store, constraints);
    satisfiable += expected;
    ASSERT_TRUE(expected || !is_satisfiable(store, solver.failed_assumptions()));
  }
  EXPECT_GT(satisfiable, kProblems / 5);
  EXPECT_LT(satisfiable, kProblems - kProblems / 10);
}

TEST_P(BlastedArrays, LemmasAreUsedExactlyWhereExpansionEnded) {
  const Term a = array(8, 8);
  const auto i = vars(8, 3);
  const Term read = store.select(store.store(store.store(a, i[0], i[1]), i[1], i[2]), i[2]);
  EXPECT_EQ(check({store.distinct(i[1], i[2]), store.eq(i[0], i[2]), store.distinct(read, i[1])}), Answer::Unsat);
  EXPECT_EQ(statistic(solver, "array-lemmas") > 0, on_lemmas());
}

INSTANTIATE_TEST_SUITE_P(All, BlastedArrays, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OnLemmas" : "Expanded"; });

class Blasting : public ::testing::Test {
 protected:
  /// A product so wide that blasting it takes seconds and hundreds of megabytes.
  Term wide_product(std::uint32_t width) {
    const Term x = store.variable(width, "x");
    return store.eq(store.mul(x, store.variable(width, "y")), store.bit_not(x));
  }

  term::TermStore store;
  BlastSolver solver{store, {}};
};

TEST_F(Blasting, ASmallQueryGetsAnInstanceOfItsOwnAndALargeOneFindsItsOwnAgain) {
  const Term x = store.variable(64, "x");
  const Term y = store.variable(64, "y");
  const std::vector<Term> large = {store.eq(store.udiv(x, y), store.constant(64, 3)),
                                   store.ult(store.constant(64, 1000), y)};
  ASSERT_EQ(solver.check(large, Budget()).answer, Answer::Sat);
  EXPECT_EQ(statistic(solver, "sat-instances"), 1);
  const auto variables = statistic(solver, "cnf-variables");
  const std::vector<Term> small = {store.ult(x, store.constant(64, 5)), store.ult(store.constant(64, 3), x)};
  ASSERT_EQ(solver.check(small, Budget()).answer, Answer::Sat);
  EXPECT_EQ(statistic(solver, "sat-instances"), 2);
  EXPECT_LT(statistic(solver, "cnf-variables"), variables / 6);
  EXPECT_EQ(std::get<BitVector>(solver.model().at(x)), BitVector(64, 4));
  const std::vector<Term> both = {large[0], large[1], small[0]};
  EXPECT_EQ(solver.check(both, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(statistic(solver, "sat-instances"), 2);
  EXPECT_GE(statistic(solver, "cnf-variables"), variables);
}

TEST_F(Blasting, PermanentAssertionsKeepToOneInstance) {
  const Term x = store.variable(64, "x");
  const Term y = store.variable(64, "y");
  solver.assert_true(store.ult(x, store.constant(64, 9)));
  const std::vector<Term> large = {store.eq(store.udiv(y, x), store.constant(64, 3))};
  ASSERT_EQ(solver.check(large, Budget()).answer, Answer::Sat);
  const std::vector<Term> small = {store.ult(store.constant(64, 8), x)};
  EXPECT_EQ(solver.check(small, Budget()).answer, Answer::Unsat);
  EXPECT_EQ(solver.failed_assumptions(), small);
  EXPECT_EQ(statistic(solver, "sat-instances"), 1);
}

TEST_F(Blasting, ACancellationDuringBlastingIsHeededWithinASecond) {
  const Term product = wide_product(8192);
  const Budget budget;
  std::chrono::steady_clock::time_point cancelled;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(100ms);
    cancelled = std::chrono::steady_clock::now();
    budget.cancel();
  });
  const Result result = solver.check(std::span(&product, 1), budget);
  const auto end = std::chrono::steady_clock::now();
  canceller.join();
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "cancelled");
  EXPECT_LT(end - cancelled, 1s);
  const Term x = store.variable(8, "x");
  const std::vector<Term> easy = {store.eq(store.mul(x, store.constant(8, 3)), store.constant(8, 6))};
  EXPECT_EQ(solver.check(easy, Budget()).answer, Answer::Sat);
}

TEST_F(Blasting, AMemoryLimitEndsBlastingAsUnknown) {
  const Term product = wide_product(8192);
  const Budget budget = Budget().with_memory_limit(resident_memory() + (32U << 20)).with_timeout(20s);
  const Result result = solver.check(std::span(&product, 1), budget);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason, "out of memory");
  const Term p = store.variable(1, "p");
  EXPECT_EQ(solver.check(std::span(&p, 1), Budget()).answer, Answer::Sat);
}

// The order of three words is known from the comparisons, before a bit of them is looked at.
TEST_F(Blasting, SortedWordsAreSearchedWithLemmas) {
  std::vector<Term> words;
  for (int i = 0; i < 64; ++i) words.push_back(store.variable(32, "w"));
  const Term key = store.variable(32, "key");
  for (std::size_t i = 0; i + 1 < words.size(); ++i) solver.assert_true(store.sle(words[i], words[i + 1]));
  const Term found = term::select_by_bits(store, store.variable(32, "i"), words);
  const std::vector<Term> asked = {store.slt(key, words.front()), store.eq(found, key)};
  EXPECT_EQ(solver.check(asked, Budget().with_timeout(30s)).answer, Answer::Unsat);
  EXPECT_GT(statistic(solver, "lifted-comparisons"), 0);
  EXPECT_GT(statistic(solver, "order-lemmas"), 0);
}

}  // namespace
}  // namespace plumb::solve
