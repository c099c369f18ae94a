#pragma once

#include "circuit/words.h"

namespace plumb::circuit {

/// How the rows of partial products are summed.
enum class Multiplier : std::uint8_t {
  ShiftAdd,           ///< row after row into an accumulator, by ripple-carry adders
  ColumnCompression,  ///< column after column by full and half adders, carries going to the next column
};

/// a * b modulo 2^width. Needs equal widths.
Word multiply(Gates& gates, Bits a, Bits b, Multiplier kind = Multiplier::ShiftAdd);

/// The product does not fit the width of the operands. Needs equal widths. Costs about one product of that width plus
/// one.
Lit unsigned_multiply_overflows(Gates& gates, Bits a, Bits b, Multiplier kind = Multiplier::ShiftAdd);
Lit signed_multiply_overflows(Gates& gates, Bits a, Bits b, Multiplier kind = Multiplier::ShiftAdd);

}  // namespace plumb::circuit
