// Qualitative analysis by backward closures (Baier and Katoen, "Principles of Model Checking", 2008, sections 10.1
// and 10.6), which graph_search.h does by sweeps, and maximal end components by taking components apart.

#include "chain/graph.h"

#include <algorithm>
#include <span>

#include "chain/graph_levels.h"
#include "chain/graph_search.h"

namespace plumb::chain {

Components strong_components(const Chain& chain, const Budget& budget) {
  require_rows(chain, "the search for components");
  const ComponentLevels levels = component_levels(chain, StateSet(chain.states, true), nullptr, budget);
  Components result;
  result.of_state.resize(chain.states);
  levels.for_each([&](std::span<const StateId> component) {
    for (const StateId s : component) result.of_state[s] = result.count;
    ++result.count;
  });
  return result;
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

void RowWindow::load(const Chain& chain, std::uint64_t first, std::uint64_t count) {
  first_row_ = chain.first_row(static_cast<StateId>(first));
  row_of_.resize(count + 1);
  row_of_[0] = 0;
  if (chain.choices.size() == 0)
    for (std::uint32_t i = 0; i < count; ++i) row_of_[i + 1] = i + 1;
  else
    chain.choices.counts().visit([&](auto counts) {
      for (std::uint64_t i = 0; i < count; ++i) row_of_[i + 1] = row_of_[i] + counts[first + i];
    });
  const std::uint32_t rows = row_of_[count];
  begins_.resize(std::size_t{rows} + 1);
  begins_[0] = chain.rows.begin(first_row_);
  chain.rows.offsets().counts().visit([&](auto counts) {
    for (std::uint32_t r = 0; r < rows; ++r) begins_[r + 1] = begins_[r] + counts[first_row_ + r];
  });
}

Predecessors::Predecessors(const Chain& chain, const StateSet& sources, const Budget& budget)
    : starts_(chain.states + 1) {
  const auto for_each_edge = [&](auto f) {
    sweep_states(
        chain, false, budget, [&](StateId s) { return sources.contains(s); },
        [&](StateId s, const StateRows& rows) {
          for (std::uint64_t t = rows.begin(); t < rows.end(); ++t)
            if (chain.rows.target(t) != s) f(s, chain.rows.target(t));
        });
  };
  for_each_edge([&](StateId, StateId target) { ++starts_[target + 1]; });
  for (std::uint64_t s = 0; s < chain.states; ++s) starts_[s + 1] += starts_[s];
  sources_.resize(starts_.back());
  // One place on, each start is the end of its part once that is filled.
  for (std::uint64_t s = chain.states; s > 0; --s) starts_[s] = starts_[s - 1];
  for_each_edge([&](StateId source, StateId target) { sources_[starts_[target + 1]++] = source; });
}

namespace {

bool meets(const Chain& chain, std::uint64_t begin, std::uint64_t end, const StateSet& set) {
  const StateId* targets = chain.rows.targets();
  for (std::uint64_t t = begin; t < end; ++t)
    if (set.contains(targets[t])) return true;
  return false;
}

bool stays(const Chain& chain, std::uint64_t begin, std::uint64_t end, const StateSet& set) {
  const StateId* targets = chain.rows.targets();
  for (std::uint64_t t = begin; t < end; ++t)
    if (!set.contains(targets[t])) return false;
  return true;
}

/// For close_backward(): some row has a target in the set, which is where it may lead; or every row has.
auto some_row_meets(const Chain& chain, const StateSet& set) {
  return [&](StateId, const StateRows& rows) { return meets(chain, rows.begin(), rows.end(), set); };
}
auto every_row_meets(const Chain& chain, const StateSet& set) {
  return [&](StateId, const StateRows& rows) {
    for (std::uint32_t r = 0; r < rows.count; ++r)
      if (!meets(chain, rows.begins[r], rows.begins[r + 1], set)) return false;
    return true;
  };
}

StateSet without(StateSet set, const StateSet& other) {
  set &= other.complement();
  return set;
}

StateSet is_zero(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                 const Budget& budget) {
  StateSet positive = target;
  if (chain.kind != Kind::Mdp || direction == Direction::Max)
    close_backward(chain, allowed, positive, budget, some_row_meets(chain, positive));
  else
    close_backward(chain, allowed, positive, budget, every_row_meets(chain, positive));
  return positive.complement();
}

StateSet is_one(const Chain& chain, const StateSet& zero, const StateSet& allowed, const StateSet& target,
                Direction direction, const Budget& budget) {
  const StateSet inner = without(allowed, target);
  if (chain.kind != Kind::Mdp || direction == Direction::Min) {
    // Probability one is missed exactly where a state with probability zero can be come to before the target.
    StateSet less = zero;
    if (!less.empty()) close_backward(chain, inner, less, budget, some_row_meets(chain, less));
    return less.complement();
  }
  // Where a strategy can surely go on inside: first all that has a chance at all, then what has one by rows that stay.
  StateSet outside = zero;
  while (true) {
    close_backward(chain, inner, outside, budget, every_row_meets(chain, outside));
    const StateSet inside = outside.complement();
    StateSet reached = target;
    StateSet candidates = inner;
    candidates &= inside;
    close_backward(chain, candidates, reached, budget, [&](StateId, const StateRows& rows) {
      for (std::uint32_t r = 0; r < rows.count; ++r)
        if (meets(chain, rows.begins[r], rows.begins[r + 1], reached) &&
            stays(chain, rows.begins[r], rows.begins[r + 1], inside))
          return true;
      return false;
    });
    if (reached == inside) return reached;
    outside = reached.complement();
  }
}

}  // namespace

StateSet until_is_zero(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                       const Budget& budget) {
  require_rows(chain, "the qualitative analysis");
  return is_zero(chain, allowed, target, direction, budget);
}

StateSet until_is_one(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                      const Budget& budget) {
  return until_is_certain(chain, allowed, target, direction, budget).one;
}

CertainStates until_is_certain(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
                               const Budget& budget) {
  require_rows(chain, "the qualitative analysis");
  CertainStates result;
  result.zero = is_zero(chain, allowed, target, direction, budget);
  result.one = is_one(chain, result.zero, allowed, target, direction, budget);
  return result;
}

StateSet can_avoid_rows(const Chain& chain, const StateSet& rows, Direction direction, const Budget& budget) {
  require_rows(chain, "the qualitative analysis");
  StateSet hit(chain.states);
  // Whether one row (Max) or all (Min) are in `rows` or lead to a state that cannot keep off them.
  close_backward(chain, StateSet(chain.states, true), hit, budget, [&](StateId, const StateRows& own) {
    for (std::uint32_t r = 0; r < own.count; ++r) {
      const bool is_hit =
          rows.contains(static_cast<StateId>(own.first + r)) || meets(chain, own.begins[r], own.begins[r + 1], hit);
      if (is_hit == (direction == Direction::Max)) return is_hit;
    }
    return direction == Direction::Min;
  });
  return hit.complement();
}

namespace {

/// Rows that leave their component cannot belong to an end component; without them components fall apart further, until
/// nothing changes. Only components that have lost a row are looked at again.
class EndComponentSearch {
 public:
  EndComponentSearch(const Chain& chain, const StateSet& within, const Budget& budget, const StateSet* excluded)
      : chain_(chain), budget_(budget), rows_(chain.rows.size()) {
    within.for_each([&](StateId s) {
      const std::uint64_t first = chain.first_row(s);
      for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) rows_.insert(static_cast<StateId>(row));
    });
    if (excluded) rows_ &= excluded->complement();
  }

  std::vector<EndComponent> run(const StateSet& within) {
    StateSet states = within;
    while (!states.empty()) {
      const ComponentLevels levels = component_levels(chain_, states, &rows_, budget_);
      StateSet again(chain_.states);
      for (const StateId& s : levels.singles()) look_at({&s, 1}, again);
      for (const ComponentLevels::Group& group : levels.groups()) look_at(levels.members(group), again);
      states = std::move(again);
    }
    std::ranges::sort(result_, {}, [](const EndComponent& component) { return component.states.front(); });
    return std::move(result_);
  }

 private:
  bool stays_in(std::uint64_t row, std::span<const StateId> component) const {
    const std::uint64_t begin = chain_.rows.begin(row);
    for (std::uint64_t t = begin; t < begin + chain_.rows.count(row); ++t) {
      const StateId target = chain_.rows.target(t);
      if (component.size() == 1 ? target != component[0] : !std::ranges::binary_search(component, target)) return false;
    }
    return true;
  }

  /// Takes the rows away that leave the component, and the states that have none then. If it has lost nothing it is an
  /// end component, otherwise its states are put into `again`.
  void look_at(std::span<const StateId> component, StateSet& again) {
    bool is_whole = true;
    std::vector<StateId> kept;
    std::vector<std::uint64_t> rows;
    for (const StateId s : component) {
      const std::uint64_t first = chain_.first_row(s);
      const std::size_t before = rows.size();
      for (std::uint64_t row = first; row < first + chain_.row_count(s); ++row) {
        if (!rows_.contains(static_cast<StateId>(row))) continue;
        if (stays_in(row, component)) {
          rows.push_back(row);
        } else {
          rows_.erase(static_cast<StateId>(row));
          is_whole = false;
        }
      }
      if (rows.size() > before)
        kept.push_back(s);
      else
        is_whole = false;
    }
    if (kept.empty()) return;
    if (is_whole || component.size() == 1)
      result_.push_back({std::move(kept), std::move(rows)});
    else
      for (const StateId s : kept) again.insert(s);
  }

  const Chain& chain_;
  const Budget& budget_;
  StateSet rows_;
  std::vector<EndComponent> result_;
};

}  // namespace

std::vector<EndComponent> maximal_end_components(const Chain& chain, const StateSet& within, const Budget& budget,
                                                 const StateSet* excluded) {
  require_rows(chain, "the search for end components");
  return EndComponentSearch(chain, within, budget, excluded).run(within);
}

}  // namespace plumb::chain
