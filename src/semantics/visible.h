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

/// Gives a variable the value that it has before it is set (frontend/unset.h). That concerns nobody else, and only
/// programs with marks of such values have it.
inline bool is_unset_mark(const program::Function& function, const program::Instruction& instruction) noexcept {
  using program::Intrinsic;
  using program::Kind;
  if (instruction.kind == Kind::Intrinsic)
    return instruction.intrinsic() == Intrinsic::UnsetValue || instruction.intrinsic() == Intrinsic::UnsetMemory;
  if (instruction.kind != Kind::Store) return false;
  const program::Value& stored = function.values[function.operands[instruction.first_operand + 1]];
  if (stored.kind != program::ValueKind::Result) return false;
  const program::Instruction& made = function.instructions[stored.index];
  return made.kind == Kind::Intrinsic && made.intrinsic() == Intrinsic::UnsetValue;
}

/// It is one of the operations that schedules count (result/schedule.h): other threads may see it, or it may see them.
/// That depends on the code alone, so that whoever writes a schedule and whoever follows it count the same.
/// `has_variables` is of its function.
inline bool is_visible(const program::Function& function, const program::Instruction& instruction,
                       bool has_variables) noexcept {
  using program::Kind;
  switch (instruction.kind) {
    case Kind::Return:
      return has_variables;
    case Kind::Load:
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return true;
    case Kind::Store:
    case Kind::Intrinsic:
      return !is_unset_mark(function, instruction);
    default:
      return false;
  }
}

}  // namespace plumb::semantics
