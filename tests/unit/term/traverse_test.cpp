#include "term/traverse.h"

#include <gtest/gtest.h>

#include <array>

#include "random_terms.h"

namespace plumb::term {
namespace {

TEST(TermMap, ForgetsOnClearAndErase) {
  TermMap<int> map;
  const Term a{5};
  const Term b{70};
  EXPECT_EQ(map.find(a), nullptr);
  map[a] = 1;
  map[b] = 2;
  EXPECT_EQ(map.at(a), 1);
  EXPECT_EQ(*map.find(b), 2);
  EXPECT_FALSE(map.contains(Term{6}));
  EXPECT_FALSE(map.contains(Term{1000000}));
  map.erase(a);
  EXPECT_FALSE(map.contains(a));
  EXPECT_TRUE(map.contains(b));
  map.clear();
  EXPECT_FALSE(map.contains(b));
  EXPECT_EQ(map[b], 0);  // not what it was before
  EXPECT_FALSE(map.contains(a));
}

TEST(TermMap, ForgetsWhenItsClockWrapsAround) {
  TermMap<int> map;
  const Term a{5};
  map[a] = 1;
  for (std::uint32_t i = 0; i < UINT32_MAX; ++i) map.clear();
  EXPECT_FALSE(map.contains(a));
  map[a] = 2;
  EXPECT_EQ(map.at(a), 2);
  map.clear();
  EXPECT_FALSE(map.contains(a));
}

TEST(PostOrder, VisitsEachTermOnceAfterItsOperands) {
  TermStore store;
  RandomTerms terms(store, 3, 16);
  for (int i = 0; i < 4; ++i) terms.add_variable(store.variable(8, "x"));
  for (int i = 0; i < 500; ++i) terms.add_random(terms.below(terms.size()));
  TermSet seen;
  TermMap<int> visits;
  for (const std::size_t root : {100U, 400U, 450U}) {
    post_order(store, std::array{terms.term(root), terms.term(root / 2)}, seen, [&](Term t) {
      ++visits[t];
      EXPECT_EQ(visits[t], 1);
      for (unsigned i = 0; i < store.arity(t); ++i) EXPECT_TRUE(visits.contains(store.child(t, i)));
    });
    EXPECT_TRUE(visits.contains(terms.term(root)));
    EXPECT_TRUE(seen.contains(terms.term(root / 2)));
  }
}

TEST(PostOrder, AllowsTermsToBeMadeMeanwhile) {
  TermStore store;
  Term t = store.variable(8, "x");
  for (int i = 0; i < 100; ++i) t = store.mul(t, store.variable(8, "y"));
  TermSet seen;
  std::size_t visits = 0;
  post_order(store, std::array{t}, seen, [&](Term u) {
    ++visits;
    for (int i = 0; i < 1000; ++i) store.udiv(u, store.variable(8, "z"));
  });
  EXPECT_EQ(visits, 201U);
}

TEST(Support, IsTheVariablesInOrder) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const Term a = store.variable(Sort{8, 8}, "a");
  const Term unused = store.variable(8, "unused");
  const Term y = store.variable(8, "y");
  const std::array roots{store.select(a, y), store.add(y, x), store.sub(unused, unused)};
  EXPECT_EQ(support(store, roots), (std::vector{x, a, y}));
  EXPECT_TRUE(support(store, {}).empty());
}

TEST(DagSize, CountsSharedTermsOnce) {
  TermStore store;
  const Term x = store.variable(8, "x");
  const Term y = store.variable(8, "y");
  const Term product = store.mul(x, y);
  EXPECT_EQ(dag_size(store, std::array{x}), 1U);
  EXPECT_EQ(dag_size(store, std::array{product, product, x}), 3U);
  EXPECT_EQ(dag_size(store, std::array{store.udiv(product, x)}), 4U);
  Term t = x;
  for (int i = 0; i < 40; ++i) t = store.mul(t, t);  // a tree of 2^40
  EXPECT_EQ(dag_size(store, std::array{t}), 41U);
}

}  // namespace
}  // namespace plumb::term
