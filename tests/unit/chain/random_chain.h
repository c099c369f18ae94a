#pragma once

#include <random>
#include <vector>

#include "chain/chain.h"

namespace plumb::chain {

/// Rows of small random chains, with weights that are multiples of 1/16 (so that sums are exact).
class ChainGenerator {
 public:
  explicit ChainGenerator(std::uint32_t seed) : random_(seed) {}

  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  std::vector<Rows::Entry> distribution(std::uint32_t states) {
    std::vector<Rows::Entry> row;
    std::uint32_t left = 16;
    while (left > 0) {
      const std::uint32_t part = 1 + pick(left);
      row.push_back({pick(states), part / 16.0});
      left -= part;
    }
    return row;
  }

  /// With one reward structure, "r", of states and rows.
  Chain chain(Kind kind, std::uint32_t states) {
    Chain result;
    result.kind = kind;
    result.states = states;
    result.rewards = std::vector<Chain::Rewards>(1);
    for (std::uint32_t s = 0; s < states; ++s) {
      const std::uint32_t choices = kind == Kind::Mdp ? 1 + pick(3) : 1;
      for (std::uint32_t c = 0; c < choices; ++c) {
        std::vector<Rows::Entry> row = distribution(states);
        if (kind == Kind::Ctmc)
          for (Rows::Entry& entry : row) entry.weight *= 4;
        result.rows.add_row(row);
        result.rewards[0].rows.push_back(pick(3));
      }
      if (kind == Kind::Mdp) result.choices.push_back(choices);
      result.rewards[0].states.push_back(pick(3));
    }
    result.rows.finish();
    result.deadlocks = StateSet(states);
    result.initial.push_back(0);
    return result;
  }

  StateSet set(std::uint64_t states, std::uint32_t one_in) {
    StateSet result(states);
    for (StateId s = 0; s < states; ++s)
      if (pick(one_in) == 0) result.insert(s);
    return result;
  }

 private:
  std::mt19937 random_;
};

/// Every state of `chain` as `copies` states; transitions share their weight among the copies of their target.
inline Chain blown_up(const Chain& chain, std::uint32_t copies) {
  Chain result;
  result.kind = chain.kind;
  result.states = chain.states * copies;
  result.rewards = std::vector<Chain::Rewards>(chain.rewards.size());
  for (std::uint32_t k = 0; k < copies; ++k)
    for (StateId s = 0; s < chain.states; ++s) {
      const std::uint64_t first = chain.first_row(s);
      for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
        std::vector<Rows::Entry> entries;
        chain.rows.for_each(row, [&](StateId target, double weight) {
          // Parts that differ from copy to copy, with the same sum.
          const double half = weight / 2;
          entries.push_back({static_cast<StateId>(target + chain.states * k), half});
          entries.push_back({static_cast<StateId>(target + chain.states * ((k + row) % copies)), half});
        });
        result.rows.add_row(entries);
        for (std::size_t r = 0; r < chain.rewards.size(); ++r)
          result.rewards[r].rows.push_back(chain.rewards[r].rows[row]);
      }
      if (chain.kind == Kind::Mdp) result.choices.push_back(chain.row_count(s));
      for (std::size_t r = 0; r < chain.rewards.size(); ++r)
        result.rewards[r].states.push_back(chain.rewards[r].states[s]);
    }
  result.rows.finish();
  result.deadlocks = StateSet(result.states);
  result.initial = chain.initial;
  return result;
}

inline StateSet blown_up(const StateSet& set, std::uint32_t copies) {
  StateSet result(set.size() * copies);
  for (std::uint32_t k = 0; k < copies; ++k)
    set.for_each([&](StateId s) { result.insert(static_cast<StateId>(s + k * set.size())); });
  return result;
}

}  // namespace plumb::chain
