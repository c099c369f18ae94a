#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plumb::prove {

/// The affine equations modulo 2^width that all points of a growing set satisfy. Points are words of up to 64 bits.
class AffineHull {
 public:
  /// Without points: every equation holds.
  AffineHull(std::uint32_t width, std::size_t dimensions);

  /// True if fewer equations hold than before. Costs dimensions squared.
  bool add(std::span<const std::uint64_t> point);

  /// The sum of coefficients[i] * x[i], plus the constant, is zero.
  struct Equation {
    std::vector<std::uint64_t> coefficients;
    std::uint64_t constant = 0;
    /// Its coefficient is one, and zero in all other equations: the equation gives its value.
    std::optional<std::size_t> pivot;
  };
  /// Equations that all others follow from. Of two dimensions that could be a pivot the one with the higher rank is
  /// preferred; those with rank 0 are none.
  std::vector<Equation> equations(std::span<const int> ranks) const;

 private:
  using Row = std::vector<std::uint64_t>;  ///< coefficients, then the constant

  std::uint64_t mask_;
  std::uint32_t width_;
  std::size_t dimensions_;
  std::vector<Row> rows_;
};

}  // namespace plumb::prove
