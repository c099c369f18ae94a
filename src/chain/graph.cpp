// Qualitative analysis by backward search (Baier and Katoen, "Principles of Model Checking", 2008, sections 10.1
// and 10.6). Everything works on states and their predecessors; rows of an mdp are looked at again when one of their
// targets has changed sides.

#include "chain/graph.h"

#include "chain/graph_search.h"

namespace plumb::chain {

Components strong_components(const Chain& chain, const Budget& budget) {
  return strong_components_of(chain, nullptr, [](std::uint64_t) { return true; }, budget);
}

std::vector<std::uint32_t> bottom_components(const Chain& chain, const Components& components) {
  std::vector<bool> is_left(components.count);
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const auto state = static_cast<StateId>(s);
    const std::uint64_t first = chain.first_row(state);
    for (std::uint64_t row = first; row < first + chain.row_count(state); ++row)
      chain.rows.for_each(row, [&](StateId target, double) {
        if (components.of_state[target] != components.of_state[s]) is_left[components.of_state[s]] = true;
      });
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t c = 0; c < components.count; ++c)
    if (!is_left[c]) result.push_back(c);
  return result;
}

Predecessors::Predecessors(const Chain& chain, const Budget& budget) : starts_(chain.states + 1) {
  const auto for_each_edge = [&](auto f) {
    for (std::uint64_t s = 0; s < chain.states; ++s) {
      if ((s & 0xfffff) == 0) budget.check();
      const auto state = static_cast<StateId>(s);
      const std::uint64_t row = chain.first_row(state);
      const std::uint64_t last = chain.rows.begin(row + chain.row_count(state));
      for (std::uint64_t t = chain.rows.begin(row); t < last; ++t)
        if (chain.rows.target(t) != state) f(state, chain.rows.target(t));
    }
  };
  for_each_edge([&](StateId, StateId target) { ++starts_[target + 1]; });
  for (std::uint64_t s = 0; s < chain.states; ++s) starts_[s + 1] += starts_[s];
  sources_.resize(starts_.back());
  // One place on, each start is the end of its part once that is filled.
  for (std::uint64_t s = chain.states; s > 0; --s) starts_[s] = starts_[s - 1];
  for_each_edge([&](StateId source, StateId target) { sources_[starts_[target + 1]++] = source; });
}

namespace {

/// Adds states until nothing changes: a state of `candidates` that is not in `set` and has a successor there is added
/// if `joins(state)`.
template <typename Joins>
void close_backward(const Predecessors& predecessors, const StateSet& candidates, StateSet& set, const Budget& budget,
                    Joins joins) {
  std::vector<StateId> work;
  set.for_each([&](StateId s) { work.push_back(s); });
  std::uint64_t steps = 0;
  while (!work.empty()) {
    if ((++steps & 0xffff) == 0) budget.check();
    const StateId s = work.back();
    work.pop_back();
    predecessors.for_each(s, [&](StateId p) {
      if (set.contains(p) || !candidates.contains(p) || !joins(p)) return;
      set.insert(p);
      work.push_back(p);
    });
  }
}

/// Whether some row of the state, or every one, has a target in `set`.
bool every_row_meets(const Chain& chain, StateId s, const StateSet& set) {
  const std::uint64_t first = chain.first_row(s);
  for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
    bool meets = false;
    chain.rows.for_each(row, [&](StateId target, double) { meets |= set.contains(target); });
    if (!meets) return false;
  }
  return true;
}

bool some_row_stays_and_meets(const Chain& chain, StateId s, const StateSet& inside, const StateSet& set) {
  const std::uint64_t first = chain.first_row(s);
  for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
    bool meets = false;
    bool stays = true;
    chain.rows.for_each(row, [&](StateId target, double) {
      meets |= set.contains(target);
      stays &= inside.contains(target);
    });
    if (meets && stays) return true;
  }
  return false;
}

StateSet without(StateSet set, const StateSet& other) {
  set &= other.complement();
  return set;
}

StateSet is_zero(const Chain& chain, const Predecessors& predecessors, const StateSet& allowed, const StateSet& target,
                 Direction direction, const Budget& budget) {
  StateSet positive = target;
  if (chain.kind != Kind::Mdp || direction == Direction::Max)
    close_backward(predecessors, allowed, positive, budget, [](StateId) { return true; });
  else
    close_backward(predecessors, allowed, positive, budget,
                   [&](StateId s) { return every_row_meets(chain, s, positive); });
  return positive.complement();
}

