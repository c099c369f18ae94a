#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "prove/base_case.h"
#include "prove/certificate.h"
#include "prove/invariant.h"
#include "prove/step_case.h"
#include "prove/together.h"

namespace plumb::prove {
namespace {

using Outcome = Check::Outcome;

constexpr std::uint32_t kMaxSplitBits = 16;

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

Check check_induction(System& system, std::size_t k, Term invariant, const Budget& budget) {
  if (k == 0) return refused("k is 0");
  BaseCase base(system, 1);
  const Check start = check_steps(base, k, budget);
  if (!start.is_confirmed()) return start;
  // Growing k step by step is what finds the steps to keep apart.
  StepCase step(system, 1, invariant);
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
  BaseCase base(problem.system(), 1);
  const Check start = check_steps(base, k + 1, budget);
  if (!start.is_confirmed()) return start;
  if (!base.can_ask_change()) return refused(fmt::format("k is {}, too small for this system", k));
  const solve::Result result = base.change(budget);
  if (result.answer == solve::Answer::Unknown) return {Outcome::Unknown, result.reason};
  if (result.answer == solve::Answer::Sat) return refused(fmt::format("a run changes its states into step {}", k));
  return {Outcome::Confirmed, {}};
}

/// Whoever has come to rest by step k rests in step k as well, so a case may end before.
Check check_split(const Problem& problem, const Certificate& certificate, const Budget& budget) {
  const System& system = problem.system();
  std::vector<std::size_t> states;
  std::uint32_t bits = 0;
  for (const std::string& symbol : certificate.split) {
    const auto found = std::ranges::find(problem.symbols(), symbol);
    // What the bad does not depend on needs not be told apart.
    if (found == problem.symbols().end()) continue;
    const auto position = static_cast<std::size_t>(found - problem.symbols().begin());
    const system::State& state = system.states()[position];
    if (state.init || system.store().is_array(state.variable))
      return refused(fmt::format("state '{}' cannot be told apart by its initial values", symbol));
    if (std::ranges::find(states, position) != states.end()) continue;
    states.push_back(position);
    bits += system.store().width(state.variable);
  }
  if (bits > kMaxSplitBits) return refused(fmt::format("2^{} cases are too many to check", bits));
  const Result result = check_cases(system, Split(system, states), budget, BmcOptions{.max_bound = certificate.k}, 1);
  switch (result.verdict) {
    case Verdict::Holds:
    case Verdict::Vacuous:
      return {Outcome::Confirmed, {}};
    case Verdict::Violated:
      return refused("the bad is reached");
    case Verdict::HoldsUpTo:
      if (!budget.exceeded()) return refused(fmt::format("a run changes its states into step {}", certificate.k));
      break;
    case Verdict::Unknown:
      break;
  }
  return {Outcome::Unknown, result.reason};
}

void check_symbols(const System& system, const std::vector<std::string>& split) {
  const std::vector<std::string> symbols = state_symbols(system);
  for (const std::string& symbol : split)
    if (std::ranges::find(symbols, symbol) == symbols.end())
      throw UserError(SourceLocation{"certificate", 0, 0}, fmt::format("the system has no state '{}'", symbol));
}

}  // namespace

Check check_strengthened_induction(System& system, Term invariant, std::size_t k, const Budget& budget) {
  System until_bad = system::copy(system);
  term::TermStore& store = until_bad.store();
  system::TermCopier copier(system.store(), store);
  for (std::size_t i = 0; i < system.states().size(); ++i)
    copier.declare(system.states()[i].variable, until_bad.states()[i].variable);
  // It is used in the steps before the first bad, and need not hold in any other.
  until_bad.add_constraint(store.bit_not(until_bad.bads()[0].term), "no bad");
  const Check check = check_invariant(until_bad, store.boolean(false), copier.copy(invariant), 0, budget);
  return check.is_confirmed() ? check_induction(system, k, invariant, budget) : check;
}

Check check_certificate(const System& system, std::size_t bad, const Certificate& certificate, const Budget& budget) {
  if (!certificate.together.empty()) {
    const auto exists = [&](std::size_t other) { return other < system.bads().size(); };
    if (!std::ranges::all_of(certificate.together, exists)) return refused("it is about bads that do not exist");
    if (std::ranges::find(certificate.together, bad) == certificate.together.end())
      return refused("it is about other bads");
    const System joint = joined(system, certificate.together);
    Certificate of_one = certificate;
    of_one.together.clear();
    return check_certificate(joint, joint.bads().size() - 1, of_one, budget);
  }
  try {
    if (certificate.kind == Certificate::Kind::Invariant) {
      if (certificate.from > 1) return refused("an invariant should hold from step 0 or 1 on");
      // An invariant may speak of states outside of the cone.
      System all = system::copy(system);
      const Term invariant = read_invariant(all, state_symbols(system), certificate.invariant, budget);
      return check_invariant(all, all.bads()[bad].term, invariant, certificate.from, budget);
    }
    const bool is_induction = certificate.kind == Certificate::Kind::Induction;
    const bool has_cells = is_induction && certificate.invariant.empty();
    Problem problem(system, bad, has_cells ? Problem::Form::Cells : Problem::Form::Arrays);
    if (is_induction && !has_cells) {
      const Term invariant = read_invariant(problem.system(), problem.symbols(), certificate.invariant, budget);
      return check_strengthened_induction(problem.system(), invariant, certificate.k, budget);
    }
    if (is_induction) return check_induction(problem.system(), certificate.k, {}, budget);
    check_symbols(system, certificate.split);
    if (!certificate.split.empty()) return check_split(problem, certificate, budget);
    return check_exhaustion(problem, certificate.k, budget);
  } catch (const OutOfBudget& end) {
    return {Outcome::Unknown, std::string(to_string(end.stop))};
  }
}

}  // namespace plumb::prove
