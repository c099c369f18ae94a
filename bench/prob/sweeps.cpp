// The time of one pass of a kernel over a chain beside a plain stream over the same bytes, as one JSON object:
//   bench_sweeps MODEL [CONSTANT=VALUE…] [--threads N]

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "chain/build.h"
#include "chain/reach/sweep_timing.h"
#include "chain/steady/stationary.h"
#include "chain/stream/row_parts.h"
#include "lang/prism/prism.h"

namespace plumb {
namespace {

constexpr unsigned kRounds = 5;

/// The least time of some rounds.
template <typename F>
double seconds(F&& f) {
  double least = 1e300;
  for (unsigned round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

struct Timing {
  std::uint64_t bytes = 0;
  double sweep = 0;
  double stream = 0;
};

/// One step of a transient analysis: every state's value from those of its targets, into another vector.
Timing time_step(const chain::Chain& chain, unsigned threads) {
  std::vector<double> from(chain.states, 0.5);
  std::vector<double> to(chain.states);
  const chain::RowPasses passes(chain, threads);
  Timing result;
  result.sweep = seconds([&] {
    passes.run(Budget(), [&](const auto& part) {
      const chain::ChoiceCounts choices(chain);
      std::uint64_t row = part.row;
      std::uint64_t position = part.position;
      for (std::uint64_t s = part.first; s < part.last; ++s) {
        double sum = 0;
        for (std::uint32_t r = choices[s]; r > 0; --r, ++row)
          for (const std::uint64_t end = position + part.view.counts[row]; position < end; ++position)
            sum += part.view.weight(position) * from[part.view.targets[position]];
        to[s] = sum;
      }
    });
  });
  result.bytes = chain.rows.bytes() + 16 * chain.states;
  const auto add = [](auto span) { return std::accumulate(span.begin(), span.end(), std::uint64_t{0}); };
  std::atomic<std::uint64_t> sink = 0;
  result.stream = seconds([&] {
    chain::parallel_parts(2, threads, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t half = first; half < last; ++half) {
        const auto part = [&](auto span) {
          return span.subspan(span.size() / 2 * half, half == 0 ? span.size() / 2 : span.size() - span.size() / 2);
        };
        std::uint64_t sum = add(part(std::span(chain.rows.targets(), chain.rows.transitions())));
        sum += chain.rows.weights().index().visit([&](auto span) { return add(part(span)); });
        sum += chain.rows.offsets().counts().visit([&](auto span) { return add(part(span)); });
        const auto values = part(std::span<const double>(from));
        sum += static_cast<std::uint64_t>(std::accumulate(values.begin(), values.end(), 0.0));
        std::ranges::fill(part(std::span<double>(to)), static_cast<double>(sum));
        sink += sum;
      }
    });
  });
  return result;
}

Timing time_long_run(const chain::Chain& chain, unsigned threads) {
  std::vector<chain::StateId> local_of;
  chain::Part part;
  part.local_of = &local_of;
  const chain::Inflow inflow(chain, part, true, threads, Budget());
  const chain::InflowSweep timing = chain::time_inflow_sweep(inflow, threads);
  return {timing.bytes, timing.sweep_seconds, timing.stream_seconds};
}

int run(int argc, char** argv) {
  std::map<std::string, std::string> constants;
  unsigned threads = 2;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument == "--threads" && i + 1 < argc)
      threads = static_cast<unsigned>(std::stoul(argv[++i]));
    else
      constants[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  const auto source = prism::parse_model(text.str(), argv[1]);
  const prism::Instance instance = prism::instantiate(*source, nullptr, constants);
  chain::BuildOptions options;
  options.threads = threads;
  chain::BuildReport report;
  const chain::Chain chain = chain::build(instance.model, Budget(), options, report);
  std::vector<std::pair<std::string, Timing>> timings;
  const chain::SweepTiming interval = chain::time_sweep(chain, threads, kRounds, Budget());
  timings.emplace_back("both bounds of a probability",
                       Timing{interval.bytes, interval.sweep_seconds, interval.stream_seconds});
  timings.emplace_back("step of a transient analysis", time_step(chain, threads));
  if (chain.kind == chain::Kind::Ctmc)
    timings.emplace_back("Gauss-Seidel for the long run", time_long_run(chain, threads));
  fmt::print("{{\"states\": {}, \"transitions\": {}", chain.states, chain.rows.transitions());
  for (const auto& [name, timing] : timings)
    fmt::print(", \"{}\": {{\"bytes\": {}, \"sweep\": {}, \"stream\": {}}}", name, timing.bytes, timing.sweep,
               timing.stream);
  fmt::print("}}\n");
  return 0;
}

}  // namespace
}  // namespace plumb

int main(int argc, char** argv) {
  try {
    if (argc >= 2) return plumb::run(argc, argv);
    fmt::print(stderr, "bench_sweeps MODEL [CONSTANT=VALUE…] [--threads N]\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 2;
}
