#pragma once

#include <memory>

#include "prove/problem.h"
#include "prove/unrolling.h"
#include "solve/solver.h"

namespace plumb::prove {

/// The inductive case of k-induction, for growing k on one solver.
class StepCase {
 public:
  StepCase(Problem& problem, std::uint64_t seed);

  /// Can a bad step follow `k` steps, one behind the other in any run, that are all different and not bad? Unsat if it
  /// cannot. k must not be less than in calls before.
  solve::Result check(std::size_t k, const Budget& budget);

 private:
  /// Asserts that steps differ which the model has equal; false if there are none.
  bool separate_equal_steps(std::size_t last);

  Problem& problem_;
  Unrolling unrolling_;
  std::unique_ptr<solve::Solver> solver_;
  std::size_t steps_ = 0;  ///< that are asserted to be not bad, with their constraints
};

}  // namespace plumb::prove
