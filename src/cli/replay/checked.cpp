#include "cli/replay/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/sandbox.h"
#include "cli/live_progress.h"
#include "program/check_set.h"
#include "replay/checked_replayer.h"
#include "result/defect/defect_json.h"
#include "result/defect/defect_set.h"
#include "result/defect/defect_text.h"

namespace plumb::cli {

using result::Conclusion;

namespace {

std::vector<const result::Defect*> counting(const CheckedOutcome& outcome) {
  std::vector<const result::Defect*> defects;
  for (const result::Defect& defect : outcome.defects)
    if (!defect.suppressed) defects.push_back(&defect);
  return defects;
}

std::size_t failures(const CheckedOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(outcome.tests, &CheckedOutcome::Test::is_failure));
}

std::size_t unchecked(const CheckedOutcome& outcome) {
  return outcome.not_run + static_cast<std::size_t>(std::ranges::count_if(
                               outcome.tests, [](const auto& test) { return !test.problem.empty(); }));
}

}  // namespace

CheckedOutcome run_checked(const frontend::LoadOptions& load, std::span<const result::StoredTest> tests,
                           const replay::RunLimits& limits, const std::filesystem::path& directory, DefectFiles& files,
                           const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  LiveProgress progress(fmt::format("running {} with checks", counted(tests.size(), "test")), context.common.quiet);
  replay::Builds builds(load, directory);
  replay::CheckedReplayer replayer(builds, limits);
  CheckedOutcome outcome;
  outcome.files = load.files;
  result::DefectSet found;
  for (const result::StoredTest& test : tests) {
    context.winding_up.check();
    try {
      replay::Replay replay = replayer.run({test.test}, context.budget);
      outcome.tests.push_back(
          {test.number, replay.end, replay.problem, replay.defects.size(), is_failure(replay.ending)});
      for (result::Defect& defect : replay.defects) {
        defect.test = test.test;
        defect.file = fmt::format("test {}", test.number);
        found.add(std::move(defect));
      }
    } catch (const OutOfBudget&) {
      break;
    }
    progress.set_status(fmt::format("{} of {}", outcome.tests.size(), tests.size()));
  }
  context.winding_up.check();
  outcome.not_run = tests.size() - outcome.tests.size();
  outcome.defects = found.take();
  for (result::Defect& defect : outcome.defects) files.suppress(defect);
  outcome.notes = files.notes();
  if (load.checks.has(program::Check::Uninitialised))
    outcome.assumptions.emplace_back("uninitialised values are looked for by plumb run and plumb test alone");
  if (load.checks.has(program::Check::PointerArithmetic))
    outcome.assumptions.emplace_back("pointer arithmetic is looked at by plumb run and plumb test alone");
  if (std::string gaps = sandbox_gaps(limits.sandbox); !gaps.empty()) outcome.assumptions.push_back(std::move(gaps));
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

result::Judgement verdict_of(const CheckedOutcome& outcome) {
  const std::size_t defects = counting(outcome).size();
  const std::size_t suppressed = outcome.defects.size() - defects;
  const std::string beside = suppressed == 0 ? "" : fmt::format(" beside {} suppressed", suppressed);
  const std::string tests = counted(outcome.tests.size(), "test");
  if (defects > 0) return {Conclusion::Defect, fmt::format("{} in {}{}", counted(defects, "defect"), tests, beside)};
  if (const std::size_t failed = failures(outcome); failed > 0)
    return {Conclusion::Defect, fmt::format("{} of {} failed{}", failed, tests, beside)};
  if (const std::size_t count = unchecked(outcome); count > 0)
    return {Conclusion::Unknown,
            fmt::format("no defect so far{}: {} not run to the end", beside, counted(count, "test"))};
  return {Conclusion::NoDefect, fmt::format("no defect{} in {}", beside, tests)};
}

std::string to_text(const CheckedOutcome& outcome, result::SourceLines& sources) {
  std::string text =
      fmt::format("{} run with checks, {:.2f} s\n", counted(outcome.tests.size(), "test"), outcome.seconds);
  const std::vector<const result::Defect*> defects = counting(outcome);
  std::size_t width = 0;
  for (const result::Defect* defect : defects) width = std::max(width, defect->kind.size() + 2);
  text += result::kinds_text(defects, width);
  for (const CheckedOutcome::Test& test : outcome.tests) {
    if (test.is_failure || (outcome.tests.size() == 1 && test.problem.empty()))
      text += fmt::format("  test {} ended with {}\n", test.number, test.end);
    if (!test.problem.empty()) text += fmt::format("  test {}: {}\n", test.number, test.problem);
  }
  if (outcome.not_run > 0) text += fmt::format("  {} not run: the budget was over\n", counted(outcome.not_run, "test"));
  text += result::remarks_text({}, outcome.assumptions, outcome.notes);
  for (const result::Defect* defect : defects) text += result::to_text(*defect, sources);
  return text + verdict_of(outcome).reason + "\n";
}

result::Report to_report(std::string_view command, const std::vector<std::string>& inputs,
                         const CheckedOutcome& outcome) {
  result::Report report(command, inputs);
  const result::Judgement judgement = verdict_of(outcome);
  report.conclusion = judgement.conclusion;
  report.reason = judgement.reason;
  report["defects"] = nlohmann::ordered_json::array();
  report["suppressed"] = nlohmann::ordered_json::array();
  for (const result::Defect& defect : outcome.defects)
    report[defect.suppressed ? "suppressed" : "defects"].push_back(result::to_json(defect));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CheckedOutcome::Test& test : outcome.tests) {
    nlohmann::ordered_json entry = {{"number", test.number}, {"end", test.end}, {"defects", test.defects}};
    if (test.is_failure) entry["failure"] = true;
    if (!test.problem.empty()) entry["problem"] = utf8(test.problem);
    list.push_back(std::move(entry));
  }
  report["tests"] = {{"count", outcome.tests.size()},
                     {"not_run", outcome.not_run},
                     {"failed", failures(outcome)},
                     {"list", std::move(list)}};
  report.assumptions = outcome.assumptions;
  report.notes = outcome.notes;
  report["stats"] = {{"seconds", outcome.seconds}};
  return report;
}

}  // namespace plumb::cli
