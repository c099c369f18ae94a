#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::frontend {

/// In which order other threads see what one writes.
enum class MemoryModel : std::uint8_t {
  Sequential,  ///< at once: all operations have one order
  Tso,         ///< total store order, as x86 has it: stores wait in a buffer of their thread, first in, first out
};

/// C source that gives each thread a store buffer. A program that is loaded together with it has total store order
/// (lower/store_buffers.h); an input of the name "_Bool" says whether the oldest store of a buffer goes to memory where
/// some thread is about to look.
std::string_view store_buffer_source();

/// The most stores that a buffer holds, and threads that have one. A run that would need more has a gap.
inline constexpr int kBufferedStores = 8;
inline constexpr int kBufferingThreads = 12;

}  // namespace plumb::frontend
