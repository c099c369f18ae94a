#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/check/checker.h"
#include "chain/graph.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;

Direction opposite(Direction direction) { return direction == Direction::Min ? Direction::Max : Direction::Min; }

bool is_unbounded(const std::optional<TimeBound>& time) {
  return !time || (time->low == 0 && !time->low_is_strict && time->high == std::numeric_limits<double>::infinity());
}

/// The states with a row (Max), or with all rows (Min), of which all targets (`whole`) or some are in the set.
StateSet before(const Chain& chain, const StateSet& set, Direction direction, bool whole) {
  StateSet result(chain.states);
  for (std::uint64_t i = 0; i < chain.states; ++i) {
    const auto s = static_cast<StateId>(i);
    const std::uint64_t first = chain.first_row(s);
    bool some = false;
    bool every = true;
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
      bool leads = whole;
      chain.rows.for_each(row, [&](StateId target, double) {
        leads = whole ? leads && set.contains(target) : leads || set.contains(target);
      });
      some |= leads;
      every &= leads;
    }
    if (direction == Direction::Max ? some : every) result.insert(s);
  }
  return result;
}

/// Where the target is surely (`whole`) or possibly reached within a finite number of steps: a matter of the graph.
StateSet reached_in_steps(const Chain& chain, const StateSet& allowed, const StateSet& target, const TimeBound& time,
                          Direction direction, bool whole, const Budget& budget) {
  const double low = time.low + (time.low_is_strict ? 1 : 0);
  const double high = time.high - (time.high_is_strict ? 1 : 0);
  if (high < low) return StateSet(chain.states);
  StateSet set = target;
  const auto go_back = [&](double steps, bool target_counts) {
    for (double step = 0; step < steps; ++step) {
      budget.check();
      StateSet next = before(chain, set, direction, whole);
      next &= allowed;
      if (target_counts) next |= target;
      if (next == set) return;
      set = std::move(next);
    }
  };
  go_back(high - low, true);
  go_back(low, false);
  return set;
}

}  // namespace

template <typename Solve>
Numbers Checker::between(bool is_decided, Solve solve) {
  if (is_decided) return solve(false);
  return hull(solve(false), solve(true));
}

Checker::Question Checker::complement_of(Question question) {
  Question result;
  result.solve = [solve = std::move(question.solve)](const AnalysisOptions& analysis) {
    return complement(solve(analysis));
  };
  result.zero = std::move(question.one);
  result.one = std::move(question.zero);
  return result;
}

Checker::Question Checker::until_question(Truth allowed, Truth target, Direction direction) {
  Question question;
  const bool is_decided = allowed.is_decided() && target.is_decided();
  if (is_decided && chain_.rows.is_kept()) {
    question.zero = [=, this] { return until_is_zero(chain_, allowed.yes, target.yes, direction, budget_); };
    question.one = [=, this] { return until_is_one(chain_, allowed.yes, target.yes, direction, budget_); };
  }
  question.solve = [=, this, allowed = std::move(allowed),
                    target = std::move(target)](const AnalysisOptions& analysis) {
    return between(is_decided, [&](bool upper) {
      return note(until(chain_, upper ? allowed.possible : allowed.yes, upper ? target.possible : target.yes, direction,
                        analysis, budget_));
    });
  };
  return question;
}

Checker::Question Checker::bounded_question(Truth allowed, Truth target, const TimeBound& time, Direction direction) {
  Question question;
  const bool is_decided = allowed.is_decided() && target.is_decided();
  if (is_decided && chain_.kind != chain::Kind::Ctmc && std::isfinite(time.high) && chain_.rows.is_kept()) {
    question.zero = [=, this] {
      return reached_in_steps(chain_, allowed.yes, target.yes, time, direction, false, budget_).complement();
    };
    question.one = [=, this] {
      return reached_in_steps(chain_, allowed.yes, target.yes, time, direction, true, budget_);
    };
  }
  question.solve = [=, this, allowed = std::move(allowed),
                    target = std::move(target)](const AnalysisOptions& analysis) {
    return between(is_decided, [&](bool upper) {
      return note(bounded_until(chain_, upper ? allowed.possible : allowed.yes, upper ? target.possible : target.yes,
                                time, direction, analysis, budget_));
    });
  };
  return question;
}

