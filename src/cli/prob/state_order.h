#pragma once

#include <cstdint>
#include <vector>

#include "chain/chain.h"

namespace plumb::cli::prob {

/// The states of a chain in the order of PRISM's files: by the values of the variables, the first counting most. Eight
/// bytes a state, sixteen more while it is made.
class StateOrder {
 public:
  explicit StateOrder(const chain::Chain& chain);

  std::uint64_t size() const noexcept { return states_.size(); }
  chain::StateId state(std::uint64_t rank) const noexcept { return states_[rank]; }
  std::uint32_t rank(chain::StateId state) const noexcept { return ranks_[state]; }
  /// Of a packed state that the chain has.
  std::uint32_t rank_of(const std::uint64_t* packed) const;

 private:
  bool is_less(const std::uint64_t* a, const std::uint64_t* b, std::size_t first_variable) const;

  const StateStore& store_;
  std::size_t variables_;
  std::vector<chain::StateId> states_;  ///< by rank
  std::vector<std::uint32_t> ranks_;    ///< by state
};

}  // namespace plumb::cli::prob
