#pragma once

#include <vector>

#include "energy/simulation.h"

namespace plumb::energy {

/// Listens to a run and keeps the mean power drawn from each provider in each window, line loss included.
class PowerProfile : public EventListener {
 public:
  /// The scenario must outlive it.
  explicit PowerProfile(const Scenario& scenario);

  void on_event(const Event& event) override;
  /// MW, by provider, then by window.
  const std::vector<double>& values() const noexcept { return values_; }

 private:
  const Scenario& scenario_;
  std::vector<double> values_;
};

}  // namespace plumb::energy
