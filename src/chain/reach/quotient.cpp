#include "chain/reach/quotient.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "chain/reach/strategy.h"

namespace plumb::chain {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class QuotientBuilder {
 public:
  QuotientBuilder(const Passage& passage, bool want_strategy, Quotient& result)
      : passage_(passage), chain_(*passage.chain), want_strategy_(want_strategy), result_(result) {
    result_.chain.kind = Kind::Mdp;
    result_.chain.rewards.emplace_back();
  }

  void add_row_of(StateId s, std::uint64_t row) {
    if (chain_.rows.is_exact())
      chain_.rows.for_each_exact(row, [&](StateId target, const Fraction& weight) {
        exact_entries_.push_back({result_.of_state[target], weight});
      });
    else
      chain_.rows.for_each(
          row, [&](StateId target, double weight) { entries_.push_back({result_.of_state[target], weight}); });
    result_.perturbation = std::max(result_.perturbation, 2 * static_cast<double>(chain_.rows.count(row)));
    finish_row(row, s);
  }
  void add_step(StateId to, std::uint64_t source) {
    if (chain_.rows.is_exact())
      exact_entries_.push_back({to, 1});
    else
      entries_.push_back({to, 1});
    finish_row(source, std::nullopt);
  }
  void finish_state() {
    result_.chain.choices.push_back(rows_);
    ++result_.chain.states;
    rows_ = 0;
  }
  void finish() {
    result_.chain.rows.finish();
    result_.chain.rewards[0].rows.finish();
  }

 private:
  /// Of a row of state `s`, or one that earns nothing.
  void finish_row(std::uint64_t source, std::optional<StateId> s) {
    ValueColumn& rewards = result_.chain.rewards[0].rows;
    if (chain_.rows.is_exact()) {
      result_.chain.rows.add_row(exact_entries_);
      rewards.push_back(s ? passage_.earned_exactly(*s, source) : Fraction());
    } else {
      result_.chain.rows.add_row(entries_);
      rewards.push_back(s ? passage_.earned(*s, source) : 0);
    }
    entries_.clear();
    exact_entries_.clear();
    if (want_strategy_) result_.row_of.push_back(source);
    ++rows_;
  }

  const Passage& passage_;
  const Chain& chain_;
  bool want_strategy_;
  Quotient& result_;
  std::vector<Rows::Entry> entries_;
  std::vector<Rows::ExactEntry> exact_entries_;
  std::uint32_t rows_ = 0;
};

StateSet rows_inside(const Chain& chain, const std::vector<EndComponent>& components) {
  StateSet inside(chain.rows.size());
  for (const EndComponent& component : components)
    for (const std::uint64_t row : component.rows) inside.insert(static_cast<StateId>(row));
  return inside;
}

}  // namespace

Quotient collapse(const Passage& passage, std::vector<EndComponent> components, bool may_stop, bool want_strategy,
                  const Budget& budget) {
  const Chain& chain = *passage.chain;
  Quotient result;
  result.components = std::move(components);
  std::vector<std::uint32_t> component_of(chain.states, kNone);
  for (std::uint32_t c = 0; c < result.components.size(); ++c)
    for (const StateId s : result.components[c].states) component_of[s] = c;
  // A component has the place of its first state.
  result.of_state.resize(chain.states);
  StateId places = 0;
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const std::uint32_t c = component_of[s];
    const bool is_first = c == kNone || result.components[c].states.front() == s;
    result.of_state[s] = is_first ? places++ : result.of_state[result.components[c].states.front()];
  }
  const StateSet inside = rows_inside(chain, result.components);
  QuotientBuilder builder(passage, want_strategy, result);
  const auto add_rows = [&](StateId s) {
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row)
      if (!inside.contains(static_cast<StateId>(row))) builder.add_row_of(s, row);
  };
  for (std::uint64_t i = 0; i < chain.states; ++i) {
    if ((i & 0xfffff) == 0) budget.check();
    const auto s = static_cast<StateId>(i);
    const std::uint32_t c = component_of[s];
    if (c == kNone) {
      if (passage.open.contains(s))
        add_rows(s);
      else
        builder.add_step(result.of_state[s], chain.first_row(s));
    } else if (result.components[c].states.front() == s) {
      for (const StateId member : result.components[c].states) add_rows(member);
      if (may_stop) builder.add_step(places, Quotient::kStop);
    } else {
      continue;
    }
    builder.finish_state();
  }
  if (may_stop) {
    builder.add_step(places, Quotient::kStop);
    builder.finish_state();
  }
  builder.finish();
  return result;
}

void expand_strategy(const Chain& chain, const Quotient& quotient, const std::vector<std::uint32_t>& choices,
                     const StateSet& open, std::vector<std::uint32_t>& strategy, const Budget& budget) {
  StateSet in_component(chain.states);
  StateSet way_out(chain.states);
  const StateSet inside = rows_inside(chain, quotient.components);
  const auto chosen_row = [&](StateId place) {
    return quotient.row_of[quotient.chain.first_row(place) + choices[place]];
  };
  open.for_each([&](StateId s) {
    const std::uint64_t row = chosen_row(quotient.of_state[s]);
    const std::uint64_t first = chain.first_row(s);
    if (row >= first && row < first + chain.row_count(s)) strategy[s] = static_cast<std::uint32_t>(row - first);
  });
  for (const EndComponent& component : quotient.components) {
    const std::uint64_t row = chosen_row(quotient.of_state[component.states.front()]);
    for (const StateId s : component.states) {
      const std::uint64_t first = chain.first_row(s);
      in_component.insert(s);
      if (row >= first && row < first + chain.row_count(s)) way_out.insert(s);
    }
    if (row != Quotient::kStop) continue;
    for (const StateId s : component.states) {
      std::uint32_t choice = 0;
      while (!inside.contains(static_cast<StateId>(chain.first_row(s) + choice))) ++choice;
      strategy[s] = choice;
    }
  }
  attract(
      chain, std::move(way_out), in_component,
      [&](std::uint64_t row) { return inside.contains(static_cast<StateId>(row)); }, strategy, budget);
}

}  // namespace plumb::chain
