#pragma once

#include <optional>

#include "term/op.h"

namespace plumb::frontend {

/// What an LLVM instruction on two integers computes, by its opcode; nothing for other instructions.
std::optional<term::Op> integer_operator(unsigned opcode);

/// The intrinsic function, an llvm::Intrinsic::ID, says something to LLVM alone, or has no effect that a Program shows.
bool is_ignored_intrinsic(unsigned id);

}  // namespace plumb::frontend
