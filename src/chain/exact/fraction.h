#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "chain/exact/natural.h"

namespace plumb::chain {

/// A fraction in lowest terms.
class Fraction {
 public:
  Fraction() : denominator_(1) {}
  Fraction(std::uint64_t value) : numerator_(value), denominator_(1) {}  // NOLINT: numbers are fractions
  Fraction(Natural numerator, Natural denominator);
  static Fraction of_integer(std::int64_t value);
  /// The value of a finite double.
  static Fraction of_double(double value);
  /// The simplest fraction (least denominator) from `value` at most half as far as its neighbours, so that it rounds to
  /// it: 0.1 is 1/10 and 1.0 / 3 is 1/3. `value` is finite and not negative.
  static Fraction simplest(double value);
  /// Of a decimal such as "-12.5e-3", to the last digit. Nothing for other texts and for exponents beyond
  /// kGreatestExponent.
  static std::optional<Fraction> of_decimal(std::string_view text);
  static constexpr std::int64_t kGreatestExponent = 10'000;

  const Natural& numerator() const noexcept { return numerator_; }  ///< of the absolute value
  const Natural& denominator() const noexcept { return denominator_; }
  bool is_zero() const noexcept { return numerator_.is_zero(); }
  bool is_negative() const noexcept { return is_negative_; }
  bool is_integer() const noexcept { return denominator_.is_one(); }

  Fraction operator-() const;
  Fraction& operator+=(const Fraction& other);
  Fraction& operator-=(const Fraction& other) { return *this += -other; }
  Fraction& operator/=(const Fraction& other);  ///< not zero
  friend Fraction operator+(Fraction a, const Fraction& b) { return a += b; }
  friend Fraction operator-(Fraction a, const Fraction& b) { return a -= b; }
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  friend Fraction operator/(Fraction a, const Fraction& b) { return a /= b; }
  friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b);
  friend bool operator==(const Fraction&, const Fraction&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Fraction& f) {
    return H::combine(std::move(h), f.is_negative_, f.numerator_, f.denominator_);
  }

  /// To a whole exponent; of zero to one that is not negative.
  Fraction power(std::int64_t exponent) const;
  /// The greatest integer that is not above it; nothing beyond 64 bits.
  std::optional<std::int64_t> floor() const;
  /// The doubles around it, equal if it is one.
  std::pair<double, double> bounds() const;
  double nearest() const;         ///< finite, and not zero where the fraction is not
  std::string to_string() const;  ///< "2/3", "-1"

 private:
  Natural numerator_;
  Natural denominator_;
  bool is_negative_ = false;  ///< never of zero
};

}  // namespace plumb::chain
