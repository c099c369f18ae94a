#include "chain/reach/fraction.h"

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace plumb::chain {

Fraction::Fraction(Natural numerator, Natural denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  INVARIANT(!denominator_.is_zero(), "a denominator should not be zero");
  const Natural common = Natural::gcd(numerator_, denominator_);
  if (common.is_one()) return;
  numerator_ = numerator_ / common;
  denominator_ = denominator_ / common;
}

Fraction Fraction::simplest(double value) {
  INVARIANT(std::isfinite(value) && value >= 0, "a double should be finite and not negative to become a fraction");
  if (value == 0) return {};
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  // In quarters of a unit in the last place; below a power of two the neighbour is half as far.
  const Natural significand(static_cast<std::uint64_t>(std::ldexp(mantissa, 53)));
  // All fractions near a great double are integers, and as simple as the double itself.
  if (exponent >= 53) return {significand.shifted_left(static_cast<std::uint64_t>(exponent - 53)), Natural(1)};
  const Natural n = significand.shifted_left(2);
  Natural low = n - Natural(mantissa == 0.5 ? 1 : 2);
  Natural high = n + Natural(2);
  const Natural unit = Natural(1).shifted_left(static_cast<std::uint64_t>(55 - exponent));
  // Both ends as continued fractions for as long as they agree; then the smallest number between them.
  std::vector<Natural> terms;
  Natural low_unit = unit;
  Natural high_unit = unit;
  while (true) {
    auto [whole, rest] = Natural::divide(low, low_unit);
    const auto [high_whole, high_rest] = Natural::divide(high, high_unit);
    if (rest.is_zero() || whole < high_whole) {
      terms.push_back(rest.is_zero() ? std::move(whole) : whole + Natural(1));
      break;
    }
    terms.push_back(std::move(whole));
    // The reciprocals of what is left, which changes which of them is the lower.
    Natural next_low = std::move(high_unit);
    Natural next_high = std::move(low_unit);
    low_unit = high_rest;
    high_unit = std::move(rest);
    low = std::move(next_low);
    high = std::move(next_high);
  }
  Natural numerator = std::move(terms.back());
  Natural denominator(1);
  for (std::size_t i = terms.size() - 1; i-- > 0;) {
    Natural next = terms[i] * numerator + denominator;
    denominator = std::exchange(numerator, std::move(next));
  }
  return {std::move(numerator), std::move(denominator)};
}

Fraction& Fraction::operator+=(const Fraction& other) {
  if (other.is_zero()) return *this;
  if (is_zero()) return *this = other;
  if (denominator_ == other.denominator_) return *this = Fraction(numerator_ + other.numerator_, denominator_);
  return *this = Fraction(numerator_ * other.denominator_ + other.numerator_ * denominator_,
                          denominator_ * other.denominator_);
}

Fraction& Fraction::operator/=(const Fraction& other) {
  return *this = Fraction(numerator_ * other.denominator_, denominator_ * other.numerator_);
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_zero() || b.is_zero()) return {};
  return {a.numerator_ * b.numerator_, a.denominator_ * b.denominator_};
}

std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) {
  return a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
}

std::pair<double, double> Fraction::bounds() const {
  if (is_zero()) return {0, 0};
  // A quotient of 64 or 65 bits: its top 53 are the double below.
  const std::int64_t scale =
      64 + static_cast<std::int64_t>(denominator_.bits()) - static_cast<std::int64_t>(numerator_.bits());
  const auto [quotient, rest] =
      scale >= 0 ? Natural::divide(numerator_.shifted_left(static_cast<std::uint64_t>(scale)), denominator_)
                 : Natural::divide(numerator_, denominator_.shifted_left(static_cast<std::uint64_t>(-scale)));
  const std::uint64_t dropped = quotient.bits() - 53;
  const Natural top = quotient.shifted_right(dropped);
  const auto exponent = static_cast<std::int64_t>(dropped) - scale;
  if (exponent > 1000) return {std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()};
  if (exponent < -1070) return {0, std::numeric_limits<double>::min()};
  const double low = std::ldexp(static_cast<double>(top.low_word()), static_cast<int>(exponent));
  const bool is_exact = rest.is_zero() && top.shifted_left(dropped) == quotient;
  return {low, is_exact ? low : std::nextafter(low, std::numeric_limits<double>::infinity())};
}

std::string Fraction::to_string() const {
  return denominator_.is_one() ? numerator_.to_string() : numerator_.to_string() + "/" + denominator_.to_string();
}

}  // namespace plumb::chain
