#include "cli/forecast_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "program/forecast.h"

namespace plumb::cli {
namespace {

using program::Concern;
using program::ConcernKind;
using program::Forecast;
using program::Program;

/// What a kind of concern means for somebody who meets it for the first time.
struct Explanation {
  std::string_view title;
  std::string_view meaning;
};

const Explanation& explanation(ConcernKind kind) {
  static constexpr std::array<Explanation, program::kConcernKindCount> kTexts = {{
      {"Functions that are missing",
       "They are called, but have no body here and no model in plumb. A run that reaches one ends as unknown. Give\n"
       "the file that defines it, or choose --undefined nondet (any result) or native (this machine's library)."},
      {"Constructs that are not supported",
       "A run that reaches one ends as unknown; all other paths are analysed as usual."},
      {"Loops without a constant bound",
       "How often they run depends on the data. Testing follows them round by round; a proof by unrolling holds only\n"
       "up to its bound."},
      {"Recursion", "As for loops without a constant bound: the depth depends on the data."},
      {"Calls through pointers",
       "Which function is called is known when it happens; every candidate may have to be tried."},
      {"Floating point",
       "Computed exactly as the machine does when a program runs. Solvers do not reason about it: conditions on such\n"
       "values keep the value of the run."},
      {"Threads",
       "Results depend on the order of steps. `plumb run` follows one order; others may behave differently."},
      {"Where input enters", "These values are what tests vary."},
  }};
  return kTexts[static_cast<std::size_t>(kind)];
}

bool is_obstacle(const Concern& concern) {
  return concern.kind == ConcernKind::MissingFunction || concern.kind == ConcernKind::Unsupported;
}

std::string concern_line(const Program& program, const Concern& concern) {
  const std::string place = program.describe(concern.location).to_string();
  return fmt::format("    {}: {} (in {}{})\n", place.empty() ? "?" : place, concern.text,
                     program.functions[concern.function].name,
                     concern.count == 1 ? "" : fmt::format(", {} times", concern.count));
}

std::string report_text(const Program& program, const Forecast& forecast, bool is_verbose) {
  std::string text =
      fmt::format("functions {}, branches {}, loops {}", forecast.functions, forecast.branches, forecast.loops);
  if (forecast.models > 0) text += fmt::format("; library functions by models {}", forecast.models);
  if (forecast.unused > 0) text += fmt::format("; functions that nothing calls {}", forecast.unused);
  text += "\n";
  constexpr std::size_t kShown = 10;
  for (int k = 0; k < program::kConcernKindCount; ++k) {
    const ConcernKind kind = static_cast<ConcernKind>(k);
    std::string lines;
    std::size_t count = 0;
    for (const Concern& concern : forecast.concerns)
      if (concern.kind == kind && (count++ < kShown || is_verbose)) lines += concern_line(program, concern);
    if (count == 0) continue;
    const Explanation& explained = explanation(kind);
    text += fmt::format("\n{}: {}\n{}", explained.title, count, lines);
    if (count > kShown && !is_verbose) text += fmt::format("    … and {} more (-v shows all)\n", count - kShown);
    text += fmt::format("{}\n", explained.meaning);
  }
  if (std::ranges::none_of(forecast.concerns, is_obstacle))
    text += "\nNothing is missing and everything is supported.\n";
  return text;
}

nlohmann::ordered_json concern_object(const Program& program, const Concern& concern) {
  nlohmann::ordered_json object = {{"kind", name(concern.kind)}};
  put_place(object, program.describe(concern.location));
  object["function"] = utf8(program.functions[concern.function].name);
  object["text"] = utf8(concern.text);
  object["count"] = concern.count;
  return object;
}

}  // namespace

int show_forecast(const ProgramOptions& options, const Context& context) {
  const Program program = load_program(options, context);
  const Forecast forecast = program::forecast(program);
  const bool is_clear = std::ranges::none_of(forecast.concerns, is_obstacle);
  if (!context.common.json) context.out << report_text(program, forecast, context.common.verbose > 0);
  result::Report report("doctor", options.load.files);
  report.conclusion = is_clear ? result::Conclusion::Complete : result::Conclusion::Incomplete;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Concern& concern : forecast.concerns) results.push_back(concern_object(program, concern));
  report["results"] = std::move(results);
  report["stats"] = {{"functions", forecast.functions},
                     {"unused_functions", forecast.unused},
                     {"models", forecast.models},
                     {"loops", forecast.loops},
                     {"branches", forecast.branches}};
  return publish(context, report);
}

}  // namespace plumb::cli
