#pragma once

#include <cstdint>
#include <cstdlib>

namespace plumb::test {

/// How often a random test does what it does: `few` times, which is enough for every run of the tests, or as many times
/// more as PLUMB_TEST_EFFORT says (`make fuzz`).
inline std::uint64_t effort(std::uint64_t few) {
  const char* const times = std::getenv("PLUMB_TEST_EFFORT");
  return times == nullptr ? few : few * std::strtoull(times, nullptr, 10);
}

}  // namespace plumb::test
