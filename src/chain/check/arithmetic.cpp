// Numbers made of the values of properties, and their comparison, state by state with intervals.

#include <limits>
#include <optional>

#include "base/error.h"
#include "chain/check/checker.h"

namespace plumb::chain {
namespace {

Interval apply(Op op, Interval a, Interval b) {
  switch (op) {
    case Op::Add:
      return add(a, b);
    case Op::Subtract:
      return subtract(a, b);
    case Op::Multiply:
      return multiply(a, b);
    case Op::Min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::Max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::Negate:
      return {-a.high, -a.low};
    default:
      return divide(a, b);
  }
}

/// Nothing where there is no such number: of infinity, or by zero.
std::optional<Fraction> apply(Op op, const Fraction& a, const Fraction& b) {
  switch (op) {
    case Op::Add:
      return a + b;
    case Op::Subtract:
      return a - b;
    case Op::Multiply:
      return a * b;
    case Op::Min:
      return std::min(a, b);
    case Op::Max:
      return std::max(a, b);
    case Op::Negate:
      return -a;
    default:
      if (b.is_zero()) return std::nullopt;
      return a / b;
  }
}

/// Of numbers that are all known as fractions; nothing where one of the results is none in a state that is asked for
/// (null: all). Elsewhere that is zero, which nobody reads.
std::optional<Numbers> apply_exactly(Op op, const Numbers& a, const Numbers* b, const StateSet* asked) {
  if (a.exact.empty() || (b && b->exact.empty())) return std::nullopt;
  std::vector<ExactValue> values(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) {
    if (a.exact[s] && (!b || b->exact[s])) values[s] = apply(op, *a.exact[s], b ? *b->exact[s] : Fraction());
    if (values[s]) continue;
    if (!asked || asked->contains(static_cast<StateId>(s))) return std::nullopt;
    values[s] = Fraction();
  }
  return numbers_of(std::move(values));
}

struct PossibleTruth {
  bool yes;
  bool possible;
};
PossibleTruth compare(Op op, Interval x, Interval y) {
  if (op == Op::Equal)
    return {x.low == x.high && x.low == y.low && y.low == y.high, x.low <= y.high && y.low <= x.high};
  if (op == Op::Less) return {x.high < y.low, x.low < y.high};
  return {x.high <= y.low, x.low <= y.high};
}

template <typename F>
void for_each_state(std::uint64_t states, F&& f) {
  for (std::uint64_t s = 0; s < states; ++s) f(static_cast<StateId>(s));
}

PossibleTruth compare(Op op, const ExactValue& x, const ExactValue& y) {
  const bool holds = op == Op::Equal ? x == y : op == Op::Less ? is_less(x, y) : !is_less(y, x);
  return {holds, holds};
}

/// The numbers of both, each where it is chosen; between both where the choice is open.
Numbers chosen(const Truth& condition, Numbers a, const Numbers& b) {
  if (condition.is_decided() && !a.exact.empty() && !b.exact.empty()) {
    for_each_state(a.size(), [&](StateId s) {
      if (!condition.yes.contains(s)) a.exact[s] = b.exact[s];
    });
    return numbers_of(std::move(a.exact));
  }
  if (a.high.empty()) a.high = a.low;
  for_each_state(a.size(), [&](StateId s) {
    if (condition.yes.contains(s)) return;
    const bool is_open = condition.possible.contains(s);
    const Interval x = at(a, s);
    const Interval y = at(b, s);
    a.low[s] = is_open ? std::min(x.low, y.low) : y.low;
    a.high[s] = is_open ? std::max(x.high, y.high) : y.high;
  });
  a.is_guaranteed = a.is_guaranteed && b.is_guaranteed;
  a.exact.clear();
  return a;
}

}  // namespace

Values Checker::choice(const Formula& formula, const StateSet* asked) {
  const Truth condition = truth(*formula.operands[0], asked);
  Values a = evaluate(*formula.operands[1], asked);
  Values b = evaluate(*formula.operands[2], asked);
  if (a.index() != b.index())
    throw UserError(formula.location, "one side of '?:' is a condition and the other a number");
  if (Truth* yes = std::get_if<Truth>(&a)) return (condition & *yes) | (~condition & std::get<Truth>(b));
  return chosen(condition, std::move(std::get<Numbers>(a)), std::get<Numbers>(b));
}

Values Checker::comparison(Op op, const Numbers& a, const Numbers& b) {
  Truth result{StateSet(chain_.states), StateSet(chain_.states)};
  if (!a.is_guaranteed || !b.is_guaranteed) add_note("an estimate was compared");
  const bool has_error = options_.analysis.method != AnalysisOptions::Method::Value;
  const double error = has_error ? options_.analysis.epsilon : std::numeric_limits<double>::infinity();
  const bool is_exact = !a.exact.empty() && !b.exact.empty();
  for_each_state(chain_.states, [&](StateId s) {
    const auto [yes, possible] =
        is_exact ? compare(op, a.exact[s], b.exact[s])
                 : compare(op, widened(at(a, s), a.is_guaranteed, error), widened(at(b, s), b.is_guaranteed, error));
    if (yes) result.yes.insert(s);
    if (possible) result.possible.insert(s);
  });
  if (result.yes != result.possible) note_open("the intervals of what is compared overlap");
  return result;
}

Values Checker::arithmetic(const Formula& formula, const StateSet* asked) {
  if (formula.op == Op::IfThenElse) return choice(formula, asked);
  const bool is_binary = formula.operands.size() > 1;
  Values first = evaluate(*formula.operands[0], asked);
  Values second = is_binary ? evaluate(*formula.operands[1], asked) : Values{Numbers{}};
  if (formula.op == Op::Equal && std::holds_alternative<Truth>(first) && std::holds_alternative<Truth>(second)) {
    const Truth& a = std::get<Truth>(first);
    const Truth& b = std::get<Truth>(second);
    return (a & b) | (~a & ~b);
  }
  for (std::size_t i = 0; i < formula.operands.size(); ++i)
    if (std::holds_alternative<Truth>(i == 0 ? first : second))
      throw UserError(formula.operands[i]->location, "expected a number, found a condition");
  Numbers a = std::move(std::get<Numbers>(first));
  const Numbers& b = std::get<Numbers>(second);
  if (formula.op == Op::Less || formula.op == Op::LessEqual || formula.op == Op::Equal)
    return comparison(formula.op, a, b);
  if (std::optional<Numbers> exact = apply_exactly(formula.op, a, is_binary ? &b : nullptr, asked))
    return std::move(*exact);
  if (a.high.empty()) a.high = a.low;
  for_each_state(chain_.states, [&](StateId s) {
    const Interval value = apply(formula.op, at(a, s), is_binary ? at(b, s) : Interval{});
    a.low[s] = value.low;
    a.high[s] = value.high;
  });
  a.is_guaranteed = a.is_guaranteed && (!is_binary || b.is_guaranteed);
  a.exact.clear();
  return a;
}

}  // namespace plumb::chain
