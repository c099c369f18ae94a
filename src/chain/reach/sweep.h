#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "chain/reach/passage.h"

namespace plumb::chain {

/// Which way the computed value of a row may differ from the exact one for the row's doubles.
enum class Rounding : std::uint8_t { Down, Up };

/// The right-hand side of a Passage on plain arrays, for weights that are indexed by bytes, 16-bit or 32-bit words.
template <typename Index>
class Sweeper {
 public:
  Sweeper(const Passage& passage, const Index* index)
      : passage_(passage),
        chain_(*passage.chain),
        targets_(chain_.rows.targets()),
        index_(index),
        weights_(chain_.rows.weights().distinct().data()),
        has_rewards_(passage.state_rewards != nullptr || passage.row_rewards != nullptr) {}

  /// The values of one row under N vectors; false if it is nothing but a loop.
  template <std::size_t N>
  bool row_value(StateId s, std::uint64_t row, std::uint64_t begin, std::uint32_t count,
                 const std::array<const double*, N>& x, std::array<double, N>& value) const {
    double total = 0;
    value.fill(has_rewards_ ? passage_.earned(s, row) : 0);
    for (std::uint64_t t = begin; t < begin + count; ++t) {
      const StateId target = targets_[t];
      if (target == s) continue;
      const double weight = weights_[index_[t]];
      total += weight;
      for (std::size_t n = 0; n < N; ++n) value[n] += weight * x[n][target];
    }
    if (total == 0) return false;
    for (double& v : value) v /= total;
    return true;
  }

  /// The best over the rows, rounded for each vector as told, and the row that is best for the first vector. Counts
  /// transitions.
  template <std::size_t N>
  std::array<double, N> best(StateId s, const std::array<const double*, N>& x, const std::array<Rounding, N>& rounding,
                             std::uint32_t* choice = nullptr) {
    const std::uint64_t first = chain_.first_row(s);
    const std::uint32_t rows = chain_.row_count(s);
    std::uint64_t begin = chain_.rows.begin(first);
    std::array<double, N> result;
    std::array<double, N> value;
    const bool is_max = passage_.direction == Direction::Max;
    result.fill(is_max ? -1 : std::numeric_limits<double>::infinity());
    for (std::uint32_t r = 0; r < rows; ++r) {
      const std::uint32_t count = chain_.rows.count(first + r);
      const bool leads_on = row_value(s, first + r, begin, count, x, value);
      begin += count;
      transitions_ += count;
      if (!leads_on) continue;
      // Each term is multiplied once, and both sums and their quotient are rounded; all of it is of one sign.
      const double error = (2.0 * count + 6) * 0x1p-53;
      for (std::size_t n = 0; n < N; ++n) value[n] *= rounding[n] == Rounding::Up ? 1 + error : 1 - error;
      if (choice && (is_max ? value[0] > result[0] : value[0] < result[0])) *choice = r;
      for (std::size_t n = 0; n < N; ++n)
        result[n] = is_max ? std::max(result[n], value[n]) : std::min(result[n], value[n]);
    }
    return result;
  }

  std::uint64_t transitions() const noexcept { return transitions_; }

 private:
  const Passage& passage_;
  const Chain& chain_;
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
