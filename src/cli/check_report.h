#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/ltl_check.h"
#include "check/task.h"
#include "frontend/memory_model.h"
#include "result/report.h"

namespace plumb::cli {

/// A goal of a program and what became of it, in words.
struct CheckedGoal {
  check::GoalResult answer;
  std::string text;  ///< "assertion 'x < 10'"
  SourceLocation place;
  std::string function;
  std::vector<result::WrittenFile> files{};  ///< what was written
};

/// What became of a formula.
struct CheckedFormula {
  std::vector<std::string> atoms;
  std::optional<check::LtlCounterexample> counterexample{};
};

/// A property that was asked for: all goals of its kind.
struct CheckedProperty {
  check::Specification specification;
  std::optional<bool> expected{};  ///< of a task
  std::string subproperty{};       ///< that the task says is violated
  std::vector<CheckedGoal> goals{};
  std::vector<CheckedGoal> premises{};  ///< what proofs take for granted: faults that nobody asked about
  /// The verdict and its reason, of a property without goals.
  result::Verdict without_goals = result::Verdict::Unknown;
  std::string reason{};
  std::optional<CheckedFormula> formula{};  ///< of an Ltl, which has no goals
  std::vector<result::WrittenFile> files{};
  double seconds = 0;
};

/// All that `plumb check` found out about a program; text and object are made of this alone.
struct CheckReport {
  std::vector<std::string> inputs;
  std::vector<CheckedProperty> properties;
  std::vector<result::Gap> gaps;
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  std::optional<explore::Statistics> explored;  ///< the last property's
  std::optional<paths::Statistics> searched;    ///< likewise, by the engine paths
  bool is_every_goal = false;
  bool is_replay = false;
  frontend::MemoryModel memory_model = frontend::MemoryModel::Sequential;
  double seconds = 0;
};

/// A property is vacuous if all of its goals are.
result::Verdict verdict(const CheckedProperty& property);
result::Verdict verdict(const CheckReport& report);
/// Whether the verdict is what the task expects; nothing if it expects nothing or there is no verdict.
std::optional<bool> agrees(const CheckedProperty& property);
/// "assertions", "termination within 1000 iterations".
std::string title(const check::Specification& specification);

struct CheckTextOptions {
  bool full_trace = false;
  bool is_verbose = false;  ///< every engine
};
std::string to_text(const CheckReport& report, const CheckTextOptions& options);
result::Report to_report(const CheckReport& report, bool full_trace);

/// Steps of a trace that are shown without --full-trace, the last ones.
inline constexpr std::size_t kShownSteps = 15;

}  // namespace plumb::cli
