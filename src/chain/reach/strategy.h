#pragma once

#include <cstdint>
#include <vector>

#include "chain/graph_search.h"

namespace plumb::chain {

/// Choices that lead to `reached` with positive probability: adds states of `candidates` backwards, each with a row for
/// which `is_fit(row)` holds and that has a target among those added before. From states that keep to such rows and
/// never leave the candidates, `reached` is come to with probability one.
template <typename IsFit>
void attract(const Chain& chain, StateSet reached, const StateSet& candidates, IsFit is_fit,
             std::vector<std::uint32_t>& strategy, const Budget& budget) {
  close_backward(chain, candidates, reached, budget, [&](StateId s, const StateRows& rows) {
    for (std::uint32_t choice = 0; choice < rows.count; ++choice) {
      bool meets = false;
      for (std::uint64_t t = rows.begins[choice]; t < rows.begins[choice + 1] && !meets; ++t)
        meets = reached.contains(chain.rows.target(t));
      if (!meets || !is_fit(rows.first + choice)) continue;
      strategy[s] = choice;
      return true;
    }
    return false;
  });
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
