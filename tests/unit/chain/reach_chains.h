#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "chain/chain.h"

namespace plumb::chain::testing {

using Row = std::vector<Rows::Entry>;

/// Chains by hand: the rows of each state in order; of a dtmc or ctmc one.
class ChainMaker {
 public:
  explicit ChainMaker(Kind kind) { chain_.kind = kind; }
  ChainMaker& state(std::vector<Row> rows) {
    for (Row& row : rows) chain_.rows.add_row(row);
    if (chain_.kind == Kind::Mdp) chain_.choices.push_back(static_cast<std::uint32_t>(rows.size()));
    ++chain_.states;
    return *this;
  }
  /// One reward structure; empty vectors for none.
  Chain finish(const std::vector<double>& states = {}, const std::vector<double>& rows = {}) {
    chain_.rows.finish();
    chain_.rewards.emplace_back();
    for (const double value : states) chain_.rewards[0].states.push_back(value);
    for (const double value : rows) chain_.rewards[0].rows.push_back(value);
    return std::move(chain_);
  }

 private:
  Chain chain_;
};

inline StateSet set_of(const Chain& chain, const std::vector<StateId>& states) {
  StateSet set(chain.states);
  for (const StateId s : states) set.insert(s);
  return set;
}

/// A row over random targets with probabilities that are tenths; in a stiff chain some are tiny.
inline Row random_row(std::mt19937& random, std::uint32_t states, bool is_stiff) {
  static const std::vector<std::vector<double>> kSplits{{1},
                                                        {0.5, 0.5},
                                                        {0.1, 0.9},
                                                        {0.3, 0.7},
                                                        {0.2, 0.3, 0.5},
                                                        {0.1, 0.1, 0.8},
                                                        {1e-6, 0.999999},
                                                        {0.001, 0.999},
                                                        {1e-9, 0.999999999},
                                                        {0.00001, 0.49999, 0.5}};
  Row row;
  // Targets may be the same; their probabilities are then added up.
  for (const double p : kSplits[random() % (is_stiff ? kSplits.size() : kSplits.size() - 4)])
    row.push_back({static_cast<StateId>(random() % states), p});
  return row;
}

/// With rewards 0, 1 or 2.5 on states and rows, mostly 0.
inline Chain random_chain(std::mt19937& random, Kind kind, std::uint32_t states, bool is_stiff = false) {
  ChainMaker maker(kind);
  std::vector<double> state_rewards;
  std::vector<double> row_rewards;
  const auto reward = [&] { return std::vector<double>{0, 0, 0, 1, 2.5}[random() % 5]; };
  for (std::uint32_t s = 0; s < states; ++s) {
    const std::size_t count = kind == Kind::Mdp ? 1 + random() % 3 : 1;
    std::vector<Row> rows;
    for (std::size_t r = 0; r < count; ++r) {
      rows.push_back(random_row(random, states, is_stiff));
      row_rewards.push_back(reward());
    }
    state_rewards.push_back(reward());
    maker.state(std::move(rows));
  }
  return maker.finish(state_rewards, row_rewards);
}

/// The dtmc that a strategy makes of an mdp.
inline Chain under_strategy(const Chain& chain, const std::vector<std::uint32_t>& strategy) {
  ChainMaker maker(Kind::Dtmc);
  std::vector<double> state_rewards;
  std::vector<double> row_rewards;
  for (StateId s = 0; s < chain.states; ++s) {
    const std::uint64_t row = chain.first_row(s) + strategy[s];
    Row entries;
    chain.rows.for_each(row, [&](StateId target, double weight) { entries.push_back({target, weight}); });
    maker.state({entries});
    if (!chain.rewards.empty()) {
      state_rewards.push_back(chain.rewards[0].states.size() ? chain.rewards[0].states[s] : 0);
      row_rewards.push_back(chain.rewards[0].rows.size() ? chain.rewards[0].rows[row] : 0);
    }
  }
  return maker.finish(state_rewards, row_rewards);
}

/// Calls f with every strategy that has no memory.
template <typename F>
void for_each_strategy(const Chain& chain, F&& f) {
  std::vector<std::uint32_t> strategy(chain.states);
  while (true) {
    f(std::as_const(strategy));
    StateId s = 0;
    while (s < chain.states && ++strategy[s] == chain.row_count(s)) strategy[s++] = 0;
    if (s == chain.states) return;
  }
}

}  // namespace plumb::chain::testing
