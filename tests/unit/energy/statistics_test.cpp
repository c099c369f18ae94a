#include "energy/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "energy/random.h"

namespace plumb::energy {
namespace {

TEST(Student, HasTheClosedFormsOfOneAndTwoDegrees) {
  for (const double p : {0.01, 0.2, 0.5, 0.6, 0.9, 0.975, 0.9999}) {
    const double one = std::tan(std::numbers::pi * (p - 0.5));
    const double two = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    EXPECT_NEAR(student_quantile(p, 1), one, 1e-8 * std::max(1.0, std::abs(one)));
    EXPECT_NEAR(student_quantile(p, 2), two, 1e-8 * std::max(1.0, std::abs(two)));
  }
}

TEST(Student, AgreesWithPublishedTables) {
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776445, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.228139, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 30), 2.042272, 1e-6);
  EXPECT_NEAR(student_quantile(0.995, 5), 4.032143, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 120), 1.657651, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 499), 1.964729, 1e-6);
}

TEST(Student, TendsToTheNormalDistribution) {
  EXPECT_NEAR(student_quantile(0.975, 1e9), 1.959964, 1e-6);
  EXPECT_NEAR(student_quantile(0.995, 1e9), 2.575829, 1e-6);
}

TEST(Student, IsTheInverseOfItsDistribution) {
  for (const double degrees : {1.0, 3.0, 15.0, 499.0, 1e5})
    for (const double p : {0.001, 0.3, 0.7, 0.975, 0.9995})
      EXPECT_NEAR(student_distribution(student_quantile(p, degrees), degrees), p, 1e-10);
}

TEST(BetaDistribution, HasTheClosedFormsOfSmallParameters) {
  for (const double x : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
    EXPECT_NEAR(beta_distribution(1, 1, x), x, 1e-14);
    EXPECT_NEAR(beta_distribution(2, 1, x), x * x, 1e-14);
    EXPECT_NEAR(beta_distribution(2, 2, x), x * x * (3 - 2 * x), 1e-14);
    EXPECT_NEAR(beta_distribution(0.5, 0.5, x), 2 / std::numbers::pi * std::asin(std::sqrt(x)), 1e-13);
  }
}

TEST(Sample, HasTheMeanAndDeviationOfTwoPasses) {
  std::vector<double> values;
  const RandomStream random(3, 0, 0);
  for (std::uint32_t i = 0; i < 1000; ++i) values.push_back(1e6 + random.uniform(i));
  Sample sample;
  double sum = 0;
  for (const double value : values) {
    sample.add(value);
    sum += value;
  }
  const double mean = sum / 1000;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  EXPECT_NEAR(sample.mean(), mean, 1e-8);
  EXPECT_NEAR(sample.deviation(), std::sqrt(squares / 999), 1e-9);
  EXPECT_EQ(sample.count(), 1000U);
}

TEST(Sample, MergesToWhatItWouldBeInOnePiece) {
  const RandomStream random(4, 0, 0);
  for (const std::uint32_t split : {0U, 1U, 37U, 99U, 100U}) {
    Sample whole;
    Sample left;
    Sample right;
    for (std::uint32_t i = 0; i < 100; ++i) {
      const double value = 10 * random.uniform(i) - 5;
      whole.add(value);
      (i < split ? left : right).add(value);
    }
    left.merge(right);
    EXPECT_EQ(left.count(), 100U);
    EXPECT_NEAR(left.mean(), whole.mean(), 1e-13);
    EXPECT_NEAR(left.deviation(), whole.deviation(), 1e-13);
    EXPECT_EQ(left.minimum(), whole.minimum());
    EXPECT_EQ(left.maximum(), whole.maximum());
  }
}

TEST(Sample, PassesOverWhatIsNoNumber) {
  Sample sample;
  sample.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sample.count(), 0U);
  EXPECT_TRUE(std::isnan(sample.mean()));
  sample.add(3);
  sample.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sample.mean(), 3);
  EXPECT_TRUE(std::isnan(sample.deviation()));
  EXPECT_TRUE(std::isnan(sample.half_width(0.95)));
}

TEST(Sample, HasTheHalfWidthByHand) {
  Sample sample;
  for (const double value : {1.0, 2.0, 3.0, 4.0, 5.0}) sample.add(value);
  // Deviation sqrt(2.5), t of four degrees 2.776445.
  EXPECT_NEAR(sample.half_width(0.95), 2.776445 * std::sqrt(2.5) / std::sqrt(5), 1e-6);
}

}  // namespace
}  // namespace plumb::energy
