#pragma once

#include <cstdint>
#include <vector>

#include "chain/graph_search.h"

namespace plumb::chain {

/// Choices that lead to `reached` with positive probability in as few steps as can be: adds states of `candidates`
/// backwards, each with a row for which `is_fit(row)` holds and that has a target among those added before. From states
/// that keep to such rows and never leave the candidates, `reached` is come to with probability one.
template <typename IsFit>
void attract(const Chain& chain, StateSet reached, const StateSet& candidates, IsFit is_fit,
             std::vector<std::uint32_t>& strategy, const Budget& budget) {
  const Predecessors predecessors(chain, budget);
  std::vector<StateId> work;
  reached.for_each([&](StateId s) { work.push_back(s); });
  const auto add = [&](StateId s) {
    if (reached.contains(s) || !candidates.contains(s)) return;
    const std::uint64_t first = chain.first_row(s);
    for (std::uint32_t choice = 0; choice < chain.row_count(s); ++choice) {
      bool meets = false;
      chain.rows.for_each(first + choice, [&](StateId target, double) { meets |= reached.contains(target); });
      if (!meets || !is_fit(first + choice)) continue;
      strategy[s] = choice;
      reached.insert(s);
      work.push_back(s);
      return;
    }
  };
  for (std::size_t next = 0; next < work.size(); ++next) {
    if ((next & 0xffff) == 0xffff) budget.check();
    predecessors.for_each(work[next], add);
  }
}

/// Whether all targets of a row are in the set.
inline bool stays_inside(const Chain& chain, std::uint64_t row, const StateSet& set) {
  bool stays = true;
  chain.rows.for_each(row, [&](StateId target, double) { stays &= set.contains(target); });
  return stays;
}

/// For states that can stay in `set` for ever: a row of each that does.
inline void stay(const Chain& chain, const StateSet& set, std::vector<std::uint32_t>& strategy) {
  set.for_each([&](StateId s) {
    const std::uint64_t first = chain.first_row(s);
    for (std::uint32_t choice = 0; choice < chain.row_count(s); ++choice) {
      if (!stays_inside(chain, first + choice, set)) continue;
      strategy[s] = choice;
      break;
    }
  });
}

}  // namespace plumb::chain
