// Rules for not, and, or, xor and ite. Disjunctions are kept as negated conjunctions, so that the rules for And serve
// both.

#include "term/rewrite.h"

namespace plumb::term {

namespace {

bool is_and(const TermStore& s, Term t) { return s.op(t) == Op::And; }
bool is_nand(const TermStore& s, Term t) { return s.op(t) == Op::Not && s.op(s.child(t, 0)) == Op::And; }
/// The operands under an And or a negated And.
std::pair<Term, Term> conjuncts(const TermStore& s, Term t) {
  const Term conjunction = is_and(s, t) ? t : s.child(t, 0);
  return {s.child(conjunction, 0), s.child(conjunction, 1)};
}

/// a AND t for a two-level t; null if nothing is gained.
Term and_with_level(TermStore& s, Term a, Term t) {
  const auto [p, q] = conjuncts(s, t);
  if (is_and(s, t)) {
    if (a == p || a == q) return t;
    if (complementary(s, a, p) || complementary(s, a, q)) return s.zero(s.width(a));
    return {};
  }
  if (a == p) return s.bit_and(a, s.bit_not(q));
  if (a == q) return s.bit_and(a, s.bit_not(p));
  if (complementary(s, a, p) || complementary(s, a, q)) return a;
  return {};
}

/// t AND u for two two-level terms.
Term and_levels(TermStore& s, Term t, Term u) {
  if (is_nand(s, t) && is_and(s, u)) std::swap(t, u);
  const auto [p, q] = conjuncts(s, t);
  const auto [r, v] = conjuncts(s, u);
  if (is_and(s, t) && is_and(s, u)) {
    if (complementary(s, p, r) || complementary(s, p, v) || complementary(s, q, r) || complementary(s, q, v))
      return s.zero(s.width(t));
    if (p == r || q == r) return s.bit_and(t, v);
    if (p == v || q == v) return s.bit_and(t, r);
    return {};
  }
  if (is_and(s, t)) {
    if (complementary(s, p, r) || complementary(s, p, v) || complementary(s, q, r) || complementary(s, q, v)) return t;
    if (p == r || q == r) return s.bit_and(t, s.bit_not(v));
    if (p == v || q == v) return s.bit_and(t, s.bit_not(r));
    return {};
  }
  // (~p | ~q) & (~p | q) is ~p.
  if ((p == r && complementary(s, q, v)) || (p == v && complementary(s, q, r))) return s.bit_not(p);
  if ((q == r && complementary(s, p, v)) || (q == v && complementary(s, p, r))) return s.bit_not(q);
  return {};
}

/// x & mask with one run of ones is a piece of x between zeros.
Term and_with_mask(TermStore& s, const BitVector& mask, Term x) {
  const std::uint32_t width = mask.width();
  const std::uint32_t low = mask.trailing_zeros();
  const std::uint32_t high = width - mask.leading_zeros();
  if (!mask.extract(high - 1, low).is_ones()) return {};
  Term t = s.extract(x, high - 1, low);
  if (low > 0) t = s.concat(t, s.zero(low));
  return s.zero_extend(t, width);
}

/// (= x C) and (= x D), C and D different constants: they exclude each other.
Term and_of_equalities(const TermStore& s, Term a, Term b) {
  const bool negated = s.op(b) == Op::Not;
  const Term e = negated ? s.child(b, 0) : b;
  if (s.op(a) != Op::Eq || s.op(e) != Op::Eq || s.child(a, 1) != s.child(e, 1)) return {};
  const Term c = s.child(a, 0);
  const Term d = s.child(e, 0);
  if (!s.is_constant(c) || !s.is_constant(d) || c == d) return {};
  return negated ? a : s.boolean(false);
}

/// Splits a bitwise operation on two concatenations where constants make one of the halves simple.
template <typename Operation>
Term split_at_concat(TermStore& s, Term a, Term b, Operation&& operation) {
  const bool parts_a = has_constant_part(s, a);
  const bool parts_b = has_constant_part(s, b);
  if (!((parts_a && (parts_b || s.is_constant(b))) || (parts_b && s.is_constant(a)))) return {};
  std::uint32_t cut = s.width(a);
  for (const Term t : {a, b})
    if (s.op(t) == Op::Concat) cut = std::min(cut, s.width(s.child(t, 1)));
  const std::uint32_t top = s.width(a) - 1;
  const Term high = operation(s.extract(a, top, cut), s.extract(b, top, cut));
  const Term low = operation(s.extract(a, cut - 1, 0), s.extract(b, cut - 1, 0));
  return s.concat(high, low);
}

Term balanced(std::span<const Term> terms, TermStore& s, Term (TermStore::*operation)(Term, Term)) {
  std::vector<Term> level(terms.begin(), terms.end());
  while (level.size() > 1) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < level.size(); i += 2)
      level[out++] = i + 1 < level.size() ? (s.*operation)(level[i], level[i + 1]) : level[i];
    level.resize(out);
  }
  return level[0];
}

}  // namespace

