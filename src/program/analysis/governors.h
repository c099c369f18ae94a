#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/analysis/cfg.h"
#include "program/analysis/depth_first.h"
#include "program/analysis/dominators.h"
#include "program/analysis/loops.h"
#include "program/program.h"

namespace plumb::program {

/// A governor with its governed region, as LLSPLAT defines them: the blocks GR(block) that a bounded model checking
/// formula can stand for, and where control leaves them.
struct Governor {
  BlockId block = kNone;
  std::vector<BlockId> region;        ///< GR(block), in a topological order; not empty
  std::vector<BlockId> destinations;  ///< Dests(block), by rising index
  /// Blocks of the region, by rising index, that can also be entered from a block that is neither the governor nor in
  /// the region. Only a successor of the governor can be one: `if (a) { if (b) x; f(); } c;` governs the test of b, x
  /// and c, and comes to c from the call as well. The definition allows it; whoever summarises a region has to know.
  std::vector<BlockId> side_entries;
};

/// Which blocks govern (docs/decisions/0014-regions.md).
enum class GovernorRule : std::uint8_t {
  /// As in the text: both successors of a branch are dominated by it and effectively dominate something.
  Llsplat,
  /// Any number of edges to at least two blocks, none of them itself. One that begins no part of the region (it is
  /// entered from elsewhere, pollutes by itself, or leaves the innermost loop around the governor) leads straight to a
  /// destination; not all may. Blocks outside the innermost loop of m count as polluted in Dom(m). A candidate governs
  /// unless it is in the region of a governor; being in that of a mere candidate does not matter.
  Wide
};

/// What the definition asks of the instructions; the rest is the graph's shape.
struct GovernorInput {
  std::vector<bool> has_call;        ///< by block: it pollutes by itself (case 1)
  std::vector<bool> ends_in_branch;  ///< by block: the terminator is `br e BB1 BB2` (Wide: or a switch)
  GovernorRule rule = GovernorRule::Llsplat;
};
/// Calls are Call, CallIndirect and every Intrinsic, for each is a call in the source. So is Allocate: outside the
/// entry, which no region contains, it is alloca() or an array of variable size, and makes an object that a formula
/// over the objects before the region cannot name. CopyMemory and FillMemory are accesses, like Load and Store. A
/// Switch is not a branch, but may be in a region. The rule is LLSPLAT's.
GovernorInput governor_input(const Function& function);

/// All governors of a function, in linear time after dominators. Definitions are LLSPLAT's, read as
/// follows (docs/decisions/0012-governors.md): a block is reachable from a polluted block of Dom(m) by a path inside
/// Dom(m). (A path that leaves Dom(m) returns through m: it is another round of a loop around m, which says nothing
/// about what lies between m and the block.) Unreachable blocks are in no region and govern nothing. Regions of
/// different governors are disjoint.
class Governors {
 public:
  Governors(const Cfg& cfg, const GovernorInput& input);
  explicit Governors(const Function& function);

  /// By rising block.
  std::span<const Governor> all() const noexcept { return governors_; }
  /// The governor in whose region the block is; kNone if it is in none.
  BlockId governor_of(BlockId b) const { return governor_of_[b]; }
  /// The entry of all() whose block is b; null if b is not a governor.
  const Governor* find(BlockId b) const;
  bool is_candidate(BlockId b) const { return candidate_[b]; }
  /// b is in Edom(m): m dominates b, and b is not polluted in Dom(m). Constant time.
  bool effectively_dominates(BlockId m, BlockId b) const {
    return tree_.dominates(m, b) && pollution_depth_[b] <= tree_.depth(m);
  }
  const DominatorTree& dominators() const noexcept { return tree_; }
  const DepthFirst& depth_first() const noexcept { return depth_first_; }

 private:
  void find_pollution(const Cfg& cfg, const GovernorInput& input);
  void pollute_behind_loops();
  void find_candidates(const Cfg& cfg, const GovernorInput& input);
  bool begins_part(BlockId m, BlockId successor, GovernorRule rule) const;
  void find_governors(const Cfg& cfg, GovernorRule rule);
  void find_borders(const Cfg& cfg);

  DepthFirst depth_first_;
  DominatorTree tree_;
  LoopForest loops_;
  /// 1 + the depth of the deepest m such that the block is polluted in Dom(m); 0 if there is none.
  std::vector<std::uint32_t> pollution_depth_;
  std::vector<bool> candidate_;
  std::vector<bool> begins_part_;  ///< by block: of the region of the candidate that is its immediate dominator
  std::vector<BlockId> governor_of_;
  std::vector<Governor> governors_;
};

}  // namespace plumb::program