StateSet is_one(const Chain& chain, const Predecessors& predecessors, const StateSet& zero, const StateSet& allowed,
                const StateSet& target, Direction direction, const Budget& budget) {
  const StateSet inner = without(allowed, target);
  if (chain.kind != Kind::Mdp || direction == Direction::Min) {
    // Probability one is missed exactly where a state with probability zero can be come to before the target.
    StateSet less = zero;
    close_backward(predecessors, inner, less, budget, [](StateId) { return true; });
    return less.complement();
  }
  StateSet inside = allowed;
  inside |= target;
  while (true) {
    StateSet reached = target;
    close_backward(predecessors, inner, reached, budget, [&](StateId s) {
      return inside.contains(s) && some_row_stays_and_meets(chain, s, inside, reached);
    });
    if (reached == inside) return inside;
    inside = std::move(reached);
  }
}

}  // namespace

StateSet until_is_zero(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                       const Budget& budget) {
  return is_zero(chain, Predecessors(chain, budget), allowed, target, direction, budget);
}

StateSet until_is_one(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                      const Budget& budget) {
  return until_is_certain(chain, allowed, target, direction, budget).one;
}

CertainStates until_is_certain(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                               const Budget& budget) {
  const Predecessors predecessors(chain, budget);
  CertainStates result;
  result.zero = is_zero(chain, predecessors, allowed, target, direction, budget);
  result.one = is_one(chain, predecessors, result.zero, allowed, target, direction, budget);
  return result;
}

StateSet can_avoid_rows(const Chain& chain, const StateSet& rows, Direction direction, const Budget& budget) {
  const Predecessors predecessors(chain, budget);
  const StateSet all(chain.states, true);
  StateSet hit(chain.states);
  // Whether one row (Max) or all (Min) are in `rows` or lead to a state that cannot keep off them.
  const auto is_hit = [&](StateId s) {
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
      bool meets = rows.contains(static_cast<StateId>(row));
      chain.rows.for_each(row, [&](StateId target, double) { meets |= hit.contains(target); });
      if (meets == (direction == Direction::Max)) return meets;
    }
    return direction == Direction::Min;
  };
  StateSet start(chain.states);
  for (std::uint64_t s = 0; s < chain.states; ++s)
    if (is_hit(static_cast<StateId>(s))) start.insert(static_cast<StateId>(s));
  hit = start;
  close_backward(predecessors, all, hit, budget, is_hit);
  return hit.complement();
}

std::vector<EndComponent> maximal_end_components(const Chain& chain, const StateSet& within, const Budget& budget,
                                                 const StateSet* excluded) {
  // Rows that leave their component cannot belong to an end component; without them components fall apart further,
  // until nothing changes.
  StateSet states = within;
  StateSet rows(chain.rows.size());
  states.for_each([&](StateId s) {
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) rows.insert(static_cast<StateId>(row));
  });
  if (excluded) rows &= excluded->complement();
  Components components;
  for (bool changed = true; changed;) {
    changed = false;
    components = strong_components_of(
        chain, &states, [&](std::uint64_t row) { return rows.contains(static_cast<StateId>(row)); }, budget);
    states.for_each([&](StateId s) {
      const std::uint64_t first = chain.first_row(s);
      bool has_row = false;
      for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
        if (!rows.contains(static_cast<StateId>(row))) continue;
        bool stays = true;
        chain.rows.for_each(
            row, [&](StateId target, double) { stays &= components.of_state[target] == components.of_state[s]; });
        has_row |= stays;
        if (stays) continue;
        rows.erase(static_cast<StateId>(row));
        changed = true;
      }
      if (has_row) return;
      states.erase(s);
      changed = true;
    });
  }
  std::vector<EndComponent> result;
  std::vector<std::uint32_t> place(components.count, kNoComponent);
  states.for_each([&](StateId s) {
    std::uint32_t& at = place[components.of_state[s]];
    if (at == kNoComponent) {
      at = static_cast<std::uint32_t>(result.size());
      result.emplace_back();
    }
    result[at].states.push_back(s);
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row)
      if (rows.contains(static_cast<StateId>(row))) result[at].rows.push_back(row);
  });
  return result;
}

}  // namespace plumb::chain
