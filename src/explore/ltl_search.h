#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "explore/explore.h"
#include "ltl/buchi.h"
#include "result/gap.h"

namespace plumb::explore {

/// What a formula speaks of: a condition of the source, or that some thread stands at a place.
struct Proposition {
  FunctionId condition = program::kNone;  ///< without parameters; reads and does nothing else
  std::vector<CodePoint> places;          ///< else: any of these fences
};

struct LtlTask {
  /// What no run may fulfil: the negation of what is asked. Literal 2i is the i-th proposition, 2i + 1 that it does not
  /// hold. Without Next: steps are not counted.
  ltl::Id negation = ltl::Formulas::kFalse;
  std::vector<Proposition> propositions;
  /// Only runs count in which each thread that can always go on from some point on does so for ever again.
  bool is_fair = false;
};

/// A run that goes on for ever: its steps up to some point, and those that it repeats from there on. None of them: it
/// has ended, or nothing can go on, and its last state stays.
struct Lasso {
  result::TestCase test;  ///< with a schedule, if there are steps at all
  std::size_t cycle = 0;  ///< the step of the schedule that the cycle begins with
};

struct LtlOutcome {
  Verdict verdict = Verdict::Unknown;
  std::string reason{};  ///< of Unknown
  std::vector<result::Gap> gaps{};
  std::optional<Lasso> lasso{};  ///< of Violated
  std::vector<std::string> assumptions{};
  Statistics statistics{};
};

/// Whether some run, in whatever order its threads go on and whatever its inputs are, fulfils the negation. Steps are
/// as for explore(). A run that ends, by itself or by a fault, stays in its last state for ever; so does one in which
/// no thread can go on. An atomic section is one step. Two states are the same if their sets of valuations are, so a
/// cycle can be gone round for ever by each valuation that it has. A budget that ends leaves Unknown; it does not
/// throw.
LtlOutcome explore_ltl(const program::Program& program, ltl::Formulas& formulas, const LtlTask& task,
                       const Options& options, const Budget& budget);

/// What the conditions read, and the places: steps end there.
Watch watch_of(const World& world, std::span<const Proposition> propositions);

}  // namespace plumb::explore
