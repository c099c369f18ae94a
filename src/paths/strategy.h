#pragma once

#include <cstdint>

namespace plumb::paths {

/// From which end a path is chosen: from the property backwards, from the start, or now from one and now from the
/// other, with all that was learnt.
enum class Strategy : std::uint8_t { Dpvs, Cpbpv, Both };

}  // namespace plumb::paths
