#pragma once

#include "interpret/code.h"

/// Handlers of setjmp and longjmp (jumps.cpp).
namespace plumb::interpret {

Decoded* set_jump(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* long_jump(Decoded* at, std::uint64_t* slots, Machine& machine);

}  // namespace plumb::interpret
