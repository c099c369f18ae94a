#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/parallel/crew.h"
#include "chain/chain.h"
#include "chain/graph_search.h"

namespace plumb::chain {

/// The linear equations of a large component under one policy, x = c + P x, where P are the probabilities inside of the
/// component without loops. They are solved approximately, by BiCGSTAB; whoever asks has to verify the answer. The rows
/// are read from the chain: nothing is kept but vectors, kVectors of them.
class PolicySystem {
 public:
  static constexpr std::uint64_t kVectors = 8;

  /// `group` ascends, `policy` has the choice of each of its states. Without a crew by this thread alone; the result is
  /// the same.
  PolicySystem(const Chain& chain, std::span<const StateId> group, std::span<const std::uint32_t> policy,
               parallel::Crew* crew, const Budget& budget);

  /// Vectors have a place for each number from the first state of the group to the last; those of states that are not
  /// in the group are zero.
  std::size_t size() const noexcept { return std::size_t{group_.back()} - group_.front() + 1; }
  std::size_t place(StateId s) const noexcept { return s - group_.front(); }

  /// Improves `x` until no equation is off by more than `tolerance`. False if it gets no further.
  bool solve(const std::vector<double>& constants, std::vector<double>& x, double tolerance);
  /// How often the rows were gone through.
  std::uint64_t passes() const noexcept { return passes_; }

 private:
  static constexpr unsigned kLanes = 8;
  using Vector = std::vector<double>;

  struct Work {
    Vector r;  ///< what the equations are off by
    Vector p;
    Vector v;
    Vector t;
    Vector hat;  ///< of p or r, preconditioned
    Vector shadow;
  };

  /// Until nothing is off by more than `goal`, or it stops getting better; false if the numbers run away.
  bool iterate(Work& work, Vector& x, double start, double goal);
  /// Calls f(place) for all places, by lanes.
  template <typename F>
  void for_places(F f);
  void for_lanes(const std::function<void(unsigned lane, std::size_t first, std::size_t last)>& f);
  template <typename Combine>
  double over_lanes(Combine combine, const std::function<double(std::size_t first, std::size_t last)>& f);
  double dot(const Vector& a, const Vector& b);
  double greatest(const Vector& a);
  /// y = x - P x.
  void apply(const Vector& x, Vector& y);
  /// z = (I - U)^-1 (I - L)^-1 r, of the part of P inside of each lane.
  void precondition(const Vector& r, Vector& z);
  template <typename F>
  void for_rows(std::size_t first, std::size_t last, bool backward, F&& f) const;

  const Chain& chain_;
  std::span<const StateId> group_;
  std::span<const std::uint32_t> policy_;
  parallel::Crew* crew_;
  const Budget& budget_;
  std::uint64_t passes_ = 0;
};

}  // namespace plumb::chain
