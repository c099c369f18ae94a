// A second implementation of the scheduling, for jobs that fill whole windows: window by window, with plain loops and
// no queue of events. The simulation is held against it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "energy/simulation.h"
#include "unit/energy/scenarios.h"

namespace plumb::energy {
namespace {

class Reference {
 public:
  Reference(const Scenario& scenario, std::uint64_t replication)
      : s_(scenario), replication_(replication), providers_(scenario.providers.size()) {
    for (std::size_t l = 0; l < s_.loads.size(); ++l)
      for (std::size_t p = 0; p < providers_; ++p) {
        trust_[l][p] = s_.trust.initial;
        threshold_[l][p] = s_.trust.threshold;
      }
  }

  void run() {
    for (std::size_t w = 0; w < s_.windows; ++w) {
      std::array<double, 8> used{};
      double passed = 0;
      std::vector<Sale> sales;
      for (const std::size_t l : order(w)) serve(l, w, used, passed, sales);
      for (std::size_t l = 0; l < s_.loads.size(); ++l)
        for (const Sale& sale : sales)
          if (sale.load == l) settle(sale);
    }
  }

  double revenue = 0;
  double unpaid = 0;
  double unserved = 0;
  double line_loss = 0;
  std::map<std::size_t, double> jobs_of;

 private:
  struct Sale {
    std::size_t load;
    std::size_t job;
    std::size_t provider;
    double value;
    bool is_expensive;
  };

  static std::size_t job_in(const Load& load, std::size_t w) {
    for (std::size_t i = 0; i < load.jobs.size(); ++i)
      if (load.jobs[i].start == static_cast<Ticks>(w) * kTicksPerHour) return i;
    return load.jobs.size();
  }
  double luck(std::size_t load, std::size_t job, std::uint32_t use) const {
    return RandomStream(1, replication_, static_cast<std::uint32_t>(load) * 3 + use)
        .uniform(static_cast<std::uint32_t>(job));
  }

  std::vector<std::size_t> order(std::size_t w) const {
    std::vector<std::size_t> loads;
    for (std::size_t l = 0; l < s_.loads.size(); ++l)
      if (job_in(s_.loads[l], w) < s_.loads[l].jobs.size()) loads.push_back(l);
    std::stable_sort(loads.begin(), loads.end(), [&](std::size_t a, std::size_t b) {
      if (s_.loads[a].priority != s_.loads[b].priority) return s_.loads[a].priority > s_.loads[b].priority;
      if (s_.order == RequestOrder::File) return a < b;
      return luck(a, job_in(s_.loads[a], w), 1) < luck(b, job_in(s_.loads[b], w), 1);
    });
    return loads;
  }

  double level(std::size_t l, std::size_t p) {
    double sum = 0;
    double count = 0;
    for (std::size_t q = 0; q < providers_; ++q) {
      if (q == p || !known_[l][q]) continue;
      sum += trust_[l][q];
      ++count;
    }
    return s_.trust.alpha * trust_[l][p] + (1 - s_.trust.alpha) * (count > 0 ? sum / count : trust_[l][p]);
  }

  /// Negative where the provider refuses.
  double quote(std::size_t l, std::size_t p, std::size_t w) {
    const double base = s_.conversion * s_.providers[p].price[w];
    if (s_.pricing == PricingScheme::Time) return base;
    if (level(l, p) <= threshold_[l][p]) {
      if (s_.trust.below_threshold == BelowThreshold::Refuse) return -1;
      trust_[l][p] = s_.trust.minimum;
    }
    const double tr = s_.trust.price_basis == PriceBasis::Reputation ? trust_[l][p] : level(l, p);
    return base * (1 + s_.trust.beta * (1 / tr - 1 / s_.trust.neutral));
  }

