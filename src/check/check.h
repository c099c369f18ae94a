#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "check/loop_invariant.h"
#include "explore/explore.h"
#include "flatten/flatten.h"
#include "frontend/load.h"
#include "paths/paths.h"
#include "program/goal.h"
#include "prove/prove.h"
#include "replay/counterexample.h"
#include "result/finding.h"

namespace plumb::check {

using program::Goal;
using program::Program;
using replay::Counterexample;
using result::Verdict;

struct Settings {
  frontend::LoadOptions load;        ///< what `program` was made of: confirmation builds it
  std::vector<std::string> engines;  ///< names of engines() (engine.h); empty or "auto": all that run by default
  flatten::Options flatten;
  prove::Options prove;
  std::optional<std::uint64_t> unwind;
  std::optional<std::uint64_t> contexts;  ///< of each thread
  explore::Options exploration;
  paths::Options paths;
  bool is_every_goal = false;     ///< --all: each goal on its own; else the first violation ends the search
  bool accepts_gaps = false;      ///< --accept-gaps: verdicts stand, except behind them
  std::vector<result::Gap> gaps;  ///< of what the program was made of, that hide violations of the goals
  bool wants_invariants = false;  ///< GoalResult::invariants
  std::uint64_t seed = 1;
  std::filesystem::path directory;  ///< exists; for files of its own
};

/// A goal and what became of it. Violated only with a counterexample that was confirmed. Holds is a proof for all run
/// lengths; a bound of any kind (unwinding, heap, stack) makes it HoldsUpTo with the bound in `reason`. The engine is
/// the one that decided.
struct GoalResult : result::Finding {
  Goal goal;
  std::optional<Counterexample> counterexample{};
  std::vector<LoopInvariant> invariants{};  ///< of a proof, where it can be said in the words of the source
  std::vector<result::Finding> engines{};   ///< what each engine said
};

struct Outcome {
  std::vector<GoalResult> answers;  ///< by goal
  std::vector<result::Gap> gaps;    ///< of the answers that say nothing is violated, or nothing
  /// Runs end at faults that nobody asked about, so of the goals that hold they hide what is behind: those that were
  /// not proved absent (Division, Access, …), by place.
  std::vector<Goal> premises;
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  std::optional<explore::Statistics> explored;  ///< by the engine explore
  std::optional<paths::Statistics> searched;    ///< by the engine paths
};

/// Runs the engines side by side in threads. Throws UserError for one that does not exist. An engine that fails, runs
/// out of memory or disagrees costs its own answer; answers that contradict each other (one has a confirmed
/// counterexample, one a proof) are an InternalError that names both. When one has answered, another that is nearly
/// there is waited for a little, so that agreeing answers are noted. Never throws OutOfBudget: what is not answered is
/// Unknown with the reason.
Outcome check(const Program& program, const std::vector<Goal>& goals, const Settings& settings, const Budget& budget,
              const std::function<void(const GoalResult& answer)>& on_answer = {});

}  // namespace plumb::check
