#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "term/term_store.h"

namespace plumb::unroll {

using term::Term;
using term::TermStore;

/// A node of the tree of decisions.
using PathId = std::uint32_t;

/// The decisions that lead to states, as a tree: a path is its parent and one more condition. Two paths that meet share
/// all up to their lowest common ancestor, so what tells them apart is what stands below it: a condition or two, not
/// all that was decided since the start. Where both outcomes of a decision meet again the path is the parent itself.
/// A decision of which one outcome has ended, all runs with it, is none any more: who asks for a run that goes on
/// knows. Nodes are kept for good and made once. Not thread-safe.
class Paths {
 public:
  static constexpr PathId kRoot = 0;

  explicit Paths(TermStore& terms) : terms_(terms), nodes_{{kRoot, 0, terms.boolean(true), terms.boolean(true)}} {}

  /// The parent itself if the condition is true.
  PathId child(PathId parent, Term condition);
  /// All decisions together.
  Term condition(PathId path) const { return nodes_[path].all; }
  bool is_impossible(PathId path) const { return terms_.is_false(nodes_[path].all); }
  /// What the path says about a condition, if that was decided on it lately: true, false or itself.
  Term decided(PathId path, Term condition) const;

  /// All runs on the path have ended.
  void mark_ended(PathId path);
  void forget_ended() { ended_.clear(); }
  /// The path without the last decisions whose other outcomes have ended.
  PathId reduced(PathId path) const;

  /// Brings states together that stand at the ends of `paths`: join(a, b, c) is called until one is left, and b is gone
  /// into a then, which has its own values where c holds and b's elsewhere. Returns who is left and the path of it.
  /// Costs the tree's edges between the ends. Needs at least one path.
  template <typename Join>
  std::pair<std::size_t, PathId> meet(std::span<const PathId> paths, Join&& join);

 private:
  struct Node {
    PathId parent;
    std::uint32_t depth;
    Term literal;
    Term all;
  };
  /// A state on its way up: at `node`, it is meant where `condition` holds.
  struct Climber {
    std::uint32_t depth;
    PathId node;
    Term condition;
    std::size_t literals;  ///< in the condition
    std::size_t state;
    friend bool operator<(const Climber& a, const Climber& b) {
      return std::tie(a.depth, a.node, a.state) < std::tie(b.depth, b.node, b.state);
    }
  };

  bool is_decision_left(PathId path) const;

  TermStore& terms_;
  absl::flat_hash_set<PathId> ended_;
  std::vector<Node> nodes_;
  absl::flat_hash_map<std::pair<PathId, Term>, PathId> children_;
};

template <typename Join>
std::pair<std::size_t, PathId> Paths::meet(std::span<const PathId> paths, Join&& join) {
  std::vector<Climber> heap;  // the deepest first
  for (std::size_t i = 0; i < paths.size(); ++i)
    heap.push_back({nodes_[paths[i]].depth, paths[i], terms_.boolean(true), 0, i});
  std::make_heap(heap.begin(), heap.end());
  const auto take = [&] {
    std::pop_heap(heap.begin(), heap.end());
    const Climber top = heap.back();
    heap.pop_back();
    return top;
  };
  for (;;) {
    Climber low = take();
    while (!heap.empty() && heap.front().node == low.node) {
      const Climber other = take();
      // The shorter condition decides: both mean the same where either holds.
      if (low.literals <= other.literals) {
        join(low.state, other.state, low.condition);
      } else {
        join(low.state, other.state, terms_.bit_not(other.condition));
      }
      low.condition = terms_.bit_or(low.condition, other.condition);
      low.literals = terms_.is_true(low.condition) ? 0 : low.literals + other.literals;
    }
    if (heap.empty()) {
      const PathId end = terms_.is_true(low.condition) ? reduced(low.node) : child(low.node, low.condition);
      return {low.state, end};
    }
    if (is_decision_left(low.node)) {
      low.condition = terms_.bit_and(nodes_[low.node].literal, low.condition);
      ++low.literals;
    }
    low.node = nodes_[low.node].parent;
    low.depth = nodes_[low.node].depth;
    heap.push_back(low);
    std::push_heap(heap.begin(), heap.end());
  }
}

}  // namespace plumb::unroll
