#include "cli/replay/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace plumb::cli {
namespace {

using nlohmann::ordered_json;
using result::Conclusion;
using result::CoverageSummary;
using result::Ratio;
using result::shown_name;
using result::UncoveredSide;

constexpr std::size_t kSidesShown = 10;
constexpr std::size_t kTestsShown = 10;
constexpr std::size_t kInputLength = 200;

std::size_t count_of(const ReplayOutcome& outcome, bool ReplayedTest::* property) {
  return static_cast<std::size_t>(std::ranges::count_if(outcome.tests, property));
}

std::string cell(const Ratio& ratio) {
  return ratio.total == 0 ? fmt::format("{:>20}", "-") : fmt::format("{:>12} {:>7}", counts(ratio), percent(ratio));
}

std::string row(std::string_view name, std::size_t width, const CoverageSummary& summary) {
  return fmt::format("{:<{}}{}{}{}\n", name, width, cell(summary.lines), cell(summary.branches),
                     cell(summary.conditions));
}

std::string coverage_text(const ReplayOutcome& outcome) {
  std::size_t width = std::string_view("total").size();
  for (const result::FileCoverage& file : outcome.coverage->files)
    width = std::max(width, shown_name(file.file, outcome.base).size());
  std::string text = fmt::format("{:<{}}{:>20}{:>20}{:>20}\n", "", width, "lines", "branches", "conditions");
  for (const result::FileCoverage& file : outcome.coverage->files)
    text += row(shown_name(file.file, outcome.base), width, file.summary);
  if (outcome.coverage->files.size() != 1) text += row("total", width, outcome.coverage->totals());
  return text;
}

std::string uncovered_text(const ReplayOutcome& outcome, bool all) {
  const std::size_t shown = all ? outcome.uncovered.size() : std::min(outcome.uncovered.size(), kSidesShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const UncoveredSide& side = outcome.uncovered[i];
    text += fmt::format("  not covered: {}:{}:{}{} in {}: {}{}\n", shown_name(side.file, outcome.base), side.place.line,
                        side.place.column, side.is_in_macro ? " (macro)" : "", side.function, side.side,
                        outcome.has_reasons ? ": " + describe(side) : "");
  }
  if (shown < outcome.uncovered.size())
    text += fmt::format("  and {} more (-v shows all)\n", outcome.uncovered.size() - shown);
  return text;
}

std::string tests_text(const ReplayOutcome& outcome, bool all) {
  const std::size_t different = count_of(outcome, &ReplayedTest::is_different);
  const std::size_t failed = count_of(outcome, &ReplayedTest::is_failure);
  std::string text = counted(outcome.tests.size(), "test");
  if (failed > 0) text += fmt::format(", {} failed", failed);
  text += different == 0 ? ", all as recorded\n" : fmt::format(", {} not as recorded\n", different);
  std::size_t shown = 0;
  for (const ReplayedTest& test : outcome.tests) {
    const bool has_order = test.is_ordered || !test.order_problem.empty();
    if (!test.is_different && !test.is_failure && !has_order) continue;
    if (shown++ == kTestsShown && !all) return text + "  and more (-v shows all)\n";
    text += test.is_different ? fmt::format("  {}\n", difference_text(test))
            : has_order       ? fmt::format("  {}\n", order_text(test))
                        : fmt::format("  test {} failed: {} ({})\n", test.stored.number, describe(test.run.ending),
                                      short_text(test.stored.test, 80));
  }
  return text;
}

std::string end_text(const ReplayedTest& test) {
  if (!test.order_problem.empty()) return "not run in order";
  return test.is_deadlock ? "deadlock" : describe(test.run.ending);
}

ordered_json ratio_object(const Ratio& ratio) { return {{"covered", ratio.covered}, {"total", ratio.total}}; }

ordered_json summary_object(const CoverageSummary& summary) {
  return {{"lines", ratio_object(summary.lines)},
          {"branches", ratio_object(summary.branches)},
          {"conditions", ratio_object(summary.conditions)},
          {"functions", ratio_object(summary.functions)},
          {"regions", ratio_object(summary.regions)}};
}

ordered_json side_object(const ReplayOutcome& outcome, const UncoveredSide& side) {
  ordered_json object = {{"file", utf8(shown_name(side.file, outcome.base))},
                         {"line", side.place.line},
                         {"column", side.place.column},
                         {"function", utf8(side.function)},
                         {"branch", utf8(side.side)}};
  if (side.is_in_macro) object["macro"] = true;
  ordered_json reasons = ordered_json::array();
  for (const result::UncoveredReason reason : side.reasons) reasons.push_back(name(reason));
  object["reasons"] = std::move(reasons);
  return object;
}

ordered_json coverage_object(const ReplayOutcome& outcome) {
  if (!outcome.coverage) return {{"missing", utf8(outcome.coverage_missing)}};
  ordered_json object = summary_object(outcome.coverage->totals());
  ordered_json uncovered = ordered_json::array();
  for (const UncoveredSide& side : outcome.uncovered) uncovered.push_back(side_object(outcome, side));
  object["branches"]["uncovered"] = std::move(uncovered);
  ordered_json files = ordered_json::array();
  for (const result::FileCoverage& file : outcome.coverage->files) {
    ordered_json entry = {{"file", utf8(shown_name(file.file, outcome.base))}};
    entry.update(summary_object(file.summary));
    files.push_back(std::move(entry));
  }
  object["files"] = std::move(files);
  return object;
}

ordered_json test_object(const ReplayedTest& test) {
  ordered_json object = {{"number", test.stored.number}, {"end", end_text(test)}};
  if (test.is_ordered) object["ordered"] = true;
  if (!test.order_problem.empty()) object["problem"] = utf8(test.order_problem);
  if (!test.stored.end.empty()) object["recorded"] = recorded_end(test.stored);
  if (test.is_failure) object["failure"] = true;
  if (test.is_different) object["different"] = true;
  return object;
}

}  // namespace

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string order_text(const ReplayedTest& test) {
  const std::uint32_t number = test.stored.number;
  if (!test.order_problem.empty()) return fmt::format("test {} is not confirmed: {}", number, test.order_problem);
  if (test.is_failure) return fmt::format("test {} fails in the order of its schedule: {}", number, end_text(test));
  return fmt::format("test {} ended with {} in the order of its schedule", number, end_text(test));
}

