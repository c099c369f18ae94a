// No make function and no traversal may recurse as deep as a term: each chain here has a million links and is built,
// evaluated, substituted in, counted and destroyed on a small stack.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>

#include "small_stack.h"
#include "term/evaluator.h"
#include "term/substitution.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kLinks = 1000000;

/// The next term of a chain, from the store, the last one and the number of the link.
using Link = std::function<Term(TermStore&, Term, std::uint32_t)>;

/// Expects the value `expected` with the first term zero, and `substituted` with it replaced by ones.
void expect_deep_chain_works(Sort sort, const Link& link, const std::function<Term(TermStore&, Term)>& read,
                             const BitVector& expected, const BitVector& substituted) {
  run_on_small_stack([&] {
    auto store = std::make_unique<TermStore>();
    const Term first = store->variable(sort, "first");
    Term last = first;
    for (std::uint32_t i = 0; i < kLinks; ++i) last = link(*store, last, i);
    const Term root = read(*store, last);
    EXPECT_GT(dag_size(*store, std::array{root}), kLinks);
    EXPECT_EQ(support(*store, std::array{root}).front(), first);
    const Assignment assignment;
    EXPECT_EQ(Evaluator(*store, assignment).bits(root), expected);
    Substitution substitution(*store);
    const Term ones = store->ones(sort.width);
    substitution.add(first, sort.is_array() ? store->constant_array(sort.index_width, ones) : ones);
    const Term replaced = substitution.apply(root);
    EXPECT_NE(replaced, root);
    EXPECT_EQ(Evaluator(*store, assignment).bits(replaced), substituted);
    store.reset();
  });
}

Term itself(TermStore&, Term t) { return t; }

TEST(DeepDag, AMillionAdditions) {
  const Link link = [](TermStore& s, Term t, std::uint32_t) { return s.add(t, s.variable(32, {})); };
  expect_deep_chain_works({32, 0}, link, itself, BitVector(32, 0), BitVector::ones(32));
}

TEST(DeepDag, AMillionXorsConjunctionsAndDisjunctions) {
  const Link link = [](TermStore& s, Term t, std::uint32_t i) {
    const Term x = s.variable(32, {});
    return i % 3 == 0 ? s.bit_xor(t, x) : i % 3 == 1 ? s.bit_or(t, x) : s.bit_and(t, s.bit_not(x));
  };
  expect_deep_chain_works({32, 0}, link, itself, BitVector(32, 0), BitVector::ones(32));
}

TEST(DeepDag, AMillionChoices) {
  const Link link = [](TermStore& s, Term t, std::uint32_t) { return s.ite(s.variable(1, {}), s.variable(32, {}), t); };
  expect_deep_chain_works({32, 0}, link, itself, BitVector(32, 0), BitVector::ones(32));
}

TEST(DeepDag, AMillionChoicesOfConstantsComparedWithAConstant) {
  const Link link = [](TermStore& s, Term t, std::uint32_t i) {
    return s.ite(s.variable(1, {}), s.constant(32, i % 1000), t);
  };
  const auto read = [](TermStore& s, Term t) { return s.eq(s.add(t, s.one(32)), s.zero(32)); };
  expect_deep_chain_works({32, 0}, link, read, BitVector(1, 0), BitVector(1, 1));
}

TEST(DeepDag, AMillionConcatenationsOfExtracts) {
  // The product keeps an extract from reaching the concatenation below.
  const Link link = [](TermStore& s, Term t, std::uint32_t) {
    const Term product = s.mul(t, s.bit_not(s.variable(8, {})));
    return s.concat(s.extract(product, 0, 0), s.extract(product, 7, 1));
  };
  // With all variables zero a link is a factor of -1 and a rotation.
  BitVector expected = BitVector::ones(8);
  for (std::uint32_t i = 0; i < kLinks; ++i) expected = (-expected).rotate_right(1);
  expect_deep_chain_works({8, 0}, link, itself, BitVector(8, 0), expected);
}

TEST(DeepDag, AMillionShiftsOfARegister) {
  run_on_small_stack([&] {
    TermStore s;
    Term t = s.variable(5, "first");
    for (std::uint32_t i = 0; i < kLinks; ++i)
      t = s.concat(s.extract(t, 3, 0), i % 4 == 0 ? s.variable(1, {}) : s.bit(t, 3));
    EXPECT_LT(dag_size(s, std::array{t}), 20U);  // what was shifted out is gone
  });
}

TEST(DeepDag, AMillionReadsAndWrites) {
  const Link link = [](TermStore& s, Term t, std::uint32_t) {
    return s.store(t, s.variable(8, {}), s.add(s.select(t, s.variable(8, {})), s.one(8)));
  };
  const auto read = [](TermStore& s, Term t) { return s.select(t, s.variable(8, {})); };
  expect_deep_chain_works({8, 8}, link, read, BitVector(8, kLinks), BitVector(8, kLinks - 1));
}

TEST(DeepDag, AMillionWritesUnderOneRead) {
  const Link link = [](TermStore& s, Term t, std::uint32_t i) {
    return s.store(t, s.constant(32, i + 1), s.variable(8, {}));
  };
  const auto read = [](TermStore& s, Term t) {
    const Term index = s.variable(32, {});
    return s.bit_xor(s.select(t, index), s.zero_extend(s.eq(t, s.store(t, index, s.zero(8))), 8));
  };
  expect_deep_chain_works({8, 32}, link, read, BitVector(8, 1), BitVector(8, 255));
}

}  // namespace
}  // namespace plumb::term
