#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/graph.h"

namespace plumb::chain {

/// The rows of a state: numbers from `first`, and where the transitions of each begin; after the last where they end.
struct StateRows {
  std::uint64_t first;
  std::uint32_t count;
  const std::uint64_t* begins;

  std::uint64_t begin() const noexcept { return begins[0]; }
  std::uint64_t end() const noexcept { return begins[count]; }
};

/// Where the rows of some consecutive states are. Finding that out for many states at once takes a step a row, and the
/// widths of the arrays are asked for once.
class RowWindow {
 public:
  static constexpr std::uint64_t kStates = 1024;

  void load(const Chain& chain, std::uint64_t first, std::uint64_t count);
  /// Of the state `first + i`.
  StateRows rows(std::uint64_t i) const noexcept {
    return {first_row_ + row_of_[i], row_of_[i + 1] - row_of_[i], begins_.data() + row_of_[i]};
  }

 private:
  std::uint64_t first_row_ = 0;
  std::vector<std::uint32_t> row_of_;  ///< by state: its first row, counted from the first one of the window
  std::vector<std::uint64_t> begins_;
};

/// Calls f(state, rows) for the states for which `wants(state)` holds, in ascending or descending order.
template <typename Wants, typename F>
void sweep_states(const Chain& chain, bool descending, const Budget& budget, Wants wants, F&& f) {
  RowWindow window;
  const std::uint64_t blocks = (chain.states + RowWindow::kStates - 1) / RowWindow::kStates;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (b % 256 == 0) budget.check();
    const std::uint64_t first = (descending ? blocks - 1 - b : b) * RowWindow::kStates;
    const std::uint64_t count = std::min(RowWindow::kStates, chain.states - first);
    bool is_loaded = false;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t i = descending ? count - 1 - k : k;
      const auto s = static_cast<StateId>(first + i);
      if (!wants(s)) continue;
      if (!is_loaded) window.load(chain, first, count);
      is_loaded = true;
      f(s, window.rows(i));
    }
  }
}

/// The states of `sources` that have a transition to each state, each once or more; a state's own loops are left out.
/// Four bytes a transition of a source, eight a state.
class Predecessors {
 public:
  Predecessors(const Chain& chain, const StateSet& sources, const Budget& budget);
  template <typename F>
  void for_each(StateId s, F&& f) const {
    for (std::uint64_t i = starts_[s]; i < starts_[s + 1]; ++i) f(sources_[i]);
  }

 private:
  std::vector<std::uint64_t> starts_;
  GrowingArray<StateId> sources_;
};

/// Directions for sweeps that are repeated as long as they get somewhere: the one that lately got further comes next.
class SweepPlan {
 public:
  bool is_descending() const noexcept { return gain_[1] >= gain_[0]; }
  /// What was left before and after the sweep.
  void note(std::uint64_t before, std::uint64_t after) noexcept {
    gain_[is_descending() ? 1 : 0] = static_cast<double>(before - after) / static_cast<double>(before);
  }
  /// Whether one more sweep can be expected to do at least such a part of what is left.
  bool pays(double part) const noexcept { return std::max(gain_[0], gain_[1]) >= part; }

 private:
  std::array<double, 2> gain_{1, 1};
};

/// Adds states to `set` until nothing changes: those of `candidates` for which `joins(state, rows)` holds, which may
/// depend on the targets that are in the set (and only grow true with them). Sweeps over all states come first: states
/// are mostly numbered along the transitions, so some sweeps do all or nearly all and need no memory. What is left when
/// they no longer pay is done by a search along stored predecessors.
template <typename Joins>
void close_backward(const Chain& chain, const StateSet& candidates, StateSet& set, const Budget& budget, Joins joins) {
  constexpr double kLeastPart = 0.06;
  StateSet left = set.complement();
  left &= candidates;
  std::uint64_t count = left.count();
  const auto wants = [&](StateId s) { return left.contains(s); };
  const auto add = [&](StateId s) {
    set.insert(s);
    left.erase(s);
    --count;
  };
  for (SweepPlan plan; count > 0 && plan.pays(kLeastPart);) {
    const std::uint64_t before = count;
    sweep_states(chain, plan.is_descending(), budget, wants, [&](StateId s, const StateRows& rows) {
      if (joins(s, rows)) add(s);
    });
    if (count == before) return;
    plan.note(before, count);
  }
  if (count == 0) return;
  const Predecessors predecessors(chain, left, budget);
  std::vector<StateId> work;
  sweep_states(chain, true, budget, wants, [&](StateId s, const StateRows& rows) {
    if (!joins(s, rows)) return;
    add(s);
    work.push_back(s);
  });
  RowWindow window;
  std::uint64_t steps = 0;
  while (!work.empty()) {
    if ((++steps & 0xffff) == 0) budget.check();
    const StateId s = work.back();
    work.pop_back();
    predecessors.for_each(s, [&](StateId p) {
      if (!left.contains(p)) return;
      window.load(chain, p, 1);
      if (!joins(p, window.rows(0))) return;
      add(p);
      work.push_back(p);
    });
  }
}

}  // namespace plumb::chain
