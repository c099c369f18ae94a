#pragma once

#include <algorithm>

#include "program/program.h"

namespace plumb::semantics {

/// Variables of the function are in memory, which ends when it returns.
inline bool has_variables_in_memory(const program::Function& function) {
  return std::ranges::any_of(function.instructions, [](const program::Instruction& instruction) {
    return instruction.kind == program::Kind::Allocate;
  });
}

/// It is one of the operations that schedules count (result/schedule.h): other threads may see it, or it may see them.
/// That depends on the code alone, so that whoever writes a schedule and whoever follows it count the same.
/// `has_variables` is of its function.
constexpr bool is_visible(const program::Instruction& instruction, bool has_variables) noexcept {
  using program::Kind;
  switch (instruction.kind) {
    case Kind::Return:
      return has_variables;
    case Kind::Load:
    case Kind::Store:
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return true;
    case Kind::Intrinsic:
      // What a variable is before it is set concerns nobody else, and only programs with marks of that have it.
      return instruction.intrinsic() != program::Intrinsic::UnsetValue &&
             instruction.intrinsic() != program::Intrinsic::UnsetMemory;
    default:
      return false;
  }
}

}  // namespace plumb::semantics
