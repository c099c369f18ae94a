// Immediate dominators by Semi-NCA (Georgiadis, "Linear-time algorithms for dominators and related problems", 2005,
// section 2.2.2): semidominators as Lengauer and Tarjan compute them, with path compression and no balancing, then the
// immediate dominator of w is the nearest common ancestor, in the dominator tree made so far, of w's parent in the
// depth-first tree and its semidominator. Everything is indexed by preorder number, so "smaller" means "nearer to the
// entry". Post-dominators are dominators of an explicitly reversed graph. Nothing recurses.
#include "program/analysis/dominators.h"

#include "program/analysis/depth_first.h"

namespace plumb::program {
namespace {

/// The forest of the vertices numbered above the current one, with the least semidominator on compressed paths.
class SemidominatorForest {
 public:
  explicit SemidominatorForest(std::vector<std::uint32_t> parent)
      : ancestor_(std::move(parent)), semi_(ancestor_.size()), label_(ancestor_.size()) {
    for (std::uint32_t v = 0; v < semi_.size(); ++v) semi_[v] = label_[v] = v;
  }

  std::uint32_t semi(std::uint32_t v) const { return semi_[v]; }
  void lower_semi(std::uint32_t v, std::uint32_t bound) {
    if (bound < semi_[v]) semi_[v] = bound;
  }

  /// The least semidominator on the path from v up to, but not including, the first vertex not above `current`.
  std::uint32_t evaluate(std::uint32_t v, std::uint32_t current) {
    if (v <= current) return v;
    for (std::uint32_t u = v; ancestor_[u] > current; u = ancestor_[u]) path_.push_back(u);
    for (; !path_.empty(); path_.pop_back()) {
      const std::uint32_t u = path_.back();
      const std::uint32_t above = ancestor_[u];
      if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
      ancestor_[u] = ancestor_[above];
    }
    return semi_[label_[v]];
  }

 private:
  std::vector<std::uint32_t> ancestor_;
  std::vector<std::uint32_t> semi_;
  std::vector<std::uint32_t> label_;  ///< the vertex of least semidominator between here and ancestor_
  std::vector<std::uint32_t> path_;
};

/// By block; kNone for the entry and for unreachable blocks.
std::vector<BlockId> immediate_dominators(const Cfg& cfg) {
  const DepthFirst tree(cfg);
  const std::span<const BlockId> block = tree.preorder();
  const auto count = static_cast<std::uint32_t>(block.size());
  std::vector<std::uint32_t> parent(count, 0);
  for (std::uint32_t v = 1; v < count; ++v) parent[v] = tree.preorder_number(tree.parent(block[v]));

  SemidominatorForest forest(parent);
  for (std::uint32_t w = count; w-- > 1;) {
    for (const BlockId predecessor : cfg.predecessors(block[w])) {
      if (!tree.is_reachable(predecessor)) continue;
      forest.lower_semi(w, forest.evaluate(tree.preorder_number(predecessor), w));
    }
  }
  std::vector<std::uint32_t> dominator = std::move(parent);
  std::vector<BlockId> immediate(cfg.size(), kNone);
  for (std::uint32_t w = 1; w < count; ++w) {
    while (dominator[w] > forest.semi(w)) dominator[w] = dominator[dominator[w]];
    immediate[block[w]] = block[dominator[w]];
  }
  return immediate;
}

/// By block: it has a path to a block without successors.
std::vector<bool> reaches_exit(const Cfg& cfg) {
  std::vector<bool> reaches(cfg.size(), false);
  std::vector<BlockId> work;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    if (!cfg.successors(b).empty()) continue;
    reaches[b] = true;
    work.push_back(b);
  }
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    for (const BlockId predecessor : cfg.predecessors(b)) {
      if (reaches[predecessor]) continue;
      reaches[predecessor] = true;
      work.push_back(predecessor);
    }
  }
  return reaches;
}

}  // namespace

DominatorTree DominatorTree::dominators(const Cfg& cfg) {
  constexpr BlockId kEntry = 0;
  return DominatorTree(immediate_dominators(cfg), {&kEntry, 1});
}

DominatorTree DominatorTree::post_dominators(const Cfg& cfg) {
  // Vertex 0 of the reversed graph is the virtual exit, block b is vertex b + 1.
  const std::vector<bool> reaches = reaches_exit(cfg);
  Cfg::EdgeList reversed;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    if (cfg.successors(b).empty() || !reaches[b]) reversed.emplace_back(0, b + 1);
    for (const BlockId target : cfg.successors(b)) reversed.emplace_back(target + 1, b + 1);
  }
  const std::vector<BlockId> vertex = immediate_dominators(Cfg(cfg.size() + 1, reversed));
  std::vector<BlockId> immediate(cfg.size(), kNone);
  std::vector<BlockId> roots;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    if (vertex[b + 1] == 0)
      roots.push_back(b);
    else
      immediate[b] = vertex[b + 1] - 1;
  }
  return DominatorTree(std::move(immediate), roots);
}

DominatorTree::DominatorTree(std::vector<BlockId> immediate, std::span<const BlockId> roots)
    : immediate_(std::move(immediate)),
      enter_(immediate_.size(), 0),
      leave_(immediate_.size(), 0),
      depth_(immediate_.size(), 0),
      child_start_(immediate_.size() + 1, 0) {
  const auto count = static_cast<BlockId>(immediate_.size());
  for (const BlockId parent : immediate_)
    if (parent != kNone) ++child_start_[parent + 1];
  for (BlockId b = 0; b < count; ++b) child_start_[b + 1] += child_start_[b];
  children_.resize(child_start_[count]);
  std::vector<std::uint32_t> next(child_start_.begin(), child_start_.end() - 1);
  for (BlockId b = 0; b < count; ++b)
    if (immediate_[b] != kNone) children_[next[immediate_[b]]++] = b;

  std::vector<BlockId> work(roots.rbegin(), roots.rend());
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    preorder_.push_back(b);
    enter_[b] = leave_[b] = static_cast<std::uint32_t>(preorder_.size());
    if (immediate_[b] != kNone) depth_[b] = depth_[immediate_[b]] + 1;
    const std::span<const BlockId> below = children(b);
    work.insert(work.end(), below.rbegin(), below.rend());
  }
  for (std::size_t i = preorder_.size(); i-- > 0;) {
    const BlockId parent = immediate_[preorder_[i]];
    if (parent != kNone && leave_[parent] < leave_[preorder_[i]]) leave_[parent] = leave_[preorder_[i]];
  }
}

std::span<const BlockId> DominatorTree::dominated(BlockId b) const {
  if (!is_reachable(b)) return {};
  return std::span<const BlockId>(preorder_).subspan(enter_[b] - 1, leave_[b] - enter_[b] + 1);
}

}  // namespace plumb::program
