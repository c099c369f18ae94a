#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "energy/simulation.h"
#include "energy/study.h"
#include "energy/sweep.h"
#include "result/plot.h"

namespace plumb::cli {

/// The replications of a scenario for one combination of swept values.
struct EnergyPoint {
  std::vector<energy::Setting> settings;
  energy::Summary summary;
};

/// A scenario that sweeps are held against.
struct EnergyBaseline {
  std::string name;  ///< its settings, as given
  energy::Summary summary;
};

/// All that a run of `plumb energy` has found. There is at least one point.
struct EnergyResult {
  energy::Scenario scenario;  ///< that of the first point: names and sizes are those of all
  std::vector<energy::Sweep> sweeps;
  std::vector<EnergyPoint> points;
  std::vector<EnergyBaseline> baselines;
  std::vector<energy::Metric> metrics;  ///< of tables over sweeps; the first is plotted
  double confidence = 0.95;
};

/// Tables: each metric of the whole, of providers and of loads; over sweeps, one row for each combination.
std::string energy_text(const EnergyResult& result);
/// One row for each combination, metric and provider or load: mean, deviation, ends of the confidence interval.
std::string energy_csv(const EnergyResult& result);
nlohmann::ordered_json energy_json(const EnergyResult& result);
/// The first metric over the last sweep, a curve for each combination of the others and for each baseline; without
/// sweeps the power of each provider over time, which needs the profile. Throws UserError if the last sweep is not of
/// numbers.
result::Plot energy_plot(const EnergyResult& result);

/// Collects the events of one run as CSV.
class EnergyEventLog : public energy::EventListener {
 public:
  explicit EnergyEventLog(const energy::Scenario& scenario);
  void on_event(const energy::Event& event) override;
  const std::string& text() const noexcept { return text_; }

 private:
  const energy::Scenario& scenario_;
  std::string text_;
};

}  // namespace plumb::cli
