#include "energy/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace plumb::energy {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool nearly_equal(double a, double b) {
  constexpr double kTolerance = 1e-7;  // rounding of sums over a million jobs is far below
  return std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : kNone; }

}  // namespace

void PowerMeter::advance(Ticks time) {
  energy_ += in_use_ * hours(time - last_);
  last_ = time;
}

void PowerMeter::draw(Ticks time, double power) {
  advance(time);
  in_use_ += power;
  ++draws_;
  peak_ = std::max(peak_, in_use_);
}

void PowerMeter::release(Ticks time, double power) {
  advance(time);
  // Adding and subtracting leaves a remainder of rounding; without draws there is none.
  in_use_ = --draws_ == 0 ? 0 : std::max(0.0, in_use_ - power);
}

Ledger::Ledger(const Scenario& scenario) : scenario_(scenario), meters_(scenario.providers.size()) {
  sums_.providers.resize(scenario.providers.size());
  sums_.loads.resize(scenario.loads.size());
}

void Ledger::draw(Ticks time, std::size_t provider, double power) {
  meters_[provider].draw(time, power);
  router_.draw(time, power);
}

void Ledger::release(Ticks time, std::size_t provider, double power) {
  meters_[provider].release(time, power);
  router_.release(time, power);
}

void Ledger::add_to_load(std::size_t load, Metric metric, double value) {
  sums_.total[metric] += value;
  sums_.loads[load][metric] += value;
}

void Ledger::add(std::size_t load, std::size_t provider, Metric metric, double value) {
  add_to_load(load, metric, value);
  sums_.providers[provider][metric] += value;
}

void Ledger::record_request(std::size_t load, double energy) { add_to_load(load, Metric::RequestedEnergy, energy); }

void Ledger::record_unserved(std::size_t load, double energy, bool is_whole_job) {
  add_to_load(load, Metric::UnservedEnergy, energy);
  if (is_whole_job) add_to_load(load, Metric::UnservedJobs, 1);
}

void Ledger::record_distrust(std::size_t load, std::size_t provider) { add(load, provider, Metric::Distrust, 1); }

void Ledger::record_wait(std::size_t load, Ticks duration) { add_to_load(load, Metric::WaitingTime, hours(duration)); }

void Ledger::record_delivery(const Delivery& d) {
  add(d.load, d.provider, Metric::ServedJobs, 1);
  add(d.load, d.provider, Metric::DeliveredEnergy, d.energy);
  add(d.load, d.provider, Metric::LostEnergy, d.energy * d.loss_share);
  add(d.load, d.provider, Metric::LineLoss, d.energy * d.loss_share * d.price);
  if (d.is_expensive) add(d.load, d.provider, Metric::ExpensiveJobs, 1);
}

void Ledger::record_settlement(const Delivery& d, bool is_paid) {
  add(d.load, d.provider, is_paid ? Metric::Revenue : Metric::Unpaid, d.value());
  if (!is_paid) add(d.load, d.provider, Metric::Refusals, 1);
}

void Ledger::check_conservation() const {
  for (std::size_t p = 0; p < meters_.size(); ++p) {
    const Values& sums = sums_.providers[p];
    INVARIANT(meters_[p].in_use() == 0, "every job should have been released");
    INVARIANT(nearly_equal(meters_[p].energy(), sums[Metric::DeliveredEnergy] + sums[Metric::LostEnergy]),
              "generated energy should be delivered or lost");
  }
  for (const Values& sums : sums_.loads)
    INVARIANT(nearly_equal(sums[Metric::RequestedEnergy], sums[Metric::DeliveredEnergy] + sums[Metric::UnservedEnergy]),
              "requested energy should be delivered or unserved");
}

Outcome Ledger::close(const TrustTable& trust) const {
  check_conservation();
  Outcome result = sums_;
  const std::size_t providers = result.providers.size();
  const std::size_t loads = result.loads.size();
  const bool has_trust = scenario_.pricing == PricingScheme::Trust;
  double capacity_of_all = 0;
  for (std::size_t p = 0; p < providers; ++p) {
    Values& values = result.providers[p];
    const std::vector<double>& curve = scenario_.providers[p].capacity;
    const double capacity = std::accumulate(curve.begin(), curve.end(), 0.0) * hours(scenario_.window);
    capacity_of_all += capacity;
    values[Metric::Utilisation] = ratio(meters_[p].energy(), capacity);
    values[Metric::PeakPower] = meters_[p].peak();
    for (const Metric metric :
         {Metric::RequestedEnergy, Metric::UnservedEnergy, Metric::UnservedJobs, Metric::WaitingTime})
      values[metric] = kNone;  // a job that is not served belongs to no provider
  }
  for (std::size_t l = 0; l < loads; ++l) {
    for (std::size_t p = 0; p < providers; ++p) {
      const double share = trust.reputation(l, p);
      result.loads[l][Metric::FinalTrust] += share / static_cast<double>(providers);
      result.providers[p][Metric::FinalTrust] += share / static_cast<double>(loads);
      result.total[Metric::FinalTrust] += share / static_cast<double>(loads * providers);
    }
    result.loads[l][Metric::Utilisation] = kNone;
    result.loads[l][Metric::PeakPower] = kNone;
  }
  result.total[Metric::Utilisation] = ratio(router_.energy(), capacity_of_all);
  result.total[Metric::PeakPower] = router_.peak();
  const auto finish = [&](Values& values) {
    values[Metric::MeanPrice] =
        ratio(values[Metric::Revenue] + values[Metric::Unpaid], values[Metric::DeliveredEnergy]);
    if (!has_trust) values[Metric::FinalTrust] = values[Metric::Distrust] = kNone;
  };
  finish(result.total);
  std::ranges::for_each(result.providers, finish);
  std::ranges::for_each(result.loads, finish);
  return result;
}

}  // namespace plumb::energy
