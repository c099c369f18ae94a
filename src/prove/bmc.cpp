#include "prove/base_case.h"

namespace plumb::prove {
namespace {

constexpr const char* kName = "bmc";

Result violated(Problem& problem, const BaseCase& base) {
  Result result;
  result.verdict = Verdict::Violated;
  result.engine = kName;
  result.trace = base.trace();
  confirm_counterexample(problem, result);
  return result;
}

Result exhausted(const BaseCase& base) {
  Result result;
  result.verdict = Verdict::Holds;
  result.engine = kName;
  result.bound = base.covered() - 1;
  result.is_rechecked = true;
  result.certificate = Certificate{Certificate::Kind::Exhaustion, {}, 0, result.bound};
  return result;
}

Result search(Problem& problem, BaseCase& base, const Budget& budget, const BmcOptions& options) {
  // Asking whether all has come to rest costs about as much as a step, so the questions thin out.
  std::size_t next_question = 1;
  while (true) {
    const solve::Result step = base.next(budget);
    if (step.answer == solve::Answer::Sat) return violated(problem, base);
    if (step.answer == solve::Answer::Unknown) return bounded_result(kName, base.covered(), step.reason);
    if (options.try_exhaustion && base.can_ask_change() && base.covered() > next_question) {
      if (base.change(budget).answer == solve::Answer::Unsat) return exhausted(base);
      next_question = base.covered() + base.covered() / 8;
    }
    if (base.covered() > options.max_bound) return bounded_result(kName, base.covered(), "bound reached");
  }
}

}  // namespace

Result run_bmc(Problem& problem, const Budget& budget, const BmcOptions& options) {
  const Stopwatch watch;
  BaseCase base(problem, options.seed);
  Result result = search(problem, base, budget, options);
  result.statistics = base.statistics();
  add_run(result, watch.seconds());
  return result;
}

Result bmc(const System& system, std::size_t bad, const Budget& budget, const BmcOptions& options) {
  Problem problem(system, bad);
  if (auto result = vacuous_result(problem, budget)) return *result;
  return for_whole(system, bad, problem, run_bmc(problem, budget, options));
}

}  // namespace plumb::prove
