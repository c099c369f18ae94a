#include "paths/rules.h"

#include <algorithm>
#include <span>

#include "term/term_store.h"

namespace plumb::paths {

using term::Op;

namespace {

std::uint64_t ones(std::uint32_t width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

}  // namespace

std::optional<std::uint64_t> member(std::uint32_t width, const Range& range) {
  // Two arcs of a circle that meet do so at the start of one of them.
  const auto sign = static_cast<std::int64_t>(range.low << (64 - width)) >> (64 - width);
  if (range.least <= sign && sign <= range.greatest) return range.low;
  const std::uint64_t least = static_cast<std::uint64_t>(range.least) & ones(width);
  if (range.low <= least && least <= range.high) return least;
  return std::nullopt;
}

std::optional<Range> intersected(std::uint32_t width, const Range& a, const Range& b) {
  std::optional<Range> both = common(width, a, b);
  if (both && !member(width, *both)) both.reset();
  return both;
}

namespace {

/// Each interval with what follows from the other one.
std::optional<Range> reduced(std::uint32_t width, const Range& r) { return common(width, r, r); }

Range boolean(bool value) { return Range::of(1, value ? 1 : 0); }

/// The values -x modulo 2^width.
Range negated(std::uint32_t width, const Range& x) {
  const Range all = Range::all(width);
  if (x.is_single()) return Range::of(width, (0 - x.low) & ones(width));
  Range r = all;
  if (x.low > 0) {
    r.low = (0 - x.high) & ones(width);
    r.high = (0 - x.low) & ones(width);
  }
  if (x.least > all.least) {
    r.least = -x.greatest;
    r.greatest = -x.least;
  }
  return reduced(width, r).value_or(all);
}

Range complement(std::uint32_t width, const Range& x) {
  const Range r{~x.high & ones(width), ~x.low & ones(width), ~x.greatest, ~x.least};
  return reduced(width, r).value_or(Range::all(width));
}

std::optional<Range> of_join(std::uint32_t width, unsigned target, const Parts& parts) {
  const Range& condition = *parts[0];
  if (target == kResult) {
    if (condition.is_single()) return condition.is_true() ? *parts[1] : *parts[2];
    return joined(*parts[1], *parts[2]);
  }
  if (target > 0) {
    const bool is_chosen = condition.is_single() && condition.is_true() == (target == 1);
    return is_chosen ? *parts[kResult] : Range::all(width);
  }
  const bool may_be_first = intersected(width, *parts[kResult], *parts[1]).has_value();
  const bool may_be_second = intersected(width, *parts[kResult], *parts[2]).has_value();
  if (may_be_first && may_be_second) return Range::all(1);
  if (!may_be_first && !may_be_second) return std::nullopt;
  return boolean(may_be_first);
}

// Most cells are these; range_of() would give the same.
Range of_conjunction(const Range& a, const Range& b) {
  if (a.is_false() || b.is_false()) return boolean(false);
  return a.is_true() && b.is_true() ? boolean(true) : Range::all(1);
}

Range of_negation(const Range& a) { return a.is_single() ? boolean(a.is_false()) : a; }

/// Of an operand of a conjunction or a sum modulo 2.
Range of_logic(Op op, std::uint32_t width, unsigned target, const Parts& parts) {
  const Range& result = *parts[kResult];
  const Range& other = *parts[1 - target];
  const Range all = Range::all(width);
  if (op == Op::And && width > 1) return Range::of_unsigned(width, result.low, all.high).value_or(all);
  if (op == Op::And) {
    if (result.is_true()) return boolean(true);
    return result.is_false() && other.is_true() ? boolean(false) : all;
  }
  return result.is_single() && other.is_single() ? Range::of(width, result.low ^ other.low) : all;
}

/// The value is not this one.
std::optional<Range> without(std::uint32_t width, const Range& own, const Range& value) {
  if (!value.is_single()) return Range::all(width);
  if (own.is_single()) return own == value ? std::nullopt : std::optional(own);
  Range r = own;
  if (r.low == value.low) ++r.low;
  if (r.high == value.low) --r.high;
  if (r.least == value.least) ++r.least;
  if (r.greatest == value.least) --r.greatest;
  return reduced(width, r);
}

std::optional<Range> of_equal(std::uint32_t width, unsigned target, const Parts& parts) {
  if (!parts[kResult]->is_single()) return Range::all(width);
  const Range& other = *parts[1 - target];
  return parts[kResult]->is_true() ? other : without(width, *parts[target], other);
}

std::optional<Range> of_less(bool is_signed, std::uint32_t width, unsigned target, const Parts& parts) {
  const Range all = Range::all(width);
  if (!parts[kResult]->is_single()) return all;
  // Not a < b is b <= a.
  const bool is_less = parts[kResult]->is_true();
  const bool is_small = (target == 0) == is_less;
  const Range& other = *parts[1 - target];
  Range r = all;
  if (is_signed) {
    const std::int64_t apart = is_less ? 1 : 0;
    if (is_less && (is_small ? other.greatest == all.least : other.least == all.greatest)) return std::nullopt;
    (is_small ? r.greatest : r.least) = is_small ? other.greatest - apart : other.least + apart;
  } else {
    const std::uint64_t apart = is_less ? 1 : 0;
    if (is_less && (is_small ? other.high == 0 : other.low == all.high)) return std::nullopt;
    (is_small ? r.high : r.low) = is_small ? other.high - apart : other.low + apart;
  }
  return reduced(width, r);
}

std::optional<Range> of_sign_extended(std::uint32_t width, const Range& result) {
  const Range all = Range::all(width);
  const std::int64_t least = std::max(result.least, all.least);
  const std::int64_t greatest = std::min(result.greatest, all.greatest);
  if (least > greatest) return std::nullopt;
  return Range::of_signed(width, least, greatest);
}

std::optional<Range> of_extracted(std::uint32_t width, std::uint32_t lowest, std::uint32_t count, const Parts& parts) {
  const Range& result = *parts[kResult];
  if (lowest + count == width)  // the upper bits
    return Range::of_unsigned(width, result.low << lowest, (result.high << lowest) | ones(lowest));
  if (lowest == 0 && parts[0]->high <= ones(count)) return Range::of_unsigned(width, result.low, result.high);
  return Range::all(width);
}

/// `lower`: the width of the second operand.
std::optional<Range> of_concatenated(std::uint32_t width, std::uint32_t lower, unsigned target, const Range& result) {
  const std::uint64_t low = result.low >> lower;
  const std::uint64_t high = result.high >> lower;
  if (target == 0) return Range::of_unsigned(width, low, high);
  if (low != high) return Range::all(width);
  return Range::of_unsigned(width, result.low & ones(lower), result.high & ones(lower));
}

/// Of what is divided or shifted to the right by one number.
std::optional<Range> of_divided(bool is_shift, std::uint32_t width, const Parts& parts) {
  __extension__ using Wide = unsigned __int128;
  const Range& by = *parts[1];
  const Range all = Range::all(width);
  if (!by.is_single() || (is_shift && by.low >= width)) return all;
  const Wide unit = is_shift ? Wide{1} << by.low : Wide{by.low};
  if (unit == 0) return all;
  if (Wide{parts[kResult]->low} * unit > all.high) return std::nullopt;
  const Wide most = (Wide{parts[kResult]->high} + 1) * unit - 1;
  return Range::of_unsigned(width, static_cast<std::uint64_t>(Wide{parts[kResult]->low} * unit),
                            static_cast<std::uint64_t>(std::min(most, Wide{all.high})));
}

/// Of a factor, where no product with the other one, a number, wraps.
std::optional<Range> of_factor(std::uint32_t width, unsigned target, const Parts& parts) {
  __extension__ using Wide = unsigned __int128;
  const Range& other = *parts[1 - target];
  const Range all = Range::all(width);
  if (!other.is_single() || other.low == 0 || Wide{parts[target]->high} * other.low > all.high) return all;
  const std::uint64_t low = parts[kResult]->low / other.low + (parts[kResult]->low % other.low != 0 ? 1 : 0);
  return Range::of_unsigned(width, low, parts[kResult]->high / other.low);
}

/// The remainder of x by a number, or x of that, where all of x has one quotient.
std::optional<Range> of_remainder(std::uint32_t width, unsigned target, const Parts& parts) {
  const Range& x = *parts[0];
  const Range& by = *parts[1];
  if (!by.is_single() || by.low == 0 || x.low / by.low != x.high / by.low) return std::nullopt;
  const std::uint64_t start = x.low - x.low % by.low;
  if (target == kResult) return Range::of_unsigned(width, x.low - start, x.high - start);
  const Range& result = *parts[kResult];
  if (result.low > x.high - start || result.high < x.low - start) return Range::of_unsigned(width, 1, 0);
  return Range::of_unsigned(width, std::max(x.low, start + result.low), std::min(x.high - start, result.high) + start);
}

/// Of numbers, exactly.
std::optional<Range> of_numbers(const TermStore& terms, Term t, const Parts& parts) {
  std::array<BitVector, 3> values;
  std::array<const BitVector*, 3> operands{};
  for (unsigned i = 0; i < terms.arity(t); ++i) {
    if (!parts[i]->is_single()) return std::nullopt;
    values[i] = BitVector(terms.width(terms.child(t, i)), parts[i]->low);
    operands[i] = &values[i];
  }
  const BitVector value =
      term::evaluate(terms.op(t), std::span(operands).first(terms.arity(t)), terms.width(t), terms.parameter(t));
  return Range::of(terms.width(t), value.to_uint64());
}

std::optional<Range> of_result(const TermStore& terms, Term t, const Parts& parts) {
  const Op op = terms.op(t);
  if (op == Op::And && terms.width(t) == 1) return of_conjunction(*parts[0], *parts[1]);
  if (op == Op::Not && terms.width(t) == 1) return of_negation(*parts[0]);
  if (op == Op::Urem)
    if (const auto r = of_remainder(terms.width(t), kResult, parts)) return r;
  const Range range = range_of(terms, t, parts.data());
  if (range.is_single()) return range;
  if (const auto exact = of_numbers(terms, t, parts)) return exact;
  return range;
}

}  // namespace

std::optional<Range> implied(const TermStore& terms, Term t, unsigned target, const Parts& parts) {
  const Op op = terms.op(t);
  const std::uint32_t result_width = terms.width(t);
  const std::uint32_t width = target == kResult ? result_width : terms.width(terms.child(t, target));
  if (op == Op::Ite) return of_join(result_width, target, parts);
  if (target == kResult) return of_result(terms, t, parts);
  const Range& result = *parts[kResult];
  switch (op) {
    case Op::Not:
      return width == 1 ? of_negation(result) : complement(width, result);
    case Op::And:
    case Op::Xor:
      return of_logic(op, width, target, parts);
    case Op::Neg:
      return negated(width, result);
    case Op::Add:
      return sum(width, result, negated(width, *parts[1 - target]));
    case Op::Eq:
      return of_equal(width, target, parts);
    case Op::Ult:
    case Op::Slt:
      return of_less(op == Op::Slt, width, target, parts);
    case Op::SignExtend:
      return of_sign_extended(width, result);
    case Op::Extract:
      return of_extracted(width, terms.parameter(t), result_width, parts);
    case Op::Concat:
      return of_concatenated(width, terms.width(terms.child(t, 1)), target, result);
    case Op::Mul:
      return of_factor(width, target, parts);
    case Op::Urem: {
      const Range all = Range::all(width);
      const bool has_one_quotient = target == 0 && of_remainder(width, kResult, parts).has_value();
      return has_one_quotient ? of_remainder(width, 0, parts) : all;
    }
    case Op::Udiv:
    case Op::Lshr:
      return target == 0 ? of_divided(op == Op::Lshr, width, parts) : Range::all(width);
    default:
      return Range::all(width);
  }
}

}  // namespace plumb::paths
