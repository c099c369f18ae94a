#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plumb::chain {

/// A natural number of any size: words of 32 bits, least first, no zero at the end. Schoolbook algorithms (Knuth, "The
/// Art of Computer Programming", volume 2, section 4.3.1).
class Natural {
 public:
  Natural() = default;
  Natural(std::uint64_t value);  // NOLINT: numbers are naturals

  bool is_zero() const noexcept { return words_.empty(); }
  bool is_one() const noexcept { return words_.size() == 1 && words_[0] == 1; }
  bool is_even() const noexcept { return words_.empty() || words_[0] % 2 == 0; }
  std::uint64_t bits() const noexcept;
  std::uint64_t low_word() const noexcept;  ///< modulo 2^64

  Natural& operator+=(const Natural& other);
  Natural& operator-=(const Natural& other);  ///< not more than this
  friend Natural operator+(Natural a, const Natural& b) { return a += b; }
  friend Natural operator-(Natural a, const Natural& b) { return a -= b; }
  friend Natural operator*(const Natural& a, const Natural& b);
  Natural shifted_left(std::uint64_t bits) const;
  Natural shifted_right(std::uint64_t bits) const;
  /// Quotient and remainder; the divisor is not zero.
  static std::pair<Natural, Natural> divide(const Natural& dividend, const Natural& divisor);
  friend Natural operator/(const Natural& a, const Natural& b) { return divide(a, b).first; }
  static Natural gcd(Natural a, Natural b);

  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b) noexcept;
  friend bool operator==(const Natural&, const Natural&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Natural& n) {
    return H::combine(std::move(h), n.words_);
  }
  std::string to_string() const;

 private:
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  std::uint32_t divide_by_word(std::uint32_t divisor);  ///< in place; the remainder
  /// x a + y b, which is not negative; x and y have less than 32 bits.
  static Natural combined(const Natural& a, std::int64_t x, const Natural& b, std::int64_t y);
  /// One round of Lehmer's algorithm: steps of Euclid's as far as the first words tell the quotients.
  static bool reduce(Natural& a, Natural& b);

  std::vector<std::uint32_t> words_;
};

}  // namespace plumb::chain
