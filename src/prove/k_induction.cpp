// Temporal induction (Sheeran, Singh and Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver",
// 2000; incremental as in Eén and Sörensson, "Temporal Induction by Incremental SAT Solving", 2003). The base case is
// BaseCase. The inductive case looks for k steps that are not bad and a bad one behind them, anywhere in a run. That
// the states of these steps differ pairwise loses no shortest counterexample and makes the method complete; the
// constraints are quadratic in number, so only those are asserted that a model breaks. Two steps count as equal if the
// run that goes on behind the second could go on behind the first, so states that are as good as inputs are left out
// (Unrolling::differ).

#include <array>

#include "base/error.h"
#include "prove/base_case.h"
#include "prove/engine.h"
#include "prove/step_case.h"
#include "term/evaluator.h"

namespace plumb::prove {
namespace {

Result induce(Problem& problem, BaseCase& base, const Budget& budget, const InductionOptions& options) {
  StepCase step(problem.system(), options.seed);
  for (std::size_t k = 1; k <= options.max_k; ++k) {
    const solve::Result start = base.next(budget);
    if (start.answer == solve::Answer::Unknown) return bounded_result(base.covered(), start.reason);
    if (start.answer == solve::Answer::Sat) return violated_result(base);
    const solve::Result next = step.check(k, budget);
    if (next.answer == solve::Answer::Unknown) return bounded_result(base.covered(), next.reason);
    if (next.answer == solve::Answer::Sat) continue;
    Result result;
    result.verdict = Verdict::Holds;
    result.bound = k;
    result.is_rechecked = true;
    result.certificate = Certificate{Certificate::Kind::Induction, {}, 0, k};
    return result;
  }
  return bounded_result(base.covered(), "bound reached");
}

}  // namespace

StepCase::StepCase(System& system, std::uint64_t seed, Term invariant)
    : system_(system),
      bad_(system.bads()[0].term),
      invariant_(invariant),
      unrolling_(system, Unrolling::Start::Arbitrary) {
  solve::SolverOptions options;
  options.seed = seed;
  solver_ = solve::make_solver(system.store(), "native", options);
}

solve::Result StepCase::check(std::size_t k, const Budget& budget) {
  INVARIANT(k >= steps_ && k > 0, "k should grow");
  for (; steps_ < k; ++steps_) {
    if (steps_ == 0) solver_->assert_true(unrolling_.constraints(0));
    solver_->assert_true(system_.store().bit_not(unrolling_.at(bad_, steps_)));
    if (invariant_) solver_->assert_true(unrolling_.at(invariant_, steps_));
    solver_->assert_true(unrolling_.constraints(steps_ + 1));
  }
  const std::array<Term, 1> bad{unrolling_.at(bad_, k)};
  try {
    while (true) {
      budget.check();
      const solve::Result result = solver_->check(bad, budget);
      if (result.answer != solve::Answer::Sat || !separate_equal_steps(k, budget)) return result;
    }
  } catch (const OutOfBudget& end) {
    return solve::Result::unknown(std::string(to_string(end.stop)));
  }
}

bool StepCase::separate_equal_steps(std::size_t last, const Budget& budget) {
  std::vector<Term> broken;
  {
    term::Evaluator evaluator(system_.store(), solver_->model());
    for (std::size_t a = 0; a < last; ++a)
      for (std::size_t b = a + 1; b <= last; ++b)
        if (const Term differ = unrolling_.differ(a, b, budget); !evaluator.is_true(differ)) broken.push_back(differ);
  }
  for (const Term differ : broken) solver_->assert_true(differ);
  return !broken.empty();
}

namespace {

Result run_k_induction(Problem& problem, const Budget& budget, const InductionOptions& options) {
  return run_engine("k-induction", problem, [&] {
    BaseCase base(problem.system(), options.seed);
    Result result = induce(problem, base, budget, options);
    result.statistics = base.statistics();
    return result;
  });
}

}  // namespace

constinit const Engine k_induction_engine = {
    .info = {.name = "k-induction",
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the property from itself, with states kept apart",
             .by_default = {"k-induction"}},
    .form = Problem::Form::Cells,
    .priority = 4,
    .for_machines = {"k-induction"},
    .run = [](const EngineTask& task) {
      return run_k_induction(task.problem, task.budget, {.max_k = task.options.max_bound, .seed = task.options.seed});
    }};

Result k_induction(const System& system, std::size_t bad, const Budget& budget, const InductionOptions& options) {
  return run_alone(system, bad, k_induction_engine.form, budget,
                   [&](Problem& problem) { return run_k_induction(problem, budget, options); });
}

}  // namespace plumb::prove
