#pragma once

#include <array>
#include <cstdint>

#include "chain/model.h"

namespace plumb::cli::prob {

using Fingerprint = std::array<std::uint64_t, 2>;

/// The same for models that build the same chain with the same labels and rewards, whatever else their pools of
/// expressions hold; different for others, but for one in 2^128.
Fingerprint fingerprint(const chain::Model& model);

}  // namespace plumb::cli::prob
