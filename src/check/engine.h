#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "result/engine_list.h"
#include "result/test_case.h"

namespace plumb::check {

/// What an engine says about a goal.
struct Claim {
  std::size_t goal = 0;  ///< position in EngineTask::goals
  /// Holds: in runs of every length, without any bound. Vacuous: nor comes any run to where the goal is decided.
  /// HoldsUpTo: the bound is in `reason`. Violated: by `test`, which is a candidate until the race has confirmed it.
  Verdict verdict = Verdict::Unknown;
  std::string detail{};  ///< how: "abc pdr", "unwinding 12"
  std::string reason{};  ///< of HoldsUpTo and Unknown
  std::optional<result::TestCase> test{};
  std::vector<result::Gap> gaps{};  ///< that a run may come to: the judge weakens the verdict by them
  std::vector<LoopInvariant> invariants{};
};

/// What an engine works on. All of it may be used from any thread; the race keeps it alive until the engine returns.
struct EngineTask {
  const Program& program;
  const std::vector<Goal>& goals;
  const Settings& settings;
  std::filesystem::path directory;  ///< exists; the engine's own
  bool is_alone = false;            ///< nobody else works on the goals
  Budget budget;                    ///< cancelled when nothing is open any more
  /// A later claim about the same goal takes the place of an earlier one; A proof and Violated are final.
  std::function<void(Claim claim)> tell;
  /// Nobody has decided the goal yet: what is not open need not be looked at any more.
  std::function<bool(std::size_t goal)> is_open;
};

/// What an engine says beside its claims.
struct EngineRemarks {
  std::vector<std::string> assumptions{};  ///< a sentence each
  std::vector<std::string> notes{};
  std::string reason{};  ///< why goals that nothing was claimed about are unknown
  std::optional<explore::Statistics> explored{};
  std::optional<paths::Statistics> searched{};
};

/// An engine runs in a thread of its own until it has said all that it can. It may throw: OutOfBudget, UserError,
/// std::bad_alloc and whatever else cost its own answers.
using EngineFunction = EngineRemarks (*)(const EngineTask& task);

struct Engine {
  result::EngineInfo info;
  EngineFunction run = nullptr;
  // Of use beside others alone, as for parallel::Race.
  double memory_part = 1;
  int priority = 0;
  bool follows_threads = false;  ///< in all orders: others are not asked about deadlocks and data races
};

// A line an engine, in the order in which they are listed. Engine NAME_engine stands beside its code.
#define PLUMB_CHECK_ENGINES(X) \
  X(circuit)                   \
  X(bmc)                       \
  X(tester)                    \
  X(explore)                   \
  X(contexts)                  \
  X(paths)

#define PLUMB_DECLARE_ENGINE(name) extern const Engine name##_engine;
PLUMB_CHECK_ENGINES(PLUMB_DECLARE_ENGINE)
#undef PLUMB_DECLARE_ENGINE

const result::EngineList<Engine>& engines();

}  // namespace plumb::check
