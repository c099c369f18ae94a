#include "chain/exact/natural.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/error.h"

namespace plumb::chain {

Natural::Natural(std::uint64_t value) {
  for (; value != 0; value >>= 32) words_.push_back(static_cast<std::uint32_t>(value));
}

std::uint64_t Natural::bits() const noexcept {
  return words_.empty() ? 0 : words_.size() * 32 - static_cast<unsigned>(std::countl_zero(words_.back()));
}

std::uint64_t Natural::low_word() const noexcept {
  std::uint64_t value = words_.empty() ? 0 : words_[0];
  if (words_.size() > 1) value |= std::uint64_t{words_[1]} << 32;
  return value;
}

Natural& Natural::operator+=(const Natural& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words_.size() && (i < other.words_.size() || carry != 0); ++i) {
    carry += words_[i];
    if (i < other.words_.size()) carry += other.words_[i];
    words_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) words_.push_back(static_cast<std::uint32_t>(carry));
  return *this;
}

Natural& Natural::operator-=(const Natural& other) {
  INVARIANT(*this >= other, "a natural number should be subtracted from a greater one");
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < words_.size() && (i < other.words_.size() || borrow != 0); ++i) {
    const std::uint64_t taken = borrow + (i < other.words_.size() ? other.words_[i] : 0);
    borrow = words_[i] < taken ? 1 : 0;
    words_[i] = static_cast<std::uint32_t>(words_[i] - taken);
  }
  trim();
  return *this;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural result;
  result.words_.assign(a.words_.size() + b.words_.size(), 0);
  for (std::size_t i = 0; i < a.words_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.words_.size(); ++j) {
      carry += std::uint64_t{a.words_[i]} * b.words_[j] + result.words_[i + j];
      result.words_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    result.words_[i + b.words_.size()] = static_cast<std::uint32_t>(carry);
  }
  result.trim();
  return result;
}

Natural Natural::shifted_left(std::uint64_t bits) const {
  if (is_zero()) return {};
  Natural result;
  result.words_.assign(bits / 32, 0);
  const unsigned shift = bits % 32;
  std::uint64_t carry = 0;
  for (const std::uint32_t word : words_) {
    carry |= std::uint64_t{word} << shift;
    result.words_.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  result.words_.push_back(static_cast<std::uint32_t>(carry));
  result.trim();
  return result;
}

Natural Natural::shifted_right(std::uint64_t bits) const {
  Natural result;
  const std::size_t skipped = bits / 32;
  const unsigned shift = bits % 32;
  for (std::size_t i = skipped; i < words_.size(); ++i) {
    const std::uint64_t next = i + 1 < words_.size() ? words_[i + 1] : 0;
    result.words_.push_back(static_cast<std::uint32_t>((next << 32 | words_[i]) >> shift));
  }
  result.trim();
  return result;
}

std::uint32_t Natural::divide_by_word(std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = words_.size(); i-- > 0;) {
    remainder = remainder << 32 | words_[i];
    words_[i] = static_cast<std::uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  trim();
  return static_cast<std::uint32_t>(remainder);
}

namespace {

/// u -= digit * v, where u has one word more than v. If that is below zero, v is added once more and the answer is
/// true.
bool subtract_multiple(std::uint32_t* u, const std::vector<std::uint32_t>& v, std::uint64_t digit) {
  const std::size_t n = v.size();
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < n; ++i) {
    carry += digit * v[i];
    const std::uint64_t taken = (carry & 0xffffffff) + borrow;
    borrow = u[i] < taken ? 1 : 0;
    u[i] = static_cast<std::uint32_t>(u[i] - taken);
    carry >>= 32;
  }
  const std::uint64_t taken = carry + borrow;
  const bool is_too_much = u[n] < taken;
  u[n] = static_cast<std::uint32_t>(u[n] - taken);
  if (!is_too_much) return false;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += std::uint64_t{u[i]} + v[i];
    u[i] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
  u[n] = static_cast<std::uint32_t>(u[n] + sum);
  return true;
}

}  // namespace

