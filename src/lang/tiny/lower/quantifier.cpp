// Quantifiers that become one term, and the exact arithmetic of their bounds. The instances are those of
// rho_quantifiers.h; an instance is evaluated where its value is in the range and none before it has decided, so that
// its checks are those of the loop with early exit.
#include <algorithm>
#include <bit>

#include "lang/tiny/lower/expression.h"

namespace plumb::tiny {
namespace {

constexpr std::uint32_t kMaxBoundWidth = 62;
constexpr Integer kUnbounded = Integer{1} << 62;

}  // namespace

Term ExpressionTerms::constant_integer(Integer value, std::uint32_t width) {
  INVARIANT(value < (Integer{1} << 64) && value >= -(Integer{1} << 63),
            "an integer should be that of an int or a size");
  // Bits above the 64th are the sign.
  const auto low = static_cast<std::uint64_t>(static_cast<unsigned __int128>(value));
  if (width <= 64) return store_.constant(width, low);
  const Term word = store_.constant(64, low);
  return value < 0 ? store_.sign_extend(word, width) : store_.zero_extend(word, width);
}

ExpressionTerms::ExactInteger ExpressionTerms::exact_sum(Operator op, const ExactInteger& a, const ExactInteger& b) {
  const std::uint32_t width = op == Operator::Multiply ? store_.width(a.term) + store_.width(b.term)
                                                       : std::max(store_.width(a.term), store_.width(b.term)) + 1;
  const Term x = store_.sign_extend(a.term, width);
  const Term y = store_.sign_extend(b.term, width);
  if (op == Operator::Add) return {store_.add(x, y), a.least + b.least, a.greatest + b.greatest};
  if (op == Operator::Subtract) return {store_.sub(x, y), a.least - b.greatest, a.greatest - b.least};
  const auto [least, greatest] =
      std::minmax({a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
  return {store_.mul(x, y), least, greatest};
}

ExpressionTerms::ExactInteger ExpressionTerms::integer(const Expression& e) {
  if (e.kind == Expression::Kind::Number) {
    const auto width = static_cast<std::uint32_t>(std::bit_width(e.number)) + 1;
    const auto number = static_cast<Integer>(e.number);
    return {constant_integer(number, width), number, number};
  }
  ExactInteger result;
  if (e.kind == Expression::Kind::Unary && e.op == Operator::Negate) {
    const ExactInteger a = integer(*e.operands[0]);
    result = {store_.neg(store_.sign_extend(a.term, store_.width(a.term) + 1)), -a.greatest, -a.least};
  } else if (e.kind == Expression::Kind::Binary &&
             (e.op == Operator::Add || e.op == Operator::Subtract || e.op == Operator::Multiply)) {
    const ExactInteger a = integer(*e.operands[0]);
    result = exact_sum(e.op, a, integer(*e.operands[1]));
  } else if (is_loop_variable(e)) {
    const Term term = e.kind == Expression::Kind::Name ? memory_.cell(e.variable).term : loop_element(e);
    result = {term, least_int(options_) - 1, greatest_int(options_) + 1};
  } else {
    const Term word = value(e);
    const std::uint32_t width = store_.width(word) + 1;
    result = {options_.is_signed ? store_.sign_extend(word, width) : store_.zero_extend(word, width),
              least_int(options_), greatest_int(options_)};
  }
  // Beyond this the bounds of a product would not fit; they are only there to leave instances out.
  if (store_.width(result.term) > kMaxBoundWidth) {
    result.least = -kUnbounded;
    result.greatest = kUnbounded;
  }
  return result;
}

bool ExpressionTerms::is_loop_variable(const Expression& e) const {
  if (e.kind != Expression::Kind::Name && e.kind != Expression::Kind::Index) return false;
  // Only those that rho made are wide; a reference to one in the source's text is to its word.
  return e.place.line == 0 && program_.variables[e.variable].kind == Variable::Kind::Quantified &&
         !bound_.contains(e.variable);
}

Term ExpressionTerms::loop_element(const Expression& e) {
  return store_.select(memory_.cell(e.variable).term, access(e).index);
}

Term ExpressionTerms::not_greater(Term a, Term b) {
  const std::uint32_t width = std::max(store_.width(a), store_.width(b));
  return store_.sle(store_.sign_extend(a, width), store_.sign_extend(b, width));
}

Term ExpressionTerms::exact_comparison(const Expression& e) {
  // The range ends with the greatest int, whatever its bound is.
  const Term a = integer(*e.operands[0]).term;
  const Term last = constant_integer(greatest_int(options_), store_.width(a));
  return store_.bit_and(not_greater(a, integer(*e.operands[1]).term), not_greater(a, last));
}

Term ExpressionTerms::clamped(Term value, Integer least, Integer greatest) {
  const std::uint32_t width = memory_.quantified_width();
  const std::uint32_t wide = std::max(store_.width(value), width);
  const Term x = store_.sign_extend(value, wide);
  const Term low = constant_integer(least, wide);
  const Term high = constant_integer(greatest, wide);
  const Term result = store_.ite(store_.slt(x, low), low, store_.ite(store_.slt(high, x), high, x));
  return store_.extract(result, width - 1, 0);
}

Term ExpressionTerms::loop_start(const Expression& bound) {
  // Beyond the greatest the loop is empty.
  return clamped(integer(bound).term, least_int(options_), greatest_int(options_) + 1);
}

Term ExpressionTerms::loop_bound(const Expression& bound) {
  return clamped(integer(bound).term, least_int(options_) - 1, greatest_int(options_));
}

Term ExpressionTerms::loop_step(const Expression& variable) {
  const Term term = integer(variable).term;
  return store_.add(term, store_.one(store_.width(term)));
}

Term ExpressionTerms::quantified(const Expression& e) {
  const auto segments = instances(program_, options_, e, mode_, kMaxInstances);
  INVARIANT(segments, "rho should leave quantifiers that can be unrolled alone");
  const ExactInteger low = integer(*e.operands[0]);
  const ExactInteger high = integer(*e.operands[1]);
  const Term outer = guard_;
  // A predicate's variable is bound twice where its expression stands inside itself.
  const auto found = bound_.find(e.variable);
  const Term shadowed = found == bound_.end() ? Term{} : found->second;
  Term undecided = store_.boolean(true);
  std::vector<Term> decisions;
  const auto evaluate = [&](const Segment& s) {
    const Term in_range = some_in_range(low, high, s);
    if (store_.is_false(in_range)) return;
    guard_ = store_.bit_and(outer, store_.bit_and(undecided, in_range));
    if (s.kind == Segment::Kind::Fails) {
      add_check(CheckKind::Index, store_.boolean(false), s.access->place);
      return;
    }
    bound_[e.variable] = constant_integer(s.first, options_.int_width);
    const Term body = value(*e.operands[2]);
    decisions.push_back(store_.bit_and(in_range, e.is_forall ? store_.bit_not(body) : body));
    undecided = store_.bit_and(undecided, store_.bit_not(decisions.back()));
  };
  for (const Segment& s : *segments) {
    if (s.kind != Segment::Kind::Each) evaluate(s);
    for (Integer c = s.first; s.kind == Segment::Kind::Each && c <= s.last; ++c) evaluate({c, c, s.kind, nullptr});
  }
  guard_ = outer;
  bound_.erase(e.variable);
  if (shadowed) bound_[e.variable] = shadowed;
  const Term decided = store_.any_of(decisions);
  return e.is_forall ? store_.bit_not(decided) : decided;
}

Term ExpressionTerms::some_in_range(const ExactInteger& low, const ExactInteger& high, const Segment& segment) {
  if (low.least > segment.last || high.greatest < segment.first) return store_.boolean(false);
  const std::uint32_t width = options_.int_width + 1;
  const Term from = low.greatest <= segment.last ? store_.boolean(true)
                                                 : not_greater(low.term, constant_integer(segment.last, width));
  const Term to = high.least >= segment.first ? store_.boolean(true)
                                              : not_greater(constant_integer(segment.first, width), high.term);
  const Term both = store_.bit_and(from, to);
  return segment.first == segment.last ? both : store_.bit_and(both, not_greater(low.term, high.term));
}

}  // namespace plumb::tiny
