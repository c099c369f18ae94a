// Formulas of linear time inside of P and R: the states' conditions become literals, the rest a deterministic Rabin
// automaton (ltl/), and the question one of reaching accepting components of its product with the chain. The worst
// strategy for a formula is the best one for its negation, so only the best has to be found.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "base/error.h"
#include "chain/check/checker.h"
#include "chain/graph.h"
#include "chain/ltl/product.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostSteps = 1000;

/// A path formula in negation normal form and the conditions of states that it is about: literal 2i is the i-th, 2i + 1
/// its negation.
class Translation {
 public:
  Translation(chain::Kind kind, std::function<Truth(const Formula&)> truth) : kind_(kind), truth_(std::move(truth)) {}

  ltl::Formulas formulas;

  ltl::Id make(const Formula& formula, bool negated) {
    if (!is_path(formula)) return literal(formula, negated);
    const auto operand = [&](std::size_t i, bool negate) { return make(*formula.operands[i], negated != negate); };
    const auto both = [&](ltl::Id a, ltl::Id b) {
      return negated ? formulas.disjunction(a, b) : formulas.conjunction(a, b);
    };
    const auto either = [&](ltl::Id a, ltl::Id b) {
      return negated ? formulas.conjunction(a, b) : formulas.disjunction(a, b);
    };
    const ltl::Id yes = negated ? ltl::Formulas::kFalse : ltl::Formulas::kTrue;
    const ltl::Id no = negated ? ltl::Formulas::kTrue : ltl::Formulas::kFalse;
    switch (formula.kind) {
      case Shape::Not:
        return operand(0, true);
      case Shape::And:
        return both(operand(0, false), operand(1, false));
      case Shape::Or:
        return either(operand(0, false), operand(1, false));
      case Shape::Implies:
        return either(operand(0, true), operand(1, false));
      case Shape::Iff:
        return either(both(operand(0, false), operand(1, false)), both(operand(0, true), operand(1, true)));
      case Shape::Next:
        return formulas.next(operand(0, false));
      case Shape::Finally:
        return until(formula, yes, operand(0, false), negated);
      case Shape::Until:
        return until(formula, operand(0, false), operand(1, false), negated);
      case Shape::Globally:
        return until(formula, no, operand(0, false), !negated);
      case Shape::Release:
        return until(formula, operand(0, false), operand(1, false), !negated);
      default:
        return until(formula, operand(1, false), either(operand(0, false), operand(1, false)), !negated);
    }
  }

  bool is_decided() const {
    for (const Truth& truth : atoms_)
      if (!truth.is_decided()) return false;
    return true;
  }
  /// Where literals surely hold, or where they may.
  std::vector<StateSet> literals(bool possible) const {
    std::vector<StateSet> result;
    for (const Truth& truth : atoms_) {
      result.push_back(possible ? truth.possible : truth.yes);
      result.push_back((possible ? truth.yes : truth.possible).complement());
    }
    return result;
  }

 private:
  ltl::Id literal(const Formula& formula, bool negated) {
    Truth truth = truth_(formula);
    // What is the same in all states is no literal, and simplifies what is around it.
    if (truth.yes.count() == truth.yes.size()) return negated ? ltl::Formulas::kFalse : ltl::Formulas::kTrue;
    if (truth.possible.empty()) return negated ? ltl::Formulas::kTrue : ltl::Formulas::kFalse;
    std::uint32_t i = 0;
    while (i < atoms_.size() && (atoms_[i].yes != truth.yes || atoms_[i].possible != truth.possible)) ++i;
    if (i == atoms_.size()) atoms_.push_back(std::move(truth));
    return formulas.literal(2 * i + (negated ? 1 : 0));
  }

  /// a U b, or its dual a R b; within steps it is written out.
  ltl::Id until(const Formula& formula, ltl::Id a, ltl::Id b, bool is_dual) {
    const auto unbounded = [&] { return is_dual ? formulas.release(a, b) : formulas.until(a, b); };
    if (!formula.time) return unbounded();
    if (kind_ == chain::Kind::Ctmc)
      throw Unsupported(formula.location,
                        "time bounds inside of a formula of several path operators are not supported for a ctmc");
    const double first = formula.time->low + (formula.time->low_is_strict ? 1 : 0);
    const double last = formula.time->high - (formula.time->high_is_strict ? 1 : 0);
    if ((std::isfinite(last) ? last : first) > static_cast<double>(kMostSteps))
      throw Unsupported(
          formula.location,
          fmt::format("a bound of more than {} steps inside of a formula of several path operators", kMostSteps));
    if (last < first) return is_dual ? ltl::Formulas::kTrue : ltl::Formulas::kFalse;
    ltl::Id result = std::isfinite(last) ? b : unbounded();
    const auto waits = [&](ltl::Id later) {
      return is_dual ? formulas.disjunction(a, formulas.next(later)) : formulas.conjunction(a, formulas.next(later));
    };
    if (std::isfinite(last))
      for (auto step = static_cast<std::int64_t>(last - first); step > 0; --step)
        result = is_dual ? formulas.conjunction(b, waits(result)) : formulas.disjunction(b, waits(result));
    for (auto step = static_cast<std::int64_t>(first); step > 0; --step) result = waits(result);
    return result;
  }

