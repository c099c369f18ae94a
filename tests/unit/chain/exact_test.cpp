#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>

#include "chain/analysis.h"
#include "chain/exact/fraction.h"
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

TEST(Natural, TheGreatestCommonDivisorOfLongNumbersIsThatOfEuclid) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    const Natural common = random_natural(random) + Natural(1);
    const Natural a = random_natural(random) * random_natural(random) * common;
    const Natural b = random_natural(random) * common;
    Natural x = a;
    Natural y = b;
    while (!y.is_zero()) {
      Natural rest = Natural::divide(x, y).second;
      x = std::exchange(y, std::move(rest));
    }
    ASSERT_EQ(Natural::gcd(a, b), x);
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

TEST(Fraction, DecimalsAreReadToTheLastDigit) {
  EXPECT_EQ(Fraction::of_decimal("0.12345678901234567890123")->to_string(),
            "12345678901234567890123/100000000000000000000000");
  EXPECT_EQ(Fraction::of_decimal("-2.50e-1")->to_string(), "-1/4");
  EXPECT_EQ(Fraction::of_decimal("1e+30")->to_string(), "1" + std::string(30, '0'));
  EXPECT_EQ(Fraction::of_decimal(".5")->to_string(), "1/2");
  for (const char* text : {"", ".", "-", "1e", "1e5.", "0x1", "1.2.3", "1e100000", "nan", "inf"})
    EXPECT_EQ(Fraction::of_decimal(text), std::nullopt) << text;
}

TEST(Fraction, HasTheOperationsOfNumbersWithSigns) {
  std::mt19937 random(9);
  const auto number = [&] { return static_cast<std::int64_t>(random() % 41) - 20; };
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t a = number();
    const std::int64_t b = 1 + static_cast<std::int64_t>(random() % 20);
    const std::int64_t c = number();
    const std::int64_t d = 1 + static_cast<std::int64_t>(random() % 20);
    const auto quotient = [](std::int64_t n, std::int64_t m) {
      return Fraction::of_integer(n) / Fraction::of_integer(m);
    };
    const Fraction x = quotient(a, b);
    const Fraction y = quotient(c, d);
    ASSERT_EQ(x + y, quotient(a * d + c * b, b * d));
    ASSERT_EQ(x - y, quotient(a * d - c * b, b * d));
    ASSERT_EQ(x * y, quotient(a * c, b * d));
    if (c != 0) {
      ASSERT_EQ(x / y, quotient(a * d, b * c));
    }
    ASSERT_EQ(x < y, a * d < c * b);
    ASSERT_EQ(x == y, a * d == c * b);
    ASSERT_EQ(x.floor(), static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b))));
    ASSERT_EQ(x.nearest(), static_cast<double>(a) / static_cast<double>(b));
    ASSERT_EQ(x.power(3), x * x * x);
  }
  EXPECT_EQ(Fraction::of_integer(std::numeric_limits<std::int64_t>::min()).to_string(), "-9223372036854775808");
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
  EXPECT_EQ(solution.exact[333], Fraction(333, 1000));
  EXPECT_EQ(solution.exact[0], Fraction(0));
  const Solution steps = reach_reward(chain, 0, testing::set_of(chain, {0, kLast}), Direction::Max, options, Budget());
  EXPECT_EQ(steps.exact[10], Fraction(9900));
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
