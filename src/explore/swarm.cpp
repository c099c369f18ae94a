#include "explore/swarm.h"

#include <algorithm>
#include <utility>

#include "base/parallel/race.h"
#include "explore/search.h"

namespace plumb::explore {
namespace {

Options options_of(const Options& options, unsigned searcher) {
  Options own = options;
  if (searcher == 0) return own;
  own.on_progress = {};
  own.seed = options.seed + searcher;
  own.first_thread = searcher - 1;
  own.order = options.order == Order::Breadth || searcher > 1 ? Order::Depth : Order::Breadth;
  return own;
}

}  // namespace

Outcome explore_in_swarm(const program::Program& program, std::span<const Goal> goals, const Options& options,
                         const Budget& budget,
                         const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer) {
  parallel::Race race(budget);
  std::vector<Outcome> outcomes(options.jobs);
  std::vector<std::optional<GoalResult>> decided(goals.size());
  std::size_t open = goals.size();
  const auto decide = [&](std::size_t goal, const GoalResult& answer) {
    if (decided[goal]) return;
    decided[goal] = answer;
    if (on_answer) on_answer(goal, answer);
    if (--open == 0) race.end_after({});
  };
  std::vector<parallel::Race::Runner> runners;
  for (unsigned r = 0; r < options.jobs; ++r) {
    const auto run = [&, r](const Budget& own) {
      const Options how = options_of(options, r);
      const auto tell = [&](std::size_t goal, const GoalResult& answer) {
        race.post([&decide, goal, answer] { decide(goal, answer); });
      };
      outcomes[r] = Search(program, goals, how, own, tell).run();
      return std::ranges::none_of(outcomes[r].answers,
                                  [](const GoalResult& answer) { return answer.verdict == Verdict::Unknown; });
    };
    // Whoever was asked for has the memory, if there is not enough for all.
    runners.push_back({.run = run, .memory_part = r == 0 ? 1.0 : 0.8});
  }
  race.start(std::move(runners));
  race.wait();
  race.rethrow_failure();
  Outcome outcome = std::move(outcomes[race.winner().value_or(0)]);
  for (std::size_t g = 0; g < goals.size(); ++g) outcome.answers[g] = decided[g].value_or(outcome.answers[g]);
  return outcome;
}

}  // namespace plumb::explore
