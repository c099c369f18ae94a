// Addition, multiplication and division of bit-vectors. Beyond 64 bits these are the schoolbook algorithms on 64-bit
// digits; division is algorithm D of Knuth, The Art of Computer Programming, volume 2, section 4.3.1, with the quotient
// digit estimated from a 128-bit numerator. Products are cut at the width, so that only the lower triangle is computed.
#include <algorithm>
#include <bit>
#include <vector>

#include "base/bit_vector.h"

namespace plumb {

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

constexpr std::uint64_t low_half(Wide x) { return static_cast<std::uint64_t>(x); }
constexpr std::uint64_t high_half(Wide x) { return static_cast<std::uint64_t>(x >> 64); }

/// The words up to the highest that is not zero.
std::span<const std::uint64_t> significant(std::span<const std::uint64_t> words) {
  while (!words.empty() && words.back() == 0) words = words.first(words.size() - 1);
  return words;
}

struct Division {
  std::vector<std::uint64_t> quotient;
  std::vector<std::uint64_t> remainder;
};

Division divide_by_word(std::span<const std::uint64_t> a, std::uint64_t b) {
  Division result{std::vector<std::uint64_t>(a.size()), {}};
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const Wide numerator = Wide{rest} << 64 | a[i];
    result.quotient[i] = low_half(numerator / b);
    rest = low_half(numerator % b);
  }
  result.remainder = {rest};
  return result;
}

/// The words of `a` moved up by less than 64 bits, with one more word on top.
std::vector<std::uint64_t> shifted_up(std::span<const std::uint64_t> a, int shift) {
  std::vector<std::uint64_t> result(a.size() + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = a[i] << shift | carry;
    carry = shift == 0 ? 0 : a[i] >> (64 - shift);
  }
  result.back() = carry;
  return result;
}

/// Step D3: the next quotient digit, too large by one at most, and that rarely.
std::uint64_t estimate_digit(std::uint64_t u2, std::uint64_t u1, std::uint64_t u0, std::uint64_t v1, std::uint64_t v0) {
  const Wide numerator = Wide{u2} << 64 | u1;
  Wide digit = u2 >= v1 ? Wide{~std::uint64_t{0}} : numerator / v1;
  Wide rest = numerator - digit * v1;
  while (high_half(rest) == 0 && digit * v0 > (rest << 64 | u0)) {
    --digit;
    rest += v1;
  }
  return low_half(digit);
}

/// Step D4: u -= digit * v, one word longer than v; true if that went below zero.
bool subtract_multiple(std::span<std::uint64_t> u, std::span<const std::uint64_t> v, std::uint64_t digit) {
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Wide product = Wide{digit} * v[i] + carry;
    carry = high_half(product);
    const Wide difference = Wide{u[i]} - low_half(product) - borrow;
    u[i] = low_half(difference);
    borrow = high_half(difference) != 0 ? 1 : 0;
  }
  const Wide difference = Wide{u[v.size()]} - carry - borrow;
  u[v.size()] = low_half(difference);
  return high_half(difference) != 0;
}

/// Step D6: u += v, and the carry out of the top word is dropped.
void add_back(std::span<std::uint64_t> u, std::span<const std::uint64_t> v) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Wide sum = Wide{u[i]} + v[i] + carry;
    u[i] = low_half(sum);
    carry = high_half(sum);
  }
  u[v.size()] += carry;
}

/// Both without leading zero words, the divisor not zero.
Division divide(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  if (a.size() < b.size()) return {{}, {a.begin(), a.end()}};
  if (b.size() == 1) return divide_by_word(a, b[0]);

  const int shift = std::countl_zero(b.back());
  std::vector<std::uint64_t> u = shifted_up(a, shift);
  std::vector<std::uint64_t> v = shifted_up(b, shift);
  v.pop_back();
  const std::size_t n = v.size();
  std::vector<std::uint64_t> quotient(a.size() - n + 1);
  for (std::size_t j = quotient.size(); j-- > 0;) {
    std::uint64_t digit = estimate_digit(u[j + n], u[j + n - 1], u[j + n - 2], v[n - 1], v[n - 2]);
    const std::span<std::uint64_t> part(u.data() + j, n + 1);
    if (subtract_multiple(part, v, digit)) {
      --digit;
      add_back(part, v);
    }
    quotient[j] = digit;
  }
  u.resize(n);
  if (shift != 0) {
    for (std::size_t i = 0; i < n; ++i) u[i] = u[i] >> shift | (i + 1 < n ? u[i + 1] << (64 - shift) : 0);
  }
  return {std::move(quotient), std::move(u)};
}

}  // namespace