std::pair<Natural, Natural> Natural::divide(const Natural& dividend, const Natural& divisor) {
  INVARIANT(!divisor.is_zero(), "a divisor should not be zero");
  if (dividend < divisor) return {Natural(), dividend};
  if (divisor.words_.size() == 1) {
    Natural quotient = dividend;
    const std::uint32_t remainder = quotient.divide_by_word(divisor.words_[0]);
    return {std::move(quotient), Natural(remainder)};
  }
  // Algorithm D: with the top bit of the divisor set, a digit guessed from two words is at most two too great.
  const auto shift = static_cast<unsigned>(std::countl_zero(divisor.words_.back()));
  const std::vector<std::uint32_t> v = divisor.shifted_left(shift).words_;
  std::vector<std::uint32_t> u = dividend.shifted_left(shift).words_;
  const std::size_t n = v.size();
  u.resize(std::max(u.size(), dividend.words_.size()) + 1);
  Natural quotient;
  quotient.words_.assign(u.size() - n, 0);
  for (std::size_t j = u.size() - n; j-- > 0;) {
    const std::uint64_t top = std::uint64_t{u[j + n]} << 32 | u[j + n - 1];
    std::uint64_t digit = top / v[n - 1];
    std::uint64_t rest = top % v[n - 1];
    while (digit >> 32 != 0 || digit * v[n - 2] > (rest << 32 | u[j + n - 2])) {
      --digit;
      rest += v[n - 1];
      if (rest >> 32 != 0) break;
    }
    digit -= subtract_multiple(u.data() + j, v, digit) ? 1 : 0;
    quotient.words_[j] = static_cast<std::uint32_t>(digit);
  }
  quotient.trim();
  Natural remainder;
  remainder.words_ = std::move(u);
  remainder.trim();
  return {std::move(quotient), remainder.shifted_right(shift)};
}

Natural Natural::combined(const Natural& a, std::int64_t x, const Natural& b, std::int64_t y) {
  Natural result;
  result.words_.resize(std::max(a.words_.size(), b.words_.size()) + 1);
  __int128 carry = 0;
  for (std::size_t i = 0; i < result.words_.size(); ++i) {
    if (i < a.words_.size()) carry += __int128{x} * a.words_[i];
    if (i < b.words_.size()) carry += __int128{y} * b.words_[i];
    result.words_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  INVARIANT(carry == 0, "a combination of natural numbers should not be negative");
  result.trim();
  return result;
}

// Knuth, algorithm 4.5.2 L: a quotient is right if it is the same for the least and the greatest numbers that begin
// with these bits.
bool Natural::reduce(Natural& a, Natural& b) {
  constexpr std::uint64_t kBits = 62;
  constexpr std::int64_t kGreatest = std::int64_t{1} << 31;
  const std::uint64_t bits = a.bits();
  if (bits <= kBits || b.bits() + 32 < bits) return false;
  auto x = static_cast<std::int64_t>(a.shifted_right(bits - kBits).low_word());
  auto y = static_cast<std::int64_t>(b.shifted_right(bits - kBits).low_word());
  std::int64_t xa = 1;
  std::int64_t xb = 0;
  std::int64_t ya = 0;
  std::int64_t yb = 1;
  while (y + ya != 0 && y + yb != 0) {
    const std::int64_t quotient = (x + xa) / (y + ya);
    if (quotient != (x + xb) / (y + yb) || quotient >= kGreatest) break;
    const std::int64_t next_a = xa - quotient * ya;
    const std::int64_t next_b = xb - quotient * yb;
    if (std::abs(next_a) >= kGreatest || std::abs(next_b) >= kGreatest) break;
    xa = std::exchange(ya, next_a);
    xb = std::exchange(yb, next_b);
    x = std::exchange(y, x - quotient * y);
  }
  if (xb == 0) return false;
  Natural next = combined(a, xa, b, xb);
  b = combined(a, ya, b, yb);
  a = std::move(next);
  return true;
}

Natural Natural::gcd(Natural a, Natural b) {
  if (a < b) std::swap(a, b);
  while (!b.is_zero() && (a.words_.size() > 2 || b.words_.size() > 2)) {
    if (reduce(a, b)) continue;
    Natural rest = divide(a, b).second;
    a = std::move(b);
    b = std::move(rest);
  }
  std::uint64_t x = a.low_word();
  std::uint64_t y = b.low_word();
  if (y == 0) return a;
  while (y != 0) x = std::exchange(y, x % y);
  return x;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) noexcept {
  if (a.words_.size() != b.words_.size()) return a.words_.size() <=> b.words_.size();
  for (std::size_t i = a.words_.size(); i-- > 0;)
    if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
  return std::strong_ordering::equal;
}

std::string Natural::to_string() const {
  if (is_zero()) return "0";
  constexpr std::uint32_t kChunk = 1'000'000'000;
  std::vector<std::uint32_t> chunks;
  for (Natural rest = *this; !rest.is_zero();) chunks.push_back(rest.divide_by_word(kChunk));
  std::string text = fmt::format("{}", chunks.back());
  for (std::size_t i = chunks.size() - 1; i-- > 0;) text += fmt::format("{:09}", chunks[i]);
  return text;
}

}  // namespace plumb::chain
