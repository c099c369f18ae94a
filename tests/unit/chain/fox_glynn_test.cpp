#include "chain/time/fox_glynn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace plumb::chain {
namespace {

/// By logarithms, good to a relative 1e-9 or so at rates up to a million.
double poisson(double rate, double k) { return std::exp(k * std::log(rate) - rate - std::lgamma(k + 1)); }

class FoxGlynn : public testing::TestWithParam<double> {};

TEST_P(FoxGlynn, WeightsAreThePoissonProbabilities) {
  const double rate = GetParam();
  const PoissonWeights result = poisson_weights(rate, 1e-12);
  double sum = 0;
  for (std::size_t i = 0; i < result.weights.size(); ++i) {
    const double k = static_cast<double>(result.left + i);
    const double expected = poisson(rate, k);
    EXPECT_NEAR(result.weights[i], expected, 1e-8 * expected + 1e-12 * expected) << "rate " << rate << ", k " << k;
    sum += result.weights[i];
  }
  EXPECT_NEAR(sum, 1, 1e-11);
}

TEST_P(FoxGlynn, MissingIsBelowEpsilonAndCoversWhatIsOutside) {
  const double rate = GetParam();
  for (const double epsilon : {1e-3, 1e-7, 1e-12}) {
    const PoissonWeights result = poisson_weights(rate, epsilon);
    EXPECT_LE(result.missing, epsilon);
    double outside = 0;
    for (double k = static_cast<double>(result.right()) + 1; k < static_cast<double>(result.right()) + 5000; ++k)
      outside += poisson(rate, k);
    for (double k = static_cast<double>(result.left) - 1; k >= 0 && k > static_cast<double>(result.left) - 5000; --k)
      outside += poisson(rate, k);
    EXPECT_GE(result.missing, outside * (1 - 1e-7));
  }
}

TEST_P(FoxGlynn, WidthGrowsWithTheSquareRootOfTheRate) {
  const double rate = GetParam();
  const PoissonWeights result = poisson_weights(rate, 1e-12);
  EXPECT_LE(static_cast<double>(result.weights.size()), 18 * std::sqrt(rate) + 25);
}

INSTANTIATE_TEST_SUITE_P(Rates, FoxGlynn, testing::Values(1e-9, 0.3, 1.0, 7.5, 25.0, 399.9, 400.1, 1e4, 1e6),
                         [](const auto& rate) {
                           std::string name = testing::PrintToString(rate.param);
                           std::ranges::replace_if(name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace plumb::chain
