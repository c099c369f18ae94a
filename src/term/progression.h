#pragma once

#include <cstdint>

namespace plumb::term {

/// A set of integers that contains what a value can be: first, first + stride, … up to last; or, if it is not bounded,
/// everything that is first modulo the stride, a power of two, so that it holds of values modulo 2^width too. The
/// numbers are signed and have at most 62 bits; what goes beyond is not bounded any more. Made without arguments it is
/// empty: nothing is known to come here yet.
class Progression {
 public:
  constexpr Progression() = default;
  static Progression exactly(std::int64_t value) { return {value, value, 0}; }
  static Progression any() { return multiples(1); }
  static Progression multiples(std::uint64_t power_of_two) { return Progression(0, power_of_two); }
  static Progression between(std::int64_t first, std::int64_t last, std::uint64_t stride);

  bool is_empty() const noexcept { return is_empty_; }
  bool is_bounded() const noexcept { return is_bounded_; }
  bool is_exact() const noexcept { return is_bounded_ && first_ == last_; }
  std::int64_t first() const noexcept { return first_; }     ///< the residue if it is not bounded
  std::int64_t last() const noexcept { return last_; }       ///< needs it to be bounded
  std::uint64_t stride() const noexcept { return stride_; }  ///< 0 if it is exact

  /// What is in one of the two.
  Progression joined(const Progression& other) const;
  Progression sum(const Progression& other) const;
  Progression negated() const;
  Progression scaled(std::int64_t factor) const;
  /// The part in [0, count): of what passes a CheckIndex.
  Progression below(std::uint64_t count) const;
  /// Without bounds.
  Progression loosened() const;
  /// As numbers of `width` bits, signed; what does not fit is not bounded.
  Progression fitted(std::uint32_t width) const;
  /// Of numbers of `width` bits, extended: bounded whatever it was before.
  Progression sign_extended(std::uint32_t width) const;
  Progression zero_extended(std::uint32_t width) const;

  friend bool operator==(const Progression&, const Progression&) = default;

 private:
  Progression(std::int64_t first, std::int64_t last, std::uint64_t stride)
      : is_empty_(false), is_bounded_(true), first_(first), last_(last), stride_(stride) {}
  Progression(std::int64_t residue, std::uint64_t stride)
      : is_empty_(false), is_bounded_(false), first_(residue), last_(residue), stride_(stride) {}

  bool is_empty_ = true;
  bool is_bounded_ = true;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::uint64_t stride_ = 0;
};

}  // namespace plumb::term
