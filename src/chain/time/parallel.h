#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel/loop.h"

namespace plumb::chain {

/// Parts below this many states are not worth a thread.
inline constexpr std::uint64_t kStatesPerThread = 1 << 15;

inline unsigned thread_count(unsigned wanted, std::uint64_t states) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(states / kStatesPerThread, 1, parallel::thread_count(wanted)));
}

/// Calls f(first, last) on consecutive parts of 0 to size, one a thread, and waits. What the parts
/// compute must not depend on where they are cut: then results are the same for any number of threads.
template <typename F>
void parallel_parts(std::uint64_t size, unsigned threads, F&& f) {
  const std::uint64_t parts = std::max(1U, threads);
  parallel::run_on(std::max(1U, threads),
                   [&](std::uint64_t part) { f(size * part / parts, size * (part + 1) / parts); });
}

/// Calls f(element, first, last) for consecutive chunks of 0 to size, with an element of `T` each, on several threads.
/// The chunks depend on the size alone, so what is made of the elements in their order does not depend on the threads.
template <typename T, typename F>
std::vector<T> parallel_chunks(std::uint64_t size, unsigned threads, const T& initial, F&& f) {
  constexpr std::uint64_t kChunk = 1 << 15;
  const std::uint64_t chunks = size / kChunk + 1;
  std::vector<T> result(chunks, initial);
  parallel_parts(chunks, thread_count(threads, size), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t c = first; c < last; ++c) f(result[c], c * kChunk, std::min(size, (c + 1) * kChunk));
  });
  return result;
}

/// The sum of f(i) for i from 0 to size; the same for any number of threads.
template <typename F>
double parallel_sum(std::uint64_t size, unsigned threads, F&& f) {
  const std::vector<double> parts =
      parallel_chunks(size, threads, 0.0, [&](double& sum, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i < last; ++i) sum += f(i);
      });
  double result = 0;
  for (const double part : parts) result += part;
  return result;
}

/// Calls f(i) for i from 0 to size.
template <typename F>
void parallel_for(std::uint64_t size, unsigned threads, F&& f) {
  parallel_parts(size, thread_count(threads, size), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) f(i);
  });
}

}  // namespace plumb::chain
