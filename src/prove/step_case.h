#pragma once

#include <memory>

#include "prove/problem.h"
#include "prove/unrolling.h"
#include "solve/solver.h"

namespace plumb::prove {

/// The inductive case of k-induction, for growing k on one solver.
class StepCase {
 public:
  /// Of the system's first bad. `invariant`, if there is one, holds in every step of a run up to which there was no
  /// bad.
  StepCase(System& system, std::uint64_t seed, Term invariant = {});

  /// Can a bad step follow `k` steps, one behind the other in any run, that are all different and not bad? Unsat if it
  /// cannot. k must not be less than in calls before.
  solve::Result check(std::size_t k, const Budget& budget);

 private:
  /// Asserts that steps differ which the model has equal; false if there are none. Throws OutOfBudget.
  bool separate_equal_steps(std::size_t last, const Budget& budget);

  System& system_;
  Term bad_;
  Term invariant_;
  Unrolling unrolling_;
  std::unique_ptr<solve::Solver> solver_;
  std::size_t steps_ = 0;  ///< that are asserted to be not bad, with their constraints
};

}  // namespace plumb::prove
