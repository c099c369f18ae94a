// Partition refinement with splitters (Valmari and Franceschinis, "Simple O(m log n) time Markov chain lumping", TACAS
// 2010): a block splits the states that lead to it by how much weight they lead there; of the parts of a split block
// all but the largest become splitters. The choices of an mdp are nodes of their own, between states, so one algorithm
// serves all kinds; equal choices are counted, which is at most too fine. Deviation: sums of doubles depend on their
// order, so weights are summed in a longer format and compared after rounding, and the result is checked against its
// definition at the end and split further where rounding has hidden a difference.

#include <algorithm>
#include <map>

#include "chain/growing_array.h"
#include "chain/lump_parts.h"

namespace plumb::chain {
namespace {

using NodeId = std::uint32_t;

/// The blocks of nodes: for a dtmc or ctmc its states, for an mdp its states and then its rows.
class Refinement {
 public:
  Refinement(const Chain& chain, const LumpKeep& keep, std::uint64_t most_blocks, const Budget& budget)
      : chain_(chain),
        budget_(budget),
        most_blocks_(most_blocks),
        is_mdp_(chain.kind == Kind::Mdp),
        nodes_(chain.states + (is_mdp_ ? chain.rows.size() : 0)) {
    make_predecessors();
    make_first_blocks(keep);
  }

  /// False if there are too many blocks.
  bool run() {
    std::uint64_t steps = 0;
    do {
      while (!splitters_.empty()) {
        if ((++steps & 0xfff) == 0) budget_.check();
        if (state_blocks_ > most_blocks_) return false;
        const std::uint32_t block = splitters_.back();
        splitters_.pop_back();
        is_splitter_[block] = false;
        split_by(block);
      }
    } while (split_what_rounding_hid());
    return state_blocks_ <= most_blocks_;
  }

  Blocks blocks() const;

 private:
  struct Block {
    NodeId first;
    NodeId last;
  };

  void make_predecessors();
  void make_first_blocks(const LumpKeep& keep);
  void split_by(std::uint32_t splitter);
  void split_block(std::uint32_t block);
  bool split_what_rounding_hid();
  std::uint32_t add_block(NodeId first, NodeId last);
  void queue(std::uint32_t block);
  void move_to(NodeId node, NodeId place);

  template <typename F>
  void for_each_edge(F&& f) const {
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      if ((s & 0xfffff) == 0) budget_.check();
      const auto state = static_cast<StateId>(s);
      const std::uint64_t first = chain_.first_row(state);
      for (std::uint64_t row = first; row < first + chain_.row_count(state); ++row) {
        const auto source = static_cast<NodeId>(is_mdp_ ? chain_.states + row : s);
        if (is_mdp_) f(static_cast<NodeId>(s), source, 1.0);
        chain_.rows.for_each(row, [&](StateId target, double weight) { f(source, target, weight); });
      }
    }
  }
  /// The weights from a node into blocks, by block.
  void signature(NodeId node, WeightSums<std::uint32_t>& into) const;

