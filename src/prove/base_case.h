#pragma once

#include <memory>
#include <optional>
#include <string>

#include "prove/problem.h"
#include "prove/runs.h"
#include "prove/split.h"
#include "solve/solver.h"

namespace plumb::prove {

/// Runs from the first step on, one solver for all steps: what BMC is, and what k-induction starts from. The bad is the
/// system's first.
class BaseCase {
 public:
  BaseCase(System& system, std::uint64_t seed);

  /// Is the bad reached in step covered(), the first that was not looked at? Afterwards that step is covered if the
  /// answer is Unsat. After Sat, trace(). After Unknown nothing more may be asked: the step may be half made.
  solve::Result next(const Budget& budget);
  std::size_t covered() const noexcept { return covered_; }  ///< the number of steps, from 0 on, without the bad
  const Trace& trace() const noexcept { return trace_; }

  /// May a run change a state from step covered() - 2 to the last covered one? If not (Unsat), whatever can be reached
  /// can be in one of the steps before, and the bad is not. Needs can_ask_change().
  solve::Result change(const Budget& budget);
  /// As change(), if the terms say so by themselves: true costs no search, false is no answer.
  bool is_surely_at_rest(const Budget& budget);
  bool can_ask_change() const noexcept { return covered_ >= first_change_ + 1; }

  std::vector<std::pair<std::string, double>> statistics() const { return solver_->statistics(); }

 private:
  System& system_;
  Runs runs_;
  std::unique_ptr<solve::Solver> solver_;
  std::size_t covered_ = 0;
  std::size_t constrained_ = 0;   ///< steps whose constraints are asserted
  std::size_t first_change_ = 1;  ///< the first step that change() may be asked about
  Trace trace_;
};

/// What BMC has come to when it cannot go on.
Result bounded_result(std::size_t covered, std::string reason);
/// After BaseCase::next() was Sat: not yet confirmed.
Result violated_result(const BaseCase& base);

/// The search of BMC for the system's first bad. The trace of a counterexample is not yet confirmed.
Result search_runs(System& system, const Budget& budget, const BmcOptions& options);
/// The same for each case of a split; a certificate does not name its states. May throw OutOfBudget.
Result check_cases(const System& system, const Split& split, const Budget& budget, const BmcOptions& options,
                   unsigned threads);

}  // namespace plumb::prove
