#include <algorithm>
#include <chrono>
#include <limits>

#include "chain/steady/relaxation.h"
#include "chain/steady/stationary.h"
#include "chain/time/large_pages.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

template <typename F>
double best_of(int runs, F f) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Adds up an array eight bytes at a time.
std::uint64_t stream(const void* data, std::uint64_t bytes, unsigned threads) {
  const auto* words = static_cast<const std::uint64_t*>(data);
  const auto sums = parallel_chunks(bytes / 8, threads, std::uint64_t{0},
                                    [&](std::uint64_t& sum, std::uint64_t first, std::uint64_t last) {
                                      for (std::uint64_t i = first; i < last; ++i) sum += words[i];
                                    });
  std::uint64_t result = 0;
  for (const std::uint64_t sum : sums) result += sum;
  return result;
}

}  // namespace

InflowSweep time_inflow_sweep(const Inflow& inflow, unsigned threads) {
  constexpr int kRuns = 5;
  std::vector<double> x(inflow.size(), 1 / static_cast<double>(inflow.size()));
  prefer_large_pages(x);
  std::vector<double> scratch;
  InflowSweep result;
  result.sweep_seconds = best_of(kRuns, [&] { gauss_seidel(inflow, x, scratch, SweepOrder::Forward, threads); });
  scratch.resize(x.size());
  volatile std::uint64_t sink = 0;  // or the compiler leaves the loops out
  inflow.visit([&](const auto& view) {
    const auto over = [&](const auto* data, std::uint64_t count) {
      result.bytes += count * sizeof(*data);
      sink = sink + stream(data, count * sizeof(*data), threads);
    };
    result.stream_seconds = best_of(kRuns, [&] {
      result.bytes = 0;
      over(view.offsets, inflow.size());
      over(view.sources, inflow.transitions());
      if constexpr (requires { view.index; })
        over(view.index, inflow.transitions());
      else
        over(view.rates, inflow.transitions());
      over(inflow.exit.data(), inflow.size());
      over(x.data(), inflow.size());
      over(scratch.data(), inflow.size());
    });
  });
  return result;
}

}  // namespace plumb::chain
