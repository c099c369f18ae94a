#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "chain/growing_array.h"

namespace plumb::chain {

/// Unsigned numbers of up to 32 bits in one, two or four bytes each, as many as the greatest needs; it widens as they
/// come.
class NarrowArray {
 public:
  std::size_t size() const noexcept {
    return std::visit([](const auto& data) { return data.size(); }, data_);
  }
  std::size_t bytes() const noexcept {
    return std::visit([](const auto& data) { return data.bytes(); }, data_);
  }
  std::uint32_t operator[](std::size_t i) const noexcept {
    return std::visit([i](const auto& data) { return static_cast<std::uint32_t>(data[i]); }, data_);
  }
  void push_back(std::uint32_t value) {
    if (value > limit_) widen(value);
    std::visit([value](auto& data) { push(data, value); }, data_);
  }
  void append(std::span<const std::uint32_t> values);
  /// Puts `renamed[old]` for every number; the greatest must not grow.
  void rename(std::span<const std::uint32_t> renamed);
  void shrink() {
    std::visit([](auto& data) { data.shrink(); }, data_);
  }
  /// Calls f with the span of bytes, of 16-bit or of 32-bit words that it is: loops over many elements dispatch once.
  template <typename F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&f](const auto& data) -> decltype(auto) { return f(data.span()); }, data_);
  }

 private:
  template <typename T>
  static void push(GrowingArray<T>& data, std::uint32_t value) {
    data.push_back(static_cast<T>(value));
  }
  void widen(std::uint32_t value);

  std::variant<GrowingArray<std::uint8_t>, GrowingArray<std::uint16_t>, GrowingArray<std::uint32_t>> data_;
  std::uint32_t limit_ = 0xff;
};

}  // namespace plumb::chain