BitVector BitVector::negate_wide() const {
  BitVector result(width_, Uninitialised{});
  std::uint64_t carry = 1;
  for (std::size_t i = 0; i < word_count(); ++i) {
    result.words_[i] = ~words_[i] + carry;
    carry = carry != 0 && result.words_[i] == 0 ? 1 : 0;
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::add_wide(const BitVector& b) const {
  BitVector result(width_, Uninitialised{});
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < word_count(); ++i) {
    const Wide sum = Wide{words_[i]} + b.words_[i] + carry;
    result.words_[i] = low_half(sum);
    carry = high_half(sum);
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::subtract_wide(const BitVector& b) const {
  BitVector result(width_, Uninitialised{});
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < word_count(); ++i) {
    const Wide difference = Wide{words_[i]} - b.words_[i] - borrow;
    result.words_[i] = low_half(difference);
    borrow = high_half(difference) != 0 ? 1 : 0;
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::multiply_wide(const BitVector& b) const {
  BitVector result(width_, 0);
  const std::span<const std::uint64_t> factor = significant(b.words());
  for (std::size_t i = 0; i < word_count(); ++i) {
    if (words_[i] == 0) continue;
    std::uint64_t carry = 0;
    std::size_t k = i;
    for (std::size_t j = 0; j < factor.size() && k < word_count(); ++j, ++k) {
      const Wide sum = Wide{words_[i]} * factor[j] + result.words_[k] + carry;
      result.words_[k] = low_half(sum);
      carry = high_half(sum);
    }
    if (k < word_count()) result.words_[k] = carry;
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::udiv(const BitVector& b) const {
  require_same_width(b);
  if (b.is_zero()) return ones(width_);
  if (width_ <= 64) return BitVector(width_, value_ / b.value_);
  return from_words(width_, divide(significant(words()), significant(b.words())).quotient);
}

BitVector BitVector::urem(const BitVector& b) const {
  require_same_width(b);
  if (b.is_zero()) return *this;
  if (width_ <= 64) return BitVector(width_, value_ % b.value_);
  return from_words(width_, divide(significant(words()), significant(b.words())).remainder);
}

BitVector BitVector::sdiv(const BitVector& b) const {
  const BitVector quotient = magnitude().udiv(b.magnitude());
  return sign() != b.sign() ? -quotient : quotient;
}

BitVector BitVector::srem(const BitVector& b) const {
  const BitVector remainder = magnitude().urem(b.magnitude());
  return sign() ? -remainder : remainder;
}

BitVector BitVector::smod(const BitVector& b) const {
  // The remainder takes the sign of the divisor.
  const BitVector remainder = srem(b);
  return remainder.is_zero() || sign() == b.sign() ? remainder : remainder + b;
}

bool BitVector::umul_overflows(const BitVector& b) const {
  require_same_width(b);
  if (width_ <= 64) return Wide{value_} * b.value_ > mask(width_);
  const std::uint64_t bits = std::uint64_t{width_} * 2 - leading_zeros() - b.leading_zeros();
  if (bits <= width_) return false;
  if (bits > std::uint64_t{width_} + 1) return true;
  // The product has width or width + 1 bits.
  return (zero_extend(width_ + 1) * b.zero_extend(width_ + 1)).sign();
}

bool BitVector::smul_overflows(const BitVector& b) const {
  require_same_width(b);
  if (width_ <= 64) {
    const SignedWide product = SignedWide{to_int64()} * b.to_int64();
    const SignedWide bound = SignedWide{1} << (width_ - 1);
    return product < -bound || product >= bound;
  }
  const BitVector left = magnitude();
  const BitVector right = b.magnitude();
  if (left.umul_overflows(right)) return true;
  const BitVector product = left * right;
  if (!product.sign()) return false;
  return sign() == b.sign() || product != min_signed(width_);
}

}  // namespace plumb
