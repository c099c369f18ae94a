// Headers are taken innermost first (the dominator tree's preorder backwards), and each walks backwards from its
// latches. A block that an inner loop has claimed stands for that whole loop: the walk goes on from the inner header's
// predecessors. Which outermost loop so far a block is in is kept by union and find, so a deep nest costs no more than
// a flat one. The scheme is that of Ramalingam, "Identifying loops in almost linear time" (1999), for natural loops.
#include "program/analysis/loops.h"

#include <algorithm>

#include "program/analysis/depth_first.h"
#include "program/analysis/dominators.h"

namespace plumb::program {
namespace {

/// For each loop the outermost loop found so far around it.
class OutermostLoops {
 public:
  LoopId add() {
    above_.push_back(static_cast<LoopId>(above_.size()));
    return above_.back();
  }
  LoopId find(LoopId loop) {
    while (above_[loop] != loop) loop = above_[loop] = above_[above_[loop]];
    return loop;
  }
  void put_into(LoopId inner, LoopId outer) { above_[inner] = outer; }

 private:
  std::vector<LoopId> above_;
};

/// Finds the loops, inner before outer; `loop_of` gives the innermost loop of each block.
class LoopFinder {
 public:
  LoopFinder(const Cfg& cfg, const DominatorTree& tree, std::vector<LoopId>& loop_of)
      : cfg_(cfg), tree_(tree), loop_of_(loop_of) {}

  std::vector<Loop> find() {
    const std::span<const BlockId> preorder = tree_.preorder();
    for (auto b = preorder.rbegin(); b != preorder.rend(); ++b) find_loop_of_header(*b);
    return std::move(loops_);
  }

 private:
  void find_loop_of_header(BlockId header) {
    Loop loop;
    loop.header = header;
    for (const BlockId source : cfg_.predecessors(header))
      if (tree_.dominates(header, source) && (loop.latches.empty() || loop.latches.back() != source))
        loop.latches.push_back(source);
    if (loop.latches.empty()) return;
    const LoopId id = outermost_.add();
    std::vector<BlockId> work = loop.latches;
    loops_.push_back(std::move(loop));
    loop_of_[header] = id;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      claim(b, id, work);
    }
  }

  void claim(BlockId b, LoopId id, std::vector<BlockId>& work) {
    if (!tree_.is_reachable(b)) return;
    BlockId entry = b;
    if (loop_of_[b] == kNone) {
      loop_of_[b] = id;
    } else {
      const LoopId inner = outermost_.find(loop_of_[b]);
      if (inner == id) return;
      loops_[inner].parent = id;
      outermost_.put_into(inner, id);
      entry = loops_[inner].header;
    }
    const std::span<const BlockId> before = cfg_.predecessors(entry);
    work.insert(work.end(), before.begin(), before.end());
  }

  const Cfg& cfg_;
  const DominatorTree& tree_;
  std::vector<LoopId>& loop_of_;
  std::vector<Loop> loops_;
  OutermostLoops outermost_;
};

}  // namespace

LoopForest::LoopForest(const Cfg& cfg) : loop_of_(cfg.size(), kNone), position_(cfg.size(), kNone) {
  const DominatorTree tree = DominatorTree::dominators(cfg);
  loops_ = LoopFinder(cfg, tree, loop_of_).find();
  // Reversed, parents come before children.
  std::reverse(loops_.begin(), loops_.end());
  const auto count = static_cast<LoopId>(loops_.size());
  const auto renumber = [count](LoopId& loop) {
    if (loop != kNone) loop = count - 1 - loop;
  };
  for (Loop& loop : loops_) renumber(loop.parent);
  for (LoopId& loop : loop_of_) renumber(loop);
  for (Loop& loop : loops_)
    if (loop.parent != kNone) loop.depth = loops_[loop.parent].depth + 1;
  lay_out(cfg);
  const DepthFirst depth_first(cfg);
  for (const auto& [source, target] : depth_first.back_edges())
    if (!tree.dominates(target, source)) irreducible_edges_.emplace_back(source, target);
}

void LoopForest::lay_out(const Cfg& cfg) {
  // A loop's interval: its own blocks, the header first, then the intervals of the loops in it, in order.
  std::vector<std::uint32_t> own(loops_.size(), 0);
  for (const LoopId loop : loop_of_)
    if (loop != kNone) ++own[loop];
  for (LoopId loop = 0; loop < loops_.size(); ++loop) loops_[loop].count = own[loop];
  for (std::size_t loop = loops_.size(); loop-- > 0;)
    if (loops_[loop].parent != kNone) loops_[loops_[loop].parent].count += loops_[loop].count;

  std::uint32_t end = 0;
  std::vector<std::uint32_t> next_child(loops_.size());
  for (LoopId loop = 0; loop < loops_.size(); ++loop) {
    std::uint32_t& start = loops_[loop].parent == kNone ? end : next_child[loops_[loop].parent];
    loops_[loop].first = start;
    start += loops_[loop].count;
    next_child[loop] = loops_[loop].first + own[loop];
  }
  blocks_.resize(end);
  std::vector<std::uint32_t> next(loops_.size());
  for (LoopId loop = 0; loop < loops_.size(); ++loop) next[loop] = loops_[loop].first + 1;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    const LoopId loop = loop_of_[b];
    if (loop == kNone) continue;
    position_[b] = b == loops_[loop].header ? loops_[loop].first : next[loop]++;
    blocks_[position_[b]] = b;
  }
}

}  // namespace plumb::program
