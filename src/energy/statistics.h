#pragma once

#include <cstdint>

namespace plumb::energy {

/// Mean and deviation of a sample, one value at a time, by Welford's method; two can be merged (Chan, Golub, LeVeque).
/// NaN is no value and is passed over.
class Sample {
 public:
  void add(double value);
  void merge(const Sample& other);

  std::uint64_t count() const noexcept { return count_; }
  double mean() const noexcept;       ///< NaN without values
  double deviation() const noexcept;  ///< of the population that the sample is from; NaN with fewer than two values
  double minimum() const noexcept { return minimum_; }
  double maximum() const noexcept { return maximum_; }
  /// Half the width of the confidence interval of the mean, by Student's t; NaN with fewer than two values. An
  /// approximation in so far as means are only nearly normal.
  double half_width(double confidence) const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of squared differences from the mean
  double minimum_ = 0;
  double maximum_ = 0;
};

/// P(X <= x) of the beta distribution: the regularised incomplete beta function, for a, b > 0 and x in [0, 1].
double beta_distribution(double a, double b, double x);
/// P(T <= t) of Student's distribution.
double student_distribution(double t, double degrees);
/// The t that Student's distribution is below with the given probability, for degrees >= 1 and a probability in (0, 1).
double student_quantile(double probability, double degrees);

}  // namespace plumb::energy
