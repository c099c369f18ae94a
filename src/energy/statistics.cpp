// Student's distribution by way of the incomplete beta function, whose continued fraction is evaluated by Lentz's
// method (W. Press et al., Numerical Recipes, section 6.4); the quantile by bisection, since it is asked for once in a
// study.
#include "energy/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace plumb::energy {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The continued fraction of the incomplete beta function; converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr int kMaxTerms = 100'000;  // about the square root of the larger parameter are needed
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int m = 1; m <= kMaxTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return result;
}

}  // namespace

void Sample::add(double value) {
  if (std::isnan(value)) return;
  minimum_ = count_ == 0 ? value : std::min(minimum_, value);
  maximum_ = count_ == 0 ? value : std::max(maximum_, value);
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

void Sample::merge(const Sample& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto here = static_cast<double>(count_);
  const auto there = static_cast<double>(other.count_);
  const double difference = other.mean_ - mean_;
  mean_ += difference * there / (here + there);
  squares_ += other.squares_ + difference * difference * here * there / (here + there);
  count_ += other.count_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

double Sample::mean() const noexcept { return count_ == 0 ? kNone : mean_; }

double Sample::deviation() const noexcept {
  return count_ < 2 ? kNone : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

double Sample::half_width(double confidence) const {
  if (count_ < 2) return kNone;
  const double t = student_quantile((1 + confidence) / 2, static_cast<double>(count_ - 1));
  return t * deviation() / std::sqrt(static_cast<double>(count_));
}

double beta_distribution(double a, double b, double x) {
  INVARIANT(a > 0 && b > 0 && x >= 0 && x <= 1, "arguments of the beta distribution should be in range");
  if (x == 0 || x == 1) return x;
  const double factor =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
  return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

double student_distribution(double t, double degrees) {
  const double tail = 0.5 * beta_distribution(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t > 0 ? 1 - tail : tail;
}

double student_quantile(double probability, double degrees) {
  INVARIANT(probability > 0 && probability < 1 && degrees >= 1, "arguments of the t quantile should be in range");
  if (probability < 0.5) return -student_quantile(1 - probability, degrees);
  double low = 0;
  double high = 1;
  while (student_distribution(high, degrees) < probability) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_distribution(middle, degrees) < probability ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace plumb::energy
