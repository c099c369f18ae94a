// Partition refinement by hashes: in each round a state's hash takes in the hashes of where it leads and how much
// weight leads there, until the number of different hashes does not change (the signature refinement of Blom and Orzan,
// "A distributed algorithm for strong bisimulation reduction of state spaces", STTT 7, 2005, with weights as in
// Derisavi, Hermanns and Sanders, "Optimal state-space lumping in Markov chains", 2003). Rounds go through the
// transitions in order and keep nothing but hashes. Most of them add up weights as whole numbers; the last compare the
// sums of doubles themselves. Of a ctmc whose moves cannot be counted, the weight that stays in a block is left out.

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <bit>
#include <cmath>

#include "chain/lump_parts.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}
constexpr std::uint64_t kSalt = 0x9e3779b97f4a7c15;

class Hashing {
 public:
  Hashing(const Chain& chain, const LumpKeep& keep, unsigned threads)
      : chain_(chain),
        sees_inner_(sees_inner_moves(chain, keep)),
        threads_(thread_count(threads, chain.states)),
        hash_(chain.states),
        next_(chain.states) {
    double greatest = 0;
    for (const double weight : chain.rows.weights().distinct()) greatest = std::max(greatest, weight);
    const double scale = greatest > 0 ? std::ldexp(1.0, 40 - std::ilogb(greatest)) : 1;
    for (const double weight : chain.rows.weights().distinct())
      whole_.push_back(static_cast<std::uint64_t>(std::llround(weight * scale)));
    bool has_row_rewards = false;
    for (const std::size_t r : keep.rewards) has_row_rewards |= chain.rewards[r].rows.size() != 0;
    if (has_row_rewards) row_colour_.resize(chain.rows.size());
    parallel_parts(row_colour_.size(), threads_, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t row = first; row < last; ++row) row_colour_[row] = mixed(colour_of_row(chain, keep, row));
    });
    parallel_parts(chain.states, threads_, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t s = first; s < last; ++s)
        hash_[s] = mixed(colour_of_state(chain, keep, static_cast<StateId>(s)));
    });
  }

  void refine(bool exactly) {
    chain_.rows.weights().index().visit([&](auto index) {
      parallel_parts(chain_.states, threads_, [&](std::uint64_t first, std::uint64_t last) {
        WeightSums<std::uint64_t> sums;
        for (std::uint64_t i = first; i < last; ++i) {
          const auto s = static_cast<StateId>(i);
          const std::uint64_t begin = chain_.first_row(s);
          std::uint64_t choices = 0;  // a sum: their order does not matter
          for (std::uint64_t row = begin; row < begin + chain_.row_count(s); ++row)
            choices += mix(colour(row) + (exactly ? exact_ways(s, row, sums) : ways(s, row, index)));
          next_[s] = mix(hash_[s] ^ mix(choices));
        }
      });
    });
    hash_.swap(next_);
  }

  /// What the last round made of the blocks before it; of one in `rate`, known by the zeros that their hash ends in.
  struct Look {
    bool has_too_many = false;
    bool has_split = false;
  };
  Look look(std::uint64_t most, std::uint64_t rate) const {
    Look result;
    absl::flat_hash_map<std::uint64_t, std::uint64_t> after;
    absl::flat_hash_set<std::uint64_t> parts;  // but for the first of each block
    for (std::uint64_t s = 0; s < chain_.states && !result.has_too_many; ++s) {
      const std::uint64_t before = next_[s];
      if ((before & (rate - 1)) != 0) continue;
      const auto [place, is_new] = after.try_emplace(before, hash_[s]);
      if (!is_new && place->second != hash_[s]) parts.insert(hash_[s]);
      result.has_too_many = (after.size() + parts.size()) * rate > most;
    }
    result.has_split = !parts.empty();
    return result;
  }

  std::optional<Blocks> blocks(std::uint64_t most) const {
    Blocks result;
    result.of_state.resize(chain_.states);
    absl::flat_hash_map<std::uint64_t, StateId> numbers;
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      result.of_state[s] = numbers.try_emplace(hash_[s], static_cast<StateId>(numbers.size())).first->second;
      if (numbers.size() > most) return std::nullopt;
    }
    result.count = numbers.size();
    return result;
  }

 private:
  static std::uint64_t mixed(const std::vector<std::uint64_t>& parts) {
    std::uint64_t result = 0;
    for (const std::uint64_t part : parts) result = mix(result ^ mix(part + 1));
    return result;
  }
  std::uint64_t colour(std::uint64_t row) const { return row_colour_.empty() ? 0 : row_colour_[row]; }

  template <typename Index>
  std::uint64_t ways(StateId s, std::uint64_t row, Index index) const {
    std::uint64_t result = 0;
    const StateId* targets = chain_.rows.targets();
    const std::uint64_t first = chain_.rows.begin(row);
    for (std::uint64_t t = first; t < first + chain_.rows.count(row); ++t) {
      const std::uint64_t to = hash_[targets[t]];
      if (sees_inner_ || to != hash_[s]) result += whole_[index[t]] * mix(to + kSalt);
    }
    return result;
  }

  std::uint64_t exact_ways(StateId s, std::uint64_t row, WeightSums<std::uint64_t>& sums) const {
    sums.clear();
    chain_.rows.for_each(row, [&](StateId target, double weight) {
      if (sees_inner_ || hash_[target] != hash_[s]) sums.add(hash_[target], weight);
    });
    sums.finish();
    std::uint64_t result = 0;
    for (const auto& [block, weight] : sums.sums())
      result += mix(mix(block + kSalt) ^ std::bit_cast<std::uint64_t>(weight));
    return result;
  }

  const Chain& chain_;
  bool sees_inner_;
  unsigned threads_;
  std::vector<std::uint64_t> whole_;  ///< distinct weights as whole numbers
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint64_t> row_colour_;  ///< empty where rows earn nothing
};

}  // namespace

HashedBlocks blocks_by_hashing(const Chain& chain, const LumpKeep& keep, std::uint64_t most, int rounds,
                               unsigned threads, const Budget& budget) {
  const std::uint64_t rate = chain.states > 1'000'000 ? 64 : 1;
  Hashing hashing(chain, keep, threads);
  bool exactly = false;
  for (int round = 0; round < rounds; ++round) {
    budget.check();
    hashing.refine(exactly);
    Hashing::Look look = hashing.look(most, rate);
    if (!look.has_split && !look.has_too_many && rate != 1) look = hashing.look(most, 1);
    if (look.has_too_many) return {std::nullopt, true};
    if (look.has_split) continue;
    if (exactly) return {hashing.blocks(most), false};
    exactly = true;
  }
  return {};
}

}  // namespace plumb::chain
