#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::concolic {

/// Object files to link programs with, for a word size (32 or 64): the runtime of instrumented programs, and that of
/// programs that replay a test.
std::string_view runtime_object(std::uint32_t word_size);
std::string_view replay_object(std::uint32_t word_size);

}  // namespace plumb::concolic
