#include "cli/check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/check_ltl.h"
#include "cli/check_trace.h"
#include "cli/command.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

using check::GoalResult;
using result::Finding;
using result::Verdict;

constexpr std::size_t kMostTextColumn = 44;

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string cut(std::string text, std::size_t length) {
  if (text.size() <= length) return text;
  text.resize(length - 1);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  return text + "…";
}

std::string engine_text(const GoalResult& answer, bool is_replay) {
  if (is_replay) return "replay";
  return answer.detail.empty() ? answer.engine : fmt::format("{} ({})", answer.engine, answer.detail);
}

/// Engines that came to the same final verdict beside the one that decided.
std::string agreement_text(const GoalResult& answer) {
  const auto agrees = [](Verdict a, Verdict b) { return a == b || (is_proof(a) && is_proof(b)); };
  std::vector<std::string_view> others;
  for (const Finding& each : answer.engines)
    if (each.engine != answer.engine && agrees(each.verdict, answer.verdict)) others.push_back(each.engine);
  if (others.empty()) return {};
  return fmt::format(", {} agree{}", fmt::join(others, " and "), others.size() == 1 ? "s" : "");
}

/// The goal that a property's verdict is due to.
const CheckedGoal* deciding_goal(const CheckedProperty& property) {
  const Verdict decided = verdict(property);
  const auto found =
      std::ranges::find_if(property.goals, [&](const CheckedGoal& goal) { return goal.answer.verdict == decided; });
  return found == property.goals.end() ? nullptr : &*found;
}

std::string proof_text(const CheckedProperty& property) {
  std::vector<std::string> engines;
  std::size_t vacuous = 0;
  for (const CheckedGoal& goal : property.goals) {
    const std::string text = engine_text(goal.answer, false) + agreement_text(goal.answer);
    if (std::ranges::count(engines, text) == 0) engines.push_back(text);
    if (goal.answer.verdict == Verdict::Vacuous) ++vacuous;
  }
  return fmt::format("{}proved by {}{}",
                     property.goals.size() == 1 ? "" : fmt::format("{}, ", plural(property.goals.size(), "goal")),
                     fmt::join(engines, "; "), vacuous == 0 ? "" : fmt::format("; {} vacuous", vacuous));
}

std::string_view fault_text(program::GoalKind kind) {
  switch (kind) {
    case program::GoalKind::Access:
      return "invalid access";
    case program::GoalKind::Index:
      return "index out of bounds";
    case program::GoalKind::Free:
      return "invalid free";
    case program::GoalKind::Division:
      return "division by zero";
    case program::GoalKind::Call:
      return "invalid call";
    case program::GoalKind::Overflow:
      return "signed overflow";
    case program::GoalKind::Shift:
      return "shift out of range";
    case program::GoalKind::Vla:
      return "array of no positive size";
    case program::GoalKind::PointerArithmetic:
      return "pointer arithmetic out of range";
    default:
      return "fault";
  }
}

/// ", assuming no invalid access at a.c:3:5 (and 2 other places)".
std::string premise_text(const CheckedProperty& property) {
  if (property.premises.empty()) return {};
  const CheckedGoal& first = property.premises.front();
  const std::size_t others = property.premises.size() - 1;
  return fmt::format(", assuming no {} at {}{}", fault_text(first.answer.goal.kind), first.place.to_string(),
                     others == 0 ? "" : fmt::format(" and {}", plural(others, "other place")));
}

/// What stands behind the verdict on a property's line.
std::string reason_text(const CheckedProperty& property, bool is_replay) {
  const CheckedGoal* goal = deciding_goal(property);
  if (goal == nullptr) return property.reason;
  const GoalResult& answer = goal->answer;
  const Verdict decided = verdict(property);
  if (decided == Verdict::Holds)
    return proof_text(property) + (answer.reason.empty() ? "" : ", " + answer.reason) + premise_text(property);
  if (decided == Verdict::Vacuous) return fmt::format("{}: no run comes to it", goal->text);
  if (decided == Verdict::Violated)
    return fmt::format("{}: {}, found by {}{}, confirmed by {}", answer.counterexample->failure.to_string(),
                       answer.counterexample->message, engine_text(answer, is_replay), agreement_text(answer),
                       answer.counterexample->confirmed_by);
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(property.goals, [&](const CheckedGoal& each) { return each.answer.verdict == decided; }));
  const std::string count =
      property.goals.size() == 1 ? "" : fmt::format("{} of {} goals: ", open, property.goals.size());
  return fmt::format("{}{}{}", count, answer.reason, decided == Verdict::HoldsUpTo ? "; not proved" : "");
}

