#include "prove/lemma_proof.h"

#include <fmt/format.h>

#include "prove/base_case.h"
#include "prove/invariant.h"
#include "prove/step_case.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxSteps = 8;  ///< of an induction

}  // namespace

std::optional<Result> LemmaProof::by_induction(term::Term invariant, double seconds) {
  const Budget budget = budget_.with_timeout(std::chrono::duration<double>(seconds));
  BaseCase base(problem_.system(), 1);
  StepCase step(problem_.system(), 1, invariant);
  for (std::size_t k = 1; k <= kMaxSteps; ++k) {
    if (base.next(budget).answer != solve::Answer::Unsat) break;
    const solve::Result next = step.check(k, budget);
    if (next.answer == solve::Answer::Unknown) break;
    if (next.answer == solve::Answer::Unsat) return confirmed(invariant, k);
  }
  budget_.check();
  return std::nullopt;
}

/// By itself (k is 0), or by induction over k steps.
std::optional<Result> LemmaProof::confirmed(term::Term invariant, std::size_t k) {
  System& whole = problem_.with_arrays();
  const Term certified = problem_.to_arrays(invariant);
  const Check check = k == 0 ? check_invariant(whole, whole.bads()[0].term, certified, 0, budget_)
                             : check_strengthened_induction(whole, certified, k, budget_);
  if (!check.is_confirmed()) {
    reason_ = fmt::format("an invariant was guessed that could not be confirmed: {}", check.reason);
    budget_.check();
    return std::nullopt;
  }
  Result result;
  result.verdict = Verdict::Holds;
  result.is_rechecked = true;
  result.bound = k;
  result.certificate = Certificate{k == 0 ? Certificate::Kind::Invariant : Certificate::Kind::Induction,
                                   write_invariant(whole, problem_.symbols(), certified), 0, k};
  return result;
}

}  // namespace plumb::prove
