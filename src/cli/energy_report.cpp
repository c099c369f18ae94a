#include "cli/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/command.h"

namespace plumb::cli {
namespace {

using energy::info;
using energy::Metric;
using energy::Sample;
using energy::Samples;

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// As many digits as the size of a number calls for.
std::string number(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  return size >= 10'000 ? fmt::format("{:.0f}", value)
         : size >= 100  ? fmt::format("{:.1f}", value)
         : size >= 1    ? fmt::format("{:.3f}", value)
                        : fmt::format("{:.4g}", value);
}

/// With exact means, such as those of a single replication, there is no interval.
std::string with_interval(const Sample& sample, double confidence) {
  const double half = sample.half_width(confidence);
  return std::isnan(half) ? number(sample.mean()) : fmt::format("{} ± {}", number(sample.mean()), number(half));
}

/// Characters, not bytes: ± has two.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Rows of cells as columns, the first to the left and the others to the right.
class TextTable {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string result;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string gap(widths[i] - width_of(row[i]), ' ');
        line += i == 0 ? "  " + row[i] + gap : "  " + gap + row[i];
      }
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return result;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string heading(Metric metric) {
  return info(metric).unit.empty() ? std::string(info(metric).name)
                                   : fmt::format("{} [{}]", info(metric).name, info(metric).unit);
}

/// Every metric down, one column for each of those that are measured.
std::string metric_table(const std::vector<std::pair<std::string, const Samples*>>& columns, double confidence) {
  TextTable table;
  std::vector<std::string> head = {""};
  for (const auto& [name, samples] : columns) head.push_back(name);
  table.add(std::move(head));
  for (std::size_t i = 0; i < energy::kMetrics; ++i) {
    const Metric metric = energy::metric_at(i);
    const auto has_values = [&](const auto& column) { return (*column.second)[metric].count() > 0; };
    if (std::ranges::none_of(columns, has_values)) continue;
    std::vector<std::string> row = {heading(metric)};
    for (const auto& [name, samples] : columns) row.push_back(with_interval((*samples)[metric], confidence));
    table.add(std::move(row));
  }
  return table.text();
}

std::string sweep_table(const EnergyResult& result) {
  TextTable table;
  std::vector<std::string> head;
  for (const energy::Sweep& sweep : result.sweeps) head.push_back(sweep.key);
  for (const Metric metric : result.metrics) head.push_back(heading(metric));
  table.add(std::move(head));
  for (const EnergyPoint& point : result.points) {
    std::vector<std::string> row;
    for (const energy::Setting& setting : point.settings) row.push_back(setting.value);
    for (const Metric metric : result.metrics)
      row.push_back(with_interval(point.summary.total[metric], result.confidence));
    table.add(std::move(row));
  }
  if (result.baselines.empty()) return table.text();
  TextTable baselines;
  head = {"baseline"};
  for (const Metric metric : result.metrics) head.push_back(heading(metric));
  baselines.add(std::move(head));
  for (const EnergyBaseline& baseline : result.baselines) {
    std::vector<std::string> row = {baseline.name};
    for (const Metric metric : result.metrics)
      row.push_back(with_interval(baseline.summary.total[metric], result.confidence));
    baselines.add(std::move(row));
  }
  return table.text() + "\n" + baselines.text();
}

/// Calls visit(scope, name, samples) for the whole, each provider and each load.
template <typename Visit>
void for_each_scope(const EnergyResult& result, const energy::Summary& summary, Visit visit) {
  visit("total", std::string(), summary.total);
  for (std::size_t i = 0; i < summary.providers.size(); ++i)
    visit("provider", result.scenario.providers[i].name, summary.providers[i]);
  for (std::size_t i = 0; i < summary.loads.size(); ++i) visit("load", result.scenario.loads[i].name, summary.loads[i]);
}

std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(field);
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// All digits; nothing for what is not a number.
std::string exact(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

/// The rows of one combination or baseline, each beginning with `settings`.
std::string csv_rows(const EnergyResult& result, const energy::Summary& summary, const std::string& settings) {
  std::string text;
  for_each_scope(result, summary, [&](std::string_view scope, const std::string& name, const Samples& samples) {
    for (std::size_t i = 0; i < energy::kMetrics; ++i) {
      const Metric metric = energy::metric_at(i);
      const Sample& sample = samples[metric];
      if (sample.count() == 0) continue;
      const double half = sample.half_width(result.confidence);
      text += fmt::format("{}{},{},{},{},{},{},{},{},{}\n", settings, scope, csv_field(name), info(metric).name,
                          info(metric).unit, sample.count(), exact(sample.mean()), exact(sample.deviation()),
                          exact(sample.mean() - half), exact(sample.mean() + half));
    }
  });
  return text;
}

std::optional<double> as_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

nlohmann::ordered_json samples_json(const Samples& samples, double confidence) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < energy::kMetrics; ++i) {
    const Metric metric = energy::metric_at(i);
    const Sample& sample = samples[metric];
    if (sample.count() == 0) continue;
    nlohmann::ordered_json entry = {{"mean", sample.mean()}};
    if (sample.count() > 1) {
      const double half = sample.half_width(confidence);
      entry["deviation"] = sample.deviation();
      entry["low"] = sample.mean() - half;
      entry["high"] = sample.mean() + half;
    }
    entry["minimum"] = sample.minimum();
    entry["maximum"] = sample.maximum();
    if (!info(metric).unit.empty()) entry["unit"] = info(metric).unit;
    object[std::string(info(metric).name)] = std::move(entry);
  }
  return object;
}

void add_summary(nlohmann::ordered_json& entry, const EnergyResult& result, const energy::Summary& summary) {
  entry["replications"] = summary.replications;
  entry["total"] = samples_json(summary.total, result.confidence);
  entry["providers"] = nlohmann::ordered_json::object();
  entry["loads"] = nlohmann::ordered_json::object();
  for_each_scope(result, summary, [&](std::string_view scope, const std::string& name, const Samples& samples) {
    if (scope != "total")
      entry[scope == "provider" ? "providers" : "loads"][utf8(name)] = samples_json(samples, result.confidence);
  });
}

void add_point(result::Series& series, double x, const Sample& sample, double confidence) {
  const double half = sample.count() > 1 ? sample.half_width(confidence) : 0;
  series.x.push_back(x);
  series.y.push_back(sample.mean());
  series.low.push_back(sample.mean() - half);
  series.high.push_back(sample.mean() + half);
}

result::Plot profile_plot(const EnergyResult& result) {
  const energy::Scenario& scenario = result.scenario;
  const std::vector<Sample>& profile = result.points.front().summary.profile;
  result::Plot plot;
  plot.title = scenario.name;
  plot.x_label = "hour";
  plot.y_label = "power of providers [MW]";
  for (std::size_t p = 0; p < scenario.providers.size(); ++p) {
    result::Series series;
    series.name = scenario.providers[p].name;
    for (std::size_t w = 0; w * scenario.providers.size() < profile.size(); ++w)
      add_point(series, energy::hours(scenario.window) * static_cast<double>(w), profile[p * scenario.windows + w],
                result.confidence);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::string energy_text(const EnergyResult& result) {
  const energy::Scenario& scenario = result.scenario;
  const energy::Summary& first = result.points.front().summary;
  std::string text = fmt::format("{}{}, {}, {} of {} h, {}\n", scenario.name.empty() ? "" : scenario.name + ": ",
                                 counted(scenario.loads.size(), "load"), counted(scenario.providers.size(), "provider"),
                                 counted(scenario.windows, "window"), energy::hours(scenario.window),
                                 counted(scenario.job_count(), "job"));
  text += first.replications == 1 ? "1 replication\n"
                                  : fmt::format("means of {} replications, with confidence intervals of {:g} %\n",
                                                first.replications, 100 * result.confidence);
  if (!result.sweeps.empty()) return text + "\n" + sweep_table(result);
  text += "\n" + metric_table({{"total", &first.total}}, result.confidence);
  std::vector<std::pair<std::string, const Samples*>> columns;
  for (std::size_t i = 0; i < first.providers.size(); ++i)
    columns.emplace_back(scenario.providers[i].name, &first.providers[i]);
  text += "\nby provider\n" + metric_table(columns, result.confidence);
  columns.clear();
  for (std::size_t i = 0; i < first.loads.size(); ++i) columns.emplace_back(scenario.loads[i].name, &first.loads[i]);
  return text + "\nby load\n" + metric_table(columns, result.confidence);
}

std::string energy_csv(const EnergyResult& result) {
  std::string text;
  for (const energy::Sweep& sweep : result.sweeps) text += csv_field(sweep.key) + ",";
  if (!result.baselines.empty()) text += "baseline,";
  text += "scope,name,metric,unit,replications,mean,deviation,low,high\n";
  for (const EnergyPoint& point : result.points) {
    std::string settings;
    for (const energy::Setting& setting : point.settings) settings += csv_field(setting.value) + ",";
    if (!result.baselines.empty()) settings += ",";
    text += csv_rows(result, point.summary, settings);
  }
  for (const EnergyBaseline& baseline : result.baselines)
    text += csv_rows(result, baseline.summary, std::string(result.sweeps.size(), ',') + csv_field(baseline.name) + ",");
  return text;
}

nlohmann::ordered_json energy_json(const EnergyResult& result) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const EnergyPoint& point : result.points) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const energy::Setting& setting : point.settings) {
      const std::optional<double> value = as_number(setting.value);
      parameters[utf8(setting.key)] =
          value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(utf8(setting.value));
    }
    nlohmann::ordered_json entry = {{"parameters", std::move(parameters)}};
    add_summary(entry, result, point.summary);
    results.push_back(std::move(entry));
  }
  for (const EnergyBaseline& baseline : result.baselines) {
    nlohmann::ordered_json entry = {{"baseline", utf8(baseline.name)}};
    add_summary(entry, result, baseline.summary);
    results.push_back(std::move(entry));
  }
  return results;
}

