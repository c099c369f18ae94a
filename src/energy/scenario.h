#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "energy/trust.h"

namespace plumb::energy {

/// Time in whole microseconds: the end of a window and the start of the next are the same moment, without rounding.
using Ticks = std::int64_t;
constexpr Ticks kTicksPerHour = 3'600'000'000;
constexpr double hours(Ticks ticks) { return static_cast<double>(ticks) / static_cast<double>(kTicksPerHour); }

/// Which of the providers that can serve a job gets it.
enum class Policy : std::uint8_t {
  LowestCost,   ///< the lowest price plus line loss
  LowestPrice,  ///< the lowest price
  Nearest,      ///< the shortest distance
  LeastLoaded,  ///< the largest share of its capacity free
  Random,       ///< even odds
};
std::string_view to_string(Policy policy);

/// What becomes of a job that finds no provider with enough capacity.
enum class WhenFull : std::uint8_t {
  Drop,  ///< it is not served
  Wait,  ///< it waits at the router, and is served from when there is capacity until the end that it had anyway
};

/// In which order the router sees jobs of the same priority that start at the same time.
enum class RequestOrder : std::uint8_t { File, Random };

enum class PricingScheme : std::uint8_t {
  Trust,  ///< equation 5.6
  Time,   ///< C Pr(t) alone
};

/// When loads decline to pay.
enum class PaymentRule : std::uint8_t {
  ByExpectation,  ///< with one probability if the cost is above expectation, with another if it is not
  Always,         ///< never
};

struct Provider {
  std::string name;
  std::vector<double> capacity;  ///< MW, for each window
  std::vector<double> price;     ///< $/MWh, for each window: Pr(t)
};

/// A demand for constant power over an interval, of one provider.
struct Job {
  Ticks start = 0;
  Ticks end = 0;
  double power = 0;  ///< MW
};

struct Load {
  std::string name;
  std::vector<Job> jobs;  ///< in the order of their starts
  double expected_price_factor = 1.5;
  std::vector<double> estimated_price;  ///< $/MWh, for each window; empty: the mean time-based price of the providers
  double refuse_above = 0.15;           ///< probability not to pay a cost above expected_price_factor * estimate
  double refuse_below = 0.05;           ///< probability not to pay otherwise
  std::int64_t priority = 0;            ///< higher is served first
  std::optional<double> initial_trust;  ///< that of the TrustRules without it
};

/// Loads and providers around one energy router, and the rules by which they trade. Made by read_scenario(), which
/// checks it; by hand, call check().
struct Scenario {
  std::string name;
  Ticks window = kTicksPerHour;
  std::size_t windows = 0;
  std::vector<Provider> providers;
  std::vector<Load> loads;
  std::vector<double> distance;           ///< by load, then by provider
  double loss = 0;                        ///< share of the delivered energy that is lost on a unit of distance
  std::optional<double> router_capacity;  ///< MW that the router can pass on
  Policy policy = Policy::LowestCost;
  WhenFull when_full = WhenFull::Drop;
  RequestOrder order = RequestOrder::File;
  PricingScheme pricing = PricingScheme::Trust;
  double conversion = 1;  ///< C of equation 5.6
  PaymentRule payment = PaymentRule::ByExpectation;
  Ticks payment_delay = 0;  ///< from the end of a job to its payment
  TrustRules trust;

  Ticks horizon() const noexcept { return window * static_cast<Ticks>(windows); }
  /// The window of a moment before the horizon.
  std::size_t window_of(Ticks time) const noexcept { return static_cast<std::size_t>(time / window); }
  /// Energy lost for each unit that is delivered.
  double loss_share(std::size_t load, std::size_t provider) const {
    return loss * distance[load * providers.size() + provider];
  }
  std::size_t job_count() const noexcept;
};

/// Checks that every number is one that the simulation can work with and that lengths agree. Throws UserError that
/// names the load, the provider or the rule.
void check(const Scenario& scenario);

/// A part of each window of a load's demand that is a job of its own.
struct JobShape {
  Ticks offset = 0;  ///< from the start of the window
  Ticks duration = 0;
  double share = 1;  ///< of the window's energy
};
/// The jobs of a demand in MWh for each window. Windows without demand have none. The shares should sum to one.
std::vector<Job> make_jobs(const std::vector<double>& demand, Ticks window, const std::vector<JobShape>& shapes);

/// Distances by load, then by provider, even between low and high; the same seed gives the same ones.
std::vector<double> random_distances(std::size_t loads, std::size_t providers, double low, double high,
                                     std::uint64_t seed);

}  // namespace plumb::energy
