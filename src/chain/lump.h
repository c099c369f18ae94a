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
  /// Moves can be counted (X). Otherwise those of a ctmc within a block leave nothing to be seen, and states become one
  /// that differ in their rates alone.
  bool moves = true;
};

struct Lumped {
  Chain chain;  ///< without variables and labels; reward structures keep their positions, those not kept are zero
  std::vector<StateId> block_of;  ///< by state of the original chain
};

enum class LumpEffort : std::uint8_t {
  Quick,     ///< some passes over the transitions, 16 bytes a state; nothing if they do not lead to an end
  Thorough,  ///< some twenty bytes a transition if they do not
};

/// The quotient by strong bisimulation: states with the same kept values and the same total weight into every block
/// (mdp: with the same choices in that sense), of a ctmc without `moves` into every other block. Every property over
/// what is kept has the same value in a state and in its block. Weights are sums rounded once. Nothing if there are
/// more than `most_blocks` of them. `threads` 0: all cores.
std::optional<Lumped> lump(const Chain& chain, const LumpKeep& keep, std::uint64_t most_blocks, LumpEffort effort,
                           unsigned threads, const Budget& budget);

}  // namespace plumb::chain
