// What ABC proves it proves of a circuit that it has changed, so its invariant speaks of what was left. Combinational
// reductions keep the latches, and the invariant is one of the system as it stands. Sequential ones merge latches that
// are equal in all reachable states: the invariant holds of the system too, but may follow from itself only together
// with the merges. These come back as candidates, from simulation: signals that were constant or equal in all steps.
// The greatest inductive part of clauses and candidates (inductive_subset) is an invariant again. Where that is not
// enough (merged signals depend on inputs, or latches were retimed) pdr is asked once more, on the circuit before
// reductions. Nothing of this needs to be right: a certificate counts only after check_invariant().

#include "prove/abc_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/parallel/share.h"
#include "prove/invariant.h"
#include "prove/signal_relations.h"

namespace plumb::prove {
namespace {

using circuit::AbcAnswer;
using circuit::AbcCommand;

std::string engine_name(const circuit::AbcStep& step) { return "abc " + step.text(); }

}  // namespace

AbcSession::AbcSession(Problem& problem, const std::vector<circuit::AbcStep>& reduction,
                       const circuit::AbcOptions& options, const Budget& budget)
    : circuit_(system::to_circuit(problem.system(), budget)), driver_(circuit_.aig, 0, options, budget) {
  std::vector<circuit::AbcStep> steps;
  for (const circuit::AbcStep& step : reduction) {
    if (step.command->kind == AbcCommand::Kind::Report) continue;
    if (step.command->kind != AbcCommand::Kind::Combinational) keeps_latches_ = false;
    steps.push_back(step);
  }
  reduced_.ok = true;
  reduced_.sizes.push_back({{}, driver_.size()});
  if (!steps.empty()) reduced_ = driver_.reduce(steps, budget);
  if (!reduced_.ok) keeps_latches_ = true;
  const bool has_first = std::ranges::any_of(circuit_.latches, [](const auto& place) { return !place.state; });
  from_ = driver_.model().has_free_start() || has_first ? 1 : 0;
}

Result AbcSession::run(const circuit::AbcStep& step, Problem& problem, const Budget& budget, bool trust_abc) const {
  const Stopwatch watch;
  const circuit::AbcProof proof = driver_.prove(step, budget);
  Result result;
  result.engine = engine_name(step);
  result.reason = proof.reason;
  if (proof.answer == AbcAnswer::Violated) violated(proof, problem, result);
  if (proof.answer == AbcAnswer::Holds) {
    recheck(step, proof, problem, budget, result);
    if (result.verdict == Verdict::Unknown) {
      result.unchecked_claim = result.engine;
      result.reason = fmt::format("{} claims a proof that could not be re-checked ({})", result.engine, result.reason);
      if (trust_abc) result.verdict = Verdict::Holds;
    }
  }
  result.statistics.emplace_back("abc seconds", proof.seconds);
  add_run(result, watch.seconds());
  return result;
}

void AbcSession::violated(const circuit::AbcProof& proof, Problem& problem, Result& result) const {
  Trace trace = circuit_.to_system(problem.system(), {proof.counterexample->latches, proof.counterexample->inputs});
  const system::Replay replay = system::replay(problem.system(), trace);
  if (!replay.reaches(0)) {
    result.reason = fmt::format("{}: its counterexample does not reach the bad", result.engine);
    return;
  }
  result.verdict = Verdict::Violated;
  result.bound = replay.reached.front().step;
  trace.steps.resize(result.bound + 1);
  result.trace = std::move(trace);
}

void AbcSession::recheck(const circuit::AbcStep& step, const circuit::AbcProof& proof, Problem& problem,
                         const Budget& budget, Result& result) const {
  try {
    if (proof.invariant) {
      const auto conjuncts = invariant_terms(problem.system(), circuit_, proof.invariant->aig);
      if (certify(conjuncts, problem, budget, result)) return;
      if (!keeps_latches_ && certify_reduced(conjuncts, problem, budget, result)) return;
    } else {
      result.reason = "it comes without an invariant of the system";
      if (!keeps_latches_ && certify_reduced({}, problem, budget, result)) return;
    }
    if (step.command->name == "pdr" && reduced_.sizes.size() == 1) return;
    const circuit::AbcStep pdr = circuit::parse_abc_script("pdr").front();
    const circuit::AbcProof again = driver_.prove(pdr, budget, circuit::AbcDriver::Target::Original);
    if (again.counterexample) violated(again, problem, result);
    if (again.invariant)
      certify(invariant_terms(problem.system(), circuit_, again.invariant->aig), problem, budget, result);
  } catch (const OutOfBudget& end) {
    result.reason = to_string(end.stop);
  }
}

bool AbcSession::certify(const std::vector<term::Term>& conjuncts, Problem& problem, const Budget& budget,
                         Result& result) const {
  System& system = problem.system();
  const term::Term invariant = system.store().all_of(conjuncts);
  const Check check = check_invariant(system, problem.bad(), invariant, from_, budget);
  result.reason = check.reason;
  if (!check.is_confirmed()) return false;
  result.verdict = Verdict::Holds;
  result.is_rechecked = true;
  result.certificate =
      Certificate{Certificate::Kind::Invariant, write_invariant(system, problem.symbols(), invariant), from_, 0};
  return true;
}

bool AbcSession::certify_reduced(std::vector<term::Term> conjuncts, Problem& problem, const Budget& budget,
                                 Result& result) const {
  const circuit::Aig relations = signal_relations(circuit_.aig, from_);
  for (const term::Term relation : invariant_terms(problem.system(), circuit_, relations))
    conjuncts.push_back(relation);
  return certify(inductive_subset(problem.system(), problem.bad(), std::move(conjuncts), from_, budget), problem,
                 budget, result);
}

Result abc_prove(const System& system, std::size_t bad, const Budget& budget, const AbcProveOptions& options) {
  std::vector<circuit::AbcStep> reduction;
  std::vector<circuit::AbcStep> proofs;
  for (circuit::AbcStep& step : circuit::parse_abc_script(options.script, "ABC script")) {
    if (!step.is_proof() && !proofs.empty() && step.command->kind != AbcCommand::Kind::Report)
      throw UserError(fmt::format("ABC script: the reduction '{}' stands behind a proof", step.text()));
    (step.is_proof() ? proofs : reduction).push_back(std::move(step));
  }
  Problem problem(system, bad, Problem::Form::Arrays);
  if (auto result = vacuous_result(problem, budget)) return *result;
  Result result;
  result.engine = "abc";
  try {
    const AbcSession session(problem, reduction, options.abc, budget);
    result.reason = session.reduced().ok ? "the script has no proof" : session.reduced().reason;
    std::vector<result::Finding> runs;
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      result = session.run(proofs[i], problem, parallel::share_of(budget, proofs.size() - i), options.trust_abc);
      runs.insert(runs.end(), result.engines.begin(), result.engines.end());
      if (result.verdict != Verdict::Unknown) break;
    }
    result.engines = std::move(runs);
    result.reductions = session.reduced().sizes;
    if (!session.reduced().reason.empty()) result.notes.push_back("reduction: " + session.reduced().reason);
  } catch (const OutOfBudget& end) {
    result.reason = to_string(end.stop);
  } catch (const Unsupported& error) {
    result.reason = error.message();
  }
  return for_whole(system, bad, problem, std::move(result));
}

Result abc_prove(const System& system, std::size_t bad, const Budget& budget) {
  return abc_prove(system, bad, budget, AbcProveOptions());
}

}  // namespace plumb::prove