Term TermStore::bit_not(Term a) {
  switch (op(a)) {
    case Op::Constant:
      return constant(~value(a));
    case Op::Not:
      return child(a, 0);
    default:
      break;
  }
  const Depth depth(depth_);
  if (!depth.exhausted()) {
    if (op(a) == Op::Concat) return concat(bit_not(child(a, 0)), bit_not(child(a, 1)));
    if (is_constant_ite(*this, a)) return ite(child(a, 0), bit_not(child(a, 1)), bit_not(child(a, 2)));
  }
  return intern(Op::Not, width(a), a);
}

Term TermStore::rewrite_and(Term a, Term b) {
  if (a == b) return a;
  if (complementary(*this, a, b)) return zero(width(a));
  if (is_constant(a)) {
    const BitVector c = value(a);
    if (is_constant(b)) return constant(c & value(b));
    if (c.is_zero()) return a;
    if (c.is_ones()) return b;
    if (op(b) == Op::And && is_constant(child(b, 0))) return bit_and(constant(c & value(child(b, 0))), child(b, 1));
    if (const Term t = and_with_mask(*this, c, b)) return t;
  }
  const bool level_a = is_and(*this, a) || is_nand(*this, a);
  const bool level_b = is_and(*this, b) || is_nand(*this, b);
  if (level_b)
    if (const Term t = and_with_level(*this, a, b)) return t;
  if (level_a)
    if (const Term t = and_with_level(*this, b, a)) return t;
  if (level_a && level_b)
    if (const Term t = and_levels(*this, a, b)) return t;
  if (width(a) == 1) {
    if (const Term t = and_of_equalities(*this, a, b)) return t;
    if (const Term t = and_of_equalities(*this, b, a)) return t;
    return {};
  }
  return split_at_concat(*this, a, b, [this](Term x, Term y) { return bit_and(x, y); });
}

Term TermStore::bit_and(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_and(a, b)) return t;
  return intern(Op::And, width(a), a, b);
}

Term TermStore::bit_or(Term a, Term b) { return bit_not(bit_and(bit_not(a), bit_not(b))); }

Term TermStore::rewrite_xor(Term a, Term b) {
  if (a == b) return zero(width(a));
  if (complementary(*this, a, b)) return ones(width(a));
  if (is_constant(a)) {
    const BitVector c = value(a);
    if (is_constant(b)) return constant(c ^ value(b));
    if (c.is_zero()) return b;
    if (c.is_ones()) return bit_not(b);
    if (op(b) == Op::Xor && is_constant(child(b, 0))) return bit_xor(constant(c ^ value(child(b, 0))), child(b, 1));
    if (is_constant_ite(*this, b)) return ite(child(b, 0), bit_xor(a, child(b, 1)), bit_xor(a, child(b, 2)));
  }
  if (op(a) == Op::Not) return bit_not(bit_xor(child(a, 0), b));
  if (op(b) == Op::Not) return bit_not(bit_xor(a, child(b, 0)));
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (op(y) != Op::Xor) continue;
    if (child(y, 0) == x) return child(y, 1);
    if (child(y, 1) == x) return child(y, 0);
    if (is_constant(child(y, 0)) && !is_constant(x)) return bit_xor(child(y, 0), bit_xor(child(y, 1), x));
  }
  if (width(a) == 1) return {};
  return split_at_concat(*this, a, b, [this](Term x, Term y) { return bit_xor(x, y); });
}

Term TermStore::bit_xor(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_xor(a, b)) return t;
  return intern(Op::Xor, width(a), a, b);
}

Term TermStore::all_of(std::span<const Term> terms) {
  return terms.empty() ? true_ : balanced(terms, *this, &TermStore::bit_and);
}
Term TermStore::any_of(std::span<const Term> terms) {
  return terms.empty() ? false_ : balanced(terms, *this, &TermStore::bit_or);
}

