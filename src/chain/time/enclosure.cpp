#include "chain/time/enclosure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::chain {
namespace {

/// Products below this may have lost digits to underflow.
constexpr double kTiny = 1e-250;

}  // namespace

Enclosure::Enclosure(Solution&& solution) : values(std::move(solution.low)), iterations(solution.iterations) {
  if (!solution.high.empty()) {
    double width = 0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      const double half = (solution.high[s] - values[s]) / 2;
      width = std::max(width, half);
      values[s] += half;
    }
    below = above = width * (1 + 1e-12);
  }
  inspect();
}

void Enclosure::inspect() {
  is_nonnegative = std::ranges::none_of(values, [](double v) { return v < 0; });
}

double Enclosure::greatest() const {
  double result = 0;
  for (const double v : values) result = std::max(result, std::abs(v));
  return result;
}

Solution Enclosure::to_solution(std::string method, double ceiling) && {
  Solution result;
  result.method = std::move(method);
  result.iterations = iterations;
  result.high.resize(values.size());
  const bool has_tiny = std::ranges::any_of(values, [](double v) { return v > 0 && v < kTiny; });
  const double floor = is_nonnegative ? 0 : -std::numeric_limits<double>::infinity();
  // Relative errors of many steps compound, and are of the true value, not of ours.
  const double share = relative < 0.1 ? relative * (1 + 2 * relative) : std::numeric_limits<double>::infinity();
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  for (std::size_t s = 0; s < values.size(); ++s) {
    const double v = values[s];
    double margin = is_nonnegative && v < rounding / share ? share * v : rounding;
    if (margin > 0 || below > 0 || above > 0) margin += 2 * kUnit * std::abs(v);  // of the two lines below
    result.high[s] = std::min(ceiling, v + margin + above);
    if (has_tiny && v < kTiny) result.high[s] = std::max(result.high[s], kTiny);
    values[s] = std::min(ceiling, std::max(floor, v - margin - below));
  }
  result.low = std::move(values);
  return result;
}

}  // namespace plumb::chain
