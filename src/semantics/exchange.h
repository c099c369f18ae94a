#pragma once

#include <optional>

#include "program/program.h"

namespace plumb::semantics {

/// Of the store that a compare-and-exchange was lowered to, which writes the old value if the comparison fails: the
/// value that says whether it succeeds. One that fails has only read, as C has it.
inline std::optional<program::ValueId> success_of_exchange(const program::Function& function,
                                                           const program::Instruction& store) {
  using program::ValueKind;
  if (store.kind != program::Kind::Store || (store.flags & program::kAtomic) == 0) return std::nullopt;
  const auto made_by = [&](program::ValueId value, term::Op op) -> const program::Instruction* {
    const program::Value& v = function.values[value];
    if (v.kind != ValueKind::Result) return nullptr;
    const program::Instruction& made = function.instructions[v.index];
    return made.kind == program::Kind::Operator && made.op() == op ? &made : nullptr;
  };
  const program::Instruction* chosen = made_by(function.operands_of(store)[1], term::Op::Ite);
  if (chosen == nullptr) return std::nullopt;
  const program::ValueId condition = function.operands_of(*chosen)[0];
  // The larger of two is chosen by another comparison, and written in any case.
  return made_by(condition, term::Op::Eq) != nullptr ? std::optional(condition) : std::nullopt;
}

}  // namespace plumb::semantics
