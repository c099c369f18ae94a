#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/budget.h"
#include "energy/metrics.h"
#include "energy/scenario.h"
#include "energy/statistics.h"

namespace plumb::energy {

/// A sample of each metric.
class Samples {
 public:
  Sample& operator[](Metric metric) { return samples_[static_cast<std::size_t>(metric)]; }
  const Sample& operator[](Metric metric) const { return samples_[static_cast<std::size_t>(metric)]; }
  void add(const Values& values);
  void merge(const Samples& other);

 private:
  std::array<Sample, kMetrics> samples_;
};

/// What all replications of a scenario come to.
struct Summary {
  Samples total;
  std::vector<Samples> providers;
  std::vector<Samples> loads;
  std::vector<Sample> profile;  ///< MW drawn, by provider, then by window; empty unless asked for
  std::uint64_t replications = 0;
  std::uint64_t events = 0;
};

struct StudyOptions {
  std::uint64_t replications = 500;
  std::uint64_t seed = 1;
  unsigned threads = 0;        ///< 0: as many as there are cores
  bool wants_profile = false;  ///< costs 40 bytes for each provider, window and thread
  /// Called now and then, from one thread at a time, with the number of replications that are done.
  std::function<void(std::uint64_t)> on_progress;
};

/// Runs the replications in parallel, each with random numbers of its own. The result is the same, to the last bit, for
/// every number of threads. Replication i of two scenarios has the same random numbers, so that differences between
/// them are less noisy than each of them. Throws OutOfBudget.
Summary run_study(const Scenario& scenario, const StudyOptions& options, const Budget& budget);

}  // namespace plumb::energy
