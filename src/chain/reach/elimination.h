#pragma once

// State elimination. x_i = (c_i + sum_j w_ij x_j) / (e_i + sum_j w_ij) over positive numbers, where e_i is the weight
// that leaves the system and c_i what is earned plus the weighted values outside. A state is removed by sending its
// predecessors straight to its successors, which adds, multiplies and divides positive numbers only (Grassmann, Taksar,
// Heyman 1985): nothing cancels, so the result is as accurate for a chain that leaves a component once in 10^20 steps
// as for one that leaves at once. Values are ratios of sums of products with one factor of each row, hence changing the
// numbers of a row by a relative e changes each value by at most 2 e (O'Cinneide 1993); that bounds the error of the
// double version: perturbation() adds up the rounding of all row updates.

#include <algorithm>
#include <cstdint>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/budget.h"

namespace plumb::chain {

/// Number is double or Fraction. `sides` right-hand sides are solved at once.
template <typename Number>
class Elimination {
 public:
  Elimination(std::uint32_t size, std::uint32_t sides)
      : sides_(sides),
        rows_(size),
        sources_(size),
        exits_(size),
        constants_(std::size_t{size} * sides),
        place_(size, kNone),
        is_gone_(size, false) {}

  /// Targets of a row differ from each other and from the row; weights are positive.
  void add(std::uint32_t row, std::uint32_t target, Number weight) {
    rows_[row].push_back({target, std::move(weight)});
    sources_[target].push_back(row);
  }
  Number& exit(std::uint32_t row) { return exits_[row]; }
  Number& constant(std::uint32_t row, std::uint32_t side) { return constants_[std::size_t{row} * sides_ + side]; }

  /// Removes all states, those with the fewest ways through them first. False if more than `work_limit` entries would
  /// be touched: the system is then of no more use. The exits must be reachable from every state.
  bool eliminate(std::uint64_t work_limit, const Budget& budget) {
    using Item = std::pair<std::uint64_t, std::uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    for (std::uint32_t k = 0; k < rows_.size(); ++k) queue.push({cost(k), k});
    std::uint64_t work = 0;
    std::uint64_t steps = 0;
    while (!queue.empty()) {
      const auto [expected, k] = queue.top();
      queue.pop();
      if (is_gone_[k]) continue;
      const std::uint64_t now = cost(k);
      if (now > expected) {
        queue.push({now, k});
        continue;
      }
      work += now + 1;
      if (work > work_limit) return false;
      if ((++steps & 0x3f) == 0) budget.check();
      remove(k, budget);
    }
    return true;
  }

  /// After eliminate(): the values, in place of the constants.
  void substitute(const Budget& budget) {
    for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
      check(budget);
      for (std::uint32_t side = 0; side < sides_; ++side) {
        Number value = constant(*k, side);
        for (const Entry& entry : rows_[*k]) value += entry.weight * constant(entry.target, side);
        value /= exits_[*k];
        constant(*k, side) = std::move(value);
      }
      perturbation_ += 2.0 * static_cast<double>(rows_[*k].size() + 3);
    }
  }
  /// Relative error of the values in units of half an ulp, to first order.
  double perturbation() const noexcept { return perturbation_; }
  /// Rates came so close to the least double that the bound does not hold.
  bool has_underflow() const noexcept { return has_underflow_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kLeast = 1e-200;
  struct Entry {
    std::uint32_t target;
    Number weight;
  };

  std::uint64_t cost(std::uint32_t k) const { return (sources_[k].size() + 1) * (rows_[k].size() + 1); }

  /// Afterwards exits_[k] is the sum of the row: what the row's value is divided by.
  void remove(std::uint32_t k, const Budget& budget) {
    is_gone_[k] = true;
    order_.push_back(k);
    Number total = exits_[k];
    for (const Entry& entry : rows_[k]) total += entry.weight;
    if constexpr (std::is_floating_point_v<Number>) has_underflow_ |= !(total > kLeast);
    std::vector<std::uint32_t> sources = std::move(sources_[k]);
    sources_[k] = {};
    for (const std::uint32_t i : sources)
      if (!is_gone_[i]) bypass(i, k, total, budget);
    // What is left of a removed row leads to states that are still there; they need not know it as a source.
    exits_[k] = std::move(total);
  }

  /// Before each operation of those that take long.
  static void check([[maybe_unused]] const Budget& budget) {
    if constexpr (!std::is_floating_point_v<Number>) budget.check();
  }

  void bypass(std::uint32_t i, std::uint32_t k, const Number& total, const Budget& budget) {
    std::vector<Entry>& row = rows_[i];
    const auto through = std::ranges::find(row, k, &Entry::target);
    const Number share = through->weight / total;
    if (through + 1 != row.end()) *through = std::move(row.back());
    row.pop_back();
    for (std::uint32_t p = 0; p < row.size(); ++p) place_[row[p].target] = p;
    for (const Entry& entry : rows_[k]) {
      check(budget);
      if (entry.target == i) continue;  // back to where it came from: a loop, which takes no part
      if (place_[entry.target] != kNone) {
        row[place_[entry.target]].weight += share * entry.weight;
      } else {
        row.push_back({entry.target, share * entry.weight});
        sources_[entry.target].push_back(i);
      }
    }
    for (const Entry& entry : row) place_[entry.target] = kNone;
    exits_[i] += share * exits_[k];
    for (std::uint32_t side = 0; side < sides_; ++side) constant(i, side) += share * constant(k, side);
    perturbation_ += 2.0 * static_cast<double>(rows_[k].size() + 5);
  }

  std::uint32_t sides_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<Number> exits_;
  std::vector<Number> constants_;
  std::vector<std::uint32_t> place_;
  std::vector<bool> is_gone_;
  std::vector<std::uint32_t> order_;
  double perturbation_ = 0;
  bool has_underflow_ = false;
};

}  // namespace plumb::chain
