#pragma once

#include <optional>
#include <string>

#include "prove/problem.h"

namespace plumb::prove {

/// Proofs of a problem's bad from a term over its states that is believed to be invariant. What is returned was
/// confirmed on the system with its arrays and has a certificate. Calls throw OutOfBudget.
class LemmaProof {
 public:
  /// Both must outlive it.
  LemmaProof(Problem& problem, const Budget& budget) : problem_(problem), budget_(budget) {}

  /// The term follows from itself and excludes the bad.
  std::optional<Result> by_itself(term::Term invariant) { return confirmed(invariant, 0); }
  /// Where it does not exclude the bad, several steps in which it holds may.
  std::optional<Result> by_induction(term::Term invariant, double seconds);
  /// Why the last term that was thought to be enough was not; empty if there was none.
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::optional<Result> confirmed(term::Term invariant, std::size_t k);

  Problem& problem_;
  const Budget& budget_;
  std::string reason_;
};

}  // namespace plumb::prove