std::string difference_text(const ReplayedTest& test) {
  return fmt::format("test {} ended with {}, the campaign saw {}", test.stored.number, describe(test.run.ending),
                     recorded_end(test.stored));
}

result::Judgement verdict_of(const ReplayOutcome& outcome) {
  const std::size_t failed = count_of(outcome, &ReplayedTest::is_failure);
  if (failed > 0)
    return {Conclusion::Defect, fmt::format("{} of {} failed", failed, counted(outcome.tests.size(), "test"))};
  if (outcome.not_run > 0)
    return {Conclusion::Unknown,
            fmt::format("{} could not be run before the budget was over", counted(outcome.not_run, "test"))};
  if (const std::size_t cut = count_of(outcome, &ReplayedTest::is_unfinished); cut > 0)
    return {Conclusion::Unknown, fmt::format("{} did not come to an end", counted(cut, "test"))};
  if (const std::size_t different = count_of(outcome, &ReplayedTest::is_different); different > 0)
    return {Conclusion::Unknown, fmt::format("{} did not end as recorded", counted(different, "test"))};
  if (!outcome.coverage_missing.empty()) return {Conclusion::Unknown, "all tests ran, and coverage is missing"};
  return {Conclusion::NoDefect, "all tests ran as recorded"};
}

std::string to_text(const ReplayOutcome& outcome, bool all) {
  std::string text = tests_text(outcome, all);
  if (outcome.coverage) text += coverage_text(outcome) + uncovered_text(outcome, all);
  text += fmt::format("{:.2f} s building, {:.2f} s running\n", outcome.seconds_building, outcome.seconds_running);
  text += result::remarks_text({}, outcome.assumptions, {});
  if (!outcome.coverage_missing.empty()) text += fmt::format("no coverage: {}\n", outcome.coverage_missing);
  if (!outcome.reports.empty()) text += fmt::format("reports in {}\n", outcome.reports.string());
  return text + verdict_of(outcome).reason + "\n";
}

result::Report to_report(const std::vector<std::string>& inputs, const ReplayOutcome& outcome) {
  result::Report report("replay", inputs);
  const result::Judgement judgement = verdict_of(outcome);
  report.conclusion = judgement.conclusion;
  report.reason = judgement.reason;
  ordered_json tests = ordered_json::array();
  for (const ReplayedTest& test : outcome.tests) tests.push_back(test_object(test));
  report["tests"] = {{"count", outcome.tests.size()},
                     {"not_run", outcome.not_run},
                     {"failed", count_of(outcome, &ReplayedTest::is_failure)},
                     {"different", count_of(outcome, &ReplayedTest::is_different)},
                     {"list", std::move(tests)}};
  if (outcome.coverage || !outcome.coverage_missing.empty()) report["coverage"] = coverage_object(outcome);
  report.assumptions = outcome.assumptions;
  report["stats"] = {{"seconds_building", outcome.seconds_building}, {"seconds_running", outcome.seconds_running}};
  return report;
}

result::CoveragePage page_of(const ReplayOutcome& outcome, std::string sources) {
  result::CoveragePage page;
  page.program = fmt::format("{}", fmt::join(outcome.files, " "));
  page.base = outcome.base;
  page.coverage = *outcome.coverage;
  page.uncovered = outcome.uncovered;
  page.notes = outcome.assumptions;
  page.sources = std::move(sources);
  for (const ReplayedTest& test : outcome.tests)
    page.tests.push_back({test.stored.number, short_text(test.stored.test, kInputLength), describe(test.run.ending),
                          recorded_end(test.stored), test.is_failure, test.is_different});
  return page;
}

}  // namespace plumb::cli
