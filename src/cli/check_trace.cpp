#include "cli/check_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "cli/check_report.h"
#include "cli/command.h"
#include "cli/lanes.h"
#include "cli/program_options.h"
#include "cli/read_system.h"
#include "result/test_text.h"

namespace plumb::cli {
namespace {

using replay::Counterexample;
using replay::TraceStep;

constexpr std::size_t kMostSourceColumn = 48;

/// Lines of source files, each read once; empty for what cannot be read.
class Sources {
 public:
  std::string line(const SourceLocation& place) {
    const auto [found, is_new] = texts_.try_emplace(place.file);
    if (is_new) {
      try {
        found->second = read_file(place.file);
      } catch (const UserError&) {
        found->second.clear();
      }
    }
    return line_of(found->second, place.line);
  }

 private:
  std::map<std::string, std::string> texts_;
};

/// A line of the source as one visit of it, with all that it changed.
struct TraceLine {
  std::string place;
  std::string source;
  std::string changes;
};

bool is_same_visit(const TraceStep& a, const TraceStep& b) {
  return a.location.file == b.location.file && a.location.line == b.location.line && a.function == b.function &&
         a.depth == b.depth;
}

std::string change_text(const TraceStep& step) {
  return fmt::format("{} = {}{}", step.variable.empty() ? "value" : step.variable, step.value,
                     step.is_input ? " (input)" : "");
}

std::vector<TraceLine> lines_of(const std::vector<TraceStep>& trace, Sources& sources) {
  std::vector<TraceLine> lines;
  std::set<std::string> changed;  // by the visit: a variable that changes again is of the next one
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (i > 0 && is_same_visit(trace[i - 1], trace[i]) && changed.insert(trace[i].variable).second) {
      lines.back().changes += ", " + change_text(trace[i]);
      continue;
    }
    changed = {trace[i].variable};
    std::string source = sources.line(trace[i].location);
    if (source.size() > kMostSourceColumn) source.resize(kMostSourceColumn);
    const SourceLocation& place = trace[i].location;
    lines.push_back({fmt::format("{}:{}", place.file, place.line), utf8(source), change_text(trace[i])});
  }
  return lines;
}

/// In a header of the system, which is not what a user looks for.
bool is_of_system(const TraceStep& step) { return step.location.file.starts_with("/usr/"); }

std::string trace_text(std::vector<TraceStep> trace, bool is_full) {
  const std::size_t left_out = is_full ? 0 : std::erase_if(trace, is_of_system);
  if (trace.empty()) return {};
  Sources sources;
  const std::vector<TraceLine> lines = lines_of(trace, sources);
  const std::size_t first = is_full || lines.size() <= kShownSteps ? 0 : lines.size() - kShownSteps;
  std::size_t place_width = 0, source_width = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    place_width = std::max(place_width, lines[i].place.size());
    source_width = std::max(source_width, lines[i].source.size());
  }
  std::string text = "  trace:\n";
  if (first > 0) text += fmt::format("    … {} line{} before (--full-trace shows all)\n", first, first == 1 ? "" : "s");
  if (left_out > 0)
    text += fmt::format("    {} step{} in headers of the system left out\n", left_out, left_out == 1 ? "" : "s");
  for (std::size_t i = first; i < lines.size(); ++i)
    text += fmt::format("    {:<{}}  {:<{}}  {}\n", lines[i].place, place_width, lines[i].source, source_width,
                        lines[i].changes);
  return text;
}

nlohmann::ordered_json step_json(const TraceStep& step) {
  nlohmann::ordered_json object;
  put_place(object, step.location);
  object["function"] = utf8(step.function);
  object["depth"] = step.depth;
  object["variable"] = utf8(step.variable);
  object["value"] = utf8(step.value);
  if (step.is_input) object["input"] = true;
  return object;
}

}  // namespace

std::string schedule_text(const result::Schedule& schedule, bool is_full) {
  if (schedule.empty()) return {};
  std::vector<std::string> steps;
  for (const result::ScheduleStep& step : schedule) {
    if (!is_full && steps.size() == kShownSteps) break;
    steps.push_back(fmt::format("{} ×{}", step.thread + 1, step.operations));
    if (step.woken != result::kNobody) steps.back() += fmt::format(" (wakes {})", step.woken + 1);
  }
  const std::size_t more = schedule.size() - steps.size();
  return fmt::format("  order of threads, with their operations: {}{}\n", fmt::join(steps, ", "),
                     more == 0 ? "" : fmt::format(", and {} more steps", more));
}

std::string counterexample_text(const Counterexample& counterexample, bool is_full) {
  std::string text = fmt::format("\n{}: {}\n", counterexample.failure.to_string(), counterexample.message);
  Sources sources;
  if (const std::string source = sources.line(counterexample.failure); !source.empty())
    text += fmt::format("    {}\n", utf8(source));
  const std::string inputs = result::to_text(counterexample.test);
  text += inputs.empty() ? "  it needs no inputs\n" : fmt::format("  inputs:\n{}", inputs);
  text += lanes_text(counterexample.lanes, is_full, terminal_width());
  if (counterexample.lanes.empty() || is_full) text += schedule_text(counterexample.test.schedule, is_full);
  return text + trace_text(counterexample.trace, is_full);
}

nlohmann::ordered_json counterexample_json(const Counterexample& counterexample, bool is_full) {
  nlohmann::ordered_json object;
  put_place(object, counterexample.failure);
  object["function"] = utf8(counterexample.function);
  object["message"] = utf8(counterexample.message);
  object["confirmed_by"] = counterexample.confirmed_by;
  nlohmann::ordered_json test = nlohmann::ordered_json::parse(result::to_json(counterexample.test));
  nlohmann::ordered_json inputs = test.value("inputs", nlohmann::ordered_json::array());
  for (std::size_t i = 0; i < inputs.size() && i < counterexample.input_places.size(); ++i)
    put_place(inputs[i], counterexample.input_places[i]);
  object["failing_inputs"] = std::move(inputs);
  if (test.contains("schedule")) object["schedule"] = test["schedule"];
  if (!counterexample.lanes.empty()) object["lanes"] = lanes_json(counterexample.lanes, is_full);
  if (test.contains("uninitialised")) {
    nlohmann::ordered_json& unset = test["uninitialised"];
    for (std::size_t i = 0; i < unset.size() && i < counterexample.unset_places.size(); ++i)
      put_place(unset[i], counterexample.unset_places[i].first);
    object["uninitialised"] = std::move(unset);
  }
  const std::vector<TraceStep>& trace = counterexample.trace;
  const std::size_t first = is_full || trace.size() <= kShownSteps ? 0 : trace.size() - kShownSteps;
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (std::size_t i = first; i < trace.size(); ++i) steps.push_back(step_json(trace[i]));
  object["trace"] = {{"steps", trace.size()}, {"left_out", first}, {"lines", std::move(steps)}};
  return object;
}

}  // namespace plumb::cli
