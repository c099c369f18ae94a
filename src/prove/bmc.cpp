#include "prove/base_case.h"
#include "prove/engine.h"

namespace plumb::prove {
namespace {

Result exhausted(const BaseCase& base) {
  Result result;
  result.verdict = Verdict::Holds;
  result.bound = base.covered() - 1;
  result.is_rechecked = true;
  result.certificate = Certificate{Certificate::Kind::Exhaustion, {}, 0, result.bound};
  return result;
}

Result search(BaseCase& base, const Budget& budget, const BmcOptions& options) {
  // Asking whether all has come to rest costs about as much as a step, so the questions thin out.
  std::size_t next_question = 1;
  while (true) {
    const solve::Result step = base.next(budget);
    if (step.answer == solve::Answer::Sat) return violated_result(base);
    if (step.answer == solve::Answer::Unknown) return bounded_result(base.covered(), step.reason);
    if (options.try_exhaustion && base.can_ask_change()) {
      if (base.is_surely_at_rest(budget)) return exhausted(base);
      if (base.covered() > next_question) {
        if (base.change(budget).answer == solve::Answer::Unsat) return exhausted(base);
        next_question = base.covered() + base.covered() / 8;
      }
    }
    if (base.covered() > options.max_bound) return bounded_result(base.covered(), "bound reached");
  }
}

}  // namespace

Result search_runs(System& system, const Budget& budget, const BmcOptions& options) {
  BaseCase base(system, options.seed);
  Result result = search(base, budget, options);
  result.statistics = base.statistics();
  return result;
}

Result run_bmc(Problem& problem, const Budget& budget, const BmcOptions& options) {
  return run_engine("bmc", problem, [&] { return search_runs(problem.system(), budget, options); });
}

constinit const Engine bmc_engine = {.info = {.name = "bmc",
                                              .can_hold = true,
                                              .can_bound = true,
                                              .can_violate = true,
                                              .summary = "steps 0, 1, 2, …: the shortest counterexamples",
                                              .by_default = {"bmc"}},
                                     .for_machines = {"bmc"},
                                     .run = [](const EngineTask& task) {
                                       return run_bmc(task.problem, task.budget,
                                                      {.max_bound = task.options.max_bound, .seed = task.options.seed});
                                     }};

Result bmc(const System& system, std::size_t bad, const Budget& budget, const BmcOptions& options) {
  return run_alone(system, bad, bmc_engine.form, budget,
                   [&](Problem& problem) { return run_bmc(problem, budget, options); });
}

}  // namespace plumb::prove
