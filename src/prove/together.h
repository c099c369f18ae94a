#pragma once

#include <span>

#include "system/system.h"

namespace plumb::prove {

/// A copy with one more bad, the last: some of the given ones is true.
system::System joined(const system::System& system, std::span<const std::size_t> bads);

}  // namespace plumb::prove
