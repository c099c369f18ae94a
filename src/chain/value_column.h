#pragma once

#include <absl/container/flat_hash_map.h>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "chain/exact/fraction.h"
#include "chain/narrow_array.h"

namespace plumb::chain {

/// Many doubles of which few are different: each of those once, and an index an element. Distinct values are by bit
/// pattern, in the order in which they came. An exact column has fractions, and as doubles what they round to.
class ValueColumn {
 public:
  ValueColumn();
  ValueColumn(ValueColumn&&) noexcept;
  ValueColumn& operator=(ValueColumn&&) noexcept;
  ~ValueColumn();

  void push_back(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits != last_bits_ || distinct_.empty()) {
      const auto [place, is_new] = indices_.try_emplace(bits, static_cast<std::uint32_t>(distinct_.size()));
      if (is_new) distinct_.push_back(value);
      last_bits_ = bits;
      last_index_ = place->second;
    }
    index_.push_back(last_index_);
  }
  /// Of a column that is exact from the first element on.
  void push_back(const Fraction& value);
  /// Elements by their index among distinct values that set_distinct() gives.
  void append(std::span<const std::uint32_t> indices) { index_.append(indices); }
  /// `renamed`: the place of each value there, by the index that it was appended with; empty if that is the place.
  /// `fractions`: what the values are rounded from, or empty.
  void set_distinct(std::vector<double> values, std::vector<Fraction> fractions,
                    std::span<const std::uint32_t> renamed);
  std::uint64_t size() const noexcept { return index_.size(); }
  double operator[](std::uint64_t i) const noexcept { return distinct_[index_[i]]; }
  const std::vector<double>& distinct() const noexcept { return distinct_; }
  bool is_exact() const noexcept { return !fractions_.empty(); }
  /// By distinct value; empty unless the column is exact.
  const std::vector<Fraction>& fractions() const noexcept { return fractions_; }
  const NarrowArray& index() const noexcept { return index_; }
  bool is_all_zero() const noexcept { return distinct_.empty() || (distinct_.size() == 1 && distinct_[0] == 0); }
  std::uint64_t bytes() const noexcept { return index_.bytes() + distinct_.size() * (sizeof(double) + 16); }
  /// No more values are added.
  void finish() {
    index_.shrink();
    indices_ = {};
    fraction_indices_ = {};
  }

 private:
  std::vector<double> distinct_;
  std::vector<Fraction> fractions_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> indices_;
  absl::flat_hash_map<Fraction, std::uint32_t> fraction_indices_;
  NarrowArray index_;
  std::uint64_t last_bits_ = 0;
  std::uint32_t last_index_ = 0;
};

}  // namespace plumb::chain
