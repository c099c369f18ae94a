// The classical iterations for stationary vectors (Stewart, "Introduction to the Numerical Solution of Markov Chains",
// 1994, chapter 3).

#include "chain/steady/relaxation.h"

#include <algorithm>
#include <cmath>

#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kBlocks = 4;
constexpr std::uint64_t kStatesForBlocks = 1 << 17;
/// Keeps states in the game whose probability is too small for a double.
constexpr double kLeast = 1e-290;

/// `inside` are the values of the states from `first` to `last`, `outside` those of the others.
template <typename View>
double flow_in(const View& view, std::uint64_t j, const double* inside, const double* outside, std::uint64_t first,
               std::uint64_t last) {
  double sum = 0;
  for (std::uint64_t t = view.starts[j]; t < view.starts[j + 1]; ++t) {
    const StateId i = view.sources[t];
    const double* x = i - first < last - first ? inside : outside;
    sum += x[i] * view.rate(t);
  }
  return sum;
}

template <typename View>
double flow_in(const View& view, std::uint64_t j, const double* x) {
  double sum = 0;
  for (std::uint64_t t = view.starts[j]; t < view.starts[j + 1]; ++t) sum += x[view.sources[t]] * view.rate(t);
  return sum;
}

template <typename Flow>
void sweep(const Inflow& inflow, std::vector<double>& x, SweepOrder order, std::uint64_t first, std::uint64_t last,
           Flow flow) {
  if (order == SweepOrder::Forward)
    for (std::uint64_t j = first; j < last; ++j) x[j] = std::max(flow(j) / inflow.exit[j], kLeast);
  else
    for (std::uint64_t j = last; j-- > first;) x[j] = std::max(flow(j) / inflow.exit[j], kLeast);
}

/// to[j] = f(j, inflow of j), for all states.
template <typename F>
void map_inflow(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, unsigned threads, F f) {
  to.resize(inflow.size());
  inflow.visit([&](const auto& view) {
    parallel_parts(inflow.size(), thread_count(threads, inflow.size()), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t j = first; j < last; ++j) to[j] = f(j, flow_in(view, j, from.data()));
    });
  });
}

}  // namespace

void gauss_seidel(const Inflow& inflow, std::vector<double>& x, std::vector<double>& scratch, SweepOrder order,
                  unsigned threads) {
  const std::uint64_t size = inflow.size();
  inflow.visit([&](const auto& view) {
    if (size < kStatesForBlocks) {
      sweep(inflow, x, order, 0, size, [&](std::uint64_t j) { return flow_in(view, j, x.data()); });
      return;
    }
    scratch = x;
    const auto crew = static_cast<unsigned>(std::min<std::uint64_t>(kBlocks, thread_count(threads, size)));
    parallel_parts(kBlocks, crew, [&](std::uint64_t first_block, std::uint64_t last_block) {
      for (std::uint64_t block = first_block; block < last_block; ++block) {
        const std::uint64_t first = size * block / kBlocks;
        const std::uint64_t last = size * (block + 1) / kBlocks;
        sweep(inflow, x, order, first, last,
              [&](std::uint64_t j) { return flow_in(view, j, x.data(), scratch.data(), first, last); });
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

void normalise(std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  for (double& v : x) v /= sum;
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - y[i]);
  return sum;
}

double relative_residual(const Inflow& inflow, const std::vector<double>& x, std::vector<double>& scratch,
                         unsigned threads) {
  imbalance(inflow, x, scratch, threads);
  double missing = 0;
  double whole = 0;
  for (std::uint64_t j = 0; j < inflow.size(); ++j) {
    missing += std::abs(scratch[j]);
    whole += x[j] * inflow.exit[j];
  }
  return missing / whole;
}

}  // namespace plumb::chain