  void serve(std::size_t l, std::size_t w, std::array<double, 8>& used, double& passed, std::vector<Sale>& sales) {
    const Load& load = s_.loads[l];
    const std::size_t j = job_in(load, w);
    const double power = load.jobs[j].power;
    std::vector<std::array<double, 3>> candidates;  // what the policy minimises, provider, price
    for (std::size_t p = 0; p < providers_; ++p) {
      const double price = quote(l, p, w);
      const double share = s_.loss * s_.distance[l * providers_ + p];
      const double capacity = s_.providers[p].capacity[w];
      if (price < 0 || used[p] + power * (1 + share) > capacity) continue;
      if (s_.router_capacity && passed + power * (1 + share) > *s_.router_capacity) continue;
      double key = 0;
      if (s_.policy == Policy::LowestCost) key = price * (1 + share);
      if (s_.policy == Policy::LowestPrice) key = price;
      if (s_.policy == Policy::Nearest) key = s_.distance[l * providers_ + p];
      if (s_.policy == Policy::LeastLoaded) key = capacity > 0 ? used[p] / capacity : 1;
      candidates.push_back({key, static_cast<double>(p), price});
    }
    if (candidates.empty()) {
      unserved += power;
      return;
    }
    auto chosen = std::min_element(candidates.begin(), candidates.end(),
                                   [](const auto& a, const auto& b) { return a[0] < b[0] - 1e-12; });
    if (s_.policy == Policy::Random)
      chosen = candidates.begin() + static_cast<std::ptrdiff_t>(luck(l, j, 2) * static_cast<double>(candidates.size()));
    const auto p = static_cast<std::size_t>((*chosen)[1]);
    const double share = s_.loss * s_.distance[l * providers_ + p];
    const double cost = (*chosen)[2] * (1 + share);
    double estimate = 0;
    for (const Provider& provider : s_.providers)
      estimate += s_.conversion * provider.price[w] / static_cast<double>(providers_);
    used[p] += power * (1 + share);
    passed += power * (1 + share);
    known_[l][p] = true;
    ++jobs_of[p];
    line_loss += power * share * (*chosen)[2];
    sales.push_back({l, j, p, power * cost, cost > load.expected_price_factor * estimate});
  }

  void settle(const Sale& sale) {
    const Load& load = s_.loads[sale.load];
    const double refusal = sale.is_expensive ? load.refuse_above : load.refuse_below;
    const bool is_paid = s_.payment == PaymentRule::Always || luck(sale.load, sale.job, 0) >= refusal;
    (is_paid ? revenue : unpaid) += sale.value;
    const TrustRules& t = s_.trust;
    double& trust = trust_[sale.load][sale.provider];
    double& threshold = threshold_[sale.load][sale.provider];
    trust += is_paid ? t.paid : sale.is_expensive ? -t.unpaid_expensive : -t.unpaid;
    threshold += is_paid ? -t.threshold_paid : sale.is_expensive ? t.threshold_expensive : t.threshold_unpaid;
    trust = std::clamp(trust, t.minimum, t.maximum);
    threshold = std::clamp(threshold, t.minimum, t.maximum);
  }

  const Scenario& s_;
  std::uint64_t replication_;
  std::size_t providers_;
  std::map<std::size_t, std::map<std::size_t, double>> trust_;
  std::map<std::size_t, std::map<std::size_t, double>> threshold_;
  std::map<std::size_t, std::map<std::size_t, bool>> known_;
};

void expect_agreement(const Scenario& scenario, std::uint64_t replication) {
  Reference reference(scenario, replication);
  reference.run();
  const Outcome outcome = simulate(scenario, 1, replication, Budget());
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); };
  EXPECT_PRED2(near, outcome.total[Metric::Revenue], reference.revenue);
  EXPECT_PRED2(near, outcome.total[Metric::Unpaid], reference.unpaid);
  EXPECT_PRED2(near, outcome.total[Metric::UnservedEnergy], reference.unserved);
  EXPECT_PRED2(near, outcome.total[Metric::LineLoss], reference.line_loss);
  for (std::size_t p = 0; p < scenario.providers.size(); ++p)
    EXPECT_EQ(outcome.providers[p][Metric::ServedJobs], reference.jobs_of[p]);
}

TEST(Simulation, AgreesWithAWindowByWindowReferenceOnRandomScenarios) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    Scenario scenario = random_scenario(seed, true);
    scenario.when_full = WhenFull::Drop;
    scenario.payment_delay = 0;
    check(scenario);
    expect_agreement(scenario, seed);
  }
}

TEST(Simulation, AllocatesAsBruteForceDoesInAllSmallScenarios) {
  Scenario scenario = simple_scenario(2, {1, 1}, {1, 1}, 2);
  scenario.loss = 0.5;
  std::size_t count = 0;
  // Digits: capacities of two providers, prices of two providers in two windows, powers of two loads in two windows,
  // the distances of the second provider.
  for (std::size_t code = 0; code < 3 * 3 * 16 * 81 * 4; ++code) {
    std::size_t rest = code;
    const auto digit = [&](std::size_t base) {
      const std::size_t d = rest % base;
      rest /= base;
      return static_cast<double>(d);
    };
    for (Provider& provider : scenario.providers) {
      provider.capacity.assign(2, 1 + digit(3));
      for (double& price : provider.price) price = 2 + digit(2);
    }
    for (Load& load : scenario.loads) {
      load.jobs.clear();
      for (const double start : {0.0, 1.0})
        if (const double power = digit(3); power > 0) load.jobs.push_back({ticks(start), ticks(start + 1), power});
    }
    scenario.distance = {0, digit(2), 0, digit(2)};
    SCOPED_TRACE(code);
    expect_agreement(scenario, 0);
    ++count;
    if (HasFailure()) break;
  }
  EXPECT_EQ(count, 46656U);
}

}  // namespace
}  // namespace plumb::energy