std::string expectation_text(const CheckedProperty& property) {
  if (!property.expected) return {};
  const std::string expected =
      fmt::format("expected_verdict: {}{}", *property.expected,
                  property.subproperty.empty() ? "" : fmt::format(" ({})", property.subproperty));
  const std::optional<bool> same = agrees(property);
  if (!same) return fmt::format("  {}; not decided\n", expected);
  return *same ? fmt::format("  {}: agrees\n", expected)
               : fmt::format("  *** {}: DISAGREES with the verdict '{}' ***\n", expected, to_string(verdict(property)));
}

std::string property_lines(const CheckReport& report) {
  std::size_t width = 0, verdict_width = 0;
  for (const CheckedProperty& property : report.properties) {
    width = std::max(width, title(property.specification).size());
    verdict_width = std::max(verdict_width, to_string(verdict(property)).size());
  }
  std::string text;
  for (const CheckedProperty& property : report.properties) {
    text += fmt::format("{:<{}}  {:<{}}  {} ({})\n", title(property.specification), width, to_string(verdict(property)),
                        verdict_width, reason_text(property, report.is_replay), seconds_text(property.seconds));
    text += expectation_text(property);
  }
  return text;
}

/// A row a goal, for --all.
std::string goal_table(const CheckedProperty& property, bool is_replay) {
  if (property.goals.empty()) return {};
  std::array<std::size_t, 4> widths = {5, 4, 7, 6};
  std::vector<std::array<std::string, 4>> rows;
  for (const CheckedGoal& goal : property.goals) {
    rows.push_back({goal.place.to_string(), cut(goal.text, kMostTextColumn),
                    std::string(to_string(goal.answer.verdict)),
                    engine_text(goal.answer, is_replay) + agreement_text(goal.answer)});
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], rows.back()[i].size());
  }
  const auto line = [&](const std::array<std::string, 4>& row, std::string_view last) {
    return fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {:>7}\n", row[0], widths[0], row[1], widths[1], row[2],
                       widths[2], row[3], widths[3], last);
  };
  std::string text = line({"place", "goal", "verdict", "engine"}, "seconds");
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += line(rows[i], fmt::format("{:.2f}", property.goals[i].answer.seconds));
  return text;
}

/// Why goals of the table are open, each reason once.
std::string open_reasons(const CheckedProperty& property) {
  std::vector<std::string> told;
  std::string text;
  for (const CheckedGoal& goal : property.goals) {
    const GoalResult& answer = goal.answer;
    if (is_final(answer.verdict)) continue;
    if (std::ranges::count(told, answer.reason) > 0) continue;
    told.push_back(answer.reason);
    text += fmt::format("  {}: {}: {}\n", goal.place.to_string(), to_string(answer.verdict), answer.reason);
  }
  return text;
}

std::string engine_lines(const CheckedProperty& property) {
  std::string text;
  for (const CheckedGoal& goal : property.goals) {
    text += fmt::format("\nengines on {}: {}\n", goal.place.to_string(), goal.text);
    for (const Finding& each : goal.answer.engines)
      text += fmt::format("  {:<8} {:<12} {:>9}  {}{}{}\n", each.engine, to_string(each.verdict),
                          seconds_text(each.seconds), each.detail,
                          each.detail.empty() || each.reason.empty() ? "" : ": ", each.reason);
  }
  return text;
}

