#include "cli/test_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/program_options.h"
#include "cli/test_directory.h"
#include "concolic/search/search_gaps.h"
#include "result/defect/defect_json.h"
#include "result/defect/defect_text.h"

namespace plumb::cli {
namespace {

using concolic::is_at_call;
using concolic::reason_text;
using concolic::SearchReport;
using concolic::subject_text;
using instrument::EdgeId;
using instrument::Subject;
using replay::RunEnd;
using result::Conclusion;

constexpr std::size_t kBranchesShown = 10;

/// "1 run was", "3 runs were".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Edges that count and that no run took, by place.
std::vector<EdgeId> uncovered(const TestOutcome& outcome) {
  std::vector<EdgeId> edges;
  for (const instrument::Site& site : outcome.subject.sites)
    if (site.is_counted)
      for (EdgeId edge = site.first_edge; edge < site.first_edge + site.edge_count; ++edge)
        if (outcome.report.covered[edge] == 0) edges.push_back(edge);
  std::ranges::stable_sort(edges, {}, [&](EdgeId edge) {
    const program::Location& place = outcome.subject.site_of_edge(edge).location;
    return std::tuple(place.file, place.line, place.column);
  });
  return edges;
}

/// A program without inputs goes one way, of which its environment (arguments, files) may be the reason.
bool is_infeasible(const TestOutcome& outcome, EdgeId edge) {
  return outcome.report.is_exhaustive && outcome.report.inputs_read > 0 && edge < outcome.report.infeasible.size() &&
         outcome.report.infeasible[edge] != 0;
}

std::string edge_text(const TestOutcome& outcome, EdgeId edge) {
  const instrument::Site& site = outcome.subject.site_of_edge(edge);
  const std::string place = outcome.subject.program.describe(site.location).to_string();
  const std::string function =
      site.function == program::kNone ? "?" : outcome.subject.program.functions[site.function].name;
  return fmt::format("{} {} in {}{}", place.empty() ? "(place not known)" : place, edge_name(outcome.subject, edge),
                     function, is_infeasible(outcome, edge) ? " (no input takes it)" : "");
}

std::vector<const result::Defect*> counting(const TestOutcome& outcome) {
  std::vector<const result::Defect*> defects;
  for (const result::Defect& defect : outcome.defects)
    if (!defect.suppressed) defects.push_back(&defect);
  return defects;
}

std::vector<const result::Defect*> suppressed(const TestOutcome& outcome) {
  std::vector<const result::Defect*> defects;
  for (const result::Defect& defect : outcome.defects)
    if (defect.suppressed) defects.push_back(&defect);
  return defects;
}

/// Those that matter to the verdict.
std::size_t unconfirmed_count(const TestOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.unconfirmed, [](const UnconfirmedDefect& entry) { return !entry.defect.suppressed; }));
}

