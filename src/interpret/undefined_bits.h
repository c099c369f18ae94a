#pragma once

#include <span>

#include "base/bit_vector.h"
#include "program/float_op.h"
#include "term/op.h"

namespace plumb::interpret {

/// Which bits of a result are made of bits that were never written, given which of the operands are: a bit that is 0
/// here has the same value whatever those bits are. `values` and `undefined` by operand; `width` and `parameter` as for
/// term::evaluate().
BitVector undefined_bits(term::Op op, std::span<const BitVector> values, std::span<const BitVector> undefined,
                         std::uint32_t width, std::uint32_t parameter);

}  // namespace plumb::interpret
