#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

/// What has to be the same in states that become one.
struct LumpKeep {
  std::vector<const StateSet*> sets;
  std::vector<const std::vector<double>*> numbers;  ///< by state
  std::vector<std::size_t> rewards;                 ///< reward structures, by position
};

struct Lumped {
  Chain chain;  ///< without variables and labels; reward structures keep their positions, those not kept are zero
  std::vector<StateId> block_of;  ///< by state of the original chain
};

/// The quotient by strong bisimulation: states with the same kept values and the same total weight into every block
/// (mdp: with the same choices in that sense). Every property over what is kept has the same value in a state and in
/// its block. Weights are sums rounded once. Nothing if there are more than `most_blocks` of them.
std::optional<Lumped> lump(const Chain& chain, const LumpKeep& keep, std::uint64_t most_blocks, const Budget& budget);

/// A guess, in a few passes over the transitions, whether the quotient has at most `most_blocks` states: false is
/// certain up to rounding.
bool may_lump_to(const Chain& chain, const LumpKeep& keep, std::uint64_t most_blocks, const Budget& budget);

}  // namespace plumb::chain