namespace {

/// Branches that are concatenations cut at the same place with one half in common keep that half outside.
Term ite_of_parts(TermStore& s, Term c, Term t, Term e) {
  const bool parts_t = s.op(t) == Op::Concat;
  const bool parts_e = s.op(e) == Op::Concat;
  if (!parts_t && !parts_e) return {};
  if ((!parts_t && !s.is_constant(t)) || (!parts_e && !s.is_constant(e))) return {};
  const Term guide = parts_t ? t : e;
  const std::uint32_t cut = s.width(s.child(guide, 1));
  if (parts_t && parts_e && s.width(s.child(e, 1)) != cut) return {};
  const std::uint32_t top = s.width(t) - 1;
  const Term high_t = s.extract(t, top, cut);
  const Term high_e = s.extract(e, top, cut);
  const Term low_t = s.extract(t, cut - 1, 0);
  const Term low_e = s.extract(e, cut - 1, 0);
  if (high_t != high_e && low_t != low_e) return {};
  return s.concat(s.ite(c, high_t, high_e), s.ite(c, low_t, low_e));
}

/// The absolute value of -x, ite(-x < 0, x, -x), is that of x.
Term ite_of_negation(TermStore& s, Term c, Term t, Term e) {
  if (s.op(c) != Op::Extract || s.op(e) != Op::Neg || s.child(c, 0) != e || s.child(e, 0) != t) return {};
  if (s.parameter(c) != s.width(t) - 1) return {};
  return s.ite(s.bit(t, s.width(t) - 1), e, t);
}

Term ite_of_booleans(TermStore& s, Term c, Term t, Term e) {
  if (s.is_true(t) || c == t) return s.bit_or(c, e);
  if (s.is_false(t) || complementary(s, c, t)) return s.bit_and(s.bit_not(c), e);
  if (s.is_true(e) || complementary(s, c, e)) return s.bit_or(s.bit_not(c), t);
  if (s.is_false(e) || c == e) return s.bit_and(c, t);
  return {};
}

}  // namespace

Term TermStore::rewrite_ite(Term c, Term t, Term e) {
  if (op(t) == Op::Ite) {
    if (child(t, 0) == c) return ite(c, child(t, 1), e);
    if (child(t, 2) == e) return ite(bit_and(c, child(t, 0)), child(t, 1), e);
    if (child(t, 1) == e) return ite(bit_and(c, bit_not(child(t, 0))), child(t, 2), e);
  }
  if (op(e) == Op::Ite) {
    if (child(e, 0) == c) return ite(c, t, child(e, 2));
    if (child(e, 1) == t) return ite(bit_or(c, child(e, 0)), t, child(e, 2));
    if (child(e, 2) == t) return ite(bit_or(c, bit_not(child(e, 0))), t, child(e, 1));
  }
  if (op(c) == Op::Eq) {
    // (= t e) ? t : e is e either way.
    if ((child(c, 0) == t && child(c, 1) == e) || (child(c, 0) == e && child(c, 1) == t)) return e;
  }
  if (is_array(t)) return {};
  if (const Term r = ite_of_negation(*this, c, t, e)) return r;
  if (complementary(*this, t, e)) return bit_xor(sign_extend(c, width(t)), e);
  if (op(t) == Op::SignExtend && op(e) == Op::SignExtend && width(child(t, 0)) == width(child(e, 0)))
    return sign_extend(ite(c, child(t, 0), child(e, 0)), width(t));
  return ite_of_parts(*this, c, t, e);
}

Term TermStore::ite(Term c, Term t, Term e) {
  INVARIANT(width(c) == 1 && !is_array(c), "a condition should have width 1");
  INVARIANT(sort(t) == sort(e), "branches should have the same sort");
  if (is_true(c) || t == e) return t;
  if (is_false(c)) return e;
  if (op(c) == Op::Not) return ite(child(c, 0), e, t);
  const Depth depth(depth_);
  if (width(t) == 1 && !is_array(t))
    if (const Term r = ite_of_booleans(*this, c, t, e)) return r;
  if (!depth.exhausted())
    if (const Term r = rewrite_ite(c, t, e)) return r;
  return intern(Op::Ite, width(t), sort(t).index_width, c, t, e);
}

}  // namespace plumb::term
