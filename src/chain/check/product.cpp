// The product of a chain with a deterministic Rabin automaton and its accepting components (Baier and Katoen,
// "Principles of Model Checking", 2008, sections 10.3 and 10.6.4): a path is accepted if the component that it ends in
// meets one of the pairs.

#include "chain/check/product.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "chain/graph.h"

namespace plumb::chain {
namespace {

class ProductBuilder {
 public:
  ProductBuilder(const Chain& chain, const std::vector<StateSet>& literals, ltl::Rabin& automaton, const Budget& budget)
      : chain_(chain), automaton_(automaton), budget_(budget), letter_(literals.size()), letters_(chain.states) {
    ltl::Letter letter(literals.size());
    for (std::uint64_t s = 0; s < chain.states; ++s) {
      if (s % 4096 == 0) budget.check();
      for (std::size_t i = 0; i < literals.size(); ++i) letter[i] = literals[i].contains(static_cast<StateId>(s));
      if (s == 0 || letter != letter_) {
        letter_ = letter;
        last_ = automaton.letter(letter);
      }
      letters_[s] = last_;
    }
  }

  Product run(const StateSet* asked, const std::size_t* rewards) {
    product_.chain.kind = chain_.kind;
    product_.start.assign(chain_.states, Product::kNotAsked);
    product_.chain.rewards = std::vector<Chain::Rewards>(rewards ? 1 : 0);
    if (rewards) product_.chain.rewards[0].name = chain_.rewards[*rewards].name;
    for (std::uint64_t i = 0; i < chain_.states; ++i) {
      const auto s = static_cast<StateId>(i);
      if (i % 4096 == 0) budget_.check();
      if (!asked || asked->contains(s))
        product_.start[s] = number(s, automaton_.next(automaton_.initial(), letters_[s]));
    }
    for (std::size_t at = 0; at < original_.size(); ++at) {
      if (at % 4096 == 0) budget_.check();
      expand(static_cast<StateId>(at), rewards);
    }
    finish();
    return std::move(product_);
  }

 private:
  StateId number(StateId s, ltl::Rabin::State q) {
    const auto [place, is_new] = ids_.try_emplace(std::uint64_t{s} << 32 | q, static_cast<StateId>(original_.size()));
    if (is_new) {
      original_.push_back(s);
      product_.automaton.push_back(q);
    }
    return place->second;
  }

  void expand(StateId at, const std::size_t* rewards) {
    const StateId s = original_[at];
    const ltl::Rabin::State q = product_.automaton[at];
    const std::uint64_t first = chain_.first_row(s);
    const std::uint32_t count = chain_.row_count(s);
    const Chain::Rewards* earned = rewards ? &chain_.rewards[*rewards] : nullptr;
    if (earned) copy(earned->states, s, product_.chain.rewards[0].states);
    for (std::uint64_t row = first; row < first + count; ++row) {
      const auto successor = [&](StateId target) { return number(target, automaton_.next(q, letters_[target])); };
      if (chain_.rows.is_exact()) {
        exact_entries_.clear();
        chain_.rows.for_each_exact(row, [&](StateId target, const Fraction& weight) {
          exact_entries_.push_back({successor(target), weight});
        });
        product_.chain.rows.add_row(exact_entries_);
      } else {
        entries_.clear();
        chain_.rows.for_each(row,
                             [&](StateId target, double weight) { entries_.push_back({successor(target), weight}); });
        product_.chain.rows.add_row(entries_);
      }
      if (earned) copy(earned->rows, row, product_.chain.rewards[0].rows);
    }
    if (chain_.kind == Kind::Mdp) product_.chain.choices.push_back(count);
  }

  static void copy(const ValueColumn& from, std::uint64_t element, ValueColumn& to) {
    if (from.size() == 0) return;
    if (from.is_exact())
      to.push_back(from.fractions()[from.index()[element]]);
    else
      to.push_back(from[element]);
  }

