#pragma once

#include <string>
#include <vector>

#include "chain/analysis.h"

namespace plumb::chain {

/// A vector on its way through many steps, and how far it may be from the true one: rounding counts relatively (sums of
/// products of numbers that are not negative lose no digits) and absolutely, whichever is less; what was cut off counts
/// on top.
struct Enclosure {
  std::vector<double> values;
  bool is_nonnegative = true;  ///< otherwise only the absolute bound holds
  double relative = 0;
  double rounding = 0;
  double below = 0;  ///< the true value is at most this much smaller, beside rounding
  double above = 0;

  std::uint64_t iterations = 0;

  explicit Enclosure(std::vector<double> start) : values(std::move(start)) { inspect(); }
  /// Takes the middle of an interval for each state.
  explicit Enclosure(Solution&& solution);

  double greatest() const;  ///< absolute value
  /// The bounds by state; `ceiling` is the greatest value there can be (1 for probabilities).
  Solution to_solution(std::string method, double ceiling) &&;

 private:
  void inspect();
};

}  // namespace plumb::chain
