// Governors in linear time. "n is polluted in Dom(m)" is asked for many m, but the dominators m of n form a chain, and
// if n is polluted in Dom(m) then also in Dom(m') for every m' that dominates m. So one number a block is enough: the
// depth, in the dominator tree, of the deepest m in whose Dom the block is polluted. It obeys
//   t(n) = depth(n)                                           if n pollutes by itself (cases 1 to 3),
//   t(n) = max over predecessors p of min(t(p), depth(n) - 1)  otherwise,
// because the strict dominators of n, of depth 0 to depth(n) - 1, are exactly the blocks m with p and n both in Dom(m):
// all of them dominate p, and n itself dominates p only if the edge is a back edge, whose target pollutes by itself.
// For the same reason no back edge is read in the second case, and one sweep in reverse postorder solves the equation.
//
// Three consequences save the rest. Edom(BB) is not empty exactly if BB does not pollute by itself: otherwise BB, from
// which all of Dom(BB) is reachable, is polluted. A candidate g lies in the region of some candidate exactly if it lies
// in that of the deepest candidate m above it with g below a successor that begins a part of m's region. And regions of
// governors are disjoint: if two of them met, one governor would dominate the other, which is polluted there, and so
// all below it.
//
// The wide rule fits in: the blocks m of the chain in whose innermost loop n is not are those down to one depth again.
// It is that of the parent p of n if n is not in p's loop; otherwise it is the same as for p, for loops nest. And m
// above a whole loop pollutes what is behind it anyway, as the loop's header does. Governors are found from the entry
// down. They are disjoint for the reason above, which only asks that no governor lies in another one's region.
//
// The definitions are those of Gao, "Applications of Formal and Semi-formal Verification on Software Testing,
// High-level Synthesis and Energy Internet" (2018), section 2.4.1; the lemmas A.1 to A.5 are in the appendix on
// LLSPLAT.
#include "program/analysis/governors.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::program {
namespace {

bool is_call(Kind kind) {
  return kind == Kind::Call || kind == Kind::CallIndirect || kind == Kind::Intrinsic || kind == Kind::Allocate;
}

void sort_unique(std::vector<BlockId>& blocks) {
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
}

}  // namespace

GovernorInput governor_input(const Function& function) {
  GovernorInput input;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    bool has_call = false;
    for (const Instruction& instruction : function.instructions_of(b)) has_call |= is_call(instruction.kind);
    input.has_call.push_back(has_call);
    input.ends_in_branch.push_back(function.terminator(b).kind == Kind::Branch);
  }
  return input;
}

Governors::Governors(const Function& function) : Governors(Cfg(function), governor_input(function)) {}

Governors::Governors(const Cfg& cfg, const GovernorInput& input)
    : depth_first_(cfg),
      tree_(DominatorTree::dominators(cfg)),
      loops_(cfg),
      pollution_depth_(cfg.size(), 0),
      candidate_(cfg.size(), false),
      begins_part_(cfg.size(), false),
      governor_of_(cfg.size(), kNone) {
  INVARIANT(input.has_call.size() == cfg.size() && input.ends_in_branch.size() == cfg.size(),
            "every block of the graph should be described");
  if (input.rule == GovernorRule::Wide) pollute_behind_loops();
  find_pollution(cfg, input);
  find_candidates(cfg, input);
  find_governors(cfg, input.rule);
  find_borders(cfg);
}

void Governors::pollute_behind_loops() {
  for (const BlockId n : tree_.preorder()) {
    const BlockId parent = tree_.immediate(n);
    if (parent == kNone) continue;
    const LoopId loop = loops_.loop_of(parent);
    const bool leaves = loop != kNone && !loops_.contains(loop, n);
    pollution_depth_[n] = leaves ? tree_.depth(n) : pollution_depth_[parent];
  }
}

