#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "prove/guess/weeding.h"

namespace plumb::prove {

/// What lemmas that follow from each other say about the bad of a system.
class Proof {
 public:
  /// All must outlive it. `seconds`: for a question.
  Proof(System& system, const ControlMap& map, const Lemmas& lemmas, double seconds);

  /// The bad cannot be true where the lemmas hold. Throws OutOfBudget, as the others do.
  bool excludes_bad(const Budget& budget);
  /// After excludes_bad(): lemmas that are enough for it and still follow from each other, as one term.
  Term invariant(const Budget& budget);
  /// All of them.
  Term whole() const { return joined(lemmas_); }
  bool was_hasty() const noexcept { return was_hasty_; }

 private:
  solve::Result ask(std::span<const Term> assumptions, double seconds, const Budget& budget);
  bool is_empty(std::size_t place) const;
  Term joined(const Lemmas& lemmas) const;
  /// Lemmas of the place that exclude `refuted` together with `others`.
  std::vector<Term> reasons(std::size_t place, const std::vector<Term>& others, Term refuted, const Budget& budget);
  std::vector<Term> reasons_without_search(std::vector<Term> lemmas, const std::vector<Term>& others) const;

  term::TermStore& store_;
  const ControlMap& map_;
  const Lemmas& lemmas_;
  double seconds_;
  bool was_hasty_ = false;
  std::unique_ptr<solve::Solver> solver_;
  std::size_t questions_ = 0;
};

}  // namespace plumb::prove
