#include "prove/guess/hypotheses.h"

#include <algorithm>

#include "base/error.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

std::uint64_t mask_of(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - width); }

}  // namespace

bool Hypotheses::extend(Range& range, const BitVector& value) const {
  const Range before = range;
  const std::uint64_t word = value.to_uint64();
  const std::int64_t number = value.to_int64();
  if (range.known == ~std::uint64_t{0} && range.least > range.greatest) range.bits = word;
  range.least = std::min(range.least, word);
  range.greatest = std::max(range.greatest, word);
  range.least_signed = std::min(range.least_signed, number);
  range.greatest_signed = std::max(range.greatest_signed, number);
  range.known &= ~(range.bits ^ word);
  range.bits &= range.known;
  return before.least != range.least || before.greatest != range.greatest || before.known != range.known ||
         before.least_signed != range.least_signed || before.greatest_signed != range.greatest_signed;
}

/// To the next constants of the system.
void Hypotheses::loosen(Range& range) const {
  const std::uint32_t width = store_.width(range.word);
  const std::vector<std::uint64_t>& constants = vocabulary_.constants_of(width);
  if (const auto found = std::ranges::lower_bound(constants, range.greatest); found != constants.end()) {
    range.greatest = *found;
  } else {
    range.greatest = mask_of(width);
  }
  const auto above = std::ranges::upper_bound(constants, range.least);
  range.least = above == constants.begin() ? 0 : *(above - 1);
  std::int64_t least = BitVector::min_signed(width).to_int64();
  std::int64_t greatest = BitVector::max_signed(width).to_int64();
  for (const std::uint64_t constant : constants) {
    const std::int64_t number = BitVector(width, constant).to_int64();
    if (number <= range.least_signed) least = std::max(least, number);
    if (number >= range.greatest_signed) greatest = std::min(greatest, number);
  }
  range.least_signed = least;
  range.greatest_signed = greatest;
}

std::vector<Term> Hypotheses::range_terms(const Range& range) const {
  const std::uint32_t width = store_.width(range.word);
  const auto constant = [&](std::int64_t value) { return store_.constant(width, static_cast<std::uint64_t>(value)); };
  std::vector<Term> terms = {store_.ule(store_.constant(width, range.least), range.word),
                             store_.ule(range.word, store_.constant(width, range.greatest)),
                             store_.sle(constant(range.least_signed), range.word),
                             store_.sle(range.word, constant(range.greatest_signed))};
  if (const std::uint64_t known = range.known & mask_of(width); known != 0)
    terms.push_back(store_.eq(store_.bit_and(range.word, store_.constant(width, known)),
                              store_.constant(width, range.bits & known)));
  return terms;
}

void Hypotheses::look(const Reader& read) {
  for (Range& range : ranges_) {
    const BitVector& value = read(range.word);
    extend(range, value);
    const std::uint64_t number = value.to_uint64();
    if (range.values.size() <= (kinds_.has_sets ? kMaxSetValues : kMaxValues) &&
        std::ranges::find(range.values, number) == range.values.end())
      range.values.push_back(number);
  }
  for (Hull& hull : hulls_) {
    std::vector<std::uint64_t> point;
    for (const Term word : hull.words) point.push_back(read(word).to_uint64());
    hull.hull.add(point);
  }
}

void Hypotheses::extend_sets(const Reader& read) {
  for (ValueSet& set : sets_) {
    if (set.is_lost()) continue;
    std::vector<std::uint64_t> values;
    for (const Term word : set.words()) values.push_back(read(word).to_uint64());
    set.add(std::move(values));
  }
}

void Hypotheses::observe(const Reader& read) {
  if (kinds_.has_choices && !has_cases_) add_cases();
  if (kinds_.has_sets && !has_cases_) add_sets();
  extend_sets(read);
  for (Predicate& predicate : pool_) {
    if (states_ % 64 == 0) predicate.misses.push_back(0);
    if (!read(predicate.term).is_one()) predicate.misses.back() |= std::uint64_t{1} << (states_ % 64);
  }
  ++states_;
}

void Hypotheses::settle() {
  is_settled_ = true;
  if (is_empty()) return;
  for (const Predicate& predicate : pool_)
    if (std::ranges::all_of(predicate.misses, [](std::uint64_t bits) { return bits == 0; }))
      predicates_.push_back(predicate.term);
  if (kinds_.has_choices) add_choices();
  for (Range& range : ranges_) loosen(range);
  pool_ = {};
  // Room to work in is as large as the store, and there are many places.
  positions_ = {};
  seen_ = {};
}

