#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/analysis.h"
#include "chain/graph.h"
#include "chain/reach/strategy.h"
#include "chain/reach/unbounded.h"
#include "chain/stream/stream.h"

namespace plumb::chain {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

UnboundedQuestion reward_question(const Chain& chain, std::size_t rewards, Direction direction) {
  const Chain::Rewards& structure = countable_rewards(chain, rewards);
  UnboundedQuestion question;
  Passage& passage = question.passage;
  passage.chain = &chain;
  passage.direction = chain.kind == Kind::Mdp ? direction : Direction::Max;
  passage.is_probability = false;
  passage.low.assign(chain.states, 0);
  if (structure.states.size() != 0) passage.state_rewards = &structure.states;
  if (structure.rows.size() != 0) passage.row_rewards = &structure.rows;
  return question;
}

/// The rows that earn something.
StateSet earning_rows(const Passage& passage) {
  const Chain& chain = *passage.chain;
  StateSet rows(chain.rows.size());
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const auto state = static_cast<StateId>(s);
    const std::uint64_t first = chain.first_row(state);
    for (std::uint64_t row = first; row < first + chain.row_count(state); ++row)
      if (passage.earned(state, row) > 0) rows.insert(static_cast<StateId>(row));
  }
  return rows;
}

void set_infinite(Passage& passage, const StateSet& states) {
  states.for_each([&](StateId s) { passage.low[s] = kInfinity; });
}

/// `question` with the target's states closed and those infinite that may miss it.
Solution solve_reach(UnboundedQuestion question, const StateSet& target, Direction direction,
                     const AnalysisOptions& options, const Budget& budget) {
  Passage& passage = question.passage;
  const Chain& chain = *passage.chain;
  const StateSet all(chain.states, true);
  // The strategies that are after the most reward are those that keep off the target if they can.
  const Direction reaching = direction == Direction::Max ? Direction::Min : Direction::Max;
  const CertainStates certain = until_is_certain(chain, all, target, reaching, budget);
  const StateSet infinite = certain.one.complement();
  set_infinite(passage, infinite);
  passage.open = certain.one;
  passage.open &= target.complement();
  if (chain.kind != Kind::Mdp) return solve_unbounded(std::move(question), options, budget);
  if (options.want_strategy) {
    if (question.strategy.empty()) question.strategy.resize(chain.states);
    if (direction == Direction::Max) {
      stay(chain, certain.zero, question.strategy);
      attract(chain, certain.zero, infinite, [](std::uint64_t) { return true; }, question.strategy, budget);
    }
  }
  if (direction == Direction::Min) {
    // To go round for nothing, for ever, looks better than to go on to the target, but does not get there.
    const StateSet earning = earning_rows(passage);
    collapse_open(question, &earning, budget);
  }
  return solve_unbounded(std::move(question), options, budget);
}

/// Of an mdp. Infinite where an end component that earns can be reached. In the others nothing is earned: they can be
/// stayed in or left.
Solution greatest_total(UnboundedQuestion question, const AnalysisOptions& options, const Budget& budget) {
  Passage& passage = question.passage;
  const Chain& chain = *passage.chain;
  const StateSet all(chain.states, true);
  const StateSet earning = earning_rows(passage);
  StateSet sources(chain.states);
  StateSet fruitful(chain.states);
  question.collapsed = maximal_end_components(chain, all, budget);
  if (options.want_strategy) question.strategy.resize(chain.states);
  const StateSet inside = [&] {
    StateSet set(chain.rows.size());
    for (const EndComponent& component : question.collapsed)
      for (const std::uint64_t row : component.rows) set.insert(static_cast<StateId>(row));
    return set;
  }();
  for (const EndComponent& component : question.collapsed) {
    bool earns = false;
    for (const StateId s : component.states) {
      const std::uint64_t first = chain.first_row(s);
      for (std::uint32_t choice = 0; choice < chain.row_count(s); ++choice) {
        const auto row = static_cast<StateId>(first + choice);
        if (!inside.contains(row) || !earning.contains(row)) continue;
        earns = true;
        sources.insert(s);
        if (options.want_strategy) question.strategy[s] = choice;
      }
    }
    if (!earns) continue;
    for (const StateId s : component.states) fruitful.insert(s);
  }
  const StateSet infinite = until_is_zero(chain, all, fruitful, Direction::Max, budget).complement();
  if (options.want_strategy) {
    attract(
        chain, sources, fruitful, [&](std::uint64_t row) { return inside.contains(static_cast<StateId>(row)); },
        question.strategy, budget);
    attract(chain, fruitful, infinite, [](std::uint64_t) { return true; }, question.strategy, budget);
  }
  set_infinite(passage, infinite);
  passage.open = infinite.complement();
  std::erase_if(question.collapsed,
                [&](const EndComponent& component) { return infinite.contains(component.states.front()); });
  question.may_stop = true;
  return solve_unbounded(std::move(question), options, budget);
}

}  // namespace

const Chain::Rewards& countable_rewards(const Chain& chain, std::size_t rewards) {
  INVARIANT(rewards < chain.rewards.size(), "a reward structure should be one of the chain's");
  const Chain::Rewards& structure = chain.rewards[rewards];
  for (const ValueColumn* column : {&structure.states, &structure.rows})
    for (const double value : column->distinct())
      if (!(value >= 0 && std::isfinite(value)))
        throw UserError(
            fmt::format("the reward structure \"{}\" has the reward {}", structure.name, value),
            "expected rewards without a bound on time are defined for rewards that are finite and not negative");
  return structure;
}

Solution reach_reward(const Chain& chain, std::size_t rewards, const StateSet& target, Direction direction,
                      const AnalysisOptions& options, const Budget& budget) {
  if (!chain.rows.is_kept()) return stream::reach_reward(chain, rewards, target, direction, options, budget);
  INVARIANT(target.size() == chain.states, "sets of states should be over the states of the chain");
  return solve_reach(reward_question(chain, rewards, direction), target, direction, options, budget);
}

Solution total_reward(const Chain& chain, std::size_t rewards, Direction direction, const AnalysisOptions& options,
                      const Budget& budget) {
  if (!chain.rows.is_kept()) return stream::total_reward(chain, rewards, direction, options, budget);
  UnboundedQuestion question = reward_question(chain, rewards, direction);
  if (chain.kind == Kind::Mdp && direction == Direction::Max)
    return greatest_total(std::move(question), options, budget);
  // Nothing more is earned once a state is reached from which nothing need be; a strategy that may miss those earns for
  // ever.
  const StateSet barren = can_avoid_rows(chain, earning_rows(question.passage), Direction::Min, budget);
  if (chain.kind == Kind::Mdp && options.want_strategy) {
    question.strategy.resize(chain.states);
    const StateSet earning = earning_rows(question.passage);
    barren.for_each([&](StateId s) {
      const std::uint64_t first = chain.first_row(s);
      std::uint32_t choice = 0;
      while (earning.contains(static_cast<StateId>(first + choice)) || !stays_inside(chain, first + choice, barren))
        ++choice;
      question.strategy[s] = choice;
    });
  }
  return solve_reach(std::move(question), barren, Direction::Min, options, budget);
}

}  // namespace plumb::chain
