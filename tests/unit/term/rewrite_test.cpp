#include "term/rewrite.h"

#include <gtest/gtest.h>

#include "random_terms.h"
#include "unit/base/random_bit_vector.h"

namespace plumb::term {
namespace {

/// Levels of random terms over x, y and constants, compared on every value of x and y.
void expect_preserved_on_three_levels(std::uint32_t width, std::uint64_t seed,
                                      std::array<std::size_t, 3> terms_per_level) {
  TermStore store;
  const Term x = store.variable(width, "x");
  const Term y = store.variable(width, "y");
  RandomTerms terms(store, seed, 2 * width);
  terms.add_variable(x);
  terms.add_variable(y);
  std::size_t begin = 0;
  for (const std::size_t count : terms_per_level) {
    const std::size_t end = terms.size();
    for (std::size_t i = 0; i < count; ++i) terms.add_random(begin + terms.below(end - begin));
    begin = end;
  }
  const std::uint64_t values = std::uint64_t{1} << width;
  for (std::uint64_t v = 0; v < values * values; ++v) {
    const Assignment assignment{{x, BitVector(width, v % values)}, {y, BitVector(width, v / values)}};
    ASSERT_EQ(terms.first_wrong(assignment), terms.size()) << "width " << width << " seed " << seed << " values " << v;
  }
}

TEST(Rewrite, PreservesFunctionOnRandomThreeLevelTermsOfWidth4) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) expect_preserved_on_three_levels(4, seed, {20, 60, 120});
}

TEST(Rewrite, PreservesFunctionOnRandomThreeLevelTermsOfWidth5) {
  for (std::uint64_t seed = 100; seed < 140; ++seed) expect_preserved_on_three_levels(5, seed, {20, 60, 120});
}

TEST(Rewrite, PreservesFunctionOnRandomThreeLevelTermsOfWidth6) {
  for (std::uint64_t seed = 200; seed < 215; ++seed) expect_preserved_on_three_levels(6, seed, {20, 60, 120});
}

/// Each term is made from the one before, so the rules meet deep terms and run into their limit.
void expect_preserved_on_chains(std::uint32_t width, std::uint64_t seed) {
  TermStore store;
  RandomTerms terms(store, seed, width + width / 2);
  std::vector<Term> variables;
  for (int i = 0; i < 3; ++i) variables.push_back(store.variable(width, "x"));
  for (int i = 0; i < 3; ++i) variables.push_back(store.variable(1, "p"));
  for (const Term v : variables) terms.add_variable(v);
  for (int i = 0; i < 600; ++i) terms.add_random(terms.size() - 1 - terms.below(3));
  RandomBitVectors random(seed);
  for (int run = 0; run < 25; ++run) {
    Assignment assignment;
    for (const Term v : variables) assignment.emplace(v, random.next(store.width(v)));
    ASSERT_EQ(terms.first_wrong(assignment), terms.size()) << "width " << width << " seed " << seed;
  }
}

TEST(Rewrite, PreservesFunctionOnDeepTermsOfAllSizes) {
  for (const std::uint32_t width : {7U, 8U, 16U, 32U, 63U, 64U, 65U, 128U, 130U})
    for (std::uint64_t seed = 0; seed < 60; ++seed) expect_preserved_on_chains(width, seed);
}

TEST(Rewrite, StaysCorrectBeyondItsDepthLimit) {
  // A shift register wider than the limit: its normal form would be a concatenation of all its bits.
  constexpr std::uint32_t kWidth = 2 * kMaxRewriteDepth;
  TermStore store;
  Term state = store.variable(kWidth, "state");
  Assignment assignment{{state, BitVector::min_signed(kWidth)}};
  BitVector expected = BitVector::min_signed(kWidth);
  for (std::uint64_t i = 0; i < 3 * kWidth; ++i) {
    const Term in = store.variable(1, "in");
    assignment.emplace(in, BitVector(1, i * i % 3));
    state = store.concat(store.extract(state, kWidth - 2, 0), in);
    expected = expected.extract(kWidth - 2, 0).concat(BitVector(1, i * i % 3));
    ASSERT_EQ(Evaluator(store, assignment).bits(state), expected) << "after " << i + 1 << " shifts";
  }
}

}  // namespace
}  // namespace plumb::term
