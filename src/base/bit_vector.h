#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace plumb {

/// A fixed-width bit-vector value with SMT-LIB semantics; width at least 1. Values of up to 64 bits
/// are stored inline; wider ones own an array of 64-bit words, least significant first. Bits above the
/// width are always zero. Binary operations need operands of equal width unless they say otherwise.
/// A moved-from value is a zero of width 1.
class BitVector {
 public:
  /// The widest value that front ends accept; wider ones are bad input, not a reason to run out of memory.
  static constexpr std::uint32_t kMaxWidth = 1U << 16;

  BitVector() noexcept : width_(1), value_(0) {}
  /// `value` modulo 2^width.
  BitVector(std::uint32_t width, std::uint64_t value) : width_(width) {
    INVARIANT(width > 0, "a width should be positive");
    if (width <= 64) {
      value_ = value & mask(width);
    } else {
      words_ = make_words(word_count(), value);
    }
  }
  BitVector(const BitVector& other) : width_(other.width_) {
    if (width_ <= 64) {
      value_ = other.value_;
    } else {
      words_ = copy_words(other);
    }
  }
  BitVector(BitVector&& other) noexcept : width_(other.width_) { take(other); }
  BitVector& operator=(const BitVector& other) {
    if (width_ <= 64 && other.width_ <= 64) {
      width_ = other.width_;
      value_ = other.value_;
    } else {
      assign_wide(other);
    }
    return *this;
  }
  BitVector& operator=(BitVector&& other) noexcept {
    if (this != &other) {
      if (width_ > 64) delete[] words_;
      width_ = other.width_;
      take(other);
    }
    return *this;
  }
  ~BitVector() {
    if (width_ > 64) delete[] words_;
  }

  /// Words beyond the width are ignored, missing ones are zero.
  static BitVector from_words(std::uint32_t width, std::span<const std::uint64_t> words);
  static BitVector ones(std::uint32_t width);
  static BitVector min_signed(std::uint32_t width);
  static BitVector max_signed(std::uint32_t width);
  /// Digits of base 2, 10 or 16, without sign or prefix; nothing if a digit is foreign, the text is
  /// empty or the number does not fit.
  static std::optional<BitVector> parse(std::uint32_t width, std::string_view digits, unsigned base);

  std::uint32_t width() const noexcept { return width_; }
  std::size_t word_count() const noexcept { return (std::size_t{width_} + 63) / 64; }
  std::uint64_t word(std::size_t i) const noexcept { return width_ <= 64 ? value_ : words_[i]; }
  std::span<const std::uint64_t> words() const noexcept {
    return width_ <= 64 ? std::span<const std::uint64_t>(&value_, 1)
                        : std::span<const std::uint64_t>(words_, word_count());
  }
  bool bit(std::uint32_t i) const noexcept { return ((word(i / 64) >> (i % 64)) & 1U) != 0; }
  bool sign() const noexcept { return bit(width_ - 1); }
  void set_bit(std::uint32_t i, bool value) noexcept {
    const std::uint64_t flag = std::uint64_t{1} << (i % 64);
    std::uint64_t& target = width_ <= 64 ? value_ : words_[i / 64];
    target = value ? target | flag : target & ~flag;
  }

  bool is_zero() const noexcept { return width_ <= 64 ? value_ == 0 : is_small_number(0); }
  bool is_one() const noexcept { return width_ <= 64 ? value_ == 1 : is_small_number(1); }
  bool is_ones() const noexcept { return width_ <= 64 ? value_ == mask(width_) : is_ones_wide(); }
  /// The exponent if the value is a power of two.
  std::optional<std::uint32_t> log2() const noexcept;
  std::uint32_t trailing_zeros() const noexcept;  ///< width() for zero
  std::uint32_t leading_zeros() const noexcept;   ///< width() for zero
  bool fits_uint64() const noexcept;
  /// The low 64 bits.
  std::uint64_t to_uint64() const noexcept { return word(0); }
  /// The low 64 bits of the sign-extended value.
  std::int64_t to_int64() const noexcept {
    if (width_ >= 64) return static_cast<std::int64_t>(word(0));
    return static_cast<std::int64_t>(value_ << (64 - width_)) >> (64 - width_);
  }

