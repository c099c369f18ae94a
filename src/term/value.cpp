#include "term/value.h"

#include <algorithm>

namespace plumb::term {

const BitVector& ArrayValue::at(const BitVector& index) const {
  const auto it = elements.find(index);
  return it == elements.end() ? otherwise : it->second;
}

bool ArrayValue::operator==(const ArrayValue& other) const {
  if (index_width != other.index_width) return false;
  const auto covers = [](const ArrayValue& a, const ArrayValue& b) {
    return std::all_of(a.elements.begin(), a.elements.end(), [&](const auto& e) { return b.at(e.first) == e.second; });
  };
  if (!covers(*this, other) || !covers(other, *this)) return false;
  if (otherwise == other.otherwise) return true;
  // Different defaults are the same array only if the entries leave no index to them.
  std::size_t listed = elements.size();
  for (const auto& e : other.elements) listed += elements.contains(e.first) ? 0 : 1;
  return index_width < 64 && listed == (std::uint64_t{1} << index_width);
}

Value zero_value(Sort sort) {
  const BitVector zero(sort.width, 0);
  if (sort.is_array()) return ArrayValue{sort.index_width, zero, {}};
  return zero;
}

}  // namespace plumb::term
