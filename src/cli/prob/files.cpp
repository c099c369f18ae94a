#include "cli/prob/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>

#include "base/file.h"
#include "cli/prob/file_names.h"
#include "result/plot.h"

namespace plumb::cli::prob {
namespace {

/// The constant of the horizontal axis: as asked, or that with most values.
std::string axis_of(const ExperimentReport& report, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  std::string best;
  std::size_t most = 0;
  for (const std::string& name : report.varied) {
    std::set<std::string> values;
    for (const Constants& combination : report.combinations) values.insert(combination.at(name));
    if (values.size() > most) {
      most = values.size();
      best = name;
    }
  }
  return best;
}

/// "true" and "false" are one and zero.
double coordinate(const std::string& text) {
  if (text == "true") return 1;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? 0 : value;
}

std::string curve_name(const ExperimentReport& report, const Constants& constants, const std::string& axis) {
  std::string name;
  for (const std::string& varied : report.varied)
    if (varied != axis) name += fmt::format("{}{}={}", name.empty() ? "" : ", ", varied, constants.at(varied));
  return name;
}

/// The numbers that a question got, a curve for each combination of the constants that are not on the axis; nothing if
/// there are none.
std::optional<result::Plot> plot_of(const ExperimentReport& report, std::size_t question, const Options& options) {
  const std::string axis = axis_of(report, options.x);
  result::Plot plot;
  plot.title = report.questions[question].text;
  plot.x_label = axis;
  plot.y_label = report.questions[question].name;
  plot.is_log_x = options.plot_log.find('x') != std::string::npos;
  plot.is_log_y = options.plot_log.find('y') != std::string::npos;
  bool has_number = false;
  for (const Reply& answer : report.answers) {
    if (answer.question != question) continue;
    const Constants& constants = report.combinations[answer.combination];
    const std::string name = curve_name(report, constants, axis);
    auto curve = std::ranges::find(plot.series, name, &result::Series::name);
    if (curve == plot.series.end()) {
      plot.series.push_back({name, {}, {}, {}, {}});
      curve = plot.series.end() - 1;
    }
    const auto* number = answer.result ? std::get_if<chain::Bounded>(&answer.result->value) : nullptr;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    curve->x.push_back(coordinate(constants.at(axis)));
    curve->y.push_back(number ? number->value : kNone);
    curve->low.push_back(number ? number->low : kNone);
    curve->high.push_back(number ? number->high : kNone);
    has_number |= number != nullptr;
  }
  if (!has_number) return std::nullopt;
  return plot;
}

class FileSet {
 public:
  FileSet(ExperimentReport& report, const Options& options, const Context& context)
      : report_(report), options_(options), context_(context), directory_(context.common.out) {}

  void run() {
    if (!options_.csv.empty()) write_csv(options_.csv);
    if (!directory_.empty()) write_csv((directory_ / "results.csv").string());
    if (report_.varied.empty()) return;
    std::vector<std::pair<std::size_t, result::Plot>> plots;
    for (std::size_t q = 0; q < report_.questions.size(); ++q)
      if (std::optional<result::Plot> plot = plot_of(report_, q, options_)) plots.emplace_back(q, std::move(*plot));
    for (const auto& [question, plot] : plots) {
      const std::string name = file_name(report_, question);
      for (const std::string& file : options_.plots) write_plot(plot, plots.size() > 1 ? with_name(file, name) : file);
      if (!directory_.empty()) write_plot(plot, (directory_ / (name + ".svg")).string());
    }
    if (plots.empty() && !options_.plots.empty())
      report_.notes.emplace_back("there is no plot, since no property has a number");
  }

 private:
  void write_csv(const std::string& file) {
    write_file(file, to_csv(report_));
    report_.files.emplace_back("table", file);
  }
  void write_plot(const result::Plot& plot, const std::string& file) {
    result::write_plot(plot, file, context_.winding_up);
    report_.files.emplace_back("plot", file);
  }

  ExperimentReport& report_;
  const Options& options_;
  const Context& context_;
  std::filesystem::path directory_;
};

}  // namespace

void check_plots(const Options& options, const std::vector<std::string>& varied) {
  if (!options.plots.empty() && varied.empty())
    throw UserError("--plot: there is nothing to draw a curve over", "give a constant a range: --const a=0.1:0.1:0.9");
  if (!options.x.empty() && std::ranges::find(varied, options.x) == varied.end())
    throw UserError(fmt::format("--x: '{}' is no constant with a range", options.x));
}

void write_files(ExperimentReport& report, const Options& options, const Context& context) {
  FileSet(report, options, context).run();
}

}  // namespace plumb::cli::prob
