#include "chain/value_column.h"

#include <algorithm>
#include <ranges>

namespace plumb::chain {

// Not inlined into every container of reward structures, where compilers misread what the hash table does to its empty
// state.
ValueColumn::ValueColumn() = default;
ValueColumn::ValueColumn(ValueColumn&&) noexcept = default;
ValueColumn& ValueColumn::operator=(ValueColumn&&) noexcept = default;
ValueColumn::~ValueColumn() = default;

void ValueColumn::push_back(const Fraction& value) {
  const auto [place, is_new] = fraction_indices_.try_emplace(value, static_cast<std::uint32_t>(distinct_.size()));
  if (is_new) {
    distinct_.push_back(value.nearest());
    fractions_.push_back(value);
  }
  index_.push_back(place->second);
}

void ValueColumn::set_distinct(std::vector<double> values, std::vector<Fraction> fractions,
                               std::span<const std::uint32_t> renamed) {
  distinct_ = std::move(values);
  fractions_ = std::move(fractions);
  const bool is_same = std::ranges::equal(renamed, std::views::iota(0U, static_cast<std::uint32_t>(renamed.size())));
  if (!is_same) index_.rename(renamed);
}

}  // namespace plumb::chain
