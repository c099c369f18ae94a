#pragma once

#include <random>

#include "system/trace.h"

namespace plumb::system {

/// Of up to 63 bits; an array with all of its elements.
inline Value random_value(Sort sort, std::mt19937_64& random) {
  const auto bits = [&] { return BitVector(sort.width, random() & ((std::uint64_t{1} << sort.width) - 1)); };
  if (!sort.is_array()) return bits();
  term::ArrayValue array{sort.index_width, BitVector(sort.width, 0), {}};
  for (std::uint64_t i = 0; i < std::uint64_t{1} << sort.index_width; ++i)
    array.elements[BitVector(sort.index_width, i)] = bits();
  return array;
}

}  // namespace plumb::system
