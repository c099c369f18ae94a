#include "chain/reach/unbounded.h"

#include <fmt/format.h>

#include <algorithm>

#include "chain/reach/quotient.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

namespace {

using Method = AnalysisOptions::Method;

/// Best rows for the bound that the strategy has to attain: what is best for a lower vector that sweeps raise, or for
/// an upper one that they lower, does as well as that vector or better.
std::vector<std::uint32_t> greedy_choices(const Passage& passage, const Budget& budget) {
  std::vector<std::uint32_t> choices(passage.chain->states);
  const Vectors<1> x{{passage.direction == Direction::Max ? passage.low.data() : passage.high.data()}};
  const Rounding rounding = passage.direction == Direction::Max ? Rounding::Down : Rounding::Up;
  with_sweeper(passage, [&](auto& sweeper) {
    sweep_states(
        *passage.chain, false, budget, [&](StateId s) { return passage.open.contains(s); },
        [&](StateId s, const StateRows& rows) { sweeper.template best<1>(s, rows, x, {rounding}, &choices[s]); });
  });
  return choices;
}

std::string describe(const PassageOutcome& outcome, Method method) {
  if (outcome.is_rational) return "rational elimination";
  if (outcome.components == 0) return "graph analysis";
  std::string how;
  const auto add = [&](std::uint64_t count, const char* name) {
    if (count == 0) return;
    if (!how.empty()) how += " and ";
    how += name;
  };
  add(outcome.iterated, method == Method::Value ? "value iteration" : "interval iteration");
  add(outcome.approximated, "linear equations with verified bounds");
  add(outcome.eliminated, "elimination");
  if (how.empty()) how = "substitution";
  std::string text = fmt::format("{} in {} components", how, outcome.components);
  if (!outcome.is_method_used) text += " (the method asked for does not apply)";
  if (!outcome.is_closed) text += ", bounds at the limits of double precision";
  return text;
}

struct Solved {
  PassageOutcome outcome;
  ExactOutcome exact;
  std::vector<std::uint32_t> choices;
};

Solved solve(Passage& passage, std::optional<ComponentLevels> levels, const AnalysisOptions& options,
             bool want_strategy, const Budget& budget) {
  Solved solved;
  if (options.method != Method::Exact) {
    if (!levels) levels = component_levels(*passage.chain, passage.open, nullptr, budget);
    passage.high = passage.low;
    solved.outcome = solve_passage(passage, *levels, options, budget);
  } else {
    passage.high = passage.low;
  }
  levels.reset();
  const bool is_rescued = !solved.outcome.is_closed && passage.open.count() <= kFewForFractions;
  if (options.method == Method::Exact || is_rescued) {
    solved.exact = solve_exactly(passage, budget);
    solved.choices = std::move(solved.exact.choices);
    if (is_rescued) solved.exact.values.clear();
    solved.outcome.is_rational = true;
    return solved;
  }
  if (want_strategy) solved.choices = greedy_choices(passage, budget);
  return solved;
}

/// The question on the quotient; values of states come back by their places.
Solved solve_quotient(Passage& passage, const Quotient& quotient, const AnalysisOptions& options, bool want_strategy,
                      const Budget& budget) {
  Passage small;
  small.chain = &quotient.chain;
  small.direction = passage.direction;
  small.is_probability = passage.is_probability;
  small.perturbation = quotient.perturbation;
  small.open = StateSet(quotient.chain.states);
  small.low.assign(quotient.chain.states, 0);
  for (std::uint64_t s = 0; s < passage.chain->states; ++s) {
    small.low[quotient.of_state[s]] = passage.low[s];
    if (passage.open.contains(static_cast<StateId>(s))) small.open.insert(quotient.of_state[s]);
  }
  if (!quotient.chain.rewards[0].rows.is_all_zero()) small.row_rewards = &quotient.chain.rewards[0].rows;
  Solved solved = solve(small, std::nullopt, options, want_strategy, budget);
  passage.high.resize(passage.chain->states);
  std::vector<ExactValue> exact(solved.exact.values.empty() ? 0 : passage.chain->states);
  for (std::uint64_t s = 0; s < passage.chain->states; ++s) {
    passage.low[s] = small.low[quotient.of_state[s]];
    passage.high[s] = small.high[quotient.of_state[s]];
    if (!exact.empty()) exact[s] = solved.exact.values[quotient.of_state[s]];
  }
  solved.exact.values = std::move(exact);
  return solved;
}

}  // namespace

void collapse_open(UnboundedQuestion& question, const StateSet* excluded, const Budget& budget) {
  const Passage& passage = question.passage;
  question.levels = component_levels(*passage.chain, passage.open, nullptr, budget);
  if (question.levels->groups().empty()) return;
  StateSet members(passage.chain->states);
  for (const ComponentLevels::Group& group : question.levels->groups())
    for (const StateId s : question.levels->members(group)) members.insert(s);
  question.collapsed = maximal_end_components(*passage.chain, members, budget, excluded);
  // A single state's are loops, which take no part anyway.
  std::erase_if(question.collapsed, [](const EndComponent& component) { return component.states.size() == 1; });
  if (!question.collapsed.empty()) question.levels.reset();
}

Solution solve_unbounded(UnboundedQuestion question, const AnalysisOptions& options, const Budget& budget) {
  Passage& passage = question.passage;
  const Chain& chain = *passage.chain;
  const bool want_strategy = !question.strategy.empty();
  Solution solution;
  Solved solved;
  if (question.collapsed.empty()) {
    solved = solve(passage, std::move(question.levels), options, want_strategy, budget);
    if (want_strategy) passage.open.for_each([&](StateId s) { question.strategy[s] = solved.choices[s]; });
  } else {
    const Quotient quotient =
        collapse(passage, std::move(question.collapsed), question.may_stop, want_strategy, budget);
    solved = solve_quotient(passage, quotient, options, want_strategy, budget);
    solution.bytes += quotient.bytes();
    if (want_strategy) expand_strategy(chain, quotient, solved.choices, passage.open, question.strategy, budget);
  }
  solution.bytes += solved.outcome.bytes + (passage.low.size() + passage.high.size()) * sizeof(double) +
                    (question.strategy.size() + solved.choices.size()) * sizeof(std::uint32_t) + chain.states / 8;
  solution.low = std::move(passage.low);
  solution.high = std::move(passage.high);
  solution.strategy = std::move(question.strategy);
  solution.is_guaranteed = solved.outcome.is_guaranteed;
  solution.residual = solved.outcome.residual;
  solution.exact = std::move(solved.exact.values);
  const std::uint64_t transitions = std::max<std::uint64_t>(1, chain.rows.transitions());
  solution.iterations = (solved.outcome.transitions_swept + transitions - 1) / transitions;
  solution.method = describe(solved.outcome, options.method);
  return solution;
}

}  // namespace plumb::chain
