#pragma once

#include "interpret/code.h"

namespace plumb::interpret {

/// The intrinsics HostRead to HostGap. Descriptors 0, 1 and 2 are what the options say; others are those that the
/// program opened, counted from 3 in every run.
Decoded* host_read(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_write(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_open(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_close(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_seek(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_clock(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_any(Decoded* at, std::uint64_t* slots, Machine& machine);
Decoded* host_gap(Decoded* at, std::uint64_t* slots, Machine& machine);

}  // namespace plumb::interpret