result::Plot energy_plot(const EnergyResult& result) {
  if (result.sweeps.empty()) return profile_plot(result);
  const Metric metric = result.metrics.front();
  const std::size_t values = result.sweeps.back().values.size();
  result::Plot plot;
  plot.title = fmt::format("{}{}", result.scenario.name.empty() ? "" : result.scenario.name + ": ", info(metric).name);
  plot.x_label = result.sweeps.back().key;
  plot.y_label = heading(metric);
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const EnergyPoint& point = result.points[i];
    if (i % values == 0) {
      result::Series series;
      for (std::size_t s = 0; s + 1 < point.settings.size(); ++s)
        series.name += fmt::format("{}{} = {}", s == 0 ? "" : ", ", point.settings[s].key, point.settings[s].value);
      if (series.name.empty()) series.name = std::string(info(metric).name);
      plot.series.push_back(std::move(series));
    }
    const energy::Setting& last = point.settings.back();
    const std::optional<double> x = as_number(last.value);
    if (!x)
      throw UserError(SourceLocation{"--plot"}, fmt::format("'{}' of {} is not a number", last.value, last.key),
                      "the last --sweep is the x axis: sweep a number last");
    add_point(plot.series.back(), *x, point.summary.total[metric], result.confidence);
  }
  const std::vector<double> ends = {plot.series.front().x.front(), plot.series.front().x.back()};
  for (const EnergyBaseline& baseline : result.baselines) {
    result::Series series;
    series.name = baseline.name;
    for (const double x : ends) add_point(series, x, baseline.summary.total[metric], result.confidence);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

EnergyEventLog::EnergyEventLog(const energy::Scenario& scenario)
    : scenario_(scenario), text_("hour,event,load,job,provider,power,energy,price,loss,expected,amount,trust\n") {}

void EnergyEventLog::on_event(const energy::Event& event) {
  const auto name = [](const auto& all, std::size_t index) {
    return index == energy::Event::kNobody ? std::string() : csv_field(all[index].name);
  };
  text_ += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", energy::hours(event.time), to_string(event.kind),
                       name(scenario_.loads, event.load), event.job, name(scenario_.providers, event.provider),
                       exact(event.power), exact(event.energy), exact(event.price), exact(event.loss),
                       exact(event.expected), exact(event.amount), exact(event.trust));
}

}  // namespace plumb::cli
