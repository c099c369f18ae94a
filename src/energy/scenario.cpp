#include "energy/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "energy/random.h"

namespace plumb::energy {
namespace {

constexpr std::size_t kMaxJobs = std::numeric_limits<std::uint32_t>::max() / 4;

void need(bool condition, std::string_view where, std::string_view what, std::string hint = {}) {
  if (!condition) throw UserError(fmt::format("{}: {}", where, what), std::move(hint));
}

/// Far beyond every power grid, and far enough below the largest double for products and sums of squares.
constexpr double kLargest = 1e15;

void need_number(double value, std::string_view where, std::string_view name, double low, double high) {
  need(std::isfinite(value) && value >= low && value <= high, where,
       fmt::format("{} is {}, but should be between {} and {}", name, value, low, high));
}

void need_curve(const std::vector<double>& curve, const Scenario& scenario, std::string_view where,
                std::string_view name) {
  need(curve.size() == scenario.windows, where,
       fmt::format("{} has {} values, but there are {} windows", name, curve.size(), scenario.windows));
  for (const double value : curve) need_number(value, where, name, 0, kLargest);
}

void check_provider(const Scenario& scenario, const Provider& provider) {
  const std::string where = fmt::format("provider '{}'", provider.name);
  need_curve(provider.capacity, scenario, where, "capacity");
  need_curve(provider.price, scenario, where, "price");
  need(std::ranges::any_of(provider.capacity, [](double mw) { return mw > 0; }), where, "capacity is zero",
       "leave out a provider that never has power");
}

void check_load(const Scenario& scenario, const Load& load) {
  const std::string where = fmt::format("load '{}'", load.name);
  need_number(load.expected_price_factor, where, "expected_price_factor", 0, kLargest);
  need_number(load.refuse_above, where, "refuse_above", 0, 1);
  need_number(load.refuse_below, where, "refuse_below", 0, 1);
  if (load.initial_trust)
    need_number(*load.initial_trust, where, "initial_trust", scenario.trust.minimum, scenario.trust.maximum);
  if (!load.estimated_price.empty()) need_curve(load.estimated_price, scenario, where, "estimated_price");
  for (const Job& job : load.jobs) {
    need_number(job.power, where, "the power of a job", 0, kLargest);
    need(job.power > 0, where, "the power of a job is zero");
    need(job.start >= 0 && job.start < job.end, where,
         fmt::format("a job from hour {} to hour {} has no duration", hours(job.start), hours(job.end)));
    need(job.end <= scenario.horizon(), where,
         fmt::format("a job ends at hour {}, after the last window (hour {})", hours(job.end),
                     hours(scenario.horizon())));
  }
  need(std::ranges::is_sorted(load.jobs, {}, &Job::start), where, "jobs should be in the order of their starts");
}

void check_trust(const TrustRules& rules) {
  constexpr std::string_view kWhere = "trust";
  need_number(rules.alpha, kWhere, "alpha", 0, 1);
  need_number(rules.beta, kWhere, "beta", 0, kLargest);
  need_number(rules.minimum, kWhere, "minimum", 0, kLargest);
  need(rules.minimum > 0, kWhere, "minimum is 0, but should be positive", "the price divides by it");
  need_number(rules.maximum, kWhere, "maximum", rules.minimum, kLargest);
  need_number(rules.initial, kWhere, "initial", rules.minimum, rules.maximum);
  need_number(rules.threshold, kWhere, "threshold", rules.minimum, rules.maximum);
  need_number(rules.neutral, kWhere, "neutral", 0, kLargest);
  need(rules.neutral > 0, kWhere, "neutral is 0, but should be positive", "the price divides by it");
  const double best = trust_price(rules, rules.maximum, 1);
  need(best >= 0, kWhere, fmt::format("the price at the highest trust is {:.4g} times the time-based one", best),
       fmt::format("with beta = {} neutral should be at least {:.4g}", rules.beta,
                   rules.beta / (1 + rules.beta / rules.maximum)));
  for (const auto& [value, name] : {std::pair{rules.paid, "paid"},
                                    {rules.unpaid, "unpaid"},
                                    {rules.unpaid_expensive, "unpaid_expensive"},
                                    {rules.threshold_paid, "threshold_paid"},
                                    {rules.threshold_unpaid, "threshold_unpaid"},
                                    {rules.threshold_expensive, "threshold_expensive"}})
    need_number(value, kWhere, name, 0, kLargest);
}

template <typename Named>
void need_different_names(const std::vector<Named>& all, std::string_view kind) {
  std::vector<std::string_view> names;
  for (const Named& one : all) names.push_back(one.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) throw UserError(fmt::format("two {} are named '{}'", kind, *twice));
}

}  // namespace

std::string_view to_string(Policy policy) {
  switch (policy) {
    case Policy::LowestCost:
      return "lowest-cost";
    case Policy::LowestPrice:
      return "lowest-price";
    case Policy::Nearest:
      return "nearest";
    case Policy::LeastLoaded:
      return "least-loaded";
    case Policy::Random:
      return "random";
  }
  INVARIANT(false, "a policy should have a name");
}

std::size_t Scenario::job_count() const noexcept {
  std::size_t count = 0;
  for (const Load& load : loads) count += load.jobs.size();
  return count;
}

void check(const Scenario& scenario) {
  need(scenario.windows > 0 && scenario.window > 0, "time", "there are no windows");
  need(scenario.window <= std::numeric_limits<Ticks>::max() / 4 / static_cast<Ticks>(scenario.windows), "time",
       "the last window ends too far in the future");
  need(!scenario.providers.empty(), "scenario", "there are no providers");
  need(!scenario.loads.empty(), "scenario", "there are no loads");
  need_different_names(scenario.providers, "providers");
  need_different_names(scenario.loads, "loads");
  for (const Provider& provider : scenario.providers) check_provider(scenario, provider);
  check_trust(scenario.trust);
  for (const Load& load : scenario.loads) check_load(scenario, load);
  need(scenario.job_count() <= kMaxJobs, "scenario", "there are too many jobs");
  need(scenario.distance.size() == scenario.loads.size() * scenario.providers.size(), "lines",
       "there should be a distance from each load to each provider");
  need_number(scenario.loss, "lines", "loss", 0, kLargest);
  for (const double d : scenario.distance) need_number(d, "lines", "a distance", 0, kLargest);
  need_number(scenario.conversion, "pricing", "conversion", 0, kLargest);
  if (scenario.router_capacity) {
    need_number(*scenario.router_capacity, "router", "capacity", 0, kLargest);
    need(*scenario.router_capacity > 0, "router", "capacity is zero");
  }
  need(scenario.payment_delay >= 0, "payment", "delay is negative");
}

std::vector<Job> make_jobs(const std::vector<double>& demand, Ticks window, const std::vector<JobShape>& shapes) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    if (demand[i] == 0) continue;
    const Ticks from = window * static_cast<Ticks>(i);
    for (const JobShape& shape : shapes) {
      const Ticks start = from + shape.offset;
      jobs.push_back({start, start + shape.duration, demand[i] * shape.share / hours(shape.duration)});
    }
  }
  std::ranges::stable_sort(jobs, {}, &Job::start);
  return jobs;
}

std::vector<double> random_distances(std::size_t loads, std::size_t providers, double low, double high,
                                     std::uint64_t seed) {
  constexpr std::uint32_t kStream = 0xD157;
  const RandomStream random(seed, 0, kStream);
  std::vector<double> distances(loads * providers);
  for (std::size_t i = 0; i < distances.size(); ++i)
    distances[i] = low + (high - low) * random.uniform(static_cast<std::uint32_t>(i));
  return distances;
}

}  // namespace plumb::energy
