#include "chain/exact/fraction.h"

#include <charconv>
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

Fraction Fraction::of_integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  Fraction result(value < 0 ? ~bits + 1 : bits);
  result.is_negative_ = value < 0;
  return result;
}

Fraction Fraction::of_double(double value) {
  INVARIANT(std::isfinite(value), "a double should be finite to become a fraction");
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(value), &exponent);
  const Natural significand(static_cast<std::uint64_t>(std::ldexp(mantissa, 53)));
  const auto shift = static_cast<std::uint64_t>(std::abs(exponent - 53));
  Fraction result = exponent >= 53 ? Fraction(significand.shifted_left(shift), Natural(1))
                                   : Fraction(significand, Natural(1).shifted_left(shift));
  result.is_negative_ = value < 0;
  return result;
}

std::optional<Fraction> Fraction::of_decimal(std::string_view text) {
  std::size_t at = 0;
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) ++at;
  Natural digits;
  std::int64_t exponent = 0;
  bool has_digit = false;
  bool has_point = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
    digits = digits * Natural(10) + Natural(static_cast<std::uint64_t>(text[at] - '0'));
    has_digit = true;
    if (has_point) --exponent;
  }
  if (!has_digit) return std::nullopt;
  if (at < text.size()) {
    std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    std::int64_t written = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), written);
    if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
    if (std::abs(written) > kGreatestExponent) return std::nullopt;
    exponent += written;
  }
  const Fraction scale = Fraction(10).power(exponent);
  Fraction result = Fraction(std::move(digits), Natural(1)) * scale;
  return is_negative ? -result : result;
}

Fraction Fraction::operator-() const {
  Fraction result = *this;
  result.is_negative_ = !is_negative_ && !is_zero();
  return result;
}

Fraction& Fraction::operator+=(const Fraction& other) {
  if (other.is_zero()) return *this;
  if (is_zero()) return *this = other;
  const bool is_same = denominator_ == other.denominator_;
  const Natural mine = is_same ? numerator_ : numerator_ * other.denominator_;
  const Natural its = is_same ? other.numerator_ : other.numerator_ * denominator_;
  const Natural denominator = is_same ? denominator_ : denominator_ * other.denominator_;
  const bool was_negative = is_negative_;
  if (was_negative == other.is_negative_) {
    *this = Fraction(mine + its, denominator);
    is_negative_ = was_negative;
  } else {
    const bool is_mine_greater = mine > its;
    *this = Fraction(is_mine_greater ? mine - its : its - mine, denominator);
    is_negative_ = !is_zero() && (is_mine_greater ? was_negative : other.is_negative_);
  }
  return *this;
}

Fraction& Fraction::operator/=(const Fraction& other) {
  const bool is_negative = is_negative_ != other.is_negative_;
  *this = Fraction(numerator_ * other.denominator_, denominator_ * other.numerator_);
  is_negative_ = is_negative && !is_zero();
  return *this;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_zero() || b.is_zero()) return {};
  Fraction result(a.numerator_ * b.numerator_, a.denominator_ * b.denominator_);
  result.is_negative_ = a.is_negative_ != b.is_negative_;
  return result;
}

std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) {
  if (a.is_negative_ != b.is_negative_)
    return a.is_negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  const std::strong_ordering order = a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
  return a.is_negative_ ? 0 <=> order : order;
}

Fraction Fraction::power(std::int64_t exponent) const {
  if (exponent < 0) return Fraction(1) / power(-exponent);
  Fraction result(1);
  Fraction square = *this;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent % 2 != 0) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

std::optional<std::int64_t> Fraction::floor() const {
  auto [whole, rest] = Natural::divide(numerator_, denominator_);
  if (is_negative_ && !rest.is_zero()) whole += Natural(1);
  if (whole.bits() > 63) return std::nullopt;
  const auto value = static_cast<std::int64_t>(whole.low_word());
  return is_negative_ ? -value : value;
}

double Fraction::nearest() const {
  const auto [low, high] = bounds();
  if (low == high || low == 0 || std::isinf(high)) return std::isinf(high) ? low : high;
  if (high == 0 || std::isinf(low)) return std::isinf(low) ? high : low;
  const Fraction twice = *this + *this;
  const Fraction middle = of_double(low) + of_double(high);
  return twice < middle ? low : high;
}

std::pair<double, double> Fraction::bounds() const {
  if (is_zero()) return {0, 0};
  if (is_negative_) {
    const auto [low, high] = (-*this).bounds();
    return {-high, -low};
  }
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
  const std::string sign = is_negative_ ? "-" : "";
  if (denominator_.is_one()) return sign + numerator_.to_string();
  return sign + numerator_.to_string() + "/" + denominator_.to_string();
}

}  // namespace plumb::chain
