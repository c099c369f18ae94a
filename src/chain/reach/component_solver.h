#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "chain/reach/direct_solver.h"
#include "chain/reach/group_sweep.h"
#include "chain/reach/passage.h"

namespace plumb::chain {

/// Solves one strongly connected component of a Passage at a time, given the values of those below.
///
/// Sweeps (Gauss-Seidel, forward and backward in turn) raise a lower vector from zero and lower an upper one from one:
/// interval iteration (Haddad and Monmege 2014; Baier, Klein, Leuschner, Parker, Wunderlich 2017). Where the lower
/// vector stands nearly still, an upper one is guessed a little above it and kept if a sweep lowers it everywhere:
/// optimistic value iteration (Hartmanns and Kaminski 2020), which is also where the upper bounds of rewards come from.
/// Sweeps over both vectors cost twice as much as over one, so large components have the guess alone. A component that
/// does not close after some sweeps is solved as linear equations, by elimination or approximately
/// with bounds on both sides that are verified in the same way, with policy iteration where there are choices.
///
/// Rounding: the values of rows are rounded down for the lower vector and up for the upper one, so both bound the value
/// of the chain whose weights are exactly the doubles. What solve() returns is the error of elimination, and the caller
/// widens the intervals by it and by what the doubles may differ from the numbers that they stand for (see
/// elimination.h).
template <typename Index>
class ComponentSolver {
 public:
  /// `is_few`: of the open states, all in all.
  ComponentSolver(Passage& passage, const AnalysisOptions& options, const Budget& budget, GroupSweep<Index> sweep,
                  bool is_few);

  /// `tolerance` is the width that intervals are to have, relative to one plus the value for rewards. If the components
  /// below are not closed it is as much wider as they make it. Returns the relative error of elimination, in units of
  /// half an ulp.
  double solve(std::span<const StateId> component, double tolerance, bool is_closed_below);
  /// Of the components since the last call.
  PassageOutcome take_outcome();

 private:
  /// By lane: each thread writes to its own cache lines.
  struct alignas(64) Progress {
    double change = 0;  ///< of the lower vector
    double gap = 0;
    bool has_moved = false;
  };
  using Lanes = std::array<Progress, GroupSweep<Index>::kLanes>;

  double scale(double value) const { return passage_.scale(value); }
  bool may_eliminate() const {
    using Method = AnalysisOptions::Method;
    return options_.method != Method::Interval && options_.method != Method::GaussSeidel &&
           options_.method != Method::Jacobi;
  }
  void start(std::span<const StateId> component);
  void iterate(std::span<const StateId> component, double tolerance);
  void iterate_without_bound(std::span<const StateId> component);
  Progress sweep(std::span<const StateId> component, bool backward);
  Progress sweep_together(std::span<const StateId> component);
  void raise(double& low, double value, Progress& progress) const;
  void lower(double& high, double low, double value, Progress& progress) const;
  bool verify_guess(std::span<const StateId> component, double tolerance, std::uint64_t attempts);
  /// Whether sweeps lower the upper vector (Max) everywhere, or raise the lower one (Min): then it is a bound, because
  /// strategies that stay for ever play no part. Otherwise it is put back to what is in scratch_.
  bool verify(std::span<const StateId> component, Direction side, std::uint64_t attempts);
  struct alignas(64) Verdict {
    bool is_verified = true;
    bool is_refuted = false;
  };
  Verdict verify_once(Direction side, bool backward);
  bool eliminate(std::span<const StateId> component, std::uint64_t work_limit);
  /// Whether the lower vector, at the pace of its last sweeps, stands still before long.
  static bool is_nearly_done(double change, double change_before, double goal, std::uint64_t sweeps);
  /// Policy iteration: the value of a policy is a bound on one side, and the other side is guessed from it and
  /// verified.
  bool improve_policy(std::span<const StateId> component, double tolerance);
  /// Both sides guessed from an approximate solution and verified.
  bool enclose(std::span<const StateId> component, double tolerance);
  /// One of the three above, whichever may do.
  bool solve_directly(std::span<const StateId> component, double tolerance, std::uint64_t sweeps);

  Passage& passage_;
  const Chain& chain_;
  const AnalysisOptions& options_;
  const Budget& budget_;
  GroupSweep<Index> sweep_;
  PassageOutcome outcome_;
  bool is_few_;
  bool has_high_ = true;  ///< sweeps lower the upper vector of the component, which is a bound
  DirectSolver direct_;
  std::vector<double> scratch_;
};

extern template class ComponentSolver<std::uint8_t>;
extern template class ComponentSolver<std::uint16_t>;
extern template class ComponentSolver<std::uint32_t>;

}  // namespace plumb::chain
