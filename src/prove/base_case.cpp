// Bounded model checking (Biere, Cimatti, Clarke and Zhu, "Symbolic Model Checking without BDDs", 1999), a step at a
// time on one incremental solver: the bad of the newest step is an assumption, and its complement a fact once it is
// refuted. Systems made from programs come to rest; then a bounded answer is complete. Let R(j) be the states of step
// j of runs that keep the constraints up to there. If no run changes a state from step k - 1 to step k then R(k) is
// part of R(k - 1), and as the image of a part is part of the image, so is everything behind: the bad is reached in
// the steps up to k - 1 or never. States without next are inputs in this, and free, in all steps but the first; where
// there are such states k must be 2 at least.

#include "prove/base_case.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace plumb::prove {

BaseCase::BaseCase(System& system, std::uint64_t seed) : system_(system), runs_(system) {
  solve::SolverOptions options;
  options.seed = seed;
  solver_ = solve::make_solver(system.store(), "native", options);
  const auto has_next = [](const system::State& state) { return static_cast<bool>(state.next); };
  if (!std::ranges::all_of(system.states(), has_next)) first_change_ = 2;
}

solve::Result BaseCase::next(const Budget& budget) {
  try {
    budget.check();
    if (runs_.step() < covered_) runs_.extend(budget);
  } catch (const OutOfBudget& end) {
    return solve::Result::unknown(std::string(to_string(end.stop)));
  }
  if (constrained_ <= covered_) {
    solver_->assert_true(runs_.constraints());
    ++constrained_;
  }
  const std::array<Term, 1> bad{runs_.bad()};
  solve::Result result = solve::Result::unsat();
  if (!system_.store().is_false(bad[0])) {
    result = solver_->check(bad, budget);
    if (result.answer == solve::Answer::Unsat) solver_->assert_true(system_.store().bit_not(bad[0]));
  }
  if (result.answer == solve::Answer::Sat) trace_ = runs_.trace(solver_->model());
  if (result.answer == solve::Answer::Unsat) ++covered_;
  return result;
}

solve::Result BaseCase::change(const Budget& budget) {
  INVARIANT(can_ask_change(), "a step that is asked for changes should be covered");
  try {
    const std::array<Term, 1> changed{runs_.changed(budget)};
    return solver_->check(changed, budget);
  } catch (const OutOfBudget& end) {
    return solve::Result::unknown(std::string(to_string(end.stop)));
  }
}

bool BaseCase::is_surely_at_rest(const Budget& budget) {
  INVARIANT(can_ask_change(), "a step that is asked for changes should be covered");
  try {
    return system_.store().is_false(runs_.changed(budget));
  } catch (const OutOfBudget&) {
    return false;
  }
}

Result bounded_result(std::size_t covered, std::string reason) {
  Result result;
  result.reason = std::move(reason);
  if (covered > 0) {
    result.verdict = Verdict::HoldsUpTo;
    result.bound = covered - 1;
  }
  return result;
}

Result violated_result(const BaseCase& base) {
  Result result;
  result.verdict = Verdict::Violated;
  result.trace = base.trace();
  return result;
}

}  // namespace plumb::prove
