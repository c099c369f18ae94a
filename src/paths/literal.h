#pragma once

#include <cstdint>
#include <optional>

#include "paths/rules.h"

namespace plumb::paths {

/// A term with a domain, by its number in Domains. Operands have smaller numbers than their users.
using Cell = std::uint32_t;
inline constexpr Cell kNoCell = ~Cell{0};

/// Bounds of a domain, as bits: those of the unsigned interval and of the signed one.
using Bounds = std::uint8_t;
inline constexpr Bounds kLow = 1;
inline constexpr Bounds kHigh = 2;
inline constexpr Bounds kLeast = 4;
inline constexpr Bounds kGreatest = 8;
inline constexpr Bounds kAllBounds = 15;

/// A cell is within one bound. A Boolean is true if it is at least 1, and false if it is at most 0.
struct Literal {
  Cell cell = kNoCell;
  Bounds bound = kLow;
  std::uint64_t value = 0;  ///< of a signed bound: as its bits

  static Literal of(Cell boolean, bool value) { return {boolean, value ? kLow : kHigh, value ? 1U : 0U}; }
  std::int64_t signed_value() const noexcept { return static_cast<std::int64_t>(value); }
  friend bool operator==(const Literal&, const Literal&) = default;
};

/// Needs a literal that not all values fulfil, as those do that are learnt.
Literal operator!(const Literal& a);
/// All values of the domain are within the bound.
bool holds_in(const Literal& a, const Range& domain);
/// The values that are.
Range values_of(const Literal& a, std::uint32_t width);
/// The literal that a domain gives by one of its bounds.
Literal literal_of(Cell c, Bounds bound, const Range& domain);

/// The bounds of `domain` that are meant, and others of `root`.
Range with_bounds(const Range& root, const Range& domain, Bounds bounds);
/// Within these bounds of `needed`.
bool is_within(const Range& r, const Range& needed, Bounds bounds = kAllBounds);

}  // namespace plumb::paths
