#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "chain/reach/direct_solver.h"
#include "chain/reach/passage.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

/// Solves one strongly connected component of a Passage at a time, given the values of those below.
///
/// Sweeps (Gauss-Seidel, forward and backward in turn) raise a lower vector from zero and lower an upper one from one:
/// interval iteration (Haddad and Monmege 2014; Baier, Klein, Leuschner, Parker, Wunderlich 2017). Where the lower
/// vector stands nearly still, an upper one is guessed a little above it and kept if a sweep lowers it everywhere:
/// optimistic value iteration (Hartmanns and Kaminski 2020), which is also where the upper bounds of rewards come from.
/// A component without choices that is small, or does not close after some sweeps, is solved by elimination.
///
/// Rounding: the values of rows are rounded down for the lower vector and up for the upper one, so both bound the value
/// of the chain whose weights are exactly the doubles. perturbation() is the error of elimination, and the caller
/// widens the intervals by it and by what the doubles may differ from the numbers that they stand for (see
/// elimination.h).
template <typename Index>
class ComponentSolver {
 public:
  ComponentSolver(Passage& passage, const AnalysisOptions& options, const Budget& budget, Sweeper<Index>& sweeper,
                  PassageOutcome& outcome);

  /// `tolerance` is the width that intervals are to have, relative to one plus the value for rewards.
  void solve(std::span<const StateId> component, double tolerance);
  double perturbation() const noexcept { return direct_.perturbation(); }

 private:
  struct Progress {
    double change = 0;  ///< of the lower vector
    double gap = 0;
    bool has_moved = false;
  };
  using Pair = std::array<const double*, 2>;

  double scale(double value) const { return passage_.scale(value); }
  bool may_eliminate() const {
    using Method = AnalysisOptions::Method;
    return options_.method != Method::Interval && options_.method != Method::GaussSeidel &&
           options_.method != Method::Jacobi;
  }
  void solve_single(StateId s);
  void start(std::span<const StateId> component);
  void iterate(std::span<const StateId> component, double tolerance);
  void iterate_without_bound(std::span<const StateId> component);
  Progress sweep(std::span<const StateId> component, bool backward);
  Progress sweep_together(std::span<const StateId> component);
  template <std::size_t N>
  void update(StateId s, const std::array<double, N>& value, Progress& progress);
  bool verify_guess(std::span<const StateId> component, double tolerance, std::uint64_t attempts);
  /// Whether sweeps lower the upper vector (Max) everywhere, or raise the lower one (Min): then it is a bound, because
  /// strategies that stay for ever play no part. Otherwise it is put back to what is in scratch_.
  bool verify(std::span<const StateId> component, Direction side, std::uint64_t attempts);
  bool eliminate(std::span<const StateId> component, std::uint64_t work_limit);
  /// Policy iteration: the value of a policy is a bound on one side, and the other side is guessed from it and
  /// verified.
  bool improve_policy(std::span<const StateId> component, double tolerance);

  Passage& passage_;
  const Chain& chain_;
  const AnalysisOptions& options_;
  const Budget& budget_;
  Sweeper<Index>& sweeper_;
  PassageOutcome& outcome_;
  bool is_few_;           ///< open states, all in all
  bool has_high_ = true;  ///< the upper vector of the component is a bound
  DirectSolver direct_;
  std::vector<double> scratch_;
};

extern template class ComponentSolver<std::uint8_t>;
extern template class ComponentSolver<std::uint16_t>;
extern template class ComponentSolver<std::uint32_t>;

}  // namespace plumb::chain
