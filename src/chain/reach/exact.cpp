// Unbounded questions in rational arithmetic. Of a chain that is not exact a weight or reward is read as the simplest
// fraction that rounds to it (1/10 for 0.1), and rows are divided by their sums. Components are solved in order by
// state elimination; with choices by policy iteration (Howard 1960): it starts with a policy that leaves the component
// with probability one, and choices are changed only for better ones, which keeps that so (a class of states that is
// never left would have to be better than itself on average). End components need no care then, but those of the
// question are collapsed already.

#include <cmath>
#include <span>
#include <tuple>

#include "base/error.h"
#include "chain/exact/fraction.h"
#include "chain/reach/elimination.h"
#include "chain/reach/strategy.h"
#include "chain/reach/unbounded.h"

namespace plumb::chain {

namespace {

class ExactSolver {
 public:
  ExactSolver(Passage& passage, const Budget& budget)
      : passage_(passage),
        chain_(*passage.chain),
        budget_(budget),
        values_(chain_.states),
        local_(chain_.states, kNotLocal),
        weights_(fractions_of(&chain_.rows.weights())),
        state_rewards_(fractions_of(passage.state_rewards)),
        row_rewards_(fractions_of(passage.row_rewards)) {
    // What is known from the start is zero, one or infinite.
    for (std::uint64_t s = 0; s < chain_.states; ++s)
      if (const double value = passage.low[s]; std::isfinite(value)) values_[s] = Fraction::of_double(value);
  }

  ExactOutcome run() {
    choices_.resize(chain_.states);
    if (chain_.kind == Kind::Mdp) start_policy();
    component_levels(chain_, passage_.open, nullptr, budget_).for_each([&](std::span<const StateId> component) {
      do evaluate(component);
      while (chain_.kind == Kind::Mdp && improve(component));
    });
    ExactOutcome outcome;
    outcome.choices = std::move(choices_);
    outcome.values.reserve(chain_.states);
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      const bool is_open = passage_.open.contains(static_cast<StateId>(s));
      if (is_open) std::tie(passage_.low[s], passage_.high[s]) = values_[s].bounds();
      outcome.values.push_back(is_open || std::isfinite(passage_.low[s]) ? ExactValue(values_[s]) : std::nullopt);
    }
    return outcome;
  }

 private:
  static constexpr std::uint32_t kNotLocal = ~std::uint32_t{0};

  /// Of the distinct values of a column.
  static std::vector<Fraction> fractions_of(const ValueColumn* column) {
    if (!column) return {};
    if (column->is_exact()) return column->fractions();
    std::vector<Fraction> result;
    for (const double value : column->distinct()) result.push_back(Fraction::simplest(value));
    return result;
  }
  Fraction earned(StateId s, std::uint64_t row) const {
    Fraction result;
    if (passage_.state_rewards) result += state_rewards_[passage_.state_rewards->index()[s]];
    if (passage_.row_rewards) result += row_rewards_[passage_.row_rewards->index()[row]];
    return result;
  }
  /// Calls f(target, weight) for the transitions of a row.
  template <typename F>
  void for_each_weight(std::uint64_t row, F&& f) const {
    const Rows& rows = chain_.rows;
    for (std::uint64_t t = rows.begin(row); t < rows.begin(row) + rows.count(row); ++t)
      f(rows.target(t), weights_[rows.weights().index()[t]]);
  }
  bool is_finite(StateId s) const { return passage_.open.contains(s) || std::isfinite(passage_.low[s]); }
  bool is_finite_row(std::uint64_t row) const {
    bool finite = true;
    chain_.rows.for_each(row, [&](StateId target, double) { finite &= is_finite(target); });
    return finite;
  }

  void start_policy() {
    StateSet closed(chain_.states);
    for (std::uint64_t s = 0; s < chain_.states; ++s)
      if (!passage_.open.contains(static_cast<StateId>(s)) && std::isfinite(passage_.low[s]))
        closed.insert(static_cast<StateId>(s));
    attract(
        chain_, std::move(closed), passage_.open, [&](std::uint64_t row) { return is_finite_row(row); }, choices_,
        budget_);
  }

  void evaluate(std::span<const StateId> component) {
    for (std::uint32_t i = 0; i < component.size(); ++i) local_[component[i]] = i;
    Elimination<Fraction> system(static_cast<std::uint32_t>(component.size()), 1);
    for (std::uint32_t i = 0; i < component.size(); ++i) {
      const StateId s = component[i];
      const std::uint64_t row = chain_.first_row(s) + choices_[s];
      system.constant(i, 0) = earned(s, row);
      for_each_weight(row, [&](StateId target, const Fraction& weight) {
        if (target == s) return;
        if (local_[target] != kNotLocal) return system.add(i, local_[target], weight);
        system.exit(i) += weight;
        system.constant(i, 0) += weight * values_[target];
      });
    }
    for (const StateId s : component) local_[s] = kNotLocal;
    system.eliminate(~std::uint64_t{0}, budget_);
    system.substitute(budget_);
    for (std::uint32_t i = 0; i < component.size(); ++i) values_[component[i]] = std::move(system.constant(i, 0));
  }

  bool improve(std::span<const StateId> component) {
    bool has_changed = false;
    for (const StateId s : component) {
      budget_.check();
      Fraction best = values_[s];
      const std::uint64_t first = chain_.first_row(s);
      for (std::uint32_t choice = 0; choice < chain_.row_count(s); ++choice) {
        if (choice == choices_[s] || !is_finite_row(first + choice)) continue;
        Fraction value = earned(s, first + choice);
        Fraction total;
        for_each_weight(first + choice, [&](StateId target, const Fraction& weight) {
          if (target == s) return;
          total += weight;
          value += weight * values_[target];
        });
        if (total.is_zero()) continue;
        value /= total;
        if (!(passage_.direction == Direction::Max ? value > best : value < best)) continue;
        best = std::move(value);
        choices_[s] = choice;
        has_changed = true;
      }
    }
    return has_changed;
  }

  Passage& passage_;
  const Chain& chain_;
  const Budget& budget_;
  std::vector<Fraction> values_;
  std::vector<std::uint32_t> local_;
  std::vector<std::uint32_t> choices_;
  std::vector<Fraction> weights_;  ///< by index of distinct values, as the rewards
  std::vector<Fraction> state_rewards_;
  std::vector<Fraction> row_rewards_;
};

}  // namespace

ExactOutcome solve_exactly(Passage& passage, const Budget& budget) { return ExactSolver(passage, budget).run(); }

}  // namespace plumb::chain
