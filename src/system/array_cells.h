#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "term/value.h"

namespace plumb::system {

/// The content of an array variable during simulation: a word a cell where the array is small and its elements fit a
/// word, a map otherwise.
class ArrayCells {
 public:
  explicit ArrayCells(term::Sort sort);

  term::Sort sort() const noexcept { return sort_; }
  void assign(const term::ArrayValue& value);
  /// All cells to one element.
  void fill(const BitVector& element);
  term::ArrayValue value() const;

  bool is_dense() const noexcept { return !dense_.empty(); }
  /// Need is_dense().
  std::uint64_t cell(std::uint64_t index) const noexcept { return dense_[index]; }
  void set_cell(std::uint64_t index, std::uint64_t element) noexcept { dense_[index] = element; }

  BitVector at(const BitVector& index) const;
  void set(const BitVector& index, const BitVector& element);

 private:
  static constexpr std::uint32_t kDenseIndexWidth = 16;

  term::Sort sort_;
  std::vector<std::uint64_t> dense_;
  term::ArrayValue sparse_;
};

}  // namespace plumb::system
