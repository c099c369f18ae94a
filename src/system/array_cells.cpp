#include "system/array_cells.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::system {

ArrayCells::ArrayCells(term::Sort sort) : sort_(sort) {
  if (sort.width <= 64 && sort.index_width <= kDenseIndexWidth) dense_.resize(std::size_t{1} << sort.index_width, 0);
  sparse_ = std::get<term::ArrayValue>(term::zero_value(sort));
}

void ArrayCells::assign(const term::ArrayValue& value) {
  INVARIANT(value.index_width == sort_.index_width && value.otherwise.width() == sort_.width,
            "an array value should have the sort of its variable");
  if (!is_dense()) {
    sparse_ = value;
    return;
  }
  fill(value.otherwise);
  for (const auto& [index, element] : value.elements) set(index, element);
}

void ArrayCells::fill(const BitVector& element) {
  if (is_dense()) {
    std::fill(dense_.begin(), dense_.end(), element.to_uint64());
  } else {
    sparse_.elements.clear();
    sparse_.otherwise = element;
  }
}

term::ArrayValue ArrayCells::value() const {
  if (!is_dense()) return sparse_;
  term::ArrayValue result{sort_.index_width, BitVector(sort_.width, 0), {}};
  for (std::size_t i = 0; i < dense_.size(); ++i)
    if (dense_[i] != 0)
      result.elements.emplace_hint(result.elements.end(), BitVector(sort_.index_width, i),
                                   BitVector(sort_.width, dense_[i]));
  return result;
}

BitVector ArrayCells::at(const BitVector& index) const {
  return is_dense() ? BitVector(sort_.width, dense_[index.to_uint64()]) : sparse_.at(index);
}

void ArrayCells::set(const BitVector& index, const BitVector& element) {
  if (is_dense())
    dense_[index.to_uint64()] = element.to_uint64();
  else
    sparse_.elements.insert_or_assign(index, element);
}

}  // namespace plumb::system
