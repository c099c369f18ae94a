#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "program/program.h"

namespace plumb::explore {

/// What a formula about runs looks at. Where a thread changes any of it, or comes to or leaves one of the places, a
/// step ends before and begins, also where no other thread could tell: so each change is seen, in its order.
struct Watch {
  /// Bytes of a global object.
  struct Range {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
  };
  std::vector<Range> ranges;
  bool is_everything = false;  ///< whatever is written
  /// Fences: function and instruction.
  absl::flat_hash_set<std::pair<program::FunctionId, program::InstructionId>> places;

  bool sees(std::uint64_t address, std::uint64_t size) const {
    if (is_everything) return true;
    for (const Range& range : ranges)
      if (address < range.address + range.size && range.address < address + size) return true;
    return false;
  }
};

}  // namespace plumb::explore