  chain::Kind kind_;
  std::function<Truth(const Formula&)> truth_;
  std::vector<Truth> atoms_;
};

struct Prepared {
  ltl::Product product;
  StateSet target;
};

/// The values of the product in the states that paths start from.
Numbers brought_back(const ltl::Product& product, Numbers values, double least, double greatest) {
  Numbers result;
  result.is_guaranteed = values.is_guaranteed;
  result.low.assign(product.start.size(), least);
  result.high.assign(product.start.size(), greatest);
  if (!values.exact.empty()) result.exact.resize(product.start.size());
  for (std::size_t s = 0; s < product.start.size(); ++s) {
    if (product.start[s] == ltl::Product::kNotAsked) continue;
    result.low[s] = values.low_of(product.start[s]);
    result.high[s] = values.high_of(product.start[s]);
    if (!values.exact.empty()) result.exact[s] = values.exact[product.start[s]];
  }
  return result;
}

StateSet brought_back(const ltl::Product& product, const StateSet& set) {
  StateSet result(product.start.size());
  for (std::size_t s = 0; s < product.start.size(); ++s)
    if (product.start[s] != ltl::Product::kNotAsked && set.contains(product.start[s]))
      result.insert(static_cast<StateId>(s));
  return result;
}

}  // namespace

Checker::Question Checker::ltl_path(const Formula& path, Direction direction, const StateSet* asked) {
  require_rows(chain_, "a formula of several path operators");
  const bool is_negated = direction == Direction::Min;
  Translation translation(chain_.kind, [&](const Formula& formula) { return truth(formula, nullptr); });
  const ltl::Id formula = translation.make(path, is_negated);
  std::vector<std::shared_ptr<const Prepared>> ends;  // by the surely and by the possibly held literals
  for (int upper = 0; upper < (translation.is_decided() ? 1 : 2); ++upper) {
    ltl::Rabin automaton(translation.formulas, formula, budget_);
    Prepared prepared{ltl::make_product(chain_, translation.literals(upper == 1), automaton, asked, nullptr, budget_),
                      {}};
    prepared.target = ltl::accepting_states(prepared.product, automaton, budget_);
    add_note(
        fmt::format("the path formula became a Rabin automaton of {} states and {} pairs, its product has {} states",
                    automaton.size(), automaton.pairs(), prepared.product.chain.states));
    ends.push_back(std::make_shared<const Prepared>(std::move(prepared)));
  }
  Question question;
  question.solve = [=, this](const AnalysisOptions& analysis) {
    AnalysisOptions without_strategy = analysis;
    without_strategy.want_strategy = false;
    const auto solve = [&](const Prepared& p) {
      const StateSet all(p.product.chain.states, true);
      return brought_back(p.product,
                          note(until(p.product.chain, all, p.target, Direction::Max, without_strategy, budget_)), 0, 1);
    };
    return ends.size() == 1 ? solve(*ends[0]) : hull(solve(*ends[0]), solve(*ends[1]));
  };
  if (ends.size() == 1) {
    const auto ask = [=, this](auto which) {
      const Prepared& p = *ends[0];
      const StateSet all(p.product.chain.states, true);
      return brought_back(p.product, which(p.product.chain, all, p.target, Direction::Max, budget_));
    };
    question.zero = [=] { return ask(until_is_zero); };
    question.one = [=] { return ask(until_is_one); };
  }
  return is_negated ? complement_of(std::move(question)) : question;
}

Checker::Question Checker::co_safe_reward(const Formula& path, std::size_t rewards, Direction direction,
                                          const StateSet* asked) {
  require_rows(chain_, "a reward up to a path formula");
  Translation translation(chain_.kind, [&](const Formula& formula) { return truth(formula, nullptr); });
  const ltl::Id formula = translation.make(path, false);
  if (!translation.formulas.is_co_safe(formula))
    throw Unsupported(path.location, "a reward is earned up to a path formula that a finite path can satisfy",
                      "use X, F and U without negation");
  std::vector<std::shared_ptr<const Prepared>> ends;
  for (int upper = 0; upper < (translation.is_decided() ? 1 : 2); ++upper) {
    ltl::Rabin automaton(translation.formulas, formula, budget_);
    // The later the formula is satisfied, the more is earned.
    Prepared prepared{ltl::make_product(chain_, translation.literals(upper == 0), automaton, asked, &rewards, budget_),
                      {}};
    prepared.target = StateSet(prepared.product.chain.states);
    for (std::uint64_t s = 0; s < prepared.product.chain.states; ++s)
      if (prepared.product.automaton[s] == ltl::Rabin::kAccepting) prepared.target.insert(static_cast<StateId>(s));
    ends.push_back(std::make_shared<const Prepared>(std::move(prepared)));
  }
  Question question;
  question.solve = [=, this](const AnalysisOptions& analysis) {
    AnalysisOptions without_strategy = analysis;
    without_strategy.want_strategy = false;
    const auto solve = [&](const Prepared& p) {
      return brought_back(p.product,
                          note(reach_reward(p.product.chain, 0, p.target, direction, without_strategy, budget_)),
                          -kInfinity, kInfinity);
    };
    return ends.size() == 1 ? solve(*ends[0]) : hull(solve(*ends[0]), solve(*ends[1]));
  };
  return question;
}

}  // namespace plumb::chain
