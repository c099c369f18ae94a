#include "term/range_evaluation.h"

#include <algorithm>
#include <optional>

namespace plumb::term {

namespace {

constexpr int kRefinements = 2;  ///< rounds in which conditions bound terms

}  // namespace

void RangeEvaluation::start(const Ranges& variables) {
  variables_ = &variables;
  known_.clear();
  cache_.clear();
  seen_.clear();
  is_possible_ = true;
}

Range RangeEvaluation::of(Term t) {
  const Term roots[] = {t};
  post_order(store_, roots, seen_, [&](Term s) {
    if (has_range(store_, s)) cache_[s] = computed(s);
  });
  return cache_.at(t);
}

void RangeEvaluation::assume(Term condition, bool value) {
  for (int round = 0; round < kRefinements && is_possible_; ++round) {
    std::vector<std::pair<Term, bool>> pending = {{condition, value}};
    while (!pending.empty() && is_possible_) {
      const auto [t, is_true] = pending.back();
      pending.pop_back();
      bound(t, Range::of(1, is_true ? 1 : 0));
      if (is_possible_) assume_one(t, is_true, pending);
    }
    // What stands above a bounded term is evaluated again.
    cache_.clear();
    seen_.clear();
  }
}

Range RangeEvaluation::computed(Term t) {
  Range range = Range::all(store_.width(t));
  if (const auto found = positions_.find(t); found != positions_.end()) {
    range = (*variables_)[found->second];
  } else if (!store_.is_variable(t)) {
    const Range* operands[3] = {};
    bool have_ranges = true;
    for (unsigned i = 0; i < store_.arity(t); ++i) {
      operands[i] = cache_.find(store_.child(t, i));
      have_ranges = have_ranges && operands[i] != nullptr;
    }
    if (have_ranges) range = range_of(store_, t, operands);
  }
  const auto known = known_.find(t);
  if (known == known_.end()) return range;
  return common(store_.width(t), range, known->second).value_or(known->second);
}

void RangeEvaluation::bound(Term t, const Range& range) {
  std::vector<std::pair<Term, Range>> pending = {{t, range}};
  while (!pending.empty()) {
    const auto [s, given] = pending.back();
    pending.pop_back();
    const std::uint32_t width = store_.width(s);
    const Range before = of(s);
    const std::optional<Range> now = common(width, before, given);
    if (!now) {
      is_possible_ = false;
      return;
    }
    if (*now == before || store_.is_constant(s)) continue;
    known_[s] = *now;
    cache_[s] = *now;
    bound_operands(s, *now, pending);
  }
}

/// What the range of a term says about that of an operand.
void RangeEvaluation::bound_operands(Term t, const Range& range, std::vector<std::pair<Term, Range>>& pending) {
  const Term first = store_.arity(t) > 0 ? store_.child(t, 0) : Term{};
  const std::uint32_t width = store_.width(t);
  if (store_.op(t) == Op::Concat && store_.is_constant(first) && of(first).high == 0) {
    const Term low = store_.child(t, 1);
    const std::uint64_t most = Range::all(store_.width(low)).high;
    if (range.low <= most)
      if (const auto r = Range::of_unsigned(store_.width(low), range.low, std::min(range.high, most)))
        pending.emplace_back(low, *r);
  } else if (store_.op(t) == Op::SignExtend) {
    const Range all = Range::all(store_.width(first));
    const std::int64_t least = std::max(range.least, all.least);
    const std::int64_t greatest = std::min(range.greatest, all.greatest);
    if (least <= greatest)
      if (const auto r = Range::of_signed(store_.width(first), least, greatest)) pending.emplace_back(first, *r);
  } else if (store_.op(t) == Op::Add) {
    const Term second = store_.child(t, 1);
    const Term constant = store_.is_constant(first) ? first : second;
    if (!store_.is_constant(constant)) return;
    const std::uint64_t minus = 0 - store_.value(constant).to_uint64();
    pending.emplace_back(constant == first ? second : first,
                         sum(width, range, Range::of(width, minus & Range::all(width).high)));
  }
}

void RangeEvaluation::assume_one(Term t, bool is_true, std::vector<std::pair<Term, bool>>& pending) {
  switch (store_.op(t)) {
    case Op::Not:
      pending.emplace_back(store_.child(t, 0), !is_true);
      return;
    case Op::And: {
      const Term a = store_.child(t, 0);
      const Term b = store_.child(t, 1);
      if (is_true || of(b).is_true()) pending.emplace_back(a, is_true);
      if (is_true || of(a).is_true()) pending.emplace_back(b, is_true);
      return;
    }
    case Op::Extract: {  // the sign of a number
      const Term whole = store_.child(t, 0);
      const std::uint32_t width = store_.width(whole);
      if (!has_range(store_, whole) || store_.parameter(t) + 1 != width) return;
      const Range all = Range::all(width);
      bound(whole, is_true ? *Range::of_signed(width, all.least, -1) : *Range::of_signed(width, 0, all.greatest));
      return;
    }
    case Op::Eq:
      if (has_range(store_, store_.child(t, 0))) assume_equal(store_.child(t, 0), store_.child(t, 1), is_true);
      return;
    case Op::Ult:
    case Op::Slt:
      if (has_range(store_, store_.child(t, 0)))
        assume_less(store_.op(t) == Op::Slt, store_.child(t, 0), store_.child(t, 1), is_true);
      return;
    default:
      return;
  }
}

void RangeEvaluation::assume_equal(Term a, Term b, bool are_equal) {
  if (are_equal) {
    const Range first = of(a);
    bound(a, of(b));
    if (is_possible_) bound(b, first);
    return;
  }
  exclude(a, of(b));
  if (is_possible_) exclude(b, of(a));
}

/// The term is not the only value of the range, which may be at an end of its own.
void RangeEvaluation::exclude(Term t, const Range& range) {
  if (!range.is_single()) return;
  Range r = of(t);
  if (r.is_single() && r == range) {
    is_possible_ = false;
    return;
  }
  if (r.low == range.low) ++r.low;
  if (r.high == range.low) --r.high;
  if (r.least == range.least) ++r.least;
  if (r.greatest == range.least) --r.greatest;
  if (const auto rest = common(store_.width(t), r, r))
    bound(t, *rest);
  else
    is_possible_ = false;
}

void RangeEvaluation::assume_less(bool is_signed, Term a, Term b, bool is_less) {
  // Not a < b is b <= a.
  const Term small = is_less ? a : b;
  const Term great = is_less ? b : a;
  const std::uint64_t apart = is_less ? 1 : 0;
  const std::uint32_t width = store_.width(a);
  Range low = of(small);
  Range high = of(great);
  const Range all = Range::all(width);
  if (is_signed) {
    const auto step = static_cast<std::int64_t>(apart);
    if (is_less && (high.greatest == all.least || low.least == all.greatest)) {
      is_possible_ = false;
      return;
    }
    low.greatest = std::min(low.greatest, high.greatest - step);
    high.least = std::max(high.least, low.least + step);
  } else {
    if (is_less && (high.high == 0 || low.low == all.high)) {
      is_possible_ = false;
      return;
    }
    low.high = std::min(low.high, high.high - apart);
    high.low = std::max(high.low, low.low + apart);
  }
  const auto smaller = common(width, low, low);
  const auto greater = common(width, high, high);
  if (!smaller || !greater) {
    is_possible_ = false;
    return;
  }
  bound(small, *smaller);
  if (is_possible_) bound(great, *greater);
}

}  // namespace plumb::term
