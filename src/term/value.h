#pragma once

#include <absl/container/flat_hash_map.h>

#include <map>
#include <variant>

#include "term/term_store.h"

namespace plumb::term {

/// An array: `otherwise` at each index that is not in `elements`. Normalised by operator== (entries that equal
/// `otherwise` do not count).
struct ArrayValue {
  std::uint32_t index_width = 1;
  BitVector otherwise;
  std::map<BitVector, BitVector> elements;

  const BitVector& at(const BitVector& index) const;
  bool operator==(const ArrayValue& other) const;
};

using Value = std::variant<BitVector, ArrayValue>;

/// All zero, or the array of zeros.
Value zero_value(Sort sort);

/// Values of variables. A variable without one counts as zero_value() of its sort, so every assignment is complete.
using Assignment = absl::flat_hash_map<Term, Value>;

}  // namespace plumb::term
