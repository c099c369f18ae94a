#pragma once

#include <cstddef>
#include <vector>

#include "energy/metrics.h"
#include "energy/scenario.h"

namespace plumb::energy {

/// Power drawn over time, from one source.
class PowerMeter {
 public:
  double in_use() const noexcept { return in_use_; }
  double peak() const noexcept { return peak_; }
  double energy() const noexcept { return energy_; }  ///< MWh, until the last change

  void draw(Ticks time, double power);
  void release(Ticks time, double power);

 private:
  void advance(Ticks time);

  double in_use_ = 0;
  double peak_ = 0;
  double energy_ = 0;
  std::size_t draws_ = 0;
  Ticks last_ = 0;
};

/// Who delivered what to whom, and what it cost.
struct Delivery {
  std::size_t load = 0;
  std::size_t provider = 0;
  double energy = 0;  ///< MWh at the load
  double price = 0;   ///< $/MWh
  double loss_share = 0;
  bool is_expensive = false;

  double value() const noexcept { return energy * price * (1 + loss_share); }
};

/// Accounts of money and energy, and the power that providers and the router pass on.
class Ledger {
 public:
  explicit Ledger(const Scenario& scenario);

  const PowerMeter& provider(std::size_t provider) const { return meters_[provider]; }
  const PowerMeter& router() const noexcept { return router_; }
  void draw(Ticks time, std::size_t provider, double power);
  void release(Ticks time, std::size_t provider, double power);

  void record_request(std::size_t load, double energy);
  void record_unserved(std::size_t load, double energy, bool is_whole_job);
  void record_distrust(std::size_t load, std::size_t provider);
  void record_wait(std::size_t load, Ticks duration);
  void record_delivery(const Delivery& delivery);
  void record_settlement(const Delivery& delivery, bool is_paid);

  /// The sums, with prices, utilisation and trust. Checks that energy is conserved.
  Outcome close(const TrustTable& trust) const;

 private:
  void add(std::size_t load, std::size_t provider, Metric metric, double value);
  void add_to_load(std::size_t load, Metric metric, double value);
  void check_conservation() const;

  const Scenario& scenario_;
  std::vector<PowerMeter> meters_;
  PowerMeter router_;
  Outcome sums_;
};

}  // namespace plumb::energy
