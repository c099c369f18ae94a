#pragma once

#include <cstdint>

namespace plumb::interpret {

/// Where an argument stands in the area that va_arg reads: as an ABI that passes all of them on the stack has it.
struct VariadicSlot {
  std::uint64_t offset;
  std::uint64_t size;
};

/// The next one behind `end`, which moves on.
inline VariadicSlot next_variadic(std::uint64_t& end, std::uint32_t width, std::uint64_t pointer_bytes) {
  const bool is_long = pointer_bytes == 8 && (width == 80 || width == 128);
  const std::uint64_t alignment = is_long ? 16 : pointer_bytes;
  const auto round_up = [&](std::uint64_t n) { return (n + alignment - 1) / alignment * alignment; };
  const VariadicSlot slot{round_up(end), round_up((width + 7) / 8)};
  end = slot.offset + slot.size;
  return slot;
}

}  // namespace plumb::interpret