std::string invariant_lines(const CheckedProperty& property) {
  std::vector<std::string> lines;
  for (const CheckedGoal& goal : property.goals)
    for (const check::LoopInvariant& invariant : goal.answer.invariants) {
      std::string line = fmt::format("  {}: {}\n", invariant.location.to_string(), invariant.text);
      if (std::ranges::count(lines, line) == 0) lines.push_back(std::move(line));
    }
  return lines.empty() ? std::string() : fmt::format("\nloop invariants\n{}", fmt::join(lines, ""));
}

void put_files(nlohmann::ordered_json& object, const std::vector<result::WrittenFile>& files) {
  if (!files.empty()) object["files"] = result::to_json(files);
}

void put_answer(nlohmann::ordered_json& object, const GoalResult& answer, bool is_replay) {
  object["engine"] = is_replay ? "replay" : answer.engine;
  if (!answer.detail.empty()) object["detail"] = utf8(answer.detail);
  if (!answer.reason.empty()) object["reason"] = utf8(answer.reason);
}

nlohmann::ordered_json goal_json(const CheckedGoal& goal, const CheckReport& report, bool full_trace) {
  const GoalResult& answer = goal.answer;
  nlohmann::ordered_json object = {{"name", utf8(goal.text)}, {"kind", name(answer.goal.kind)}};
  put_place(object, goal.place);
  object["function"] = utf8(goal.function);
  object["verdict"] = to_string(answer.verdict);
  put_answer(object, answer, report.is_replay);
  object["seconds"] = answer.seconds;
  if (answer.counterexample) object["counterexample"] = counterexample_json(*answer.counterexample, full_trace);
  put_files(object, goal.files);
  nlohmann::ordered_json engines = nlohmann::ordered_json::array();
  for (const Finding& each : answer.engines) engines.push_back(result::to_json(each));
  object["engines"] = std::move(engines);
  for (const check::LoopInvariant& invariant : answer.invariants) {
    nlohmann::ordered_json entry;
    put_place(entry, invariant.location);
    entry["function"] = utf8(invariant.function);
    entry["text"] = utf8(invariant.text);
    object["invariants"].push_back(std::move(entry));
  }
  return object;
}

nlohmann::ordered_json exploration_json(const explore::Statistics& s) {
  return {{"states", s.states},
          {"steps", s.steps},
          {"frontier", s.frontier},
          {"depth", s.depth},
          {"queries", s.queries},
          {"seconds", s.seconds},
          {"states_per_second", s.seconds > 0 ? static_cast<double>(s.states) / s.seconds : 0.0},
          {"bytes_per_state", s.states > 0 ? static_cast<double>(s.bytes) / static_cast<double>(s.states) : 0.0}};
}

nlohmann::ordered_json search_json(const paths::Statistics& s) {
  const auto decided = [](const paths::Statistics::Decided& d) {
    return nlohmann::ordered_json{{"refuted", d.refuted}, {"solved", d.solved}};
  };
  return {{"questions", s.questions},
          {"choices", s.choices},
          {"ends", s.ends},
          {"learnt", s.learnt},
          {"stores",
           {{"intervals", decided(s.intervals)},
            {"orders", decided(s.orders)},
            {"linear", decided(s.linear)},
            {"bits", decided(s.bits)}}}};
}

std::string search_line(const paths::Statistics& s) {
  return fmt::format(
      "paths: {} choices for {} questions, {} ends of paths; refuted by what was learnt {}, intervals {}, orders {}, "
      "linear "
      "{}, bits {}; solved by intervals {}, linear {}, bits {}\n",
      s.choices, s.questions, s.ends, s.learnt, s.intervals.refuted, s.orders.refuted, s.linear.refuted, s.bits.refuted,
      s.intervals.solved, s.linear.solved, s.bits.solved);
}

