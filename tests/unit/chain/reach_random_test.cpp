// Random chains: rational results against all strategies one by one, intervals against rational results.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chain/analysis.h"
#include "chain/exact/fraction.h"
#include "reach_chains.h"
#include "unit/effort.h"

namespace plumb::chain {
namespace {

using testing::for_each_strategy;
using testing::random_chain;
using testing::under_strategy;
using Method = AnalysisOptions::Method;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Question : std::uint8_t { Until, ReachReward, TotalReward };
constexpr Question kQuestions[] = {Question::Until, Question::ReachReward, Question::TotalReward};
constexpr Direction kDirections[] = {Direction::Min, Direction::Max};

struct Case {
  Chain chain;
  StateSet allowed;
  StateSet target;
};

Case random_case(std::mt19937& random, Kind kind, std::uint32_t states, bool is_stiff = false) {
  Case result{random_chain(random, kind, states, is_stiff), StateSet(states, true), StateSet(states)};
  for (StateId s = 0; s < states; ++s) {
    if (random() % 8 == 0) result.allowed.erase(s);
    if (random() % 5 == 0) result.target.insert(s);
  }
  return result;
}

Solution ask(const Case& c, const Chain& chain, Question question, Direction direction,
             const AnalysisOptions& options) {
  switch (question) {
    case Question::Until:
      return until(chain, c.allowed, c.target, direction, options, Budget());
    case Question::ReachReward:
      return reach_reward(chain, 0, c.target, direction, options, Budget());
    case Question::TotalReward:
      break;
  }
  return total_reward(chain, 0, direction, options, Budget());
}

AnalysisOptions options_of(Method method, double epsilon = 1e-6) {
  AnalysisOptions options;
  options.method = method;
  options.epsilon = epsilon;
  options.want_strategy = true;
  return options;
}

double dense_value(const Chain& chain, const Solution& solution, StateId s, Question question, const Case& c) {
  // What one step makes of the values of the others.
  if (question == Question::Until && (c.target.contains(s) || !c.allowed.contains(s)))
    return c.target.contains(s) ? 1 : 0;
  if (question == Question::ReachReward && c.target.contains(s)) return 0;
  double value = question == Question::Until ? 0 : chain.rewards[0].states[s] + chain.rewards[0].rows[s];
  chain.rows.for_each(s, [&](StateId target, double weight) { value += weight * solution.value(target); });
  return value;
}

TEST(ReachExact, ValuesOfADtmcAreWhatAStepMakesOfThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Case c = random_case(random, Kind::Dtmc, 1 + static_cast<std::uint32_t>(random() % 12));
    for (const Question question : kQuestions) {
      const Solution exact = ask(c, c.chain, question, Direction::Max, options_of(Method::Exact));
      for (StateId s = 0; s < c.chain.states; ++s) {
        const double step = dense_value(c.chain, exact, s, question, c);
        if (std::isinf(exact.low[s]))
          ASSERT_EQ(step, kInfinity);
        else
          ASSERT_NEAR(exact.value(s), step, 1e-12 * (1 + step)) << round;
      }
    }
  }
}

TEST(ReachExact, TheOptimumOfAnMdpIsThatOfTheBestStrategy) {
  std::mt19937 random(2);
  for (int round = 0; round < 250; ++round) {
    const Case c = random_case(random, Kind::Mdp, 1 + static_cast<std::uint32_t>(random() % 5));
    for (const Question question : kQuestions)
      for (const Direction direction : kDirections) {
        std::vector<double> best(c.chain.states, direction == Direction::Max ? 0 : kInfinity);
        for_each_strategy(c.chain, [&](const std::vector<std::uint32_t>& strategy) {
          const Solution one =
              ask(c, under_strategy(c.chain, strategy), question, direction, options_of(Method::Exact));
          for (StateId s = 0; s < c.chain.states; ++s)
            best[s] = direction == Direction::Max ? std::max(best[s], one.low[s]) : std::min(best[s], one.low[s]);
        });
        const Solution exact = ask(c, c.chain, question, direction, options_of(Method::Exact));
        const Solution automatic = ask(c, c.chain, question, direction, options_of(Method::Automatic));
        for (const Solution* solution : {&exact, &automatic}) {
          const Solution under =
              ask(c, under_strategy(c.chain, solution->strategy), question, direction, options_of(Method::Exact));
          for (StateId s = 0; s < c.chain.states; ++s) {
            const double slack = solution == &exact ? 1e-12 : 1e-6;
            if (std::isinf(best[s])) {
              ASSERT_EQ(solution->low[s], kInfinity) << round << " " << static_cast<int>(question);
              ASSERT_EQ(under.low[s], kInfinity) << round << " " << static_cast<int>(question);
              continue;
            }
            ASSERT_NEAR(solution->value(s), best[s], slack * (1 + best[s]))
                << round << " " << static_cast<int>(question);
            ASSERT_NEAR(under.low[s], best[s], slack * (1 + best[s]))
                << round << " strategy of " << static_cast<int>(question);
          }
        }
      }
  }
}

/// Every question about the case: the interval has the rational result in it and is as narrow as asked for.
void expect_sound(const Case& c, const std::vector<Method>& methods, double epsilon) {
  for (const Question question : kQuestions)
    for (const Direction direction : kDirections) {
      const Solution exact = ask(c, c.chain, question, direction, options_of(Method::Exact));
      for (const Method method : methods) {
        const Solution solution = ask(c, c.chain, question, direction, options_of(method, epsilon));
        ASSERT_TRUE(solution.is_guaranteed);
        for (StateId s = 0; s < c.chain.states; ++s) {
          ASSERT_LE(solution.low[s], exact.high[s])
              << static_cast<int>(question) << " state " << s << " " << solution.method;
          ASSERT_GE(solution.high[s], exact.low[s])
              << static_cast<int>(question) << " state " << s << " " << solution.method;
          if (std::isinf(exact.low[s])) continue;
          ASSERT_LE(solution.high[s] - solution.low[s], epsilon * std::max(1.0, exact.high[s])) << solution.method;
        }
      }
    }
}

TEST(Reach, IntervalsContainTheRationalResultAndAreAsNarrowAsAskedFor) {
  std::mt19937 random(3);
  const auto rounds = static_cast<int>(test::effort(160));
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Kind kind = round % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const Case c =
        random_case(random, kind, 2 + static_cast<std::uint32_t>(random() % (round < rounds * 4 / 5 ? 12 : 70)));
    expect_sound(c, {Method::Automatic, Method::Interval, Method::Policy, Method::Jacobi},
                 round % 3 == 0 ? 1e-9 : 1e-5);
    if (HasFatalFailure()) return;
  }
}

