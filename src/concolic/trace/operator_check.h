#pragma once

#include <cstdint>
#include <span>

#include "term/op.h"

namespace plumb::concolic {

/// An operator on bit-vectors, which a record may name.
bool is_expression_operator(std::uint32_t code);

/// Do operands of these widths give a result of this width, at most 64 bits, as TermStore demands it? Needs
/// is_expression_operator(op) and as many widths as the operator takes.
bool fits(term::Op op, std::span<const std::uint32_t> operands, std::uint32_t width, std::uint32_t parameter);

}  // namespace plumb::concolic
