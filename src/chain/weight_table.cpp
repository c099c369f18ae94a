#include "chain/weight_table.h"

#include <algorithm>
#include <numeric>

namespace plumb::chain {

std::uint32_t WeightTable::index(Value weight) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] =
      indices_.try_emplace(static_cast<std::uint64_t>(weight.integer), static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(weight);
  return place->second;
}

std::vector<double> WeightTable::values() const {
  const std::scoped_lock lock(mutex_);
  std::vector<double> result;
  for (const Value value : values_) result.push_back(reals_.as_double(value));
  return result;
}

std::vector<Fraction> WeightTable::fractions() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Fraction> result;
  if (reals_.is_exact())
    for (const Value value : values_) result.push_back((*reals_.fractions())[value]);
  return result;
}

void WeightTable::copy(std::vector<Value>& into) const {
  const std::scoped_lock lock(mutex_);
  into.insert(into.end(), values_.begin() + static_cast<std::ptrdiff_t>(into.size()), values_.end());
}

std::vector<std::uint32_t> WeightTable::sort() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint32_t> order(values_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto is_less = [&](std::uint32_t a, std::uint32_t b) {
    if (!reals_.is_exact()) return values_[a].real < values_[b].real;
    return (*reals_.fractions())[values_[a]] < (*reals_.fractions())[values_[b]];
  };
  std::ranges::sort(order, is_less);
  std::vector<std::uint32_t> renamed(order.size());
  std::vector<Value> sorted(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    renamed[order[i]] = i;
    sorted[i] = values_[order[i]];
  }
  values_ = std::move(sorted);
  for (auto& [bits, index] : indices_) index = renamed[index];
  return renamed;
}

}  // namespace plumb::chain