TEST(Reach, IntervalsOfStiffChainsContainTheRationalResult) {
  std::mt19937 random(4);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Kind kind = round % 2 == 0 ? Kind::Dtmc : Kind::Mdp;
    const Case c = random_case(random, kind, 2 + static_cast<std::uint32_t>(random() % (round < 320 ? 12 : 40)), true);
    expect_sound(c, {Method::Automatic, Method::Policy}, round % 3 == 0 ? 1e-9 : 1e-5);
    if (HasFatalFailure()) return;
  }
}

TEST(Reach, RatesCountAsProbabilities) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(random, Kind::Dtmc, 2 + static_cast<std::uint32_t>(random() % 8));
    // Each row times a rate: the same probabilities; state rewards are earned by time, so they have to be multiplied to
    // be the same.
    testing::ChainMaker maker(Kind::Ctmc);
    std::vector<double> states;
    std::vector<double> rows;
    for (StateId s = 0; s < c.chain.states; ++s) {
      const double rate = std::ldexp(1, static_cast<int>(random() % 9) - 4);
      testing::Row row;
      c.chain.rows.for_each(s, [&](StateId target, double weight) { row.push_back({target, rate * weight}); });
      maker.state({row});
      states.push_back(rate * c.chain.rewards[0].states[s]);
      rows.push_back(rate * c.chain.rewards[0].rows[s]);
    }
    const Chain rates = maker.finish(states, rows);
    for (const Question question : kQuestions) {
      const Solution exact = ask(c, c.chain, question, Direction::Max, options_of(Method::Exact));
      const Solution solution = ask(c, rates, question, Direction::Max, options_of(Method::Automatic));
      for (StateId s = 0; s < c.chain.states; ++s)
        if (std::isinf(exact.low[s]))
          ASSERT_EQ(solution.low[s], kInfinity);
        else {
          ASSERT_LE(solution.low[s], exact.high[s]) << round;
          ASSERT_GE(solution.high[s], exact.low[s]) << round;
          ASSERT_LE(solution.high[s] - solution.low[s], 1e-6 * std::max(1.0, exact.high[s])) << round;
        }
    }
  }
}

}  // namespace
}  // namespace plumb::chain
