#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace plumb::chain {

/// Parts below this many states are not worth a thread.
inline constexpr std::uint64_t kStatesPerThread = 1 << 15;

inline unsigned thread_count(unsigned wanted, std::uint64_t states) {
  const unsigned cores = wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::uint64_t>(states / kStatesPerThread, 1, cores));
}

/// Calls f(first, last) on consecutive parts of 0 to size, one a thread, and waits. `f` must not throw. What the parts
/// compute must not depend on where they are cut: then results are the same for any number of threads.
template <typename F>
void parallel_parts(std::uint64_t size, unsigned threads, F&& f) {
  if (threads <= 1) {
    f(std::uint64_t{0}, size);
    return;
  }
  std::vector<std::jthread> crew;
  crew.reserve(threads - 1);
  for (unsigned i = 1; i < threads; ++i)
    crew.emplace_back([&f, size, i, threads] { f(size * i / threads, size * (i + 1) / threads); });
  f(std::uint64_t{0}, size / threads);
}

}  // namespace plumb::chain
