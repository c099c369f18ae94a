// Model checking by the structure of the formula (Hansson and Jonsson 1994; Baier, Haverkort, Hermanns and Katoen
// 2003). Truth has three values where a bound lies within the error of a number: operators work on the states where a
// formula surely holds and on those where it may, and every operator of paths is monotone in both, so intervals stay
// right without being precise.

#include "chain/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "chain/build.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;

bool is_temporal(Shape kind) { return kind >= Shape::Next && kind <= Shape::Release; }

}  // namespace

bool is_path(const Formula& formula) {
  if (is_temporal(formula.kind)) return true;
  if (formula.kind < Shape::Not || formula.kind > Shape::Iff) return false;
  return std::ranges::any_of(formula.operands, [](const FormulaPtr& operand) { return is_path(*operand); });
}

Checker::Checker(const Model& model, const Chain& chain, Atoms atoms, const Budget& budget, const CheckOptions& options,
                 PropertyResult& result)
    : model_(model), chain_(chain), atoms_(std::move(atoms)), budget_(budget), options_(options), result_(result) {}

void Checker::add_note(std::string text) {
  if (std::ranges::find(result_.notes, text) == result_.notes.end()) result_.notes.push_back(std::move(text));
}

Values Checker::atom(const Formula& formula) {
  if (const auto known = atoms_.find(&formula); known != atoms_.end()) return known->second;
  if (formula.kind == Shape::Label) {
    if (formula.name == "deadlock")
      return Truth::of(chain_.deadlocks.size() == 0 ? StateSet(chain_.states) : chain_.deadlocks);
    if (formula.name == "init") {
      StateSet initial(chain_.states);
      for (const StateId s : chain_.initial) initial.insert(s);
      return Truth::of(std::move(initial));
    }
    if (const StateSet* known = chain_.label(formula.name)) return Truth::of(*known);
    const auto label = std::ranges::find(model_.labels, formula.name, &Label::name);
    if (label == model_.labels.end())
      throw UserError(formula.location, fmt::format("there is no label \"{}\"", formula.name));
    return Truth::of(states_with(chain_, model_, label->condition, budget_));
  }
  // Constants need no states, which a chain made by hand does not have.
  const ExpressionPool& expressions = model_.expressions;
  const bool is_constant = expressions.is_constant(formula.expression);
  if (expressions.type(formula.expression) == Type::Bool)
    return Truth::of(is_constant ? StateSet(chain_.states, expressions.is_true(formula.expression))
                                 : states_with(chain_, model_, formula.expression, budget_));
  if (expressions.is_exact()) {
    std::vector<ExactValue> exact(chain_.states);
    if (!is_constant)
      std::ranges::copy(fractions_of(chain_, model_, formula.expression, budget_), exact.begin());
    else if (expressions.type(formula.expression) == Type::Double)
      std::ranges::fill(exact, expressions.fraction(formula.expression));
    else
      std::ranges::fill(exact, Fraction::of_integer(expressions[formula.expression].integer));
    return numbers_of(std::move(exact));
  }
  Numbers numbers;
  const ExpressionPool::Node& node = expressions[formula.expression];
  const double constant = node.type == Type::Double ? node.real : static_cast<double>(node.integer);
  numbers.low = is_constant ? std::vector<double>(chain_.states, constant)
                            : values_of(chain_, model_, formula.expression, budget_);
  return numbers;
}

Values Checker::evaluate(const Formula& formula, const StateSet* asked) {
  budget_.check();
  const auto operand = [&](std::size_t i) { return truth(*formula.operands[i], asked); };
  switch (formula.kind) {
    case Shape::Condition:
    case Shape::Label:
      return atom(formula);
    case Shape::Not:
      return ~operand(0);
    case Shape::And:
      return operand(0) & operand(1);
    case Shape::Or:
      return operand(0) | operand(1);
    case Shape::Implies:
      return ~operand(0) | operand(1);
    case Shape::Iff: {
      const Truth a = operand(0);
      const Truth b = operand(1);
      return (a & b) | (~a & ~b);
    }
    case Shape::Arithmetic:
      return arithmetic(formula, asked);
    case Shape::Probability:
    case Shape::SteadyState:
    case Shape::Reward:
      return quantity(formula, asked);
    case Shape::Filter: {
      PropertyResult inner;
      Checker(model_, chain_, atoms_, budget_, options_, inner).check(formula);
      for (const std::string& text : inner.notes) add_note(text);
      result_.iterations += inner.iterations;
      result_.bytes = std::max(result_.bytes, inner.bytes);
      if (!inner.undecided.empty()) note_open(inner.undecided);
      if (const bool* holds = std::get_if<bool>(&inner.value))
        return Truth{StateSet(chain_.states, *holds && inner.undecided.empty()),
                     StateSet(chain_.states, *holds || !inner.undecided.empty())};
      const Bounded& value = std::get<Bounded>(inner.value);
      if (value.exact) return numbers_of(std::vector<ExactValue>(chain_.states, *value.exact));
      Numbers numbers;
      numbers.low.assign(chain_.states, value.low);
      if (value.low != value.high) numbers.high.assign(chain_.states, value.high);
      numbers.is_guaranteed = value.is_guaranteed;
      return numbers;
    }
    default:
      throw UserError(formula.location, "a path formula stands where states are described", "put it into P=? [ … ]");
  }
}

Truth Checker::truth(const Formula& formula, const StateSet* asked) {
  Values values = evaluate(formula, asked);
  if (Truth* truth = std::get_if<Truth>(&values)) return std::move(*truth);
  throw UserError(formula.location, "expected a condition, found a number");
}

