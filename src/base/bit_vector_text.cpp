// Digits to bit-vectors and back. Decimal goes by chunks of 19 digits, the most that fit a word, which keeps the
// quadratic conversion of 65536 bits in the milliseconds.
#include <algorithm>
#include <bit>
#include <vector>

#include "base/bit_vector.h"

namespace plumb {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kChunkDigits = 19;
constexpr std::uint64_t kChunkBase = 10'000'000'000'000'000'000U;

/// The value of a digit, at least `base` for a foreign one.
unsigned digit_value(char c, unsigned base) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return base;
}

/// words = words * factor + summand, growing at need.
void multiply_add(std::vector<std::uint64_t>& words, std::uint64_t factor, std::uint64_t summand) {
  std::uint64_t carry = summand;
  for (std::uint64_t& w : words) {
    const Wide sum = Wide{w} * factor + carry;
    w = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  if (carry != 0) words.push_back(carry);
}

std::size_t bit_length(const std::vector<std::uint64_t>& words) {
  return words.empty() ? 0 : 64 * (words.size() - 1) + static_cast<std::size_t>(std::bit_width(words.back()));
}

/// All of `digits` are decimal. Nothing if the number needs more than `width` bits.
std::optional<std::vector<std::uint64_t>> decimal_words(std::uint32_t width, std::string_view digits) {
  std::vector<std::uint64_t> words;
  while (!digits.empty()) {
    const std::size_t count = std::min(digits.size(), kChunkDigits);
    std::uint64_t chunk = 0;
    std::uint64_t factor = 1;
    for (const char c : digits.substr(0, count)) {
      chunk = chunk * 10 + digit_value(c, 10);
      factor *= 10;
    }
    multiply_add(words, factor, chunk);
    if (bit_length(words) > width) return std::nullopt;
    digits.remove_prefix(count);
  }
  return words;
}

/// As decimal_words, for digits of `digit_bits` bits each, 1 or 4, so that no digit spans two words.
std::optional<std::vector<std::uint64_t>> binary_words(std::uint32_t width, std::string_view digits,
                                                       unsigned digit_bits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > std::size_t{width} / digit_bits + 1) return std::nullopt;
  std::vector<std::uint64_t> words(digits.size() * digit_bits / 64 + 1);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::uint64_t digit = digit_value(digits[digits.size() - 1 - i], 16);
    words[i * digit_bits / 64] |= digit << (i * digit_bits % 64);
  }
  while (!words.empty() && words.back() == 0) words.pop_back();
  if (bit_length(words) > width) return std::nullopt;
  return words;
}

}  // namespace

std::optional<BitVector> BitVector::parse(std::uint32_t width, std::string_view digits, unsigned base) {
  INVARIANT(base == 2 || base == 10 || base == 16, "the base of a number should be 2, 10 or 16");
  const auto foreign = [base](char c) { return digit_value(c, base) >= base; };
  if (digits.empty() || std::ranges::any_of(digits, foreign)) return std::nullopt;
  const std::optional<std::vector<std::uint64_t>> words =
      base == 10 ? decimal_words(width, digits) : binary_words(width, digits, base == 2 ? 1 : 4);
  if (!words) return std::nullopt;
  return from_words(width, *words);
}

std::string BitVector::to_binary() const {
  std::string text(width_, '0');
  for (std::uint32_t i = 0; i < width_; ++i) {
    if (bit(i)) text[width_ - 1 - i] = '1';
  }
  return text;
}

std::string BitVector::to_hex() const {
  std::string text((std::size_t{width_} + 3) / 4, '0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[text.size() - 1 - i] = "0123456789abcdef"[(word(i / 16) >> (4 * (i % 16))) & 0xfU];
  }
  return text;
}

std::string BitVector::to_decimal() const {
  if (width_ <= 64) return std::to_string(value_);
  std::vector<std::uint64_t> rest(words().begin(), words().end());
  std::string reversed;
  while (!rest.empty()) {
    std::uint64_t chunk = 0;
    for (std::size_t i = rest.size(); i-- > 0;) {
      const Wide numerator = Wide{chunk} << 64 | rest[i];
      rest[i] = static_cast<std::uint64_t>(numerator / kChunkBase);
      chunk = static_cast<std::uint64_t>(numerator % kChunkBase);
    }
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
    for (std::size_t i = 0; i < kChunkDigits; ++i, chunk /= 10) reversed.push_back(static_cast<char>('0' + chunk % 10));
  }
  reversed.erase(std::max(reversed.find_last_not_of('0') + 1, std::size_t{1}));
  std::ranges::reverse(reversed);
  return reversed;
}

}  // namespace plumb
