#include "cli/shell/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bit_vector.h"
#include "cli/prove_trace.h"

namespace plumb::cli::shell {
namespace {

using prove::Verdict;

constexpr std::size_t kShownLines = 200;

std::string value_text(const tiny::VariableValue& variable, const tiny::Options& options) {
  std::vector<std::string> parts;
  for (const std::uint64_t value : variable.values) {
    const bool is_signed = options.is_signed && !variable.is_bool;
    parts.push_back(variable.is_bool ? (value != 0 ? "true" : "false")
                    : is_signed      ? fmt::format("{}", BitVector(options.int_width, value).to_int64())
                                     : fmt::format("{}", value));
  }
  return variable.is_array ? fmt::format("[{}]", fmt::join(parts, " ")) : parts.empty() ? "" : parts.front();
}

std::string values_text(const std::vector<tiny::VariableValue>& values, const tiny::Options& options) {
  std::string text;
  for (const tiny::VariableValue& value : values)
    text += fmt::format("  {} = {}\n", value.name, value_text(value, options));
  return text;
}

std::string executed_lines(const tiny::Outcome& outcome) {
  std::vector<std::uint32_t> lines;
  for (const tiny::Place& place : outcome.lines)
    if (lines.empty() || lines.back() != place.line) lines.push_back(place.line);
  const bool is_cut = lines.size() > kShownLines;
  if (is_cut) lines.erase(lines.begin(), lines.end() - kShownLines);
  return fmt::format("{}{}", is_cut ? "… " : "", fmt::join(lines, " "));
}

}  // namespace

std::string summary(const Design& design, const Found& found) {
  std::string text = fmt::format("{} is violated in step {}.\n", design.property_name(found.bad), found.step);
  if (!found.explained) return text;
  const tiny::Failure& failure = found.explained->failure;
  const SourceLocation place = design.subject()->program.location(failure.place);
  if (!failure.message.empty()) text += fmt::format("{}: {}\n", place.to_string(), failure.message);
  return text + values_text(found.explained->inputs, design.options());
}

std::string details(const Design& design, const Found& found) {
  std::string text = fmt::format("Counterexample of {}, {} steps.\n", found.engine, found.step + 1);
  text += summary(design, found);
  if (!found.explained) return text + show_trace(design.system(), found.bad, found.trace, false).text;
  const tiny::Outcome& outcome = found.explained->outcome;
  if (!outcome.lines.empty()) text += fmt::format("Lines executed: {}\n", executed_lines(outcome));
  if (!outcome.values.empty()) text += "Values at the end:\n" + values_text(outcome.values, design.options());
  return text;
}

std::string verdict_line(const prove::Result& result, double seconds) {
  const std::string by = result.engine.empty() ? "" : fmt::format(" by {}", result.engine);
  switch (result.verdict) {
    case Verdict::Holds:
    case Verdict::Vacuous:
      return fmt::format("Property proved{}{}. Time = {:.2f} sec\n", by,
                         result.is_rechecked ? ", and the proof re-checked" : ", but the proof could NOT be re-checked",
                         seconds);
    case Verdict::Violated:
      return fmt::format("Property violated: counterexample{} in step {}, replayed. Time = {:.2f} sec\n", by,
                         result.bound, seconds);
    case Verdict::HoldsUpTo:
      return fmt::format("No counterexample up to step {}{}{}. Time = {:.2f} sec\n", result.bound, by,
                         result.reason.empty() ? "" : fmt::format(" ({})", result.reason), seconds);
    case Verdict::Unknown:
      break;
  }
  return fmt::format("No decision{}: {}. Time = {:.2f} sec\n", by, result.reason, seconds);
}

void check_vacuity(Session& session, const Proving& proving) {
  if (proving.is_vacuous(session.budget) != true) return;
  session.last_verdict = Verdict::Vacuous;
  session.out << "warning: no run comes to the end of the program under the precondition, so the proof says nothing\n";
}

}  // namespace plumb::cli::shell