nlohmann::ordered_json property_json(const CheckedProperty& property, const CheckReport& report, bool full_trace) {
  nlohmann::ordered_json object = {{"name", title(property.specification)},
                                   {"kind", name(property.specification)},
                                   {"specification", utf8(property.specification.text)}};
  if (const CheckedGoal* goal = deciding_goal(property)) {
    const std::optional<replay::Counterexample>& counterexample = goal->answer.counterexample;
    put_place(object, counterexample ? counterexample->failure : goal->place);
    object["verdict"] = to_string(verdict(property));
    put_answer(object, goal->answer, report.is_replay);
    if (counterexample) object["message"] = utf8(counterexample->message);
  } else {
    object["verdict"] = to_string(verdict(property));
    object["reason"] = property.reason;
  }
  for (const CheckedGoal& premise : property.premises) {
    nlohmann::ordered_json entry = {{"kind", name(premise.answer.goal.kind)}, {"name", utf8(premise.text)}};
    put_place(entry, premise.place);
    object["assuming"].push_back(std::move(entry));
  }
  if (property.formula && property.formula->counterexample)
    object["counterexample"] = counterexample_json(*property.formula);
  if (property.expected) {
    object["expected"] = *property.expected;
    if (const std::optional<bool> same = agrees(property)) object["agrees"] = *same;
  }
  object["seconds"] = property.seconds;
  put_files(object, property.files);
  nlohmann::ordered_json goals = nlohmann::ordered_json::array();
  for (const CheckedGoal& goal : property.goals) goals.push_back(goal_json(goal, report, full_trace));
  object["goals"] = std::move(goals);
  return object;
}

}  // namespace

Verdict verdict(const CheckedProperty& property) {
  if (property.goals.empty()) return property.without_goals;
  std::vector<Verdict> verdicts;
  for (const CheckedGoal& goal : property.goals) verdicts.push_back(goal.answer.verdict);
  return result::of_goals(verdicts);
}

Verdict verdict(const CheckReport& report) {
  std::vector<Verdict> verdicts;
  for (const CheckedProperty& property : report.properties) verdicts.push_back(verdict(property));
  return worst(verdicts);
}

std::optional<bool> agrees(const CheckedProperty& property) {
  const Verdict decided = verdict(property);
  if (!property.expected || !is_final(decided)) return std::nullopt;
  return *property.expected == (decided != Verdict::Violated);
}

std::string title(const check::Specification& specification) {
  if (specification.kind == check::Specification::Kind::Termination)
    return fmt::format("termination within {}", plural(specification.bound, "iteration"));
  if (specification.kind == check::Specification::Kind::Ltl)
    return fmt::format("{}{}", specification.text, specification.is_fair ? ", weakly fair" : "");
  return std::string(name(specification));
}

std::string to_text(const CheckReport& report, const CheckTextOptions& options) {
  std::string text = property_lines(report);
  for (const CheckedProperty& property : report.properties) {
    if (report.is_every_goal) text += "\n" + goal_table(property, report.is_replay) + open_reasons(property);
    for (const CheckedGoal& goal : property.goals)
      if (goal.answer.counterexample)
        text += counterexample_text(*goal.answer.counterexample, options.full_trace) + result::files_text(goal.files);
    if (property.formula) text += to_text(*property.formula, options.full_trace);
    if (options.is_verbose) text += engine_lines(property) + invariant_lines(property);
    text += result::files_text(property.files);
  }
  if (options.is_verbose && report.searched) text += "\n" + search_line(*report.searched);
  if (!report.gaps.empty() || !report.assumptions.empty() || !report.notes.empty()) text += "\n";
  return text + result::remarks_text(report.gaps, report.assumptions, report.notes);
}

result::Report to_report(const CheckReport& checked, bool full_trace) {
  result::Report report("check", checked.inputs);
  report.conclusion = result::conclusion_of(verdict(checked));
  nlohmann::ordered_json properties = nlohmann::ordered_json::array();
  for (const CheckedProperty& property : checked.properties)
    properties.push_back(property_json(property, checked, full_trace));
  report["properties"] = std::move(properties);
  report.gaps = checked.gaps;
  report.assumptions = checked.assumptions;
  report.notes = checked.notes;
  report["stats"] = {{"seconds", checked.seconds}};
  if (checked.explored) report["stats"]["exploration"] = exploration_json(*checked.explored);
  if (checked.searched) report["stats"]["paths"] = search_json(*checked.searched);
  return report;
}

}  // namespace plumb::cli
