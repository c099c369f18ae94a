#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "energy/random.h"
#include "energy/scenario.h"

namespace plumb::energy {

inline Ticks ticks(double hour) { return static_cast<Ticks>(hour * static_cast<double>(kTicksPerHour)); }

/// Loads whose jobs fill whole windows of an hour, providers with constant capacity; no distances, no trust, all is
/// paid.
inline Scenario simple_scenario(std::size_t windows, const std::vector<double>& capacities,
                                const std::vector<double>& prices, std::size_t loads) {
  Scenario scenario;
  scenario.windows = windows;
  scenario.pricing = PricingScheme::Time;
  scenario.payment = PaymentRule::Always;
  for (std::size_t p = 0; p < capacities.size(); ++p)
    scenario.providers.push_back(
        {fmt::format("p{}", p), std::vector<double>(windows, capacities[p]), std::vector<double>(windows, prices[p])});
  for (std::size_t l = 0; l < loads; ++l) {
    scenario.loads.emplace_back();
    scenario.loads.back().name = fmt::format("l{}", l);
  }
  scenario.distance.assign(loads * capacities.size(), 0);
  return scenario;
}

/// Random numbers one after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed, 0, 77) {}
  double uniform(double low, double high) { return low + (high - low) * random_.uniform(next_++); }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(uniform(0, static_cast<double>(end))); }
  bool flip(double probability = 0.5) { return uniform(0, 1) < probability; }

 private:
  RandomStream random_;
  std::uint32_t next_ = 0;
};

/// Anything that passes check(): trust or time, all policies, curves, line loss. Jobs fill whole windows if asked for,
/// else begin and end anywhere.
inline Scenario random_scenario(std::uint64_t seed, bool has_whole_windows) {
  Dice dice(seed);
  const std::size_t windows = 1 + dice.below(8);
  const std::size_t providers = 1 + dice.below(4);
  const std::size_t loads = 1 + dice.below(4);
  Scenario scenario = simple_scenario(windows, std::vector<double>(providers), std::vector<double>(providers), loads);
  for (Provider& provider : scenario.providers) {
    for (double& capacity : provider.capacity) capacity = dice.flip(0.1) ? 0 : dice.uniform(0, 12);
    provider.capacity[0] = 5;
    for (double& price : provider.price) price = dice.uniform(10, 60);
  }
  for (Load& load : scenario.loads) {
    load.expected_price_factor = dice.uniform(0.8, 2);
    load.refuse_above = dice.uniform(0, 1);
    load.refuse_below = dice.uniform(0, 0.5);
    load.priority = static_cast<std::int64_t>(dice.below(3));
    if (has_whole_windows) {
      for (std::size_t w = 0; w < windows; ++w)
        if (dice.flip(0.8))
          load.jobs.push_back({ticks(static_cast<double>(w)), ticks(static_cast<double>(w) + 1), dice.uniform(0.1, 8)});
    } else {
      for (std::size_t i = dice.below(12); i > 0; --i) {
        const double start = dice.uniform(0, static_cast<double>(windows) * 0.9);
        const double end = dice.uniform(start, static_cast<double>(windows));
        load.jobs.push_back({ticks(start), ticks(end) + 1, dice.uniform(0.1, 8)});
        if (load.jobs.back().end > scenario.horizon()) load.jobs.pop_back();
      }
      std::ranges::sort(load.jobs, {}, &Job::start);
    }
  }
  for (double& distance : scenario.distance) distance = dice.uniform(0, 100);
  scenario.loss = dice.flip() ? 0.001 : 0;
  scenario.policy = static_cast<Policy>(dice.below(5));
  scenario.pricing = dice.flip(0.7) ? PricingScheme::Trust : PricingScheme::Time;
  scenario.payment = dice.flip(0.8) ? PaymentRule::ByExpectation : PaymentRule::Always;
  scenario.when_full = dice.flip() ? WhenFull::Drop : WhenFull::Wait;
  scenario.order = dice.flip() ? RequestOrder::File : RequestOrder::Random;
  if (dice.flip(0.3)) scenario.router_capacity = dice.uniform(2, 20);
  if (dice.flip(0.3)) scenario.payment_delay = ticks(dice.uniform(0, 3));
  scenario.trust.beta = dice.uniform(0, 3);
  scenario.trust.paid = dice.uniform(0, 1);
  scenario.trust.unpaid = dice.uniform(0, 2);
  scenario.trust.unpaid_expensive = dice.uniform(0, 4);
  scenario.trust.threshold_unpaid = dice.uniform(0, 1);
  scenario.trust.threshold_expensive = dice.uniform(0, 3);
  scenario.trust.below_threshold = dice.flip() ? BelowThreshold::Minimum : BelowThreshold::Refuse;
  scenario.trust.price_basis = dice.flip() ? PriceBasis::Reputation : PriceBasis::TrustLevel;
  return scenario;
}

}  // namespace plumb::energy
