#include "energy/example.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "energy/random.h"

namespace plumb::energy {
namespace {

constexpr std::size_t kDays = 5;
constexpr std::size_t kHours = 24;
constexpr std::uint64_t kSeed = 20110;

/// Shares of the day's peak, hour by hour.
using Shape = std::array<double, kHours>;
constexpr Shape kCity = {0.70, 0.67, 0.65, 0.64, 0.65, 0.69, 0.78, 0.87, 0.91, 0.92, 0.92, 0.92,
                         0.91, 0.90, 0.89, 0.89, 0.92, 0.98, 1.00, 0.98, 0.94, 0.88, 0.81, 0.75};
constexpr Shape kHomes = {0.58, 0.53, 0.50, 0.49, 0.51, 0.58, 0.74, 0.84, 0.79, 0.73, 0.70, 0.69,
                          0.69, 0.67, 0.67, 0.71, 0.80, 0.93, 1.00, 0.98, 0.93, 0.85, 0.74, 0.65};
constexpr Shape kIndustry = {0.72, 0.71, 0.71, 0.71, 0.73, 0.80, 0.90, 0.96, 0.99, 1.00, 1.00, 0.99,
                             0.97, 0.99, 0.99, 0.97, 0.93, 0.89, 0.86, 0.83, 0.81, 0.79, 0.76, 0.74};
constexpr std::array<double, kDays> kDayLevels = {1.00, 1.03, 1.05, 0.98, 0.95};

struct DemandColumn {
  std::string_view name;
  Shape shape;
  double peak;  ///< MWh in an hour
};
constexpr std::array<DemandColumn, 3> kLoads = {
    {{"harbour", kCity, 4200}, {"suburbs", kHomes, 2600}, {"mills", kIndustry, 1800}}};

struct PriceColumn {
  std::string_view name;
  double level;
};
constexpr std::array<PriceColumn, 3> kProviders = {{{"hydro", 0.97}, {"gas", 1.00}, {"wind", 1.02}}};

constexpr std::string_view kScenario =
    R"(# Three loads and three power providers behind an energy router, five days by the hour. The curves are synthetic;
# `plumb energy --make-example DIR` made these files.
name = "five days"

[time]
window = 1.0    # hours
windows = 120

[router]
policy = "lowest-cost"    # the lowest price plus line loss
when_full = "drop"

[lines]
loss = 0.0003    # of the delivered energy, for a kilometre
distance = {low = 20, high = 200, seed = 5}    # kilometres

[pricing]
scheme = "trust"    # equation 5.6; "time" is the same without trust
conversion = 1.0    # its C

[trust]
alpha = 0.5
beta = 1.0
neutral = 5.0    # D of equation 5.6: the reputation that pays the time-based price
minimum = 1.0
maximum = 10.0
initial = 2.0
paid = 0.01    # steps of the reputation: up for a payment,
unpaid = 0.02    # down for none,
unpaid_expensive = 0.04    # and by more where the cost was above expectation
threshold = 1.0    # a trust level that is not above it counts as the minimum; its steps:
threshold_paid = 0.01
threshold_unpaid = 0.02
threshold_expensive = 0.04

[[providers]]
name = "hydro"
capacity = 6000    # MW
price = {file = "price.csv", column = "hydro"}    # $/MWh

[[providers]]
name = "gas"
capacity = 5500
price = {file = "price.csv", column = "gas"}

[[providers]]
name = "wind"
capacity = 5000
price = {file = "price.csv", column = "wind"}

[[loads]]
name = "harbour"
demand = {file = "demand.csv", column = "harbour"}    # MWh in each window
expected_price_factor = 1.5
refuse_above = 0.15    # probability not to pay what is dearer than expected
refuse_below = 0.05

[[loads]]
name = "suburbs"
demand = {file = "demand.csv", column = "suburbs"}
expected_price_factor = 1.5
refuse_above = 0.15
refuse_below = 0.05

[[loads]]
name = "mills"
demand = {file = "demand.csv", column = "mills"}
expected_price_factor = 1.5
refuse_above = 0.15
refuse_below = 0.05
)";

/// 1 plus or minus `spread`.
double noise(std::uint32_t stream, std::size_t hour, double spread) {
  return 1 + spread * (2 * RandomStream(kSeed, 0, stream).uniform(static_cast<std::uint32_t>(hour)) - 1);
}

double demand(std::size_t load, std::size_t hour) {
  constexpr double kSpread = 0.02;
  const DemandColumn& column = kLoads[load];
  return column.peak * column.shape[hour % kHours] * kDayLevels[hour / kHours] *
         noise(static_cast<std::uint32_t>(load), hour, kSpread);
}

/// Dearer plants run when demand is high: the cube of the share of the peak of all loads.
double price(std::size_t provider, std::size_t hour) {
  constexpr double kSpread = 0.03;
  constexpr double kBase = 18;
  constexpr double kRise = 42;
  constexpr std::uint32_t kFirstStream = 100;
  double sum = 0;
  double peak = 0;
  for (std::size_t load = 0; load < kLoads.size(); ++load) {
    sum += demand(load, hour);
    peak += kLoads[load].peak;
  }
  const double share = sum / peak;
  return (kBase + kRise * share * share * share) * kProviders[provider].level *
         noise(kFirstStream + static_cast<std::uint32_t>(provider), hour, kSpread);
}

template <typename Columns, typename Value>
std::string table(std::string_view title, const Columns& columns, std::string_view format, Value value) {
  std::string text = fmt::format("# {}\nhour", title);
  for (const auto& column : columns) text += fmt::format(",{}", column.name);
  for (std::size_t hour = 0; hour < kDays * kHours; ++hour) {
    text += fmt::format("\n{}", hour);
    for (std::size_t i = 0; i < columns.size(); ++i) text += fmt::format(fmt::runtime(format), value(i, hour));
  }
  return text + "\n";
}

}  // namespace

std::vector<ExampleFile> five_days_example() {
  return {
      {"five_days.toml", std::string(kScenario)},
      {"demand.csv", table("MWh in each hour of five working days. Synthetic: the shape of a day, not a measurement.",
                           kLoads, ",{:.1f}", demand)},
      {"price.csv", table("$/MWh in each hour of five working days. Synthetic: it rises with the demand of demand.csv.",
                          kProviders, ",{:.2f}", price)}};
}

}  // namespace plumb::energy
