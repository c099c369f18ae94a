#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox.h"
#include "concolic/confirm/confirm.h"
#include "concolic/confirm/memory_check.h"
#include "concolic/search/explore.h"
#include "concolic/subject.h"

namespace plumb::cli {

/// An error that the search found, and what its replay said.
struct Finding {
  concolic::FoundError error;
  concolic::Confirmation confirmation;
  std::filesystem::path file;
};

/// What the interpreter saw on a run that did not fail natively.
struct MemoryFinding {
  concolic::MemoryDefect defect;
  std::filesystem::path file;
};

/// How coverage rose.
struct Milestone {
  std::uint32_t test = 0;
  double seconds = 0;  ///< since the search began
  std::size_t new_branches = 0;
};

/// All that `plumb test` knows at its end.
struct TestOutcome {
  const concolic::Subject& subject;
  const concolic::ExploreReport& report;
  const concolic::Confirmer& confirmer;
  std::vector<Finding> defects{};                 ///< confirmed, one a kind and place
  std::vector<Finding> unconfirmed{};             ///< seen under instrumentation only
  const concolic::MemoryCheck* memory = nullptr;  ///< with --check-memory
  std::vector<MemoryFinding> memory_defects{};
  SandboxUse sandbox = SandboxUse::Auto;
  std::vector<Milestone> milestones{};
  double seconds_building = 0;
  std::filesystem::path tests{};            ///< directory
  std::uint64_t sessions = 1;               ///< of the campaign, with this one
  bool had_finished = false;                ///< before this session
  std::optional<std::size_t> kept_tests{};  ///< after minimising
  bool is_minimal = false;
};

struct TestVerdict {
  std::string_view word;  ///< "defect", "no-defect", "unknown"
  int code = 0;
  std::string reason;  ///< one sentence, always
};
TestVerdict verdict_of(const TestOutcome& outcome);

/// What limits the answer: lost precision, runs that were cut off, answers that did not come.
std::vector<std::string> assumptions_of(const TestOutcome& outcome);

/// The summary. `all`: every branch that is not covered; else the first ten.
std::string to_text(const TestOutcome& outcome, bool all);
/// Verdict, defects, tests, coverage, assumptions and stats, put into `object`.
void put_outcome(nlohmann::ordered_json& object, const TestOutcome& outcome);
nlohmann::ordered_json to_json(const TestOutcome& outcome, const Finding& finding);
nlohmann::ordered_json to_json(const TestOutcome& outcome, const MemoryFinding& finding);

}  // namespace plumb::cli
