#include "instrument/runtime_objects.h"

#include "base/embed.h"

PLUMB_EMBED(plumb_runtime_32, PLUMB_RUNTIME_32);
PLUMB_EMBED(plumb_runtime_64, PLUMB_RUNTIME_64);
PLUMB_EMBED(plumb_replay_32, PLUMB_REPLAY_32);
PLUMB_EMBED(plumb_replay_64, PLUMB_REPLAY_64);
PLUMB_EMBED(plumb_checked_32, PLUMB_CHECKED_32);
PLUMB_EMBED(plumb_checked_64, PLUMB_CHECKED_64);

namespace plumb::instrument {
namespace {

std::string_view bytes(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

std::string_view runtime_object(std::uint32_t word_size) {
  return word_size == 32 ? bytes(plumb_runtime_32, plumb_runtime_32_end)
                         : bytes(plumb_runtime_64, plumb_runtime_64_end);
}

std::string_view replay_object(std::uint32_t word_size) {
  return word_size == 32 ? bytes(plumb_replay_32, plumb_replay_32_end) : bytes(plumb_replay_64, plumb_replay_64_end);
}

std::string_view checked_replay_object(std::uint32_t word_size) {
  return word_size == 32 ? bytes(plumb_checked_32, plumb_checked_32_end)
                         : bytes(plumb_checked_64, plumb_checked_64_end);
}

}  // namespace plumb::instrument
