#pragma once

#include <cstdint>
#include <optional>

#include "term/term_store.h"

namespace plumb::term {

/// Which values a bit-vector of at most 64 bits can have: an interval of unsigned numbers and one of signed numbers
/// (sign-extended), both at once. Never empty; an intersection may be nothing instead.
struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::int64_t least = 0;
  std::int64_t greatest = 0;

  static Range all(std::uint32_t width);
  static Range of(std::uint32_t width, std::uint64_t value);
  /// What the interval leaves, with what follows for the other one.
  static std::optional<Range> of_unsigned(std::uint32_t width, std::uint64_t low, std::uint64_t high);
  static std::optional<Range> of_signed(std::uint32_t width, std::int64_t least, std::int64_t greatest);

  bool is_single() const noexcept { return low == high; }
  bool is_true() const noexcept { return low == 1; }
  bool is_false() const noexcept { return high == 0; }
  friend bool operator==(const Range&, const Range&) = default;
};

Range joined(const Range& a, const Range& b);
std::optional<Range> common(std::uint32_t width, const Range& a, const Range& b);

/// The values that the operator can give for operands in these ranges, as a term of `store` has them: every operator
/// that a TermStore keeps, on bit-vectors of at most 64 bits. `t` says operator, widths and parameter.
Range range_of(const TermStore& store, Term t, const Range* const* operands);
/// The sum modulo 2^width.
Range sum(std::uint32_t width, const Range& a, const Range& b);

}  // namespace plumb::term
