// The classical iterations for stationary vectors (Stewart, "Introduction to the Numerical Solution of Markov Chains",
// 1994, chapter 3).

#include "chain/steady/relaxation.h"

#include <algorithm>
#include <cmath>

#include "chain/time/large_pages.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kMostBlocks = 16;
constexpr std::uint64_t kStatesPerBlock = 1 << 16;
/// Keeps states in the game whose probability is too small for a double.
constexpr double kLeast = 1e-290;

/// Values of a vector by state.
struct Plain {
  const double* x;
  double operator()(StateId i) const noexcept { return x[i]; }
};
/// Those of a block as they are now, those of others as they were.
struct Patched {
  const double* inside;
  const double* outside;
  std::uint64_t first;
  std::uint64_t size;
  double operator()(StateId i) const noexcept { return *((i - first < size ? inside : outside) + i); }
};

/// Two sums, so that an addition does not wait for the one before.
template <typename View, typename Values>
double flow_in(const View& view, std::uint64_t first, std::uint64_t last, const Values& x) {
  double even = 0;
  double odd = 0;
  std::uint64_t t = first;
  for (; t + 1 < last; t += 2) {
    even += x(view.sources[t]) * view.rate(t);
    odd += x(view.sources[t + 1]) * view.rate(t + 1);
  }
  if (t < last) even += x(view.sources[t]) * view.rate(t);
  return even + odd;
}

template <typename View, typename Values>
void sweep(const View& view, const double* exit, double* x, SweepOrder order, std::uint64_t first, std::uint64_t last,
           const Values& values) {
  if (order == SweepOrder::Forward) {
    std::uint64_t begin = view.begin(first);
    for (std::uint64_t j = first; j < last; ++j) {
      const std::uint64_t end = view.begin(j + 1);
      x[j] = std::max(flow_in(view, begin, end, values) / exit[j], kLeast);
      begin = end;
    }
    return;
  }
  std::uint64_t end = view.begin(last);
  for (std::uint64_t j = last; j-- > first;) {
    const std::uint64_t begin = view.begin(j);
    x[j] = std::max(flow_in(view, begin, end, values) / exit[j], kLeast);
    end = begin;
  }
}

/// to[j] = f(j, inflow of j), for all states.
template <typename F>
void map_inflow(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, unsigned threads, F f) {
  to.resize(inflow.size());
  inflow.visit([&](const auto& view) {
    parallel_parts(inflow.size(), thread_count(threads, inflow.size()), [&](std::uint64_t first, std::uint64_t last) {
      std::uint64_t begin = view.begin(first);
      for (std::uint64_t j = first; j < last; ++j) {
        const std::uint64_t end = view.begin(j + 1);
        to[j] = f(j, flow_in(view, begin, end, Plain{from.data()}));
        begin = end;
      }
    });
  });
}

}  // namespace

void gauss_seidel(const Inflow& inflow, std::vector<double>& x, std::vector<double>& scratch, SweepOrder order,
                  unsigned threads) {
  const std::uint64_t size = inflow.size();
  const std::uint64_t blocks = std::clamp<std::uint64_t>(size / kStatesPerBlock, 1, kMostBlocks);
  inflow.visit([&](const auto& view) {
    if (blocks == 1) return sweep(view, inflow.exit.data(), x.data(), order, 0, size, Plain{x.data()});
    if (scratch.size() != size) {
      scratch.resize(size);
      prefer_large_pages(scratch);
    }
    parallel_parts(size, thread_count(threads, size), [&](std::uint64_t first, std::uint64_t last) {
      std::copy(x.data() + first, x.data() + last, scratch.data() + first);
    });
    const auto crew = static_cast<unsigned>(std::min<std::uint64_t>(blocks, thread_count(threads, size)));
    parallel_parts(blocks, crew, [&](std::uint64_t first_block, std::uint64_t last_block) {
      for (std::uint64_t block = first_block; block < last_block; ++block) {
        const std::uint64_t first = size * block / blocks;
        const std::uint64_t last = size * (block + 1) / blocks;
        sweep(view, inflow.exit.data(), x.data(), order, first, last,
              Patched{x.data(), scratch.data(), first, last - first});
      }
    });
  });
}

void jacobi(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, double damping,
            unsigned threads) {
  map_inflow(inflow, from, to, threads,
             [&](std::uint64_t j, double flow) { return (1 - damping) * from[j] + damping * flow / inflow.exit[j]; });
}

void power(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, double rate,
           unsigned threads) {
  map_inflow(inflow, from, to, threads,
             [&](std::uint64_t j, double flow) { return (flow + from[j] * (rate - inflow.exit[j])) / rate; });
}

void imbalance(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, unsigned threads) {
  map_inflow(inflow, from, to, threads, [&](std::uint64_t j, double flow) { return flow - from[j] * inflow.exit[j]; });
}

void normalise(std::vector<double>& x, unsigned threads) {
  const double sum = parallel_sum(x.size(), threads, [&](std::uint64_t i) { return x[i]; });
  parallel_for(x.size(), threads, [&](std::uint64_t i) { x[i] /= sum; });
}

double distance(const std::vector<double>& x, const std::vector<double>& y, unsigned threads) {
  return parallel_sum(x.size(), threads, [&](std::uint64_t i) { return std::abs(x[i] - y[i]); });
}

double relative_residual(const Inflow& inflow, const std::vector<double>& x, std::vector<double>& scratch,
                         unsigned threads) {
  imbalance(inflow, x, scratch, threads);
  const double missing = parallel_sum(x.size(), threads, [&](std::uint64_t j) { return std::abs(scratch[j]); });
  const double whole = parallel_sum(x.size(), threads, [&](std::uint64_t j) { return x[j] * inflow.exit[j]; });
  return missing / whole;
}

}  // namespace plumb::chain
