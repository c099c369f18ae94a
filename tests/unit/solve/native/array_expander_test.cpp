#include "solve/native/array_expander.h"

#include <gtest/gtest.h>

#include <map>

#include "unit/solve/random_problem.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Sort;
using term::Term;

constexpr std::uint64_t kLimit = 1U << 17;

class Expander : public ::testing::Test {
 protected:
  std::map<Op, std::size_t> operators(Term root) {
    std::map<Op, std::size_t> counts;
    term::TermSet seen;
    term::post_order(store, std::span(&root, 1), seen, [&](Term t) { ++counts[store.op(t)]; });
    return counts;
  }
  bool has_read_of(Term root, Op array) {
    bool found = false;
    term::TermSet seen;
    term::post_order(store, std::span(&root, 1), seen, [&](Term t) {
      found = found || (store.op(t) == Op::Select && store.op(store.child(t, 0)) == array);
    });
    return found;
  }
  /// The same value for `count` random assignments; indices are drawn from a few so that reads meet writes.
  void expect_equal_by_sampling(Term a, Term b, int count) {
    std::mt19937_64 random(11);
    const std::vector<Term> both = {a, b};
    for (int i = 0; i < count; ++i) {
      term::Assignment assignment;
      for (const Term v : term::support(store, both))
        if (!store.is_array(v)) assignment.emplace(v, BitVector(store.width(v), random() % 32));
      term::Evaluator evaluator(store, assignment);
      const BitVector expected = evaluator.bits(a);
      ASSERT_EQ(evaluator.bits(b), expected);
    }
  }
  std::vector<Term> variables(std::uint32_t width, std::size_t count) {
    std::vector<Term> result;
    while (result.size() < count) result.push_back(store.variable(width, "v"));
    return result;
  }

  term::TermStore store;
  ArrayExpander expander{store};
};

TEST_F(Expander, RandomArrayTermsKeepTheirValues) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    term::TermStore local;
    RandomTerms terms(local, seed, kArraySorts);
    ArrayExpander own(local);
    for (int i = 0; i < 2; ++i) {
      const Term t = terms.bits(2, 4);
      const Term expanded = own.apply(t);
      ASSERT_TRUE(are_equivalent(local, t, expanded)) << "seed " << seed;
      changed += expanded != t;
    }
  }
  EXPECT_GT(changed, 100);
}

TEST_F(Expander, ReadsOfWritesAndChoicesEndInVariablesAndConstants) {
  const Term a = store.variable(Sort{8, 8}, "a");
  const Term b = store.variable(Sort{8, 8}, "b");
  const auto i = variables(8, 4);
  const Term p = store.variable(1, "p");
  const Term chosen = store.ite(p, store.store(a, i[0], i[1]), store.store(store.store(b, i[1], i[2]), i[2], i[0]));
  const Term read = store.select(store.store(chosen, i[2], i[0]), i[3]);
  const Term expanded = expander.apply(read);
  EXPECT_FALSE(has_read_of(expanded, Op::Store));
  EXPECT_FALSE(has_read_of(expanded, Op::Ite));
  EXPECT_EQ(operators(expanded)[Op::Select], 2U);
  expect_equal_by_sampling(read, expanded, 200);
}

TEST_F(Expander, ReadsInsideIndicesElementsAndEqualitiesAreExpandedToo) {
  const Term a = store.variable(Sort{8, 8}, "a");
  const auto i = variables(8, 3);
  const Term inner = store.select(store.store(a, i[0], i[1]), i[2]);
  const Term outer = store.store(a, inner, store.add(inner, i[0]));
  const Term expanded = expander.apply(store.eq(outer, store.store(a, i[1], inner)));
  EXPECT_FALSE(has_read_of(expanded, Op::Store));
  EXPECT_EQ(store.op(expanded), Op::Eq);
}

