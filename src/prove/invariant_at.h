#pragma once

#include <cstddef>
#include <vector>

#include "prove/prove.h"

namespace plumb::prove {

/// What a certificate's invariant says where a state, such as a program counter, has a value: its conjuncts with that
/// state folded, terms over the system's other states, made in its store. Empty if it says nothing there or if the
/// certificate has no invariant; `false` alone if no run comes there. What is said holds in every step from
/// Certificate::from on in which no bad was reached before. Throws UserError if the invariant is not one of this
/// system.
std::vector<term::Term> invariant_at(System& system, const Certificate& certificate, std::size_t state,
                                     const BitVector& value);

}  // namespace plumb::prove
