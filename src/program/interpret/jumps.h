#pragma once

#include "program/interpret/code.h"

/// Handlers of setjmp and longjmp (jumps.cpp).
namespace plumb::program::interpret {

Decoded* set_jump(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* long_jump(Decoded* at, std::uint64_t* slots, Machine& machine);

}  // namespace plumb::program::interpret
