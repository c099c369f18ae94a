#include "energy/metrics.h"

namespace plumb::energy {
namespace {

constexpr std::array<MetricInfo, kMetrics> kInfos = {{
    {"revenue", "$", "paid for energy and its line loss"},
    {"unpaid", "$", "owed for energy that was delivered, and not paid"},
    {"line_loss", "$", "value of the energy lost on lines"},
    {"requested_energy", "MWh", "asked for by loads"},
    {"delivered_energy", "MWh", "received by loads"},
    {"unserved_energy", "MWh", "asked for and not delivered"},
    {"lost_energy", "MWh", "lost on lines, generated beside what is delivered"},
    {"served_jobs", "", "that a provider took on"},
    {"unserved_jobs", "", "that no provider had capacity for"},
    {"refusals", "", "served jobs that were not paid"},
    {"expensive_jobs", "", "served jobs that cost more than expected"},
    {"distrust", "", "requests that met a trust level not above the threshold"},
    {"mean_price", "$/MWh", "price and line loss of a delivered unit, paid or not"},
    {"final_trust", "", "mean reputation at the end"},
    {"utilisation", "", "share of the capacity that was used"},
    {"peak_power", "MW", "the most that was drawn at a time, with line loss"},
    {"waiting_time", "h", "that jobs spent waiting for capacity"},
}};

}  // namespace

const MetricInfo& info(Metric metric) { return kInfos[static_cast<std::size_t>(metric)]; }

std::optional<Metric> find_metric(std::string_view name) {
  for (std::size_t i = 0; i < kMetrics; ++i)
    if (kInfos[i].name == name) return metric_at(i);
  return std::nullopt;
}

}  // namespace plumb::energy
