// Formulas of linear time inside of P and R: the states' conditions become literals, the rest a deterministic Rabin
// automaton (module ltl), and the question one of reaching accepting components of its product with the chain. The
// worst strategy for a formula is the best one for its negation, so only the best has to be found.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "base/error.h"
#include "chain/check/checker.h"
#include "chain/check/product.h"
#include "chain/graph.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostSteps = 1000;

/// A path formula over the conditions of states that it is about: each is an atom.
class Translation {
 public:
  /// With `counts_steps` a formula is not satisfied before the steps that it speaks of were taken: `X true` is after
  /// one.
  Translation(chain::Kind kind, bool counts_steps, std::function<Truth(const Formula&)> truth)
      : kind_(kind), counts_steps_(counts_steps), truth_(std::move(truth)) {}

  ltl::Formulas formulas;

  ltl::Id make(const Formula& formula) {
    if (!is_path(formula)) return literal(formula);
    const ltl::Id a = make(*formula.operands[0]);
    if (formula.operands.size() == 1) return of_one(formula, a);
    const ltl::Id b = make(*formula.operands[1]);
    switch (formula.kind) {
      case Shape::And:
        return formulas.conjunction(a, b);
      case Shape::Or:
        return formulas.disjunction(a, b);
      case Shape::Implies:
        return formulas.disjunction(formulas.negation(a), b);
      case Shape::Iff:
        return formulas.disjunction(formulas.conjunction(a, b),
                                    formulas.conjunction(formulas.negation(a), formulas.negation(b)));
      case Shape::Until:
        return until(formula, a, b);
      case Shape::Release:
        return release(formula, a, b);
      default:
        return release(formula, b, formulas.disjunction(a, b));
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
  ltl::Id of_one(const Formula& formula, ltl::Id a) {
    switch (formula.kind) {
      case Shape::Not:
        return formulas.negation(a);
      case Shape::Next:
        return formulas.next(a);
      case Shape::Finally:
        return until(formula, ltl::Formulas::kTrue, a);
      default:
        return release(formula, ltl::Formulas::kFalse, a);
    }
  }

  ltl::Id literal(const Formula& formula) {
    Truth truth = truth_(formula);
    // What is the same in all states is no literal, and simplifies what is around it; the step of an X with it.
    if (truth.yes.count() == truth.yes.size() && !counts_steps_) return ltl::Formulas::kTrue;
    if (truth.possible.empty()) return ltl::Formulas::kFalse;
    std::uint32_t i = 0;
    while (i < atoms_.size() && (atoms_[i].yes != truth.yes || atoms_[i].possible != truth.possible)) ++i;
    if (i == atoms_.size()) atoms_.push_back(std::move(truth));
    return formulas.literal(2 * i);
  }

  ltl::Id release(const Formula& formula, ltl::Id a, ltl::Id b) {
    return formulas.negation(until(formula, formulas.negation(a), formulas.negation(b)));
  }

  /// Within steps it is written out.
  ltl::Id until(const Formula& formula, ltl::Id a, ltl::Id b) {
    if (!formula.time) return formulas.until(a, b);
    if (kind_ == chain::Kind::Ctmc)
      throw Unsupported(formula.location,
                        "time bounds inside of a formula of several path operators are not supported for a ctmc");
    const double first = formula.time->low + (formula.time->low_is_strict ? 1 : 0);
    const double last = formula.time->high - (formula.time->high_is_strict ? 1 : 0);
    if ((std::isfinite(last) ? last : first) > static_cast<double>(kMostSteps))
      throw Unsupported(
          formula.location,
          fmt::format("a bound of more than {} steps inside of a formula of several path operators", kMostSteps));
    if (last < first) return ltl::Formulas::kFalse;
    ltl::Id result = std::isfinite(last) ? b : formulas.until(a, b);
    const auto waits = [&](ltl::Id later) { return formulas.conjunction(a, formulas.next(later)); };
    if (std::isfinite(last))
      for (auto step = static_cast<std::int64_t>(last - first); step > 0; --step)
        result = formulas.disjunction(b, waits(result));
    for (auto step = static_cast<std::int64_t>(first); step > 0; --step) result = waits(result);
    return result;
  }

  chain::Kind kind_;
  bool counts_steps_;
  std::function<Truth(const Formula&)> truth_;
  std::vector<Truth> atoms_;
};

struct Prepared {
  Product product;
  StateSet target;
};

/// The values of the product in the states that paths start from.
Numbers brought_back(const Product& product, Numbers values, double least, double greatest) {
  Numbers result;
  result.is_guaranteed = values.is_guaranteed;
  result.low.assign(product.start.size(), least);
  result.high.assign(product.start.size(), greatest);
  // What was not asked has a value that nobody reads.
  if (!values.exact.empty()) result.exact.assign(product.start.size(), Fraction());
  for (std::size_t s = 0; s < product.start.size(); ++s) {
    if (product.start[s] == Product::kNotAsked) continue;
    result.low[s] = values.low_of(product.start[s]);
    result.high[s] = values.high_of(product.start[s]);
    if (!values.exact.empty()) result.exact[s] = values.exact[product.start[s]];
  }
  return result;
}

StateSet brought_back(const Product& product, const StateSet& set) {
  StateSet result(product.start.size());
  for (std::size_t s = 0; s < product.start.size(); ++s)
    if (product.start[s] != Product::kNotAsked && set.contains(product.start[s]))
      result.insert(static_cast<StateId>(s));
  return result;
}

}  // namespace

Checker::Question Checker::ltl_path(const Formula& path, Direction direction, const StateSet* asked) {
  require_rows(chain_, "a formula of several path operators");
  const bool is_negated = direction == Direction::Min;
  Translation translation(chain_.kind, false, [&](const Formula& formula) { return truth(formula, nullptr); });
  const ltl::Id formula = is_negated ? translation.formulas.negation(translation.make(path)) : translation.make(path);
  std::vector<std::shared_ptr<const Prepared>> ends;  // by the surely and by the possibly held literals
  for (int upper = 0; upper < (translation.is_decided() ? 1 : 2); ++upper) {
    ltl::Rabin automaton(translation.formulas, formula, budget_);
    Prepared prepared{make_product(chain_, translation.literals(upper == 1), automaton, asked, nullptr, budget_), {}};
    prepared.target = accepting_states(prepared.product, automaton, budget_);
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
  Translation translation(chain_.kind, true, [&](const Formula& formula) { return truth(formula, nullptr); });
  const ltl::Id formula = translation.make(path);
  if (!translation.formulas.is_co_safe(formula))
    throw Unsupported(path.location, "a reward is earned up to a path formula that a finite path can satisfy",
                      "use X, F and U without negation");
  std::vector<std::shared_ptr<const Prepared>> ends;
  for (int upper = 0; upper < (translation.is_decided() ? 1 : 2); ++upper) {
    ltl::Rabin automaton(translation.formulas, formula, budget_);
    // The later the formula is satisfied, the more is earned.
    Prepared prepared{make_product(chain_, translation.literals(upper == 0), automaton, asked, &rewards, budget_), {}};
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