  const Chain& chain_;
  const Budget& budget_;
  std::uint64_t most_blocks_;
  bool is_mdp_;
  std::uint64_t nodes_;
  std::vector<std::uint64_t> starts_;  ///< of predecessors, by node
  GrowingArray<NodeId> sources_;
  GrowingArray<double> weights_;
  std::vector<NodeId> order_;  ///< nodes, those of a block side by side
  std::vector<NodeId> place_;  ///< in order_
  std::vector<std::uint32_t> block_of_;
  std::vector<Block> blocks_;
  std::vector<NodeId> marked_;  ///< by block: how many of its first nodes lead to the splitter
  std::vector<bool> is_splitter_;
  std::vector<std::uint32_t> splitters_;
  std::uint64_t state_blocks_ = 0;
  std::vector<long double> into_splitter_;  ///< by node
  std::vector<NodeId> touched_;
};

void Refinement::make_predecessors() {
  starts_.assign(nodes_ + 2, 0);
  for_each_edge([&](NodeId, NodeId target, double) { ++starts_[target + 2]; });
  for (std::uint64_t n = 1; n < starts_.size(); ++n) starts_[n] += starts_[n - 1];
  sources_.resize(starts_.back());
  weights_.resize(starts_.back());
  for_each_edge([&](NodeId source, NodeId target, double weight) {
    const std::uint64_t at = starts_[target + 1]++;
    sources_[at] = source;
    weights_[at] = weight;
  });
  into_splitter_.assign(nodes_, 0);
}

std::uint32_t Refinement::add_block(NodeId first, NodeId last) {
  const auto block = static_cast<std::uint32_t>(blocks_.size());
  blocks_.push_back({first, last});
  marked_.push_back(0);
  is_splitter_.push_back(false);
  for (NodeId i = first; i < last; ++i) block_of_[order_[i]] = block;
  if (order_[first] < chain_.states) ++state_blocks_;
  return block;
}

void Refinement::queue(std::uint32_t block) {
  if (is_splitter_[block]) return;
  is_splitter_[block] = true;
  splitters_.push_back(block);
}

void Refinement::make_first_blocks(const LumpKeep& keep) {
  std::map<std::vector<std::uint64_t>, std::uint32_t> colours;
  std::vector<std::uint32_t> colour(nodes_);
  const auto number = [&](std::vector<std::uint64_t> key, bool is_row) {
    key.push_back(is_row ? 1 : 0);
    return colours.try_emplace(std::move(key), static_cast<std::uint32_t>(colours.size())).first->second;
  };
  for (std::uint64_t n = 0; n < nodes_; ++n) {
    if (n >= chain_.states) {
      colour[n] = number(colour_of_row(chain_, keep, n - chain_.states), true);
      continue;
    }
    std::vector<std::uint64_t> key = colour_of_state(chain_, keep, static_cast<StateId>(n));
    if (!is_mdp_)
      for (const std::uint64_t part : colour_of_row(chain_, keep, n)) key.push_back(part);
    colour[n] = number(std::move(key), false);
  }
  std::vector<NodeId> first(colours.size() + 1);
  for (std::uint64_t n = 0; n < nodes_; ++n) ++first[colour[n] + 1];
  for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
  std::vector<NodeId> next(first.begin(), first.end());
  order_.resize(nodes_);
  place_.resize(nodes_);
  block_of_.resize(nodes_);
  for (std::uint64_t n = 0; n < nodes_; ++n) {
    place_[n] = next[colour[n]];
    order_[next[colour[n]]++] = static_cast<NodeId>(n);
  }
  for (std::size_t c = 0; c + 1 < first.size(); ++c) queue(add_block(first[c], first[c + 1]));
}

void Refinement::move_to(NodeId node, NodeId place) {
  const NodeId other = order_[place];
  std::swap(order_[place], order_[place_[node]]);
  place_[other] = place_[node];
  place_[node] = place;
}

void Refinement::split_by(std::uint32_t splitter) {
  touched_.clear();
  std::vector<std::uint32_t> met;
  // The nodes are copied out: marking moves those of the splitter itself about.
  const std::vector<NodeId> members(order_.begin() + blocks_[splitter].first, order_.begin() + blocks_[splitter].last);
  for (const NodeId node : members)
    for (std::uint64_t e = starts_[node]; e < starts_[node + 1]; ++e) {
      const NodeId source = sources_[e];
      const std::uint32_t block = block_of_[source];
      if (place_[source] >= blocks_[block].first + marked_[block]) {
        if (marked_[block] == 0) met.push_back(block);
        move_to(source, blocks_[block].first + marked_[block]++);
        touched_.push_back(source);
      }
      into_splitter_[source] += weights_[e];
    }
  for (const std::uint32_t block : met) split_block(block);
  for (const NodeId node : touched_) into_splitter_[node] = 0;
}

void Refinement::split_block(std::uint32_t block) {
  const NodeId first = blocks_[block].first;
  const NodeId last = blocks_[block].last;
  const NodeId middle = first + marked_[block];
  marked_[block] = 0;
  const auto weight = [&](NodeId node) { return static_cast<double>(into_splitter_[node]); };
  const auto begin = order_.begin() + first;
  std::sort(begin, order_.begin() + middle,
            [&](NodeId a, NodeId b) { return weight(a) != weight(b) ? weight(a) < weight(b) : a < b; });
  for (NodeId i = first; i < middle; ++i) place_[order_[i]] = i;
  std::vector<NodeId> cuts{first};
  for (NodeId i = first + 1; i < middle; ++i)
    if (weight(order_[i]) != weight(order_[i - 1])) cuts.push_back(i);
  if (middle != last) cuts.push_back(middle);  // those that do not lead there
  if (cuts.size() == 1) return;
  cuts.push_back(last);
  // The largest part keeps the block's number, and needs to be a splitter only if the block was to be one.
  std::size_t largest = 0;
  for (std::size_t i = 1; i + 1 < cuts.size(); ++i)
    if (cuts[i + 1] - cuts[i] > cuts[largest + 1] - cuts[largest]) largest = i;
  blocks_[block] = {cuts[largest], cuts[largest + 1]};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (i != largest) queue(add_block(cuts[i], cuts[i + 1]));
}

void Refinement::signature(NodeId node, WeightSums<std::uint32_t>& into) const {
  into.clear();
  if (is_mdp_ && node < chain_.states) {
    const std::uint64_t first = chain_.first_row(node);
    for (std::uint64_t row = first; row < first + chain_.row_count(node); ++row)
      into.add(block_of_[chain_.states + row], 1.0);
  } else {
    const std::uint64_t row = is_mdp_ ? node - chain_.states : node;
    chain_.rows.for_each(row, [&](StateId target, double weight) { into.add(block_of_[target], weight); });
  }
  into.finish();
}

bool Refinement::split_what_rounding_hid() {
  WeightSums<std::uint32_t> expected;
  WeightSums<std::uint32_t> found;
  const std::size_t count = blocks_.size();
  bool has_split = false;
  for (std::uint32_t block = 0; block < count; ++block) {
    if ((block & 0xffff) == 0) budget_.check();
    const NodeId first = blocks_[block].first;
    NodeId same = first + 1;
    signature(order_[first], expected);
    for (NodeId i = first + 1; i < blocks_[block].last; ++i) {
      signature(order_[i], found);
      if (found.sums() == expected.sums()) move_to(order_[i], same++);
    }
    if (same == blocks_[block].last) continue;
    const NodeId last = blocks_[block].last;
    blocks_[block].last = same;
    queue(add_block(same, last));
    queue(block);
    has_split = true;
  }
  return has_split;
}

Blocks Refinement::blocks() const {
  Blocks result;
  result.of_state.resize(chain_.states);
  constexpr StateId kNone = ~StateId{0};
  std::vector<StateId> number(blocks_.size(), kNone);
  for (std::uint64_t s = 0; s < chain_.states; ++s) {
    StateId& at = number[block_of_[s]];
    if (at == kNone) at = static_cast<StateId>(result.count++);
    result.of_state[s] = at;
  }
  return result;
}

}  // namespace

std::optional<Blocks> blocks_by_splitting(const Chain& chain, const LumpKeep& keep, std::uint64_t most,
                                          const Budget& budget) {
  Refinement refinement(chain, keep, most, budget);
  if (!refinement.run()) return std::nullopt;
  return refinement.blocks();
}

}  // namespace plumb::chain
