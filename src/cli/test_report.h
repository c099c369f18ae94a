#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox.h"
#include "cli/serve/link_report.h"
#include "concolic/search/search.h"
#include "instrument/subject.h"
#include "program/check_set.h"
#include "replay/memory_check.h"
#include "result/defect/defect.h"
#include "result/defect/source_lines.h"
#include "result/report.h"

namespace plumb::cli {

/// An error that the search found and no replay showed.
struct UnconfirmedDefect {
  result::Defect defect;
  std::string reason;
};

/// How coverage rose.
struct Milestone {
  std::uint32_t test = 0;
  double seconds = 0;  ///< since the search began
  std::size_t new_branches = 0;
};

/// All that `plumb test` or `plumb serve` knows at its end.
struct TestOutcome {
  const instrument::Subject& subject;
  const concolic::SearchReport& report;
  program::CheckSet checks;
  std::vector<result::Gap> of_compiler{};        ///< compiler_gaps()
  std::vector<result::Defect> defects{};         ///< confirmed, one a kind and place, by place; suppressed ones too
  std::vector<UnconfirmedDefect> unconfirmed{};  ///< seen under instrumentation only
  std::vector<std::string> suppression_notes{};  ///< patterns without use
  const replay::MemoryCheck* memory = nullptr;   ///< where paths were followed in the interpreter
  std::optional<SandboxUse> sandbox{};           ///< where the program ran on this machine
  std::optional<LinkReport> link{};              ///< where it ran on targets
  std::vector<Milestone> milestones{};
  double seconds_building = 0;
  std::filesystem::path tests{};            ///< directory
  std::uint64_t sessions = 1;               ///< of the campaign, with this one
  bool had_finished = false;                ///< before this session
  std::optional<std::size_t> kept_tests{};  ///< after minimising
  bool is_minimal = false;
};

result::Judgement verdict_of(const TestOutcome& outcome);

/// What limits the answer: lost precision, runs that were cut off, answers that did not come.
std::vector<std::string> assumptions_of(const TestOutcome& outcome);
/// What went wrong beside it: errors that were not confirmed, patterns without use, a sandbox that is not complete.
std::vector<std::string> notes_of(const TestOutcome& outcome);

/// The summary, with a table of coverage and kinds of defects, and the report of each defect. `all`: every branch that
/// is not covered; else the first ten.
std::string to_text(const TestOutcome& outcome, bool all, result::SourceLines& sources);
result::Report to_report(std::string_view command, const std::vector<std::string>& inputs, const TestOutcome& outcome);
nlohmann::ordered_json to_json(const UnconfirmedDefect& unconfirmed);

}  // namespace plumb::cli
