#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/row_stream.h"

namespace plumb::chain::stream {

/// The rows of one state.
struct StateRows {
  StateId state = 0;
  std::uint64_t first_row = 0;  ///< in the chain
  std::uint32_t rows = 0;
  const std::uint32_t* counts = nullptr;
  const StateId* targets = nullptr;
  const std::uint32_t* weights = nullptr;

  /// Calls f(row, transitions, targets, weights) until it returns false; whether it never did.
  template <typename F>
  bool every_row(F&& f) const {
    const StateId* to = targets;
    const std::uint32_t* by = weights;
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (!f(first_row + r, counts[r], to, by)) return false;
      to += counts[r];
      by += counts[r];
    }
    return true;
  }
  template <typename F>
  bool some_row(F&& f) const {
    return !every_row([&](auto... row) { return !f(row...); });
  }
};

/// Passes over all states, one after the other, backward and forward in turn. A breadth-first numbering mostly leads
/// from small numbers to large ones, so what is known of successors is mostly known when a backward pass asks for it.
class Passes {
 public:
  Passes(const Chain& chain, unsigned threads, const Budget& budget)
      : chain_(chain), budget_(budget), stream_(chain, threads) {}

  const Chain& chain() const noexcept { return chain_; }
  const Budget& budget() const noexcept { return budget_; }
  std::uint64_t count() const noexcept { return count_; }

  /// Calls f(StateRows) for every state.
  template <typename F>
  void run(F&& f) {
    const bool is_backward = count_++ % 2 == 0;
    stream_.in_order(
        budget_, [&](const RowBlock& block) { visit(block, is_backward, f); },
        is_backward ? RowStream::Order::Backward : RowStream::Order::Forward);
  }

  /// Adds states of `candidates` with joins(StateRows) to the set until nothing changes.
  template <typename Joins>
  void close(const StateSet& candidates, StateSet& set, Joins&& joins) {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      run([&](const StateRows& rows) {
        if (set.contains(rows.state) || !candidates.contains(rows.state) || !joins(rows)) return;
        set.insert(rows.state);
        has_changed = true;
      });
    }
  }

 private:
  template <typename F>
  void visit(const RowBlock& block, bool is_backward, F& f) {
    states_.resize(block.states);
    std::uint32_t row = 0;
    std::uint32_t position = 0;
    for (std::uint32_t i = 0; i < block.states; ++i) {
      states_[i] = {block.first_state + i, block.first_row + row,    block.rows_of(i),
                    block.counts + row,    block.targets + position, block.weights + position};
      for (std::uint32_t r = 0; r < states_[i].rows; ++r) position += block.counts[row++];
    }
    for (std::uint32_t i = 0; i < block.states; ++i) f(states_[is_backward ? block.states - 1 - i : i]);
  }

  const Chain& chain_;
  const Budget& budget_;
  RowStream stream_;
  std::uint64_t count_ = 0;
  std::vector<StateRows> states_;
};

/// As the functions of the same name in graph.h.
struct Certain {
  StateSet zero;
  StateSet one;
};
Certain until_is_certain(Passes& passes, const StateSet& allowed, const StateSet& target, Direction direction);
/// Where every strategy (of a dtmc or ctmc: the only one) never takes a row that earns something.
StateSet earns_nothing(Passes& passes, const Chain::Rewards& rewards);
/// Whether some states of `within` can go round among themselves for ever without earning anything.
bool has_free_round(Passes& passes, const Chain::Rewards& rewards, const StateSet& within);

/// What a row earns with its state, per jump of a dtmc and mdp, per unit of time of a ctmc.
inline double earned(const Chain::Rewards& rewards, StateId state, std::uint64_t row) {
  const double by_state = rewards.states.size() == 0 ? 0 : rewards.states[state];
  return by_state + (rewards.rows.size() == 0 ? 0 : rewards.rows[row]);
}

}  // namespace plumb::chain::stream