Checker::Question Checker::simple_path(const Formula& path, Direction direction) {
  const auto operand = [&](std::size_t i) { return truth(*path.operands[i], nullptr); };
  const auto ask = [&](Truth allowed, Truth target, Direction which) {
    return is_unbounded(path.time) ? until_question(std::move(allowed), std::move(target), which)
                                   : bounded_question(std::move(allowed), std::move(target), *path.time, which);
  };
  const Truth everywhere = Truth::of(StateSet(chain_.states, true));
  switch (path.kind) {
    case Shape::Next: {
      Question question;
      question.solve = [this, direction, target = operand(0)](const AnalysisOptions& analysis) {
        return between(target.is_decided(), [&](bool upper) {
          return note(next(chain_, upper ? target.possible : target.yes, direction, analysis, budget_));
        });
      };
      return question;
    }
    case Shape::Finally:
      return ask(everywhere, operand(0), direction);
    case Shape::Until:
      return ask(operand(0), operand(1), direction);
    // The others say that something does not happen, and the strategy that is best for them is worst for that.
    case Shape::Globally:
      return complement_of(ask(everywhere, ~operand(0), opposite(direction)));
    case Shape::WeakUntil: {
      const Truth without = ~operand(1);
      return complement_of(ask(without, ~operand(0) & without, opposite(direction)));
    }
    default:
      return complement_of(ask(~operand(0), ~operand(1), opposite(direction)));
  }
}

Checker::Question Checker::probability(const Formula& path, Direction direction, const StateSet* asked) {
  if (!is_path(path)) throw UserError(path.location, "expected a path formula (X, U, F, G, W or R) inside of P");
  bool is_simple = path.kind >= Shape::Next && path.kind <= Shape::Release;
  for (const FormulaPtr& operand : path.operands) is_simple = is_simple && !is_path(*operand);
  return is_simple ? simple_path(path, direction) : ltl_path(path, direction, asked);
}

Checker::Question Checker::long_run(const Formula& formula) {
  if (chain_.kind == chain::Kind::Mdp)
    throw Unsupported(formula.location, "S is not defined for an mdp", "use a dtmc or a ctmc");
  Question question;
  question.solve = [this, states = truth(*formula.operands[0], nullptr)](const AnalysisOptions& analysis) {
    return between(states.is_decided(), [&](bool upper) {
      return note(steady_state(chain_, upper ? states.possible : states.yes, analysis, budget_));
    });
  };
  return question;
}

Checker::Question Checker::reach_reward_question(std::size_t rewards, Truth target, Direction direction) {
  Question question;
  question.solve = [=, this, target = std::move(target)](const AnalysisOptions& analysis) {
    // The more states end the earning, the less is earned.
    Numbers result = between(target.is_decided(), [&](bool upper) {
      return note(reach_reward(chain_, rewards, upper ? target.yes : target.possible, direction, analysis, budget_));
    });
    return result;
  };
  return question;
}

Checker::Question Checker::reward(const Formula& formula, Direction direction, const StateSet* asked) {
  const std::size_t rewards = formula.reward;
  const Formula& path = *formula.operands[0];
  Question question;
  switch (path.kind) {
    case Shape::Cumulative:
      question.solve = [=, this, time = path.time](const AnalysisOptions& analysis) {
        return note(time ? cumulative_reward(chain_, rewards, time->high, direction, analysis, budget_)
                         : total_reward(chain_, rewards, direction, analysis, budget_));
      };
      return question;
    case Shape::Instantaneous:
      question.solve = [=, this, time = path.time->high](const AnalysisOptions& analysis) {
        return note(instantaneous_reward(chain_, rewards, time, direction, analysis, budget_));
      };
      return question;
    case Shape::SteadyReward:
      if (chain_.kind == chain::Kind::Mdp)
        throw Unsupported(path.location, "R [ S ] is not defined for an mdp", "use a dtmc or a ctmc");
      question.solve = [=, this](const AnalysisOptions& analysis) {
        return note(steady_reward(chain_, rewards, analysis, budget_));
      };
      return question;
    default:
      break;
  }
  const Formula& reach = *path.operands[0];
  if (!is_path(reach)) throw UserError(reach.location, "expected F, C, I or S inside of R");
  if (reach.kind == Shape::Finally && !is_path(*reach.operands[0])) {
    if (!is_unbounded(reach.time))
      throw Unsupported(reach.location, "a reward up to a state with a time bound is not supported",
                        "use C<=t or F without a bound");
    return reach_reward_question(rewards, truth(*reach.operands[0], nullptr), direction);
  }
  return co_safe_reward(reach, rewards, direction, asked);
}

}  // namespace plumb::chain
