#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/float_op.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// The operation rounds nothing, in formats that terms are made of: Equal, Less, LessEqual or Unordered of `from` bits,
/// which are 16, 32 or 64, or Convert from one of these formats to a wider one. (The x87 format has encodings that are
/// no numbers, and no value in a region has 128 bits.)
bool is_float_term(program::FloatOp op, std::uint32_t from, std::uint32_t width) noexcept;

/// What an operation gives, over the IEEE bits of its operands and as bits of this width: of constants always, of other
/// terms if is_float_term().
std::optional<term::Term> float_result(term::TermStore& store, program::FloatOp op,
                                       std::span<const term::Term> operands, std::uint32_t width);

}  // namespace plumb::semantics
