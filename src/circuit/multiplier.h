#pragma once

#include "circuit/words.h"

namespace plumb::circuit {

/// a * b modulo 2^width. Needs equal widths.
Word multiply(Gates& gates, Bits a, Bits b);

/// The product does not fit the width of the operands. Needs equal widths. Costs about one product of that width plus
/// one.
Lit unsigned_multiply_overflows(Gates& gates, Bits a, Bits b);
Lit signed_multiply_overflows(Gates& gates, Bits a, Bits b);

}  // namespace plumb::circuit