  void finish() {
    product_.chain.states = original_.size();
    product_.chain.rows.finish();
    product_.chain.choices.shrink();
    product_.chain.deadlocks = StateSet(original_.size());
    for (Chain::Rewards& rewards : product_.chain.rewards) {
      rewards.states.finish();
      rewards.rows.finish();
    }
    for (const StateId s : chain_.initial)
      if (product_.start[s] != Product::kNotAsked) product_.chain.initial.push_back(product_.start[s]);
  }

  const Chain& chain_;
  ltl::Rabin& automaton_;
  const Budget& budget_;
  ltl::Letter letter_;
  ltl::LetterId last_ = 0;
  std::vector<ltl::LetterId> letters_;  ///< by state
  Product product_;
  std::vector<StateId> original_;
  absl::flat_hash_map<std::uint64_t, StateId> ids_;
  std::vector<Rows::Entry> entries_;
  std::vector<Rows::ExactEntry> exact_entries_;
};

StateSet accepting_bottom_states(const Product& product, const ltl::Rabin& automaton, const Budget& budget) {
  const Components components = strong_components(product.chain, budget);
  std::vector<std::vector<StateId>> members(components.count);
  const std::vector<std::uint32_t> bottoms = bottom_components(product.chain, components);
  std::vector<bool> is_bottom(components.count);
  for (const std::uint32_t c : bottoms) is_bottom[c] = true;
  for (std::uint64_t s = 0; s < product.chain.states; ++s)
    if (is_bottom[components.of_state[s]]) members[components.of_state[s]].push_back(static_cast<StateId>(s));
  StateSet result(product.chain.states);
  std::vector<std::uint64_t> present(automaton.pairs());  // in how many states of the component the pair is not bad
  std::vector<bool> good(automaton.pairs());
  for (const std::uint32_t c : bottoms) {
    std::ranges::fill(present, 0);
    good.assign(automaton.pairs(), false);
    budget.check();
    for (const StateId s : members[c])
      for (const ltl::Rabin::Mark& mark : automaton.marks(product.automaton[s])) {
        ++present[mark.pair];
        if (mark.is_good) good[mark.pair] = true;
      }
    bool accepts = false;
    for (std::uint32_t pair = 0; pair < automaton.pairs(); ++pair)
      accepts |= good[pair] && present[pair] == members[c].size();
    if (!accepts) continue;
    for (const StateId s : members[c]) result.insert(s);
  }
  return result;
}

}  // namespace

Product make_product(const Chain& chain, const std::vector<StateSet>& literals, ltl::Rabin& automaton,
                     const StateSet* asked, const std::size_t* rewards, const Budget& budget) {
  return ProductBuilder(chain, literals, automaton, budget).run(asked, rewards);
}

StateSet accepting_states(const Product& product, const ltl::Rabin& automaton, const Budget& budget) {
  if (product.chain.kind != Kind::Mdp) return accepting_bottom_states(product, automaton, budget);
  const std::uint64_t states = product.chain.states;
  StateSet result(states);
  for (std::uint32_t pair = 0; pair < automaton.pairs(); ++pair) {
    StateSet present(states);
    StateSet good(states);
    for (std::uint64_t i = 0; i < states; ++i) {
      if (i % 4096 == 0) budget.check();
      for (const ltl::Rabin::Mark& mark : automaton.marks(product.automaton[i])) {
        if (mark.pair != pair) continue;
        present.insert(static_cast<StateId>(i));
        if (mark.is_good) good.insert(static_cast<StateId>(i));
      }
    }
    if (good.empty()) continue;
    for (const EndComponent& component : maximal_end_components(product.chain, present, budget)) {
      const bool accepts = std::ranges::any_of(component.states, [&](StateId s) { return good.contains(s); });
      if (!accepts) continue;
      for (const StateId s : component.states) result.insert(s);
    }
  }
  return result;
}

}  // namespace plumb::chain