  BitVector operator~() const { return width_ <= 64 ? BitVector(width_, ~value_) : not_wide(); }
  BitVector operator-() const { return width_ <= 64 ? BitVector(width_, 0 - value_) : negate_wide(); }
  BitVector operator&(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ & b.value_) : and_wide(b);
  }
  BitVector operator|(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ | b.value_) : or_wide(b);
  }
  BitVector operator^(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ ^ b.value_) : xor_wide(b);
  }
  BitVector operator+(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ + b.value_) : add_wide(b);
  }
  BitVector operator-(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ - b.value_) : subtract_wide(b);
  }
  BitVector operator*(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? BitVector(width_, value_ * b.value_) : multiply_wide(b);
  }
  /// Division by zero as in SMT-LIB: udiv gives all ones, urem the dividend, the signed ones follow.
  BitVector udiv(const BitVector& b) const;
  BitVector urem(const BitVector& b) const;
  BitVector sdiv(const BitVector& b) const;
  BitVector srem(const BitVector& b) const;
  BitVector smod(const BitVector& b) const;
  /// Amounts of width or more give zero (or all sign bits).
  BitVector shl(const BitVector& amount) const;
  BitVector lshr(const BitVector& amount) const;
  BitVector ashr(const BitVector& amount) const;
  BitVector shl(std::uint32_t amount) const;
  BitVector lshr(std::uint32_t amount) const;
  BitVector ashr(std::uint32_t amount) const;
  /// The amount is taken modulo the width.
  BitVector rotate_left(std::uint32_t amount) const;
  BitVector rotate_right(std::uint32_t amount) const;

  bool ult(const BitVector& b) const {
    require_same_width(b);
    return width_ <= 64 ? value_ < b.value_ : compare_wide(b) < 0;
  }
  bool ule(const BitVector& b) const { return !b.ult(*this); }
  bool slt(const BitVector& b) const {
    require_same_width(b);
    if (width_ <= 64) return to_int64() < b.to_int64();
    return sign() != b.sign() ? sign() : compare_wide(b) < 0;
  }
  bool sle(const BitVector& b) const { return !b.slt(*this); }
  /// Equal widths and equal bits; widths may differ (then not equal).
  bool operator==(const BitVector& b) const noexcept {
    if (width_ != b.width_) return false;
    return width_ <= 64 ? value_ == b.value_ : compare_wide(b) == 0;
  }
  /// By width, then unsigned value: an order for containers.
  std::strong_ordering operator<=>(const BitVector& b) const noexcept {
    if (width_ != b.width_) return width_ <=> b.width_;
    return width_ <= 64 ? value_ <=> b.value_ : compare_wide(b);
  }

  bool umul_overflows(const BitVector& b) const;
  bool smul_overflows(const BitVector& b) const;

  /// This value above `low`; widths add.
  BitVector concat(const BitVector& low) const;
  /// Bits high..low inclusive, high < width().
  BitVector extract(std::uint32_t high, std::uint32_t low) const;
  /// To a width of at least width().
  BitVector zero_extend(std::uint32_t width) const;
  BitVector sign_extend(std::uint32_t width) const;

  std::string to_binary() const;   ///< exactly width() digits
  std::string to_hex() const;      ///< ceil(width/4) digits
  std::string to_decimal() const;  ///< unsigned

  std::size_t hash() const noexcept;
  template <typename H>
  friend H AbslHashValue(H h, const BitVector& v) {
    return H::combine(std::move(h), v.hash());
  }

 private:
  /// An uninitialised value of this width, to be filled through data().
  struct Uninitialised {};
  BitVector(std::uint32_t width, Uninitialised);
  std::uint64_t* data() noexcept { return width_ <= 64 ? &value_ : words_; }
  void clear_unused_bits() noexcept { data()[word_count() - 1] &= mask((width_ - 1) % 64 + 1); }

  /// The low `bits` bits set, 1 to 64.
  static constexpr std::uint64_t mask(std::uint32_t bits) noexcept { return ~std::uint64_t{0} >> (64 - bits); }
  static std::uint64_t* make_words(std::size_t count, std::uint64_t lowest);
  static std::uint64_t* copy_words(const BitVector& other);
  /// Moves the content of `other`, whose width this value has already.
  void take(BitVector& other) noexcept {
    if (width_ <= 64) {
      value_ = other.value_;
    } else {
      words_ = other.words_;
    }
    other.width_ = 1;
    other.value_ = 0;
  }
  void require_same_width(const BitVector& b) const {
    INVARIANT(width_ == b.width_, "operands should have the same width");
  }

  // What the inline operations above leave to widths beyond 64.
  void assign_wide(const BitVector& other);
  bool is_small_number(std::uint64_t value) const noexcept;
  bool is_ones_wide() const noexcept;
  BitVector not_wide() const;
  BitVector negate_wide() const;
  BitVector and_wide(const BitVector& b) const;
  BitVector or_wide(const BitVector& b) const;
  BitVector xor_wide(const BitVector& b) const;
  BitVector add_wide(const BitVector& b) const;
  BitVector subtract_wide(const BitVector& b) const;
  BitVector multiply_wide(const BitVector& b) const;
  std::strong_ordering compare_wide(const BitVector& b) const noexcept;
  /// The value without its sign; the least one is its own magnitude, read as unsigned.
  BitVector magnitude() const { return sign() ? -*this : *this; }

  std::uint32_t width_;
  union {
    std::uint64_t value_;
    std::uint64_t* words_;
  };
};

}  // namespace plumb
