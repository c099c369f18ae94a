#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "program/analysis/cfg.h"
#include "program/analysis/governors.h"

namespace plumb::program {

/// A number below `bound`.
inline std::uint32_t pick(std::mt19937& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

/// A graph without structure: self loops, parallel edges, unreachable blocks, irreducible cycles, edges to the entry.
/// Some graphs have edges in all directions, others mostly or only to one of the next blocks.
inline Cfg random_cfg(std::mt19937& random, std::uint32_t max_blocks) {
  constexpr std::uint32_t kForwardOf16[] = {0, 7, 14, 15, 16, 16};
  const std::uint32_t count = 1 + pick(random, max_blocks);
  const std::uint32_t forward = kForwardOf16[pick(random, 6)];
  Cfg::EdgeList edges;
  for (BlockId b = 0; b < count; ++b) {
    const std::uint32_t shape = pick(random, 20);
    const std::uint32_t successors = shape < 1 ? 0 : shape < 7 ? 1 : shape < 19 ? 2 : 3 + pick(random, 3);
    for (std::uint32_t i = 0; i < successors; ++i) {
      const bool is_forward = pick(random, 16) < forward;
      if (is_forward && b + 1 == count) continue;
      edges.emplace_back(b, is_forward ? b + 1 + pick(random, std::min(4u, count - b - 1)) : pick(random, count));
    }
  }
  return Cfg(count, edges);
}

/// Which blocks have calls; those with two successors end in a branch, or now and then in a switch.
inline GovernorInput random_governor_input(std::mt19937& random, const Cfg& cfg) {
  GovernorInput input;
  const std::uint32_t calls = pick(random, 4);
  for (BlockId b = 0; b < cfg.size(); ++b) {
    input.has_call.push_back(pick(random, 12) < calls);
    input.ends_in_branch.push_back(cfg.successors(b).size() == 2 && pick(random, 16) != 0);
  }
  return input;
}

/// By block: a path of zero or more edges leads there from `from`, through allowed blocks alone, both ends included.
inline std::vector<bool> reach(const Cfg& cfg, BlockId from, const std::vector<bool>& allowed) {
  std::vector<bool> reached(cfg.size(), false);
  std::vector<BlockId> work;
  if (allowed[from]) work.push_back(from);
  if (allowed[from]) reached[from] = true;
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    for (const BlockId target : cfg.successors(b)) {
      if (reached[target] || !allowed[target]) continue;
      reached[target] = true;
      work.push_back(target);
    }
  }
  return reached;
}

inline std::vector<bool> reach(const Cfg& cfg, BlockId from) {
  return reach(cfg, from, std::vector<bool>(cfg.size(), true));
}

/// Dominance as defined: a dominates b if b is reachable, but not when a is removed. [a][b].
inline std::vector<std::vector<bool>> dominance_by_removal(const Cfg& cfg) {
  const std::vector<bool> reachable = reach(cfg, 0);
  std::vector<std::vector<bool>> dominates(cfg.size(), std::vector<bool>(cfg.size(), false));
  for (BlockId a = 0; a < cfg.size(); ++a) {
    std::vector<bool> allowed(cfg.size(), true);
    allowed[a] = false;
    const std::vector<bool> without = reach(cfg, 0, allowed);
    for (BlockId b = 0; b < cfg.size(); ++b) dominates[a][b] = reachable[a] && reachable[b] && !without[b];
  }
  return dominates;
}

/// Graphs of many blocks whose depth is of the order of their size.
inline Cfg chain(std::uint32_t count) {
  Cfg::EdgeList edges;
  for (BlockId b = 0; b + 1 < count; ++b) edges.emplace_back(b, b + 1);
  return Cfg(count, edges);
}
/// Two rails with rungs in both directions: every level has joins, and no level is dominated by the one before.
inline Cfg ladder(std::uint32_t count) {
  Cfg::EdgeList edges{{0, 1}, {0, 2}};
  for (BlockId b = 1; b + 3 < count; b += 2)
    for (const BlockId source : {b, b + 1})
      for (const BlockId target : {b + 2, b + 3}) edges.emplace_back(source, target);
  return Cfg(count, edges);
}
/// Loops around loops: headers first, then the latches from the innermost to the outermost.
inline Cfg nest(std::uint32_t depth) {
  Cfg::EdgeList edges;
  const std::uint32_t last = 2 * depth + 1;
  for (BlockId h = 1; h <= depth; ++h) {
    edges.emplace_back(h - 1, h);
    const BlockId latch = last - h;
    edges.emplace_back(latch, h);
    edges.emplace_back(latch, latch + 1);
  }
  edges.emplace_back(depth, depth + 1);
  return Cfg(last + 1, edges);
}
/// If in if in if, each with an empty else and all joining one after the other.
inline Cfg nested_ifs(std::uint32_t depth) {
  Cfg::EdgeList edges;
  const std::uint32_t last = 3 * depth;
  for (BlockId i = 0; i < depth; ++i) {
    edges.emplace_back(i, i + 1);
    edges.emplace_back(i, depth + 1 + i);                   // else
    edges.emplace_back(depth + 1 + i, last - i);            // else -> join
    if (i > 0) edges.emplace_back(last - i, last - i + 1);  // join -> outer join
  }
  edges.emplace_back(depth, last - depth + 1);
  return Cfg(last + 1, edges);
}

}  // namespace plumb::program
