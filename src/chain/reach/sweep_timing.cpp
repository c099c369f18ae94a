#include "chain/reach/sweep_timing.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "chain/reach/group_sweep.h"

namespace plumb::chain {

namespace {

template <typename F>
double least_time(unsigned rounds, F&& f) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    sum += word;
  }
  return sum;
}

/// The arrays that a sweep reads.
std::vector<std::span<const std::byte>> arrays_of(const Chain& chain, std::span<const StateId> states) {
  std::vector<std::span<const std::byte>> arrays;
  const auto add = [&](auto span) { arrays.push_back(std::as_bytes(span)); };
  add(std::span(chain.rows.targets(), chain.rows.transitions()));
  chain.rows.weights().index().visit(add);
  chain.rows.offsets().counts().visit(add);
  if (chain.choices.size() != 0) chain.choices.counts().visit(add);
  add(states);
  return arrays;
}

}  // namespace

SweepTiming time_sweep(const Chain& chain, unsigned threads, unsigned rounds, const Budget& budget) {
  require_rows(chain, "timing a sweep");
  Passage passage;
  passage.chain = &chain;
  passage.low.assign(chain.states, 0);
  passage.high.assign(chain.states, 1);
  std::vector<StateId> states(chain.states);
  std::iota(states.begin(), states.end(), StateId{0});
  const std::array<double*, 2> x{passage.low.data(), passage.high.data()};
  parallel::Crew crew(threads);
  SweepTiming timing;
  chain.rows.weights().index().visit([&](auto index) {
    using Index = typename decltype(index)::value_type;
    std::vector<Sweeper<Index>> sweepers(crew.size(), Sweeper<Index>(passage, index.data()));
    GroupSweep<Index> sweep(chain, sweepers, 0, crew, budget);
    sweep.set_group(states);
    timing.sweep_seconds = least_time(rounds, [&] {
      sweep.template pass<2>(
          x, false,
          [](auto& sweeper, StateId s, const StateRows& rows, const auto& values, const auto& slots, unsigned) {
            const auto value = sweeper.template best<2>(s, rows, values, {Rounding::Down, Rounding::Up});
            *slots[0] = std::max(*slots[0], value[0]);
            *slots[1] = std::min(*slots[1], value[1]);
          });
    });
  });
  const auto arrays = arrays_of(chain, states);
  timing.bytes = 4 * chain.states * sizeof(double);
  for (const auto& array : arrays) timing.bytes += array.size();
  std::vector<std::uint64_t> sums(crew.size());
  timing.stream_seconds = least_time(rounds, [&] {
    crew.run([&](unsigned worker) {
      std::uint64_t sum = 0;
      for (const auto& array : arrays) {
        const std::size_t first = array.size() * worker / crew.size();
        sum += sum_of(array.subspan(first, array.size() * (worker + 1) / crew.size() - first));
      }
      sums[worker] += sum;
      for (double* vector : x)
        for (std::size_t s = chain.states * worker / crew.size(); s < chain.states * (worker + 1) / crew.size(); ++s)
          vector[s] = 1 - vector[s];
    });
  });
  // The sums are used, so that they cannot be left out.
  if (std::ranges::max(sums) == 0) timing.bytes += sums[0];
  return timing;
}

}  // namespace plumb::chain
