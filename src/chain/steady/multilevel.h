#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/steady/inflow.h"
#include "chain/steady/value_classes.h"

namespace plumb::chain {

/// Ever smaller chains, each made of groups of states of the one before, for one irreducible chain. Not thread-safe;
/// uses threads.
class Multilevel {
 public:
  enum class Grouping : std::uint8_t {
    ByValues,  ///< of the variables, for the first of the smaller chains, if the values are known
    ByFlow,    ///< of each state: smaller groups, more memory, fewer cycles where values do not tell
  };
  Multilevel(const Inflow& finest, const PartValues& values, unsigned threads, const Budget& budget)
      : finest_(finest), values_(values), threads_(threads), budget_(budget) {}

  /// Groups states anew by how they are coupled at `x`, which is positive and sums to one. To be done before the first
  /// cycle. Returns how the finest chain's were grouped.
  Grouping regroup(const std::vector<double>& x, Grouping wanted);
  /// Improves x: smooths, corrects by the smaller chains, smooths. Costs about six sweeps of Gauss-Seidel.
  void cycle(std::vector<double>& x);

  std::size_t levels() const noexcept { return levels_.size() + 1; }
  std::uint64_t bytes_transitions() const noexcept;  ///< of the smaller chains
  std::uint64_t bytes_vectors() const noexcept;

 private:
  /// A chain of groups, and how it comes from the finer one.
  struct Level {
    std::vector<StateId> group_of;  ///< by finer state
    std::vector<StateId> members;   ///< finer states by group
    std::vector<std::uint32_t> member_starts;
    Inflow inflow;
    std::vector<double> x;
    std::vector<double> before;  ///< x of before the correction
  };

  const Inflow& inflow(std::size_t level) const { return level == 0 ? finest_ : levels_[level - 1].inflow; }
  /// Sets group_of; returns the number of groups.
  StateId group_by_flow(const Inflow& finer, const std::vector<double>& x, Level& level) const;
  void list_members(StateId groups, Level& level) const;
  void lay_out(const Inflow& finer, Level& level) const;
  /// Puts in the rates between groups for the distribution x inside them.
  void fill(const Inflow& finer, const std::vector<double>& x, Level& level) const;
  void improve(std::size_t level, std::vector<double>& x);
  void solve_coarsest(const Inflow& chain, std::vector<double>& x);

  const Inflow& finest_;
  PartValues values_;
  unsigned threads_;
  const Budget& budget_;
  std::vector<Level> levels_;
  std::vector<double> scratch_;
};

}  // namespace plumb::chain
