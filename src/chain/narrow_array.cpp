#include "chain/narrow_array.h"

#include <algorithm>
#include <type_traits>

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

void NarrowArray::append(std::span<const std::uint32_t> values) {
  if (values.empty()) return;
  const std::uint32_t greatest = std::ranges::max(values);
  if (greatest > limit_) widen(greatest);
  std::visit(
      [&](auto& data) {
        auto* into = data.extend(values.size());
        for (const std::uint32_t value : values) *into++ = static_cast<std::remove_reference_t<decltype(*into)>>(value);
      },
      data_);
}

void NarrowArray::rename(std::span<const std::uint32_t> renamed) {
  std::visit(
      [&](auto& data) {
        for (std::size_t i = 0; i < data.size(); ++i)
          data[i] = static_cast<std::remove_reference_t<decltype(data[0])>>(renamed[data[i]]);
      },
      data_);
}

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
