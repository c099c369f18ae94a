#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "result/test_case.h"

namespace plumb::result {

/// Numbers that rise, as their differences in groups of seven bits: most take one byte.
std::vector<std::uint8_t> pack_rising(std::span<const std::uint32_t> numbers);
/// Nothing if the bytes are none that pack_rising() gives.
std::optional<std::vector<std::uint32_t>> unpack_rising(std::span<const std::uint8_t> bytes);

/// The inputs of a run in one string of bytes: a campaign keeps those of many runs.
std::vector<std::uint8_t> pack_inputs(std::span<const TestInput> inputs);
/// Nothing if the bytes are none that pack_inputs() gives.
std::optional<std::vector<TestInput>> unpack_inputs(std::span<const std::uint8_t> bytes);

}  // namespace plumb::result
