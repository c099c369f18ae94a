#include "chain/weight_table.h"

#include <algorithm>
#include <numeric>

namespace plumb::chain {

std::uint32_t WeightTable::index(double weight) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] =
      indices_.try_emplace(std::bit_cast<std::uint64_t>(weight), static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(weight);
  return place->second;
}

std::vector<double> WeightTable::values() const {
  std::vector<double> result;
  copy(result);
  return result;
}

void WeightTable::copy(std::vector<double>& into) const {
  const std::scoped_lock lock(mutex_);
  into.insert(into.end(), values_.begin() + static_cast<std::ptrdiff_t>(into.size()), values_.end());
}

std::vector<std::uint32_t> WeightTable::sort() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint32_t> order(values_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return values_[i]; });
  std::vector<std::uint32_t> renamed(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) renamed[order[i]] = i;
  std::ranges::sort(values_);
  for (auto& [bits, index] : indices_) index = renamed[index];
  return renamed;
}

}  // namespace plumb::chain
