#pragma once

#include <array>
#include <cstdint>

#include "interpret/code.h"

namespace plumb::interpret {

/// Memory that an instruction is about to read or write; nothing if its size is 0.
struct Touch {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool is_write = false;
};
using Touches = std::array<Touch, 2>;

Touches touches_of(const Decoded* at, Machine& machine);

}  // namespace plumb::interpret
