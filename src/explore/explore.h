#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "explore/machine.h"
#include "program/goal.h"
#include "program/program.h"
#include "result/gap.h"
#include "result/test_case.h"
#include "result/verdict.h"

namespace plumb::explore {

using program::Goal;
using result::Verdict;

/// When a state counts as known (Havel, "Generic Platform for Explicit-Symbolic Verification", 2014, chapter 5).
enum class Algorithm : std::uint8_t {
  Reachability,  ///< algorithm 2: if a known one has all of its valuations, by quantified questions if need be
  Execution,     ///< algorithm 3, symbolic execution: never, if it has values that are no numbers
  Limited,       ///< algorithm 4: if that is seen without quantifiers
};

enum class Order : std::uint8_t {
  Breadth,  ///< counterexamples are as short as they can be
  Depth,
};

struct Statistics {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;  ///< transitions
  std::uint64_t frontier = 0;
  std::uint64_t depth = 0;
  std::uint64_t bytes = 0;  ///< of all stored states
  std::uint64_t queries = 0;
  double seconds = 0;
};

struct Options {
  Reduction reduction = Reduction::Dpor;
  Algorithm algorithm = Algorithm::Limited;
  Order order = Order::Breadth;
  std::optional<std::uint64_t> max_states;
  bool has_spurious_wakeups = true;
  /// Steps, with some for each question to the solver, after which states are merged that differ in values on which
  /// nothing depends; of Dpor.
  std::uint64_t merges_after = 100000;
  unsigned jobs = 1;  ///< searches side by side (swarm.h); which answer comes first is not known if there are several
  std::uint32_t first_thread = 0;  ///< the threads that can go on are taken in their order, from so many further on
  std::uint64_t seed = 1;
  std::function<void(const Statistics& so_far)> on_progress{};  ///< called now and then
};

/// What is known about a goal.
struct GoalResult {
  /// Holds: all schedules and inputs were looked at. Vacuous: and no run comes to where the goal is decided.
  Verdict verdict = Verdict::Unknown;
  std::string reason{};
  std::vector<result::Gap> gaps{};
  std::optional<result::TestCase> test{};  ///< of Violated, with the order of threads
};

struct Outcome {
  std::vector<GoalResult> answers;  ///< by goal
  std::vector<std::string> assumptions;
  Statistics statistics;
};

/// Looks at all states that a program can be in, whatever its inputs and the order of its threads, under sequential
/// consistency. Told of answers that are final as they come; they are in the outcome too. A budget that ends leaves the
/// other goals Unknown; it does not throw. Counterexamples are not replayed here.
Outcome explore(const program::Program& program, std::span<const Goal> goals, const Options& options,
                const Budget& budget,
                const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer = {});

}  // namespace plumb::explore