Direction Checker::direction(const Formula& formula) const {
  const Query& query = formula.query;
  if (query.direction != Query::Direction::Unspecified)
    return query.direction == Query::Direction::Min ? Direction::Min : Direction::Max;
  if (chain_.kind != chain::Kind::Mdp) return Direction::Max;
  const char* letter = formula.kind == Shape::Reward ? "R" : "P";
  if (!query.comparison)
    throw UserError(formula.location, fmt::format("{}=? of an mdp needs to know which strategy is meant", letter),
                    fmt::format("write {0}min=? or {0}max=?", letter));
  // A bound has to hold for all strategies.
  return *query.comparison == Comparison::Greater || *query.comparison == Comparison::GreaterEqual ? Direction::Min
                                                                                                   : Direction::Max;
}

Values Checker::quantity(const Formula& formula, const StateSet* asked) {
  const bool is_outermost = strategy_for_ == nullptr;
  if (is_outermost) strategy_for_ = &formula;
  Question question;
  if (formula.kind == Shape::SteadyState)
    question = long_run(formula);
  else if (formula.kind == Shape::Probability)
    question = probability(*formula.operands[0], direction(formula), asked);
  else
    question = reward(formula, direction(formula), asked);
  keeps_strategy_ = strategy_for_ == &formula && options_.analysis.want_strategy;
  if (formula.query.comparison) return decide(formula, question, asked);
  AnalysisOptions analysis = options_.analysis;
  analysis.want_strategy = keeps_strategy_;
  return question.solve(analysis);
}

Numbers Checker::note(Solution&& solution) {
  result_.iterations += solution.iterations;
  const std::uint64_t values = (solution.low.size() + solution.high.size()) * sizeof(double);
  result_.bytes = std::max({result_.bytes, solution.bytes, values});
  if (!solution.method.empty() && result_.method.find(solution.method) == std::string::npos)
    result_.method += (result_.method.empty() ? "" : ", ") + solution.method;
  if (keeps_strategy_ && !solution.strategy.empty()) result_.strategy = std::move(solution.strategy);
  Numbers numbers = numbers_of(std::move(solution));
  return chain_.rows.is_exact() && numbers.exact.empty() ? with_rounding(std::move(numbers)) : numbers;
}

Truth Checker::decide(const Formula& formula, const Question& question, const StateSet* asked) {
  const Comparison comparison = *formula.query.comparison;
  const double bound = formula.query.bound;
  const std::optional<Fraction>& exact_bound = formula.query.exact_bound;
  const Interval ends = exact_bound ? interval_of(*exact_bound) : Interval{bound, bound};
  const bool is_above = comparison == Comparison::Greater || comparison == Comparison::GreaterEqual;
  const bool is_strict = comparison == Comparison::Greater || comparison == Comparison::Less;
  // Zero and one are a matter of the graph alone.
  if (formula.kind == Shape::Probability && ends.low == 0 && ends.high == 0 && question.zero) {
    if (is_above) return Truth::of(is_strict ? question.zero().complement() : StateSet(chain_.states, true));
    return Truth::of(is_strict ? StateSet(chain_.states) : question.zero());
  }
  if (formula.kind == Shape::Probability && ends.low == 1 && ends.high == 1 && question.one) {
    if (is_above) return Truth::of(is_strict ? StateSet(chain_.states) : question.one());
    return Truth::of(is_strict ? question.one().complement() : StateSet(chain_.states, true));
  }
  AnalysisOptions analysis = options_.analysis;
  analysis.want_strategy = keeps_strategy_;
  // Nothing is known of the error of value iteration.
  if (analysis.method == AnalysisOptions::Method::Value) analysis.method = AnalysisOptions::Method::Automatic;
  constexpr std::uint64_t kSmall = 2000;  // states for which fractions are cheap
  constexpr double kFinest = 1e-13;
  while (true) {
    const Numbers values = question.solve(analysis);
    if (!values.is_guaranteed) add_note("the bound was compared with an estimate");
    Truth result{StateSet(chain_.states), StateSet(chain_.states)};
    bool is_open = false;
    Interval open;  // of a state that is asked for
    for (std::uint64_t i = 0; i < chain_.states; ++i) {
      const auto s = static_cast<StateId>(i);
      const Interval x = widened(at(values, s), values.is_guaranteed, analysis.epsilon);
      bool yes = is_above ? (is_strict ? x.low > ends.high : x.low >= ends.high)
                          : (is_strict ? x.high < ends.low : x.high <= ends.low);
      bool possible = is_above ? (is_strict ? x.high > ends.low : x.high >= ends.low)
                               : (is_strict ? x.low < ends.high : x.low <= ends.high);
      if (exact_bound && !values.exact.empty()) {
        const ExactValue& value = values.exact[s];
        const bool is_within = is_above ? !is_less(value, *exact_bound) : !is_less(*exact_bound, value);
        yes = possible = is_within && !(is_strict && value == exact_bound);
      }
      if (yes) result.yes.insert(s);
      if (possible) result.possible.insert(s);
      if (is_open || yes == possible || (asked && !asked->contains(s))) continue;
      is_open = true;
      open = x;
    }
    if (!is_open || !values.exact.empty()) return result;
    if (analysis.epsilon > kFinest && values.is_guaranteed) {
      analysis.epsilon = std::max(analysis.epsilon * 1e-3, kFinest);
    } else if (chain_.states <= kSmall && values.is_guaranteed && analysis.method != AnalysisOptions::Method::Exact) {
      analysis.method = AnalysisOptions::Method::Exact;
    } else {
      note_open(fmt::format("the bound {} is within [{}, {}], where the value is", bound, open.low, open.high));
      return result;
    }
  }
}

}  // namespace plumb::chain
