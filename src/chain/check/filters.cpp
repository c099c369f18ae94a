#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/build.h"
#include "chain/check/checker.h"

namespace plumb::chain {
namespace {

using FilterKind = Formula::FilterKind;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Extremes {
  Interval least{kInfinity, kInfinity};
  Interval greatest{-kInfinity, -kInfinity};
};

Extremes extremes(const Numbers& values, const StateSet& states) {
  Extremes result;
  states.for_each([&](StateId s) {
    const Interval x = at(values, s);
    result.least = {std::min(result.least.low, x.low), std::min(result.least.high, x.high)};
    result.greatest = {std::max(result.greatest.low, x.low), std::max(result.greatest.high, x.high)};
  });
  return result;
}

struct ExactExtremes {
  ExactValue least;
  ExactValue greatest;
};

/// Of numbers that are known as fractions, in a set that is not empty.
ExactExtremes exact_extremes(const Numbers& values, const StateSet& states) {
  std::optional<ExactExtremes> result;
  states.for_each([&](StateId s) {
    const ExactValue& x = values.exact[s];
    if (!result) result = {x, x};
    if (is_less(x, result->least)) result->least = x;
    if (is_less(result->greatest, x)) result->greatest = x;
  });
  return *result;
}

Bounded bounded(const ExactValue& value) {
  Bounded result = bounded(interval_of(value), true);
  result.exact = value;
  return result;
}

/// Pairwise, so that the rounded ends of a sum over millions of states stay close.
Interval total(const Numbers& values, const std::vector<StateId>& states, std::size_t first, std::size_t last) {
  if (last - first == 1) return at(values, states[first]);
  const std::size_t middle = first + (last - first) / 2;
  return add(total(values, states, first, middle), total(values, states, middle, last));
}

StateId first_of(const StateSet& states) {
  StateId s = 0;
  while (!states.contains(s)) ++s;
  return s;
}

std::vector<StateId> members(const StateSet& states) {
  std::vector<StateId> result;
  states.for_each([&](StateId s) { result.push_back(s); });
  return result;
}

std::string text_of(Interval x) {
  if (x.low == x.high) return fmt::format("{}", x.low);
  return fmt::format("{} in [{}, {}]", bounded(x, true).value, x.low, x.high);
}

std::string text_of(const Numbers& values, StateId s) {
  if (values.exact.empty()) return text_of(at(values, s));
  return values.exact[s] ? values.exact[s]->to_string() : "infinity";
}

/// The sum, or the average; nothing where it is not a fraction.
std::optional<Fraction> exact_total(const Numbers& values, const std::vector<StateId>& states, bool is_average) {
  if (values.exact.empty()) return std::nullopt;
  Fraction sum;
  for (const StateId s : states) {
    if (!values.exact[s]) return std::nullopt;
    sum += *values.exact[s];
  }
  if (is_average) sum /= Fraction(states.size());
  return sum;
}

}  // namespace

std::string Checker::state_name(StateId s) const {
  if (chain_.store.size() == 0) return fmt::format("{}", s);
  return fmt::format("{}:{}", s, describe(chain_, model_, s));
}

void Checker::answer(bool yes, bool possible) {
  result_.value = yes;
  if (yes != possible) result_.undecided = open_.empty() ? "a bound is closer to the value than its error" : open_;
}

void Checker::check(const Formula& formula) {
  if (formula.kind == Formula::Kind::Filter) return check_filter(formula);
  StateSet initial(chain_.states);
  for (const StateId s : chain_.initial) initial.insert(s);
  check_plain(evaluate(formula, &initial), initial, "initial states");
}

void Checker::check_plain(const Values& values, const StateSet& states, const char* which) {
  if (const Truth* truth = std::get_if<Truth>(&values)) {
    bool yes = true;
    bool possible = true;
    states.for_each([&](StateId s) {
      yes &= truth->yes.contains(s);
      possible &= truth->possible.contains(s);
    });
    const std::uint64_t count = states.count();
    StateSet holds = truth->yes;
    holds &= states;
    const std::uint64_t held = holds.count();
    if (held != 0 && held != count && yes == possible)
      add_note(fmt::format("it holds in {} of {} {}", held, count, which));
    return answer(yes, possible);
  }
  const Numbers& numbers = std::get<Numbers>(values);
  const Extremes ends = extremes(numbers, states);
  const StateId first = first_of(states);
  Bounded result = bounded(at(numbers, first), numbers.is_guaranteed);
  const bool is_exact = !numbers.exact.empty();
  if (is_exact) result.exact = numbers.exact[first];
  bool differs = ends.least.high < ends.greatest.low;
  if (is_exact) {
    const auto [least, greatest] = exact_extremes(numbers, states);
    differs = least != greatest;
  }
  if (differs) {
    result.low = ends.least.low;
    result.high = ends.greatest.high;
    result.exact.reset();
    add_note(fmt::format("the value differs over {} {}: from {} to {}; shown is the first", states.count(), which,
                         bounded(ends.least, true).value, bounded(ends.greatest, true).value));
  } else {
    // Equal as far as is known: the interval contains every one of them.
    result.low = ends.least.low;
    result.high = ends.greatest.high;
    require_precision(result);
  }
  result_.value = result;
}

void Checker::require_precision(const Bounded& number) {
  if (number.exact || !std::isfinite(number.value)) return;
  const double error = (number.high - number.low) / 2;
  const double wanted = options_.analysis.epsilon * std::max(1.0, std::abs(number.value));
  // What was computed narrowly enough may be rounded outwards at the end.
  if (error <= wanted * (1 + 1e-9) + 1e-15 * std::abs(number.value)) return;
  result_.undecided = fmt::format("the error is {:.2g}, and {:.2g} was asked for", error, wanted);
}

StateSet Checker::filter_states(const Formula& filter) {
  if (filter.operands.size() < 2) return StateSet(chain_.states, true);
  const Truth states = truth(*filter.operands[1], nullptr);
  if (!states.is_decided())
    throw UserError(filter.operands[1]->location, "which states the filter is about could not be decided");
  if (states.yes.empty())
    throw UserError(filter.operands[1]->location, "no state satisfies the condition of the filter");
  return states.yes;
}

void Checker::check_filter(const Formula& filter) {
  const StateSet states = filter_states(filter);
  const Values values = evaluate(*filter.operands[0], &states);
  switch (filter.filter) {
    case FilterKind::Print:
    case FilterKind::PrintAll:
      list(values, states, filter.filter == FilterKind::PrintAll);
      return check_plain(values, states, "states of the filter");
    case FilterKind::First: {
      StateSet first(chain_.states);
      first.insert(first_of(states));
      return check_plain(values, first, "states");
    }
    case FilterKind::State:
      if (states.count() != 1)
        throw UserError(
            filter.location,
            fmt::format("the filter 'state' is about one state, and {} satisfy its condition", states.count()),
            "use first, min, max, range, …");
      return check_plain(values, states, "states");
    default:
      break;
  }
  if (const Truth* truth = std::get_if<Truth>(&values))
    check_truth_filter(filter, *truth, states);
  else
    check_number_filter(filter, std::get<Numbers>(values), states);
}

void Checker::check_truth_filter(const Formula& filter, const Truth& values, const StateSet& states) {
  Truth held = values & Truth::of(states);
  switch (filter.filter) {
    case FilterKind::ForAll:
      return answer(held.yes == states, held.possible == states);
    case FilterKind::Exists:
      return answer(!held.yes.empty(), !held.possible.empty());
    case FilterKind::Count:
      if (model_.expressions.is_exact() && held.is_decided())
        result_.value = bounded(ExactValue(Fraction(held.yes.count())));
      else
        result_.value =
            bounded({static_cast<double>(held.yes.count()), static_cast<double>(held.possible.count())}, true);
      return;
    default:
      throw UserError(filter.location, "this filter wants numbers, and the property is true or false",
                      "use forall, exists, count or print");
  }
}

void Checker::check_number_filter(const Formula& filter, const Numbers& values, const StateSet& states) {
  const Extremes ends = extremes(values, states);
  const bool is_exact = !values.exact.empty();
  const ExactExtremes exact = is_exact ? exact_extremes(values, states) : ExactExtremes{};
  switch (filter.filter) {
    case FilterKind::Min:
    case FilterKind::ArgMin:
      result_.value = is_exact ? bounded(exact.least) : bounded(ends.least, values.is_guaranteed);
      if (filter.filter == FilterKind::ArgMin) list_extremes(values, states, ends.least.high, exact.least, true);
      return;
    case FilterKind::Max:
    case FilterKind::ArgMax:
      result_.value = is_exact ? bounded(exact.greatest) : bounded(ends.greatest, values.is_guaranteed);
      if (filter.filter == FilterKind::ArgMax) list_extremes(values, states, ends.greatest.low, exact.greatest, false);
      return;
    case FilterKind::Range: {
      Bounded result = bounded({ends.least.low, ends.greatest.high}, values.is_guaranteed);
      result_.value = result;
      add_note(fmt::format("the range: from {} to {}", text_of(ends.least), text_of(ends.greatest)));
      return;
    }
    case FilterKind::Sum:
    case FilterKind::Average: {
      const std::vector<StateId> all = members(states);
      if (const auto total = exact_total(values, all, filter.filter == FilterKind::Average)) {
        result_.value = bounded(ExactValue(*total));
        return;
      }
      Interval sum = total(values, all, 0, all.size());
      if (filter.filter == FilterKind::Average) {
        const auto count = static_cast<double>(all.size());
        sum = divide(sum, {count, count});
      }
      result_.value = bounded(sum, values.is_guaranteed);
      return;
    }
    default:
      throw UserError(filter.location, "this filter wants a condition, and the property is a number",
                      "use min, max, avg, sum, range or print");
  }
}

void Checker::add_line(std::uint64_t& lines, const std::string& text) {
  if (lines++ < options_.max_listing) result_.listing.push_back(text);
}

void Checker::list(const Values& values, const StateSet& states, bool with_zeros) {
  std::uint64_t lines = 0;
  states.for_each([&](StateId s) {
    if (const Truth* truth = std::get_if<Truth>(&values)) {
      const bool yes = truth->yes.contains(s);
      const char* word = yes ? "true" : truth->possible.contains(s) ? "undecided" : "false";
      if (with_zeros || truth->possible.contains(s)) add_line(lines, fmt::format("{}={}", state_name(s), word));
    } else {
      const Interval x = at(std::get<Numbers>(values), s);
      if (with_zeros || x.high != 0 || x.low != 0)
        add_line(lines, fmt::format("{}={}", state_name(s), text_of(std::get<Numbers>(values), s)));
    }
  });
  if (lines > options_.max_listing) add_note(fmt::format("{} of {} lines are shown", options_.max_listing, lines));
}

void Checker::list_extremes(const Numbers& values, const StateSet& states, double bound, const ExactValue& extreme,
                            bool is_minimum) {
  std::uint64_t lines = 0;
  states.for_each([&](StateId s) {
    const Interval x = at(values, s);
    const bool is_extreme =
        values.exact.empty() ? (is_minimum ? x.low <= bound : x.high >= bound) : values.exact[s] == extreme;
    if (is_extreme) add_line(lines, fmt::format("{}={}", state_name(s), text_of(values, s)));
  });
  if (lines > options_.max_listing) add_note(fmt::format("{} of {} lines are shown", options_.max_listing, lines));
}

}  // namespace plumb::chain
