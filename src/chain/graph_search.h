#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "chain/graph.h"

namespace plumb::chain {

/// Tarjan's algorithm (1972) with an explicit stack, over the states of `within` and the transitions of rows for which
/// `has_row(row)` is true. States outside get kNoComponent.
inline constexpr std::uint32_t kNoComponent = ~std::uint32_t{0};

template <typename HasRow>
Components strong_components_of(const Chain& chain, const StateSet* within, HasRow has_row, const Budget& budget) {
  constexpr std::uint32_t kUnseen = 0;
  struct Visit {
    std::uint64_t transition;        // the next one
    std::uint32_t transitions_left;  // of the row
    std::uint32_t rows_left;         // after that row
    StateId state;
    std::uint32_t number;
  };
  Components result;
  result.of_state.assign(chain.states, kNoComponent);
  std::vector<std::uint32_t> low(chain.states, kUnseen);  // the least number that is reached; numbers count from one
  std::vector<StateId> open;
  std::vector<Visit> stack;
  std::uint32_t counter = 0;
  const auto enter = [&](StateId s) {
    low[s] = ++counter;
    open.push_back(s);
    stack.push_back({chain.rows.begin(chain.first_row(s)), 0, chain.row_count(s), s, counter});
  };
  std::uint64_t steps = 0;
  for (std::uint64_t root = 0; root < chain.states; ++root) {
    if (low[root] != kUnseen || (within && !within->contains(static_cast<StateId>(root)))) continue;
    enter(static_cast<StateId>(root));
    while (!stack.empty()) {
      if ((++steps & 0xfffff) == 0) budget.check();
      Visit& visit = stack.back();
      if (visit.transitions_left == 0) {
        if (visit.rows_left > 0) {
          const std::uint64_t row = chain.first_row(visit.state) + chain.row_count(visit.state) - visit.rows_left--;
          if (has_row(row))
            visit.transitions_left = chain.rows.count(row);
          else
            visit.transition += chain.rows.count(row);
          continue;
        }
        const StateId s = visit.state;
        const bool is_root = low[s] == visit.number;
        stack.pop_back();
        if (!stack.empty()) low[stack.back().state] = std::min(low[stack.back().state], low[s]);
        if (!is_root) continue;
        StateId member = 0;
        do {
          member = open.back();
          open.pop_back();
          result.of_state[member] = result.count;
          low[member] = ~std::uint32_t{0};  // closed: no later state can reach behind it
        } while (member != s);
        ++result.count;
        continue;
      }
      const StateId target = chain.rows.target(visit.transition++);
      --visit.transitions_left;
      if (within && !within->contains(target)) continue;
      if (low[target] == kUnseen) {
        enter(target);
      } else if (result.of_state[target] == kNoComponent) {
        low[visit.state] = std::min(low[visit.state], low[target]);
      }
    }
  }
  return result;
}

/// The states that have a transition to each state, each once or more; a state's own loops are left out. Four bytes a
/// transition and a state.
class Predecessors {
 public:
  Predecessors(const Chain& chain, const Budget& budget);
  template <typename F>
  void for_each(StateId s, F&& f) const {
    for (std::uint64_t i = starts_[s]; i < starts_[s + 1]; ++i) f(sources_[i]);
  }

 private:
  std::vector<std::uint64_t> starts_;
  GrowingArray<StateId> sources_;
};

}  // namespace plumb::chain
