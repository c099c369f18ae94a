#pragma once

#include "program/program.h"

namespace plumb::semantics {

/// It is one of the operations that schedules count (result/schedule.h): other threads may see it, or it may see them.
/// That depends on its kind alone, so that whoever writes a schedule and whoever follows it count the same.
constexpr bool is_visible(const program::Instruction& instruction) noexcept {
  using program::Kind;
  switch (instruction.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return true;
    case Kind::Intrinsic:
      // A program has marks of what nothing sets only where tests may choose it; schedules are of both forms.
      return instruction.intrinsic() != program::Intrinsic::UnsetValue &&
             instruction.intrinsic() != program::Intrinsic::UnsetMemory;
    default:
      return false;
  }
}

}  // namespace plumb::semantics