void Governors::find_pollution(const Cfg& cfg, const GovernorInput& input) {
  std::vector<bool> pollutes = input.has_call;
  for (const auto& [source, target] : depth_first_.back_edges()) pollutes[source] = pollutes[target] = true;
  for (const BlockId n : depth_first_.reverse_postorder()) {
    const std::uint32_t depth = tree_.depth(n);
    if (pollutes[n] || cfg.successors(n).empty()) {
      pollution_depth_[n] = depth + 1;
      continue;
    }
    std::uint32_t deepest = pollution_depth_[n];
    for (const BlockId p : cfg.predecessors(n)) deepest = std::max(deepest, pollution_depth_[p]);
    pollution_depth_[n] = std::min(deepest, depth);
  }
}

bool Governors::begins_part(BlockId m, BlockId successor, GovernorRule rule) const {
  if (!tree_.dominates(m, successor) || !effectively_dominates(successor, successor)) return false;
  const LoopId loop = loops_.loop_of(m);
  return rule == GovernorRule::Llsplat || loop == kNone || loops_.contains(loop, successor);
}

void Governors::find_candidates(const Cfg& cfg, const GovernorInput& input) {
  for (const BlockId m : depth_first_.preorder()) {
    if (!input.ends_in_branch[m]) continue;
    const std::span<const BlockId> successors = cfg.successors(m);
    std::vector<BlockId> parts;
    bool differ = false, returns = false;
    for (const BlockId successor : successors) {
      if (begins_part(m, successor, input.rule)) parts.push_back(successor);
      differ = differ || successor != successors[0];
      returns = returns || successor == m;
    }
    if (input.rule == GovernorRule::Llsplat) {
      INVARIANT(successors.size() == 2, "a branch should have two edges");
      candidate_[m] = parts.size() == 2;
    } else {
      candidate_[m] = differ && !returns && !parts.empty();
    }
    if (!candidate_[m]) continue;
    for (const BlockId part : parts) begins_part_[part] = true;
  }
}

void Governors::find_governors(const Cfg& cfg, GovernorRule rule) {
  // By block: the deepest candidate that dominates the block strictly and has it below a part of its region.
  std::vector<BlockId> above(cfg.size(), kNone);
  std::vector<bool> is_governor(cfg.size(), false);
  const auto is_in_region = [&](BlockId n, BlockId m) {
    return m != kNone && pollution_depth_[n] <= tree_.depth(m) + 1;
  };
  for (const BlockId n : tree_.preorder()) {
    const BlockId parent = tree_.immediate(n);
    if (parent != kNone) {
      above[n] = begins_part_[n] ? parent : above[parent];
      if (begins_part_[n] && is_governor[parent])
        governor_of_[n] = parent;
      else if (is_in_region(n, governor_of_[parent]))
        governor_of_[n] = governor_of_[parent];
    }
    const bool is_governed = rule == GovernorRule::Wide ? governor_of_[n] != kNone : is_in_region(n, above[n]);
    is_governor[n] = candidate_[n] && !is_governed;
  }
  std::vector<std::uint32_t> index(cfg.size(), kNone);
  for (BlockId b = 0; b < cfg.size(); ++b) {
    if (!is_governor[b]) continue;
    index[b] = static_cast<std::uint32_t>(governors_.size());
    governors_.push_back({b, {}, {}, {}});
  }
  for (const BlockId n : depth_first_.reverse_postorder())
    if (governor_of_[n] != kNone) governors_[index[governor_of_[n]]].region.push_back(n);
}

void Governors::find_borders(const Cfg& cfg) {
  for (Governor& governor : governors_) {
    const auto add_destinations = [&](BlockId b) {
      for (const BlockId target : cfg.successors(b))
        if (governor_of_[target] != governor.block) governor.destinations.push_back(target);
    };
    add_destinations(governor.block);
    for (const BlockId b : governor.region) {
      add_destinations(b);
      for (const BlockId source : cfg.predecessors(b))
        if (source != governor.block && governor_of_[source] != governor.block && tree_.is_reachable(source))
          governor.side_entries.push_back(b);
    }
    sort_unique(governor.destinations);
    sort_unique(governor.side_entries);
  }
}

const Governor* Governors::find(BlockId b) const {
  const auto found = std::lower_bound(governors_.begin(), governors_.end(), b,
                                      [](const Governor& governor, BlockId block) { return governor.block < block; });
  return found != governors_.end() && found->block == b ? &*found : nullptr;
}

}  // namespace plumb::program
