#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "chain/lump.h"

namespace plumb::chain {

/// A partition of the states; blocks are numbered in the order of their first states.
struct Blocks {
  std::vector<StateId> of_state;
  std::uint64_t count = 0;
};

/// The kept values of a state, and of a row, as bits.
std::vector<std::uint64_t> colour_of_state(const Chain& chain, const LumpKeep& keep, StateId s);
std::vector<std::uint64_t> colour_of_row(const Chain& chain, const LumpKeep& keep, std::uint64_t row);

/// Total weights by block, or by whatever stands for it, in ascending order; what they sum to does not depend on the
/// order of transitions.
template <typename Key>
class WeightSums {
 public:
  void clear() { sums_.clear(); }
  void add(Key block, double weight) { sums_.emplace_back(block, weight); }
  void finish();
  const std::vector<std::pair<Key, double>>& sums() const noexcept { return sums_; }

 private:
  std::vector<std::pair<Key, double>> sums_;
};

/// Whether transitions inside of a block count.
inline bool sees_inner_moves(const Chain& chain, const LumpKeep& keep) {
  return keep.moves || chain.kind != Kind::Ctmc;
}

/// The coarsest partition by hashes of what can be seen in one more step, until nothing changes. Nothing if there are
/// more than `most` blocks, or if it takes more than `rounds`.
struct HashedBlocks {
  std::optional<Blocks> blocks;
  bool has_too_many = false;
};
HashedBlocks blocks_by_hashing(const Chain& chain, const LumpKeep& keep, std::uint64_t most, int rounds,
                               unsigned threads, const Budget& budget);

/// The same by splitting blocks, whatever it takes; transitions inside of a block count.
std::optional<Blocks> blocks_by_splitting(const Chain& chain, const LumpKeep& keep, std::uint64_t most,
                                          const Budget& budget);

template <typename Key>
void WeightSums<Key>::finish() {
  if (sums_.size() <= 1) return;
  std::sort(sums_.begin(), sums_.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sums_.size();) {
    long double sum = 0;
    const Key block = sums_[i].first;
    for (; i < sums_.size() && sums_[i].first == block; ++i) sum += sums_[i].second;
    sums_[kept++] = {block, static_cast<double>(sum)};
  }
  sums_.resize(kept);
}

}  // namespace plumb::chain