TEST_F(Expander, LookUpTablesBecomeTreesWithoutReads) {
  std::mt19937_64 random(5);
  for (const std::size_t entries : {4U, 5U, 17U, 100U, 256U}) {
    std::vector<std::uint64_t> places(256);
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    std::shuffle(places.begin(), places.end(), random);
    Term table = store.constant_array(8, store.constant(16, 999));
    for (std::size_t k = 0; k < entries; ++k)
      table = store.store(table, store.constant(8, places[k]), store.constant(16, random()));
    const Term index = store.variable(8, "index");
    const Term read = store.select(table, index);
    const Term expanded = expander.apply(read);
    auto counts = operators(expanded);
    EXPECT_EQ(counts[Op::Select], 0U);
    EXPECT_EQ(counts[Op::Store], 0U);
    // A split for all but one entry, and a test of skipped bits at no more than all nodes of the tree.
    EXPECT_LE(counts[Op::Ite], entries == 256 ? entries - 1 : 3 * entries - 2);
    EXPECT_TRUE(are_equivalent(store, read, expanded)) << entries << " entries";
  }
}

TEST_F(Expander, TheNewestEntryOfATableCounts) {
  const Term index = store.variable(3, "index");
  const auto elements = variables(2, 4);
  Term table = store.constant_array(3, store.constant(2, 3));
  for (std::uint64_t k = 0; k < 12; ++k)
    table = store.store(table, store.constant(3, (k * 5) % 6), elements[(k * k + k / 3) % 4]);
  const Term read = store.select(table, index);
  EXPECT_TRUE(are_equivalent(store, read, expander.apply(read)));
}

TEST_F(Expander, TablesOverVariablesReadThemOnce) {
  const Term a = store.variable(Sort{8, 8}, "a");
  Term table = a;
  for (std::uint64_t k = 0; k < 64; ++k) table = store.store(table, store.constant(8, k * 3), store.constant(8, k * k));
  const Term index = store.variable(8, "index");
  const Term expanded = expander.apply(store.select(table, index));
  EXPECT_EQ(operators(expanded)[Op::Select], 1U);
  EXPECT_LE(operators(expanded)[Op::Ite], 3 * 64U);
  EXPECT_TRUE(has_read_of(expanded, Op::Variable));
}

TEST_F(Expander, TablesBetweenWritesAtUnknownPlacesKeepTheirOrder) {
  const Term i = store.variable(3, "i");
  const Term j = store.variable(3, "j");
  const Term index = store.variable(3, "index");
  Term t = store.constant_array(3, store.zero(4));
  const auto add_run = [&](std::uint64_t from) {
    for (std::uint64_t k = 0; k < 5; ++k)
      t = store.store(t, store.constant(3, (from + k) % 8), store.constant(4, from + k));
  };
  add_run(1);
  t = store.store(t, i, store.constant(4, 14));
  add_run(4);
  t = store.store(t, j, store.constant(4, 15));
  const Term read = store.select(t, index);
  const Term expanded = expander.apply(read);
  EXPECT_EQ(operators(expanded)[Op::Select], 0U);
  EXPECT_TRUE(are_equivalent(store, read, expanded));
}

TEST_F(Expander, ExpansionStopsAtTheLimitAndTheRestIsEquivalent) {
  Term written = store.variable(Sort{8, 16}, "a");
  const auto places = variables(16, 500);
  const auto indices = variables(16, 300);
  const Term value = store.variable(8, "value");
  for (std::size_t k = 0; k < places.size(); ++k)
    written = store.store(written, places[k], store.add(value, store.constant(8, k)));
  Term sum = store.zero(8);
  for (const Term i : indices) sum = store.bit_xor(sum, store.select(written, i));
  const Term expanded = expander.apply(sum);
  EXPECT_GT(expander.steps(), kLimit);
  EXPECT_LT(expander.steps(), kLimit + 100'000);
  EXPECT_TRUE(has_read_of(expanded, Op::Store));
  expect_equal_by_sampling(sum, expanded, 3);

  const Term late = store.select(written, store.variable(16, "late"));
  EXPECT_EQ(expander.apply(late), late);
  EXPECT_EQ(expander.apply(sum), expanded);
}

TEST_F(Expander, DeepWritesNeedNoStack) {
  Term written = store.variable(Sort{8, 32}, "a");
  const auto places = variables(32, 60'000);
  for (const Term place : places) written = store.store(written, place, store.extract(place, 7, 0));
  const Term read = store.select(written, store.variable(32, "index"));
  const Term expanded = expander.apply(read);
  EXPECT_FALSE(has_read_of(expanded, Op::Store));
  expect_equal_by_sampling(read, expanded, 1);
}

}  // namespace
}  // namespace plumb::solve
