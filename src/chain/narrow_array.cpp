#include "chain/narrow_array.h"

namespace plumb::chain {
namespace {

template <typename T>
GrowingArray<T> converted(const NarrowArray& from, std::size_t spare) {
  GrowingArray<T> result;
  result.reserve(from.size() + spare);
  from.visit([&](auto values) {
    for (const auto value : values) result.push_back(static_cast<T>(value));
  });
  return result;
}

}  // namespace

void NarrowArray::widen(std::uint32_t value) {
  const std::size_t spare = size() / 2 + 64;
  if (value <= 0xffff) {
    data_ = converted<std::uint16_t>(*this, spare);
    limit_ = 0xffff;
  } else {
    data_ = converted<std::uint32_t>(*this, spare);
    limit_ = ~std::uint32_t{0};
  }
}

}  // namespace plumb::chain
