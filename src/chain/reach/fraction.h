#pragma once

#include <compare>
#include <string>
#include <utility>

#include "chain/reach/natural.h"

namespace plumb::chain {

/// A fraction that is not negative, in lowest terms.
class Fraction {
 public:
  Fraction() : denominator_(1) {}
  Fraction(std::uint64_t value) : numerator_(value), denominator_(1) {}  // NOLINT: numbers are fractions
  Fraction(Natural numerator, Natural denominator);
  /// The simplest fraction (least denominator) from `value` at most half as far as its neighbours, so that it rounds to
  /// it: 0.1 is 1/10 and 1.0 / 3 is 1/3. `value` is finite and not negative.
  static Fraction simplest(double value);

  const Natural& numerator() const noexcept { return numerator_; }
  const Natural& denominator() const noexcept { return denominator_; }
  bool is_zero() const noexcept { return numerator_.is_zero(); }

  Fraction& operator+=(const Fraction& other);
  Fraction& operator/=(const Fraction& other);
  friend Fraction operator+(Fraction a, const Fraction& b) { return a += b; }
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  friend Fraction operator/(Fraction a, const Fraction& b) { return a /= b; }
  friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b);
  friend bool operator==(const Fraction&, const Fraction&) = default;

  /// The doubles around it, equal if it is one.
  std::pair<double, double> bounds() const;
  std::string to_string() const;  ///< "2/3", "1"

 private:
  Natural numerator_;
  Natural denominator_;
};

}  // namespace plumb::chain
