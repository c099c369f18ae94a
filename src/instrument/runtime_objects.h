#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::instrument {

/// Object files to link programs with, for a word size (32 or 64): the runtime of instrumented programs, that of
/// programs that replay a test, and that of those that do so with checks in their code.
std::string_view runtime_object(std::uint32_t word_size);
std::string_view replay_object(std::uint32_t word_size);
std::string_view checked_replay_object(std::uint32_t word_size);

}  // namespace plumb::instrument