void Hypotheses::weaken(const Reader& read) {
  INVARIANT(is_settled_, "a hypothesis should be weakened after it was made");
  if (is_empty()) {
    look(read);
    observe(read);
    settle();
    return;
  }
  for (Range& range : ranges_)
    if (extend(range, read(range.word))) loosen(range);
  for (Hull& hull : hulls_) {
    std::vector<std::uint64_t> point;
    for (const Term word : hull.words) point.push_back(read(word).to_uint64());
    hull.hull.add(point);
  }
  extend_sets(read);
  std::erase_if(predicates_, [&](Term t) { return !read(t).is_one(); });
}

void Hypotheses::drop(Term conjunct) {
  if (is_empty()) {
    // Whether anybody comes here is not known, and so nothing is.
    ranges_.clear();
    hulls_.clear();
    sets_.clear();
    states_ = 1;
    return;
  }
  std::erase(predicates_, conjunct);
  for (ValueSet& set : sets_)
    if (!set.is_lost() && set.term(store_) == conjunct) set.give_up();
  dropped_.push_back(conjunct);
}

bool Hypotheses::is_dropped(Term t) const {
  return store_.is_true(t) || std::ranges::find(dropped_, t) != dropped_.end();
}

/// Summands with a minus sign stand on the right side; a pivot stands alone.
Term Hypotheses::equation_term(const Hull& hull, const AffineHull::Equation& equation, bool is_solved) const {
  const std::uint32_t width = store_.width(hull.words.front());
  const std::uint64_t half = (mask_of(width) >> 1) + 1;
  Term left = store_.zero(width);
  Term right = left;
  const auto add = [&](Term word, std::uint64_t coefficient) {
    const bool is_negative = coefficient > half;
    const std::uint64_t size = is_negative ? (0 - coefficient) & mask_of(width) : coefficient;
    const Term product = store_.mul(store_.constant(width, size), word);
    Term& side = is_negative ? right : left;
    side = store_.add(side, product);
  };
  for (std::size_t i = 0; i < hull.words.size(); ++i)
    if (equation.coefficients[i] != 0 && !(is_solved && i == *equation.pivot))
      add(hull.words[i], equation.coefficients[i]);
  if (equation.constant != 0) add(store_.one(width), equation.constant);
  return is_solved ? store_.sub(right, left) : store_.eq(left, right);
}

std::vector<Term> Hypotheses::conjuncts() const {
  if (is_empty()) return {store_.boolean(false)};
  std::vector<Term> result;
  for (const Hull& hull : hulls_)
    for (const AffineHull::Equation& equation : hull.hull.equations(hull.ranks))
      result.push_back(equation_term(hull, equation, false));
  for (const Range& range : ranges_)
    for (const Term t : range_terms(range)) result.push_back(t);
  for (const ValueSet& set : sets_) result.push_back(set.term(store_));
  result.insert(result.end(), predicates_.begin(), predicates_.end());
  std::erase_if(result, [&](Term t) { return is_dropped(t); });
  std::vector<Term> sorted = result;
  std::ranges::sort(sorted);
  const auto [first, last] = std::ranges::unique(sorted);
  sorted.erase(first, last);
  return sorted;
}

std::vector<Premise::Value> Hypotheses::values() const {
  std::vector<Premise::Value> result;
  if (is_empty()) return result;
  term::TermSet room;
  term::TermSet replaced;
  term::TermSet used;
  for (const Hull& hull : hulls_)
    for (const AffineHull::Equation& equation : hull.hull.equations(hull.ranks)) {
      if (!equation.pivot) continue;
      const Term variable = hull.words[*equation.pivot];
      const Term conjunct = equation_term(hull, equation, false);
      if (is_dropped(conjunct) || used.contains(variable) || replaced.contains(variable)) continue;
      const Term value[] = {equation_term(hull, equation, true)};
      // Replacements are made at once, so none may speak of what another one replaces.
      const std::vector<Term> support = term::support(store_, value, room);
      if (std::ranges::any_of(support, [&](Term t) { return t == variable || replaced.contains(t); })) continue;
      replaced[variable] = {};
      for (const Term t : support) used[t] = {};
      result.push_back({variable, value[0]});
    }
  return result;
}

}  // namespace plumb::prove
