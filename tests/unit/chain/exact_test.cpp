#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "chain/analysis.h"
#include "chain/reach/fraction.h"
#include "reach_chains.h"

namespace plumb::chain {
namespace {

Natural random_natural(std::mt19937_64& random) {
  Natural result;
  const std::size_t words = random() % 6;
  // Words of ones and zeros are where carries and guessed digits go wrong.
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = random() % 4 == 0   ? ~std::uint64_t{0}
                               : random() % 4 == 0 ? 0
                                                   : random() >> (random() % 64);
    result = result.shifted_left(64) + Natural(word);
  }
  return result;
}

TEST(Natural, DivisionUndoesMultiplication) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const Natural a = random_natural(random);
    const Natural b = random_natural(random) + Natural(1);
    const auto [quotient, rest] = Natural::divide(a, b);
    ASSERT_LT(rest, b);
    ASSERT_EQ(quotient * b + rest, a);
    ASSERT_EQ((a + b) - b, a);
    ASSERT_EQ(a.shifted_left(37).shifted_right(37), a);
  }
}

TEST(Natural, SmallNumbersAreThoseOfTheMachine) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t a = random() >> (32 + random() % 32);
    const std::uint64_t b = 1 + (random() >> (32 + random() % 31));
    ASSERT_EQ(Natural(a) * Natural(b), Natural(a * b));
    ASSERT_EQ(Natural(a) / Natural(b), Natural(a / b));
    ASSERT_EQ(Natural::gcd(a, b), Natural(std::gcd(a, b)));
    ASSERT_EQ(Natural(a * b).to_string(), std::to_string(a * b));
  }
}

TEST(Natural, TheFactorialOf25HasItsDigits) {
  Natural product(1);
  for (std::uint64_t i = 2; i <= 25; ++i) product = product * Natural(i);
  EXPECT_EQ(product.to_string(), "15511210043330985984000000");
  EXPECT_EQ(Natural::gcd(product, Natural(1).shifted_left(200)), Natural(1).shifted_left(22));
}

TEST(Fraction, DecimalsAndSimpleQuotientsAreRead) {
  EXPECT_EQ(Fraction::simplest(0.1).to_string(), "1/10");
  EXPECT_EQ(Fraction::simplest(1.0 / 3).to_string(), "1/3");
  EXPECT_EQ(Fraction::simplest(0.999999).to_string(), "999999/1000000");
  EXPECT_EQ(Fraction::simplest(1e-12).to_string(), "1/1000000000000");
  EXPECT_EQ(Fraction::simplest(3).to_string(), "3");
  EXPECT_EQ(Fraction::simplest(1e20).to_string(), "100000000000000000000");
  EXPECT_EQ(Fraction::simplest(0).to_string(), "0");
  for (std::uint64_t denominator = 1; denominator < 120; ++denominator)
    for (std::uint64_t numerator = 1; numerator < 2 * denominator; ++numerator)
      ASSERT_EQ(Fraction::simplest(static_cast<double>(numerator) / static_cast<double>(denominator)),
                Fraction(numerator, denominator));
}

/// A double is a natural number times a power of two.
Fraction fraction_of(double value) {
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const Natural power = Natural(1).shifted_left(static_cast<std::uint64_t>(std::abs(exponent)));
  return exponent >= 0 ? Fraction(Natural(mantissa) * power, Natural(1)) : Fraction(Natural(mantissa), power);
}

TEST(Fraction, BoundsAreTheNeighbouringDoubles) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 5000; ++round) {
    const Fraction f(random_natural(random) + Natural(1), random_natural(random) + Natural(1));
    const auto [low, high] = f.bounds();
    ASSERT_LE(fraction_of(low), f);
    ASSERT_GE(fraction_of(high), f);
    ASSERT_EQ(low == high, fraction_of(low) == f);
    ASSERT_TRUE(low == high || std::nextafter(low, high) == high);
  }
}

TEST(ReachExact, AWalkOfAThousandStatesHasItsFraction) {
  constexpr StateId kLast = 1000;
  testing::ChainMaker maker(Kind::Dtmc);
  maker.state({{{0, 1}}});
  for (StateId s = 1; s < kLast; ++s) maker.state({{{s - 1, 0.5}, {s + 1, 0.5}}});
  maker.state({{{kLast, 1}}});
  const Chain chain = maker.finish(std::vector<double>(kLast + 1, 1.0));
  AnalysisOptions options;
  options.method = AnalysisOptions::Method::Exact;
  const Solution solution =
      until(chain, StateSet(chain.states, true), testing::set_of(chain, {kLast}), Direction::Max, options, Budget());
  EXPECT_EQ(solution.exact[333], "333/1000");
  EXPECT_EQ(solution.exact[0], "0");
  const Solution steps = reach_reward(chain, 0, testing::set_of(chain, {0, kLast}), Direction::Max, options, Budget());
  EXPECT_EQ(steps.exact[10], "9900");
}

TEST(ReachExact, ABudgetThatIsUsedUpEndsTheWork) {
  std::mt19937 random(4);
  const Chain chain = testing::random_chain(random, Kind::Dtmc, 400);
  AnalysisOptions options;
  options.method = AnalysisOptions::Method::Exact;
  const Budget budget = Budget().with_timeout(std::chrono::duration<double>(0));
  EXPECT_THROW(until(chain, StateSet(400, true), testing::set_of(chain, {0}), Direction::Max, options, budget),
               OutOfBudget);
}

}  // namespace
}  // namespace plumb::chain