std::string checks_off(program::CheckSet checks) {
  std::vector<std::string_view> names;
  for (int i = 0; i < program::kCheckCount; ++i)
    if (const auto check = static_cast<program::Check>(i); !checks.has(check)) names.push_back(name(check));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Coverage and what was found, a line each, as Table 3.3 of Gao (2018) has it.
std::string table(const TestOutcome& outcome) {
  if (outcome.defects.empty()) return {};
  constexpr std::string_view kCoverage = "branch coverage";
  std::size_t width = kCoverage.size();
  for (const result::Defect& defect : outcome.defects) width = std::max(width, defect.kind.size());
  width += 2;
  const SearchReport& report = outcome.report;
  const std::uint64_t percent =
      report.edges_total == 0 ? 100 : std::uint64_t{100} * report.edges_covered / report.edges_total;
  std::string text =
      fmt::format("{:<{}}{} %\n{}", kCoverage, width, percent, result::kinds_text(counting(outcome), width));
  std::vector<std::string> hidden;
  for (const result::Defect* defect : suppressed(outcome))
    hidden.push_back(fmt::format(
        "{} at {} ({})", defect->kind, defect->place.to_string(),
        defect->suppressed->is_in_source ? "comment" : fmt::format("{}", defect->suppressed->by.to_string())));
  if (!hidden.empty()) text += fmt::format("{:<{}}{}\n", "suppressed", width, fmt::join(hidden, ", "));
  return text;
}

double other_seconds(const SearchReport& report) {
  return std::max(0.0, report.seconds_total - report.seconds_running - report.seconds_solving);
}

bool runs_given_up(const TestOutcome& outcome) { return outcome.link && outcome.link->statistics.runs_given_up > 0; }

/// Why there is no test but the first; empty if there are more.
std::string why_alone(const TestOutcome& outcome) {
  const SearchReport& report = outcome.report;
  if (report.tests > 1 || report.runs == 0) return {};
  if (report.inputs_read == 0 && runs_given_up(outcome))
    return "no test beyond the first: runs were lost with their targets";
  if (report.inputs_read == 0 && report.ends.contains(RunEnd::Corrupted))
    return "no test beyond the first: what runs had told was lost or damaged";
  if (report.inputs_read == 0)
    return "no test beyond the first: the program never asked for an input (see plumb_symbolic in plumb/plumb.h)";
  if (report.symbolic_nodes == 0) {
    const auto most = std::ranges::max_element(report.lost, {}, [](const auto& entry) { return entry.second; });
    if (most == report.lost.end()) return "no test beyond the first: no branch depends on an input";
    const std::string subject = subject_text(outcome.subject, most->first);
    return fmt::format(
        "no test beyond the first: the inputs were taken as concrete before any branch, most of them {}{}",
        is_at_call(most->first) ? "at the call of " : "at ", subject.empty() ? reason_text(most->first) : subject);
  }
  if (report.runs <= 1 && report.stop == SearchReport::Stop::Budget)
    return "no test beyond the first: the budget was over";
  if (report.sat == 0)
    return fmt::format("no test beyond the first: of {} no other way could be taken ({} refuted, {} unknown)",
                       counted(report.queries, "query", "queries"), report.unsat, report.unknown);
  return "no test beyond the first: every other run took no new branch";
}

std::string queries_text(const SearchReport& report) {
  return fmt::format("{} ({} sat, {} unsat, {} unknown)", counted(report.queries, "query", "queries"), report.sat,
                     report.unsat, report.unknown);
}

std::string coverage_text(const TestOutcome& outcome, bool all) {
  const std::vector<EdgeId> missing = uncovered(outcome);
  const std::size_t shown = all ? missing.size() : std::min(missing.size(), kBranchesShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("  not covered: {}\n", edge_text(outcome, missing[i]));
  if (shown < missing.size()) text += fmt::format("  and {} more (-v shows all)\n", missing.size() - shown);
  return text;
}

nlohmann::ordered_json stats_object(const TestOutcome& outcome) {
  const SearchReport& report = outcome.report;
  nlohmann::ordered_json ends = nlohmann::ordered_json::object();
  for (const auto& [end, count] : report.ends) ends[std::string(replay::name(end))] = count;
  nlohmann::ordered_json lost = nlohmann::ordered_json::array();
  for (const auto& [what, count] : report.lost) {
    nlohmann::ordered_json entry = {{"reason", reason_text(what)}};
    if (const std::string subject = subject_text(outcome.subject, what); !subject.empty())
      entry[is_at_call(what) ? "function" : "place"] = utf8(subject);
    entry["count"] = count;
    lost.push_back(std::move(entry));
  }
  nlohmann::ordered_json milestones = nlohmann::ordered_json::array();
  for (const Milestone& milestone : outcome.milestones)
    milestones.push_back(
        {{"test", milestone.test}, {"seconds", milestone.seconds}, {"new_branches", milestone.new_branches}});
  return {{"runs", report.runs},
          {"reruns", report.reruns},
          {"paths", report.paths},
          {"ends", std::move(ends)},
          {"regions",
           {{"planned", outcome.subject.regions.size()},
            {"encoded", report.region_visits},
            {"switched_to_paths", report.regions_switched}}},
          {"queries",
           {{"total", report.queries}, {"sat", report.sat}, {"unsat", report.unsat}, {"unknown", report.unknown}}},
          {"divergences", report.divergences},
          {"lost_precision", std::move(lost)},
          {"milestones", std::move(milestones)},
          {"seconds",
           {{"building", outcome.seconds_building},
            {"exploring", report.seconds_total},
            {"running", report.seconds_running},
            {"solving", report.seconds_solving},
            {"other", other_seconds(report)}}}};
}

/// Those of the search, and what the interpreter alone looks at in one run of each path.
std::vector<result::Gap> gaps_of(const TestOutcome& outcome) {
  std::vector<result::Gap> gaps = outcome.report.gaps;
  result::add_gaps(gaps, outcome.of_compiler);
  if (outcome.checks.has(program::Check::PointerArithmetic) && outcome.report.inputs_read > 0)
    gaps.push_back({.kind = result::GapKind::Skipped, .text = "pointer arithmetic in all but one run of each path"});
  return gaps;
}

/// Why there is no answer.
std::string why_stopped(const TestOutcome& outcome) {
  if (outcome.link && !outcome.link->lost.empty()) return outcome.link->lost;
  if (runs_given_up(outcome)) return "runs were lost with their targets";
  if (outcome.report.stop == SearchReport::Stop::Budget) return "the budget is over";
  return "nothing is left to try, but not every path could be followed";
}

/// What a search says that found no defect.
std::string looked_at(const TestOutcome& outcome, std::string_view beside, std::string_view covered) {
  const SearchReport& report = outcome.report;
  if (report.edges_covered == report.edges_total)
    return fmt::format("no defect found{}, all {} covered", beside, counted(report.edges_total, "branch", "branches"));
  if (report.inputs_read == 0)
    return fmt::format("no defect{} in the one run of a program without inputs, {}", beside, covered);
  return fmt::format("no defect{} on any path, {}", beside, covered);
}

}  // namespace

result::Judgement verdict_of(const TestOutcome& outcome) {
  const SearchReport& report = outcome.report;
  const std::string covered =
      fmt::format("{} of {} covered", report.edges_covered, counted(report.edges_total, "branch", "branches"));
  const std::size_t hidden = suppressed(outcome).size();
  const std::string beside = hidden == 0 ? "" : fmt::format(" beside {} suppressed", hidden);
  if (const std::size_t defects = counting(outcome).size(); defects > 0)
    return {Conclusion::Defect, fmt::format("{} found{}, {}", counted(defects, "defect", "defects"), beside, covered)};
  if (const std::size_t count = unconfirmed_count(outcome); count > 0)
    return {Conclusion::Unknown,
            fmt::format("{} not confirmed by a replay, {}", counted(count, "error was", "errors were"), covered)};
  const bool covers_all = report.edges_covered == report.edges_total;
  const bool is_finished = covers_all || report.stop == SearchReport::Stop::Complete;
  // What is left out for another reason than a gap has its words in why_stopped().
  const bool has_looked = covers_all || report.is_exhaustive || (is_finished && !report.gaps.empty());
  if (!has_looked)
    return {Conclusion::Unknown,
            fmt::format("{}, no defect found so far{}, {}", why_stopped(outcome), beside, covered)};
  const result::Absence absence =
      result::claim_absence(result::Verdict::Holds, looked_at(outcome, beside, covered), gaps_of(outcome), false);
  if (absence.verdict == result::Verdict::Holds) return {Conclusion::NoDefect, absence.reason};
  return {Conclusion::Unknown, fmt::format("no defect found so far{}, {}; {}", beside, covered, absence.reason)};
}

std::vector<std::string> assumptions_of(const TestOutcome& outcome) {
  const SearchReport& report = outcome.report;
  std::vector<std::string> list;
  if (const std::string off = checks_off(outcome.checks); !off.empty())
    list.push_back(fmt::format("not looked for (--checks): {}", off));
  if (report.divergences > 0)
    list.push_back(
        fmt::format("{} not go where the solver had sent them", counted(report.divergences, "run did", "runs did")));
  if (report.unknown > 0)
    list.push_back(fmt::format("{} without an answer", counted(report.unknown, "query", "queries")));
  const auto outside = std::ranges::count_if(
      outcome.subject.sites, [](const instrument::Site& site) { return site.is_counted && site.depends_on_outside; });
  if (outside > 0)
    list.push_back(fmt::format("{} decided by what is no input of a test (arguments, library calls, allocations)",
                               counted(static_cast<std::uint64_t>(outside), "condition may be", "conditions may be")));
  if (outcome.memory != nullptr && outcome.memory->unchecked() > 0)
    list.push_back(fmt::format("{} checked in the interpreter; {} not be followed: {}",
                               counted(outcome.memory->checked(), "run was", "runs were"),
                               counted(outcome.memory->unchecked(), "run could", "runs could"),
                               outcome.memory->why_unchecked()));
  if (outcome.memory != nullptr && report.region_visits > 0)
    list.emplace_back("of the ways through a region one was followed in the interpreter (--regions off: all)");
  if (outcome.link)
    for (std::string& sentence : assumptions_of(*outcome.link)) list.push_back(std::move(sentence));
  if (!report.problem.empty()) list.push_back(report.problem);
  return list;
}

std::vector<std::string> notes_of(const TestOutcome& outcome) {
  std::vector<std::string> list;
  for (const auto& [defect, reason] : outcome.unconfirmed)
    list.push_back(fmt::format("not confirmed: {} at {}: {} (input in {}){}", defect.kind, defect.place.to_string(),
                               reason, defect.file.string(), defect.suppressed ? ", suppressed" : ""));
  list.insert(list.end(), outcome.suppression_notes.begin(), outcome.suppression_notes.end());
  if (outcome.sandbox)
    if (std::string gaps = sandbox_gaps(*outcome.sandbox); !gaps.empty()) list.push_back(std::move(gaps));
  return list;
}

std::string to_text(const TestOutcome& outcome, bool all, result::SourceLines& sources) {
  const SearchReport& report = outcome.report;
  std::string text = fmt::format(
      "{} of {} covered by {}, in {}\n", report.edges_covered, counted(report.edges_total, "branch", "branches"),
      counted(outcome.kept_tests.value_or(report.tests), "test", "tests"), outcome.tests.string());
  if (outcome.kept_tests)
    text += fmt::format("of {}, {} {} kept: {}\n", counted(report.tests, "test", "tests"), *outcome.kept_tests,
                        *outcome.kept_tests == 1 ? "is" : "are",
                        outcome.is_minimal ? "no fewer have this coverage" : "fewer may have this coverage");
  if (outcome.sessions > 1)
    text += fmt::format("session {} of the campaign, which took {:.2f} s before\n", outcome.sessions,
                        report.seconds_earlier);
  text += table(outcome);
  text += coverage_text(outcome, all);
  text +=
      fmt::format("{}, {}, {} encoded, {}", counted(report.paths, "path", "paths"), counted(report.runs, "run", "runs"),
                  counted(report.region_visits, "region", "regions"), queries_text(report));
  text += fmt::format("\n{:.2f} s: {:.2f} building, {:.2f} running, {:.2f} solving, {:.2f} other\n",
                      outcome.seconds_building + report.seconds_total, outcome.seconds_building, report.seconds_running,
                      report.seconds_solving, other_seconds(report));
  if (outcome.link) text += to_text(*outcome.link);
  text += result::remarks_text(gaps_of(outcome), assumptions_of(outcome), notes_of(outcome));
  if (const std::string why = why_alone(outcome); !why.empty()) text += why + "\n";
  for (const result::Defect* defect : counting(outcome)) text += result::to_text(*defect, sources);
  return text + verdict_of(outcome).reason + "\n";
}

nlohmann::ordered_json to_json(const UnconfirmedDefect& unconfirmed) {
  nlohmann::ordered_json object = result::to_json(unconfirmed.defect);
  object.erase("confirmed_by");
  object["not_confirmed"] = utf8(unconfirmed.reason);
  return object;
}

result::Report to_report(std::string_view command, const std::vector<std::string>& inputs, const TestOutcome& outcome) {
  const SearchReport& report = outcome.report;
  result::Report published(command, inputs);
  const result::Judgement judgement = verdict_of(outcome);
  published.conclusion = judgement.conclusion;
  published.reason = judgement.reason;
  published["defects"] = nlohmann::ordered_json::array();
  for (const result::Defect* defect : counting(outcome)) published["defects"].push_back(result::to_json(*defect));
  published["suppressed"] = nlohmann::ordered_json::array();
  for (const result::Defect* defect : suppressed(outcome)) published["suppressed"].push_back(result::to_json(*defect));
  published["unconfirmed"] = nlohmann::ordered_json::array();
  for (const UnconfirmedDefect& unconfirmed : outcome.unconfirmed)
    published["unconfirmed"].push_back(to_json(unconfirmed));
  published["checks"] = nlohmann::ordered_json::array();
  for (int i = 0; i < program::kCheckCount; ++i)
    if (const auto check = static_cast<program::Check>(i); outcome.checks.has(check))
      published["checks"].push_back(name(check));
  published["tests"] = {{"count", outcome.kept_tests.value_or(report.tests)},
                        {"directory", utf8(outcome.tests.string())}};
  if (outcome.kept_tests) {
    published["tests"]["before_minimising"] = report.tests;
    published["tests"]["minimal"] = outcome.is_minimal;
  }
  published["campaign"] = {{"resumed", outcome.sessions > 1},
                           {"sessions", outcome.sessions},
                           {"had_finished", outcome.had_finished},
                           {"stop", concolic::name(report.stop)},
                           {"seconds", report.seconds_earlier + report.seconds_total}};
  if (const std::string why = why_alone(outcome); !why.empty()) published["tests"]["why_alone"] = utf8(why);
  nlohmann::ordered_json missing = nlohmann::ordered_json::array();
  for (const EdgeId edge : uncovered(outcome)) {
    nlohmann::ordered_json entry = edge_object(outcome.subject, edge);
    if (is_infeasible(outcome, edge)) entry["infeasible"] = true;
    missing.push_back(std::move(entry));
  }
  published["coverage"] = {{"branches",
                            {{"covered", report.edges_covered},
                             {"total", report.edges_total},
                             {"exhaustive", report.is_exhaustive},
                             {"uncovered", std::move(missing)}}}};
  published.gaps = gaps_of(outcome);
  published.assumptions = assumptions_of(outcome);
  published.notes = notes_of(outcome);
  if (outcome.link) published["link"] = to_json(*outcome.link);
  published["stats"] = stats_object(outcome);
  return published;
}

}  // namespace plumb::cli
