// Karr's domain for machine words (Karr, "Affine Relationships among Variables of a Program", 1976; modulo powers of
// two after Müller-Olm and Seidl, "Analysis of Modular Arithmetic", 2007). Kept are not the points but generators of
// the module of equations. A new point p leaves of that module the combinations that are zero in p: with r(i) the value
// of generator i in p, one whose r has the fewest factors of two is subtracted from the others until they are zero in
// p, and is itself multiplied by the power of two that makes it so.

#include "prove/guess/affine_hull.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace plumb::prove {
namespace {

/// The x with odd * x = 1 modulo 2^64; each step doubles the number of right bits.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}

void subtract(std::vector<std::uint64_t>& row, const std::vector<std::uint64_t>& other, std::uint64_t factor,
              std::uint64_t mask) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = (row[i] - factor * other[i]) & mask;
}

/// Factors of two, 64 for zero.
int twos(std::uint64_t value) { return std::countr_zero(value); }

bool is_zero(const std::vector<std::uint64_t>& row) {
  return std::ranges::all_of(row, [](std::uint64_t value) { return value == 0; });
}

}  // namespace

AffineHull::AffineHull(std::uint32_t width, std::size_t dimensions)
    : mask_(~std::uint64_t{0} >> (64 - width)), width_(width), dimensions_(dimensions) {
  INVARIANT(width > 0 && width <= 64, "a hull should be of words of up to 64 bits");
  for (std::size_t i = 0; i <= dimensions; ++i) {
    rows_.emplace_back(dimensions + 1, 0);
    rows_.back()[i] = 1;
  }
}

bool AffineHull::add(std::span<const std::uint64_t> point) {
  INVARIANT(point.size() == dimensions_, "a point should have the hull's dimensions");
  std::vector<std::uint64_t> values;
  for (const Row& row : rows_) {
    std::uint64_t sum = row.back();
    for (std::size_t i = 0; i < dimensions_; ++i) sum += row[i] * point[i];
    values.push_back(sum & mask_);
  }
  const auto least = std::ranges::min_element(values, {}, twos);
  if (least == values.end() || *least == 0) return false;
  const auto chosen = static_cast<std::size_t>(least - values.begin());
  const int shift = twos(*least);
  const std::uint64_t unit = inverse(*least >> shift);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (i != chosen) subtract(rows_[i], rows_[chosen], (values[i] >> shift) * unit, mask_);
  if (shift == 0) {
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(chosen));
  } else {
    for (std::uint64_t& value : rows_[chosen]) value = (value << (width_ - static_cast<unsigned>(shift))) & mask_;
  }
  std::erase_if(rows_, is_zero);
  return true;
}

std::vector<AffineHull::Equation> AffineHull::equations(std::span<const int> ranks) const {
  std::vector<Row> rows = rows_;
  std::vector<Equation> result;
  // Short rows first: their pivots make the others longer by little.
  std::ranges::sort(rows, {}, [](const Row& row) {
    return row.size() - static_cast<std::size_t>(std::ranges::count(row, std::uint64_t{0}));
  });
  while (true) {
    // The entry with the fewest factors of two, of those the one with the highest rank.
    std::size_t row = rows.size();
    std::size_t column = 0;
    std::pair<int, int> best{64, 0};
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < dimensions_; ++j)
        if (const std::pair<int, int> value{twos(rows[i][j]), -ranks[j]}; rows[i][j] != 0 && value < best) {
          best = value;
          row = i;
          column = j;
        }
    if (row == rows.size()) break;
    Row chosen = std::move(rows[row]);
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(row));
    const int shift = best.first;
    const std::uint64_t unit = inverse(chosen[column] >> shift);
    for (std::uint64_t& value : chosen) value = (value * unit) & mask_;
    for (Row& other : rows) subtract(other, chosen, other[column] >> shift, mask_);
    for (Equation& other : result) {
      const std::uint64_t factor = other.coefficients[column] >> shift;
      subtract(other.coefficients, Row(chosen.begin(), chosen.end() - 1), factor, mask_);
      other.constant = (other.constant - factor * chosen.back()) & mask_;
    }
    // Multiples that are left of a generator with zero divisors would be lost with it.
    if (shift > 0) {
      Row rest = chosen;
      for (std::uint64_t& value : rest) value = (value << (width_ - static_cast<unsigned>(shift))) & mask_;
      if (!is_zero(rest)) rows.push_back(std::move(rest));
    }
    std::erase_if(rows, is_zero);
    Equation equation{Row(chosen.begin(), chosen.end() - 1), chosen.back(), std::nullopt};
    if (shift == 0 && ranks[column] > 0) equation.pivot = column;
    result.push_back(std::move(equation));
  }
  return result;
}

}  // namespace plumb::prove
