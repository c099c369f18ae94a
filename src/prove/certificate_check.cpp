#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "prove/base_case.h"
#include "prove/certificate.h"
#include "prove/invariant.h"
#include "prove/step_case.h"

namespace plumb::prove {
namespace {

using Outcome = Check::Outcome;

Check refused(std::string reason) { return {Outcome::Refused, std::move(reason)}; }

Check check_steps(BaseCase& base, std::size_t count, const Budget& budget) {
  while (base.covered() < count) {
    const std::size_t step = base.covered();
    const solve::Result result = base.next(budget);
    if (result.answer == solve::Answer::Unknown) return {Outcome::Unknown, result.reason};
    if (result.answer == solve::Answer::Sat) return refused(fmt::format("the bad is reached in step {}", step));
  }
  return {Outcome::Confirmed, {}};
}

Check check_induction(Problem& problem, std::size_t k, const Budget& budget) {
  if (k == 0) return refused("k is 0");
  BaseCase base(problem, 1);
  const Check start = check_steps(base, k, budget);
  if (!start.is_confirmed()) return start;
  // Growing k step by step is what finds the steps to keep apart.
  StepCase step(problem, 1);
  solve::Result result;
  for (std::size_t i = 1; i <= k; ++i) {
    result = step.check(i, budget);
    if (result.answer != solve::Answer::Sat) break;
  }
  if (result.answer == solve::Answer::Unknown) return {Outcome::Unknown, result.reason};
  if (result.answer == solve::Answer::Sat) return refused(fmt::format("the bad is not inductive over {} steps", k));
  return {Outcome::Confirmed, {}};
}

Check check_exhaustion(Problem& problem, std::size_t k, const Budget& budget) {
  BaseCase base(problem, 1);
  const Check start = check_steps(base, k + 1, budget);
  if (!start.is_confirmed()) return start;
  if (!base.can_ask_change()) return refused(fmt::format("k is {}, too small for this system", k));
  const solve::Result result = base.change(budget);
  if (result.answer == solve::Answer::Unknown) return {Outcome::Unknown, result.reason};
  if (result.answer == solve::Answer::Sat) return refused(fmt::format("a run changes its states into step {}", k));
  return {Outcome::Confirmed, {}};
}

}  // namespace

Check check_certificate(const System& system, std::size_t bad, const Certificate& certificate, const Budget& budget) {
  try {
    if (certificate.kind == Certificate::Kind::Invariant) {
      if (certificate.from > 1) return refused("an invariant should hold from step 0 or 1 on");
      // An invariant may speak of states outside of the cone.
      System all = system::copy(system);
      const Term invariant = read_invariant(all, state_symbols(system), certificate.invariant, budget);
      return check_invariant(all, all.bads()[bad].term, invariant, certificate.from, budget);
    }
    Problem problem(system, bad);
    if (certificate.kind == Certificate::Kind::Induction) return check_induction(problem, certificate.k, budget);
    return check_exhaustion(problem, certificate.k, budget);
  } catch (const OutOfBudget& end) {
    return {Outcome::Unknown, std::string(to_string(end.stop))};
  }
}

}  // namespace plumb::prove
