#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/goal.h"
#include "program/program.h"
#include "result/gap.h"
#include "result/test_case.h"
#include "result/verdict.h"

namespace plumb::unroll {

using program::Goal;
using program::Program;
using result::Verdict;

/// How far an execution goes.
struct Bound {
  std::uint64_t unwind = 1;
  std::uint64_t contexts = 0;  ///< of each thread; 0: a second thread is a gap
  friend bool operator==(const Bound&, const Bound&) = default;
};

struct Options {
  /// How often a loop is entered again, and a function that is open already called again. Without a value: 1, 2, 4, …
  /// as long as the budget lasts.
  std::optional<std::uint64_t> unwind;
  /// Threads are executed, by turns: each as often as this, and each time as far as it may be. Without a value they are
  /// a gap; 0: 2, 3, 4, … times.
  std::optional<std::uint64_t> contexts;
  std::uint64_t heap_object_size = 1U << 20;  ///< in bytes, of one whose size is not known
  std::uint64_t seed = 1;
};

/// What is known about a goal.
struct GoalResult {
  /// Holds: no run goes further than the bound (the unwinding assertions hold) and none violates the goal. Vacuous: nor
  /// comes to where it is decided.
  Verdict verdict = Verdict::Unknown;
  std::uint64_t bound = 0;     ///< the unwinding that was looked at completely
  std::uint64_t contexts = 0;  ///< likewise, of each thread; 0 where threads are not executed
  std::string reason;          ///< of HoldsUpTo and Unknown: what is in the way
  /// What some run comes to and is not followed exactly: behind it the verdict says nothing.
  std::vector<result::Gap> gaps{};
  /// Of Violated: the inputs, in the order in which they are asked for, and that of threads.
  std::optional<result::TestCase> test{};
};

struct Outcome {
  std::vector<GoalResult> answers;  ///< by goal
  std::vector<std::string> assumptions;
  std::uint64_t queries = 0;
  std::uint64_t steps = 0;  ///< instructions that were executed symbolically
};

class Decider;
class World;
using DeciderMaker = std::function<std::unique_ptr<Decider>(World& world, const Budget& budget)>;

/// Bounded model checking of the program itself: executed on terms from its entry, loops unwound and calls entered as
/// they come, with all paths merged where they meet, so that a bound costs one formula. Each goal is asked for where it
/// stands; what is left at the bound is asked for as an unwinding assertion. Told of answers that are final as they
/// come; they are in the outcome too. A budget that ends leaves the other goals HoldsUpTo or Unknown; it does not
/// throw. Counterexamples are not replayed here. `make_decider` (decider.h): who decides what happens; by default one
/// formula of all paths.
Outcome unroll(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
               const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer = {},
               const DeciderMaker& make_decider = {});

}  // namespace plumb::unroll
