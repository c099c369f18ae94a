#include "chain/check/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::chain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double down(double x) { return std::isfinite(x) ? std::nextafter(x, -kInfinity) : x; }
double up(double x) { return std::isfinite(x) ? std::nextafter(x, kInfinity) : x; }

/// a + b, rounded outwards unless it is exact (two-sum).
Interval sum(double low_a, double low_b, double high_a, double high_b) {
  const auto is_exact = [](double a, double b, double s) {
    const double part = s - a;
    return (a - (s - part)) + (b - part) == 0;
  };
  const double low = low_a + low_b;
  const double high = high_a + high_b;
  return {is_exact(low_a, low_b, low) ? low : down(low), is_exact(high_a, high_b, high) ? high : up(high)};
}

}  // namespace

Truth operator~(const Truth& a) { return {a.possible.complement(), a.yes.complement()}; }

Truth operator&(Truth a, const Truth& b) {
  a.yes &= b.yes;
  a.possible &= b.possible;
  return a;
}

Truth operator|(Truth a, const Truth& b) {
  a.yes |= b.yes;
  a.possible |= b.possible;
  return a;
}

Numbers numbers_of(Solution&& solution) {
  return {std::move(solution.low), std::move(solution.high), solution.is_guaranteed, std::move(solution.exact)};
}

Numbers hull(Numbers lower, Numbers upper) {
  Numbers result;
  result.low = std::move(lower.low);
  result.high = upper.high.empty() ? std::move(upper.low) : std::move(upper.high);
  result.is_guaranteed = lower.is_guaranteed && upper.is_guaranteed;
  return result;
}

Numbers complement(Numbers numbers) {
  for (std::size_t s = 0; s < numbers.size(); ++s) {
    const double low = numbers.low[s];
    const double high = numbers.high.empty() ? low : numbers.high[s];
    const Interval result = sum(1, -high, 1, -low);
    numbers.low[s] = std::clamp(result.low, 0.0, 1.0);
    if (numbers.high.empty() && result.low != result.high) numbers.high = numbers.low;
    if (!numbers.high.empty()) numbers.high[s] = std::clamp(result.high, 0.0, 1.0);
  }
  for (ExactValue& value : numbers.exact) value = Fraction(1) - *value;
  return numbers;
}

Numbers with_rounding(Numbers numbers) {
  if (numbers.high.empty()) numbers.high = numbers.low;
  for (double& low : numbers.low) low = low == 0 ? 0 : down(down(low));
  for (double& high : numbers.high) high = high == 0 ? 0 : up(up(high));
  return numbers;
}

Numbers numbers_of(std::vector<ExactValue> exact) {
  Numbers result;
  result.low.reserve(exact.size());
  result.high.reserve(exact.size());
  for (const ExactValue& value : exact) {
    const auto [low, high] = interval_of(value);
    result.low.push_back(low);
    result.high.push_back(high);
  }
  result.exact = std::move(exact);
  return result;
}

Interval interval_of(const ExactValue& value) {
  if (!value) return {kInfinity, kInfinity};
  const auto [low, high] = value->bounds();
  return {low, high};
}

bool is_less(const ExactValue& a, const ExactValue& b) { return a && (!b || *a < *b); }

Interval add(Interval a, Interval b) { return sum(a.low, b.low, a.high, b.high); }
Interval subtract(Interval a, Interval b) { return sum(a.low, -b.high, a.high, -b.low); }

Interval multiply(Interval a, Interval b) {
  // Zero times infinity is zero here: the ends stand for limits of finite numbers.
  const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
  const auto [low, high] =
      std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  const bool is_exact =
      a.low == a.high && b.low == b.high && (a.low == 0 || b.low == 0 || std::abs(a.low) == 1 || std::abs(b.low) == 1);
  return is_exact ? Interval{low, high} : Interval{down(low), up(high)};
}

Interval divide(Interval a, Interval b) {
  if (b.low <= 0 && b.high >= 0) return {-kInfinity, kInfinity};
  if (std::isinf(b.low) || std::isinf(b.high)) {
    const bool is_finite = std::isfinite(a.low) && std::isfinite(a.high);
    if (!is_finite) return {-kInfinity, kInfinity};
  }
  const auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  const bool is_exact = a.low == a.high && b.low == b.high && std::fma(low, b.low, -a.low) == 0;
  return is_exact ? Interval{low, high} : Interval{down(low), up(high)};
}

Interval widened(Interval a, bool is_guaranteed, double epsilon) {
  if (is_guaranteed || std::isinf(a.low)) return a;
  const double error = epsilon * std::max(1.0, std::abs(a.low));
  return {a.low - error, a.high + error};
}

Bounded bounded(Interval interval, bool is_guaranteed) {
  Bounded result;
  result.low = interval.low;
  result.high = interval.high;
  result.value = interval.low == interval.high ? interval.low : interval.low + (interval.high - interval.low) / 2;
  if (std::isinf(interval.low))
    result.value = interval.high == kInfinity && interval.low == -kInfinity ? std::nan("") : interval.low;
  result.is_guaranteed = is_guaranteed;
  return result;
}

}  // namespace plumb::chain
