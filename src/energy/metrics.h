#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb::energy {

/// What a run is measured by: as a whole, for each provider and for each load.
enum class Metric : std::uint8_t {
  Revenue,
  Unpaid,
  LineLoss,
  RequestedEnergy,
  DeliveredEnergy,
  UnservedEnergy,
  LostEnergy,
  ServedJobs,
  UnservedJobs,
  Refusals,
  ExpensiveJobs,
  Distrust,
  MeanPrice,
  FinalTrust,
  Utilisation,
  PeakPower,
  WaitingTime,
};
constexpr std::size_t kMetrics = static_cast<std::size_t>(Metric::WaitingTime) + 1;

struct MetricInfo {
  std::string_view name;  ///< on the command line and in results
  std::string_view unit;
  std::string_view description;
};
const MetricInfo& info(Metric metric);
std::optional<Metric> find_metric(std::string_view name);
constexpr Metric metric_at(std::size_t index) { return static_cast<Metric>(index); }

/// One number for each metric; NaN where it has no meaning, such as the mean price of a provider that sold nothing.
class Values {
 public:
  double& operator[](Metric metric) { return values_[static_cast<std::size_t>(metric)]; }
  double operator[](Metric metric) const { return values_[static_cast<std::size_t>(metric)]; }

 private:
  std::array<double, kMetrics> values_{};
};

/// The result of one run.
struct Outcome {
  Values total;
  std::vector<Values> providers;
  std::vector<Values> loads;
  std::uint64_t events = 0;
};

}  // namespace plumb::energy
