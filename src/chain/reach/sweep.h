#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "chain/graph_search.h"
#include "chain/reach/passage.h"

namespace plumb::chain {

/// Which way the computed value of a row may differ from the exact one for the row's doubles.
enum class Rounding : std::uint8_t { Down, Up };

/// N vectors by state, to be read at the targets of transitions.
template <std::size_t N>
struct Vectors {
  std::array<const double*, N> x;

  double operator()(std::size_t n, StateId target) const noexcept { return x[n][target]; }
  void prefetch(StateId target) const noexcept {
    for (const double* vector : x) __builtin_prefetch(vector + target);
  }
};

/// The same with other values for some consecutive states.
template <std::size_t N>
struct PatchedVectors {
  std::array<const double*, N> x;
  std::array<const double*, N> patch;
  StateId first;
  std::uint32_t size;

  double operator()(std::size_t n, StateId target) const noexcept {
    const StateId place = target - first;
    return *(place < size ? patch[n] + place : x[n] + target);
  }
  void prefetch(StateId target) const noexcept {
    for (const double* vector : x) __builtin_prefetch(vector + target);
  }
};

/// The right-hand side of a Passage on plain arrays, for weights that are indexed by bytes, 16-bit or 32-bit words.
/// Each thread has its own.
template <typename Index>
class alignas(64) Sweeper {
 public:
  Sweeper(const Passage& passage, const Index* index)
      : passage_(&passage),
        prefetch_end_(passage.chain->rows.transitions() - std::min(passage.chain->rows.transitions(), kAhead)),
        targets_(passage.chain->rows.targets()),
        index_(index),
        weights_(passage.chain->rows.weights().distinct().data()),
        has_rewards_(passage.state_rewards != nullptr || passage.row_rewards != nullptr) {}

  /// The best over the rows, rounded for each vector as told, and the row that is best for the first vector. Counts
  /// transitions.
  template <std::size_t N, typename Values>
  std::array<double, N> best(StateId s, const StateRows& rows, const Values& values,
                             const std::array<Rounding, N>& rounding, std::uint32_t* choice = nullptr) {
    std::array<double, N> result;
    std::array<double, N> value;
    const bool is_max = passage_->direction == Direction::Max;
    result.fill(is_max ? -1 : std::numeric_limits<double>::infinity());
    for (std::uint32_t r = 0; r < rows.count; ++r) {
      if (!row_value<N>(s, rows.first + r, rows.begins[r], rows.begins[r + 1], values, value)) continue;
      const double error = rounding_error(rows.begins[r + 1] - rows.begins[r]);
      for (std::size_t n = 0; n < N; ++n) value[n] *= rounding[n] == Rounding::Up ? 1 + error : 1 - error;
      if (choice && (is_max ? value[0] > result[0] : value[0] < result[0])) *choice = r;
      for (std::size_t n = 0; n < N; ++n)
        result[n] = is_max ? std::max(result[n], value[n]) : std::min(result[n], value[n]);
    }
    transitions_ += rows.end() - rows.begin();
    return result;
  }

  std::uint64_t transitions() const noexcept { return transitions_; }

 private:
  /// Each term is multiplied once, and both sums and their quotient are rounded; all of it is of one sign. Short rows
  /// share a bound, which saves its computation.
  static double rounding_error(std::uint64_t count) noexcept {
    constexpr std::uint64_t kShort = 6;
    return count <= kShort ? (2 * kShort + 6) * 0x1p-53 : (2 * static_cast<double>(count) + 6) * 0x1p-53;
  }

  /// The values of one row under N vectors; false if it is nothing but a loop.
  template <std::size_t N, typename Values>
  bool row_value(StateId s, std::uint64_t row, std::uint64_t begin, std::uint64_t end, const Values& values,
                 std::array<double, N>& value) const {
    double total = 0;
    value.fill(has_rewards_ ? passage_->earned(s, row) : 0);
    for (std::uint64_t t = begin; t < end; ++t) {
      const StateId target = targets_[t];
      if (t < prefetch_end_) values.prefetch(targets_[t + kAhead]);
      if (target == s) continue;
      const double weight = weights_[index_[t]];
      total += weight;
      for (std::size_t n = 0; n < N; ++n) value[n] += weight * values(n, target);
    }
    if (total == 0) return false;
    // Mostly the sum of probabilities; a division takes as long as the rest of a short row.
    if (total != 1)
      for (double& v : value) v /= total;
    return true;
  }

  /// Values are asked for so many transitions before they are needed: most states are followed by the next one.
  static constexpr std::uint64_t kAhead = 24;

  const Passage* passage_;
  std::uint64_t prefetch_end_;
  const StateId* targets_;
  const Index* index_;
  const double* weights_;
  bool has_rewards_;
  std::uint64_t transitions_ = 0;
};

/// Calls f with the Sweeper that fits.
template <typename F>
decltype(auto) with_sweeper(const Passage& passage, F&& f) {
  return passage.chain->rows.weights().index().visit([&](auto span) -> decltype(auto) {
    using Index = typename decltype(span)::value_type;
    Sweeper<Index> sweeper(passage, span.data());
    return f(sweeper);
  });
}

}  // namespace plumb::chain
