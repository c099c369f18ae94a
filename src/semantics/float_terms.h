#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/float_op.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// compare_floats() knows the operation and the format: Equal, Less, LessEqual or Unordered of 16, 32 or 64 bits. (The
/// x87 format has encodings that are no numbers, and no value in a region has 128 bits.)
bool is_float_comparison(program::FloatOp op, std::uint32_t width) noexcept;

/// The comparison over the IEEE bits of its operands, as a term of width 1. Needs is_float_comparison().
term::Term compare_floats(term::TermStore& store, program::FloatOp op, term::Term a, term::Term b);

/// What an operation gives, over the IEEE bits of its operands and as bits of this width: of constants always, of other
/// terms if nothing is rounded. That is the comparisons, and conversions from one of these formats to a wider one.
std::optional<term::Term> float_result(term::TermStore& store, program::FloatOp op,
                                       std::span<const term::Term> operands, std::uint32_t width);

}  // namespace plumb::semantics
