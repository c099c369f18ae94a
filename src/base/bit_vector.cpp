#include "base/bit_vector.h"

#include <algorithm>

namespace plumb {

BitVector::BitVector(std::uint32_t width, Uninitialised) : width_(width) {
  INVARIANT(width > 0, "a width should be positive");
  if (width <= 64) {
    value_ = 0;
  } else {
    words_ = new std::uint64_t[word_count()];
  }
}

std::uint64_t* BitVector::make_words(std::size_t count, std::uint64_t lowest) {
  auto* words = new std::uint64_t[count]();
  words[0] = lowest;
  return words;
}

std::uint64_t* BitVector::copy_words(const BitVector& other) {
  auto* words = new std::uint64_t[other.word_count()];
  std::ranges::copy(other.words(), words);
  return words;
}

void BitVector::assign_wide(const BitVector& other) {
  if (width_ > 64 && word_count() == other.word_count()) {
    width_ = other.width_;
    std::copy_n(other.words_, word_count(), words_);
  } else {
    *this = BitVector(other);
  }
}

BitVector BitVector::from_words(std::uint32_t width, std::span<const std::uint64_t> words) {
  BitVector result(width, 0);
  std::ranges::copy(words.first(std::min(words.size(), result.word_count())), result.data());
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::ones(std::uint32_t width) {
  BitVector result(width, Uninitialised{});
  std::fill_n(result.data(), result.word_count(), ~std::uint64_t{0});
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::min_signed(std::uint32_t width) {
  BitVector result(width, 0);
  result.set_bit(width - 1, true);
  return result;
}

BitVector BitVector::max_signed(std::uint32_t width) {
  BitVector result = ones(width);
  result.set_bit(width - 1, false);
  return result;
}

bool BitVector::is_small_number(std::uint64_t value) const noexcept { return word(0) == value && fits_uint64(); }

bool BitVector::is_ones_wide() const noexcept {
  const std::span<const std::uint64_t> w = words();
  return w.back() == mask((width_ - 1) % 64 + 1) &&
         std::ranges::all_of(w.first(w.size() - 1), [](std::uint64_t x) { return x == ~std::uint64_t{0}; });
}

bool BitVector::fits_uint64() const noexcept {
  return width_ <= 64 || std::ranges::all_of(words().subspan(1), [](std::uint64_t x) { return x == 0; });
}

std::optional<std::uint32_t> BitVector::log2() const noexcept {
  const std::uint32_t lowest = trailing_zeros();
  if (lowest == width_ || lowest + leading_zeros() + 1 != width_) return std::nullopt;
  return lowest;
}

std::uint32_t BitVector::trailing_zeros() const noexcept {
  std::uint32_t zeros = 0;
  for (const std::uint64_t w : words()) {
    if (w != 0) return zeros + static_cast<std::uint32_t>(std::countr_zero(w));
    zeros += 64;
  }
  return width_;
}

std::uint32_t BitVector::leading_zeros() const noexcept {
  for (std::size_t i = word_count(); i-- > 0;) {
    if (word(i) != 0)
      return width_ - static_cast<std::uint32_t>(64 * i) - static_cast<std::uint32_t>(std::bit_width(word(i)));
  }
  return width_;
}

std::strong_ordering BitVector::compare_wide(const BitVector& b) const noexcept {
  for (std::size_t i = word_count(); i-- > 0;) {
    if (words_[i] != b.words_[i]) return words_[i] <=> b.words_[i];
  }
  return std::strong_ordering::equal;
}

BitVector BitVector::not_wide() const {
  BitVector result(width_, Uninitialised{});
  for (std::size_t i = 0; i < word_count(); ++i) result.words_[i] = ~words_[i];
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::and_wide(const BitVector& b) const {
  BitVector result(width_, Uninitialised{});
  for (std::size_t i = 0; i < word_count(); ++i) result.words_[i] = words_[i] & b.words_[i];
  return result;
}

BitVector BitVector::or_wide(const BitVector& b) const {
  BitVector result(width_, Uninitialised{});
  for (std::size_t i = 0; i < word_count(); ++i) result.words_[i] = words_[i] | b.words_[i];
  return result;
}

BitVector BitVector::xor_wide(const BitVector& b) const {
  BitVector result(width_, Uninitialised{});
  for (std::size_t i = 0; i < word_count(); ++i) result.words_[i] = words_[i] ^ b.words_[i];
  return result;
}

BitVector BitVector::shl(std::uint32_t amount) const {
  if (amount >= width_) return BitVector(width_, 0);
  if (width_ <= 64) return BitVector(width_, value_ << amount);
  if (amount == 0) return *this;
  BitVector result(width_, 0);
  const std::size_t skip = amount / 64;
  const std::uint32_t shift = amount % 64;
  for (std::size_t i = skip; i < word_count(); ++i) {
    result.words_[i] = words_[i - skip] << shift;
    if (shift != 0 && i > skip) result.words_[i] |= words_[i - skip - 1] >> (64 - shift);
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::lshr(std::uint32_t amount) const {
  if (amount >= width_) return BitVector(width_, 0);
  if (width_ <= 64) return BitVector(width_, value_ >> amount);
  if (amount == 0) return *this;
  return extract(width_ - 1, amount).zero_extend(width_);
}

BitVector BitVector::ashr(std::uint32_t amount) const {
  if (!sign()) return lshr(amount);
  if (amount >= width_) return ones(width_);
  // Shifting the complement fills with zeros what has to be filled with ones.
  return ~(~*this).lshr(amount);
}

// An amount of more than 64 bits exceeds every width unless it fits the low word.
BitVector BitVector::shl(const BitVector& amount) const {
  require_same_width(amount);
  if (!amount.fits_uint64() || amount.word(0) >= width_) return BitVector(width_, 0);
  return shl(static_cast<std::uint32_t>(amount.word(0)));
}

BitVector BitVector::lshr(const BitVector& amount) const {
  require_same_width(amount);
  if (!amount.fits_uint64() || amount.word(0) >= width_) return BitVector(width_, 0);
  return lshr(static_cast<std::uint32_t>(amount.word(0)));
}

BitVector BitVector::ashr(const BitVector& amount) const {
  require_same_width(amount);
  if (!amount.fits_uint64() || amount.word(0) >= width_) return ashr(width_);
  return ashr(static_cast<std::uint32_t>(amount.word(0)));
}

BitVector BitVector::rotate_left(std::uint32_t amount) const {
  const std::uint32_t by = amount % width_;
  return by == 0 ? *this : shl(by) | lshr(width_ - by);
}

BitVector BitVector::rotate_right(std::uint32_t amount) const { return rotate_left(width_ - amount % width_); }

BitVector BitVector::concat(const BitVector& low) const {
  INVARIANT(low.width_ <= ~width_, "the width of a concatenation should fit 32 bits");
  const std::uint32_t width = width_ + low.width_;
  if (width <= 64) return BitVector(width, value_ << low.width_ | low.value_);
  BitVector result = low.zero_extend(width);
  const std::size_t skip = low.width_ / 64;
  const std::uint32_t shift = low.width_ % 64;
  for (std::size_t i = 0; i < word_count(); ++i) {
    result.words_[skip + i] |= word(i) << shift;
    if (shift != 0 && skip + i + 1 < result.word_count()) result.words_[skip + i + 1] |= word(i) >> (64 - shift);
  }
  return result;
}

BitVector BitVector::extract(std::uint32_t high, std::uint32_t low) const {
  INVARIANT(low <= high && high < width_, "extracted bits should lie within the width");
  const std::uint32_t width = high - low + 1;
  if (width_ <= 64) return BitVector(width, value_ >> low);
  BitVector result(width, Uninitialised{});
  const std::size_t skip = low / 64;
  const std::uint32_t shift = low % 64;
  std::uint64_t* const target = result.data();
  for (std::size_t i = 0; i < result.word_count(); ++i) {
    target[i] = words_[skip + i] >> shift;
    if (shift != 0 && skip + i + 1 < word_count()) target[i] |= words_[skip + i + 1] << (64 - shift);
  }
  result.clear_unused_bits();
  return result;
}

BitVector BitVector::zero_extend(std::uint32_t width) const {
  INVARIANT(width >= width_, "an extension should not narrow");
  if (width <= 64) return BitVector(width, value_);
  return from_words(width, words());
}

BitVector BitVector::sign_extend(std::uint32_t width) const {
  INVARIANT(width >= width_, "an extension should not narrow");
  if (width <= 64) return BitVector(width, static_cast<std::uint64_t>(to_int64()));
  if (!sign()) return zero_extend(width);
  return ~(~*this).zero_extend(width);
}

std::size_t BitVector::hash() const noexcept {
  // The finaliser of splitmix64, chained over the words: consecutive small values must not fall into consecutive slots.
  std::uint64_t state = width_;
  for (const std::uint64_t w : words()) {
    state = (state * 0x9e3779b97f4a7c15U) ^ w;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
    state ^= state >> 31;
  }
  return state;
}

}  // namespace plumb
