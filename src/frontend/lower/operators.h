#pragma once

#include <optional>

#include "term/op.h"

namespace plumb::frontend {

/// What an LLVM instruction on two integers computes, by its opcode; nothing for other instructions.
std::optional<term::Op> integer_operator(unsigned opcode);

}  // namespace plumb::frontend
