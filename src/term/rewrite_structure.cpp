// Rules for concatenation, extraction and extension. Zero extension is a concatenation with zeros; concatenations lean
// to the right.

#include "term/rewrite.h"

namespace plumb::term {

namespace {

/// Taking the low `width` bits of t gives a term that exists already, a constant or an extension of a shorter one.
bool narrows_freely(const TermStore& s, Term t, std::uint32_t width) {
  switch (s.op(t)) {
    case Op::Constant:
      return true;
    case Op::SignExtend:
      return s.width(s.child(t, 0)) <= width;
    case Op::Concat:
      return s.width(s.child(t, 1)) == width || (s.width(s.child(t, 1)) < width && s.is_constant(s.child(t, 0)));
    default:
      return false;
  }
}

}  // namespace

Term TermStore::rewrite_extract(Term a, std::uint32_t high, std::uint32_t low) {
  const std::uint32_t w = high - low + 1;
  switch (op(a)) {
    case Op::Extract:
      return extract(child(a, 0), high + parameter(a), low + parameter(a));
    case Op::Concat: {
      const std::uint32_t cut = width(child(a, 1));
      if (low >= cut) return extract(child(a, 0), high - cut, low - cut);
      if (high < cut) return extract(child(a, 1), high, low);
      return concat(extract(child(a, 0), high - cut, 0), extract(child(a, 1), cut - 1, low));
    }
    case Op::SignExtend: {
      const std::uint32_t narrow = width(child(a, 0));
      if (high < narrow) return extract(child(a, 0), high, low);
      return sign_extend(extract(child(a, 0), narrow - 1, std::min(low, narrow - 1)), w);
    }
    case Op::Not:
      return bit_not(extract(child(a, 0), high, low));
    case Op::And:
      if (!is_constant(child(a, 0))) return {};
      return bit_and(extract(child(a, 0), high, low), extract(child(a, 1), high, low));
    case Op::Xor:
      if (!is_constant(child(a, 0))) return {};
      return bit_xor(extract(child(a, 0), high, low), extract(child(a, 1), high, low));
    case Op::Ite:
      if (!is_half_constant_ite(*this, a)) return {};
      return ite(child(a, 0), extract(child(a, 1), high, low), extract(child(a, 2), high, low));
    case Op::Add:
    case Op::Mul:
      // The low bits of a sum or a product depend on the low bits of the operands alone.
      if (low != 0 || !narrows_freely(*this, child(a, 0), w) || !narrows_freely(*this, child(a, 1), w)) return {};
      return op(a) == Op::Add ? add(extract(child(a, 0), high, 0), extract(child(a, 1), high, 0))
                              : mul(extract(child(a, 0), high, 0), extract(child(a, 1), high, 0));
    case Op::Neg:
      if (low != 0 || !narrows_freely(*this, child(a, 0), w)) return {};
      return neg(extract(child(a, 0), high, 0));
    default:
      return {};
  }
}

Term TermStore::extract(Term a, std::uint32_t high, std::uint32_t low) {
  INVARIANT(low <= high && high < width(a), "extracted bits should lie inside the operand");
  const std::uint32_t w = high - low + 1;
  if (w == width(a)) return a;
  if (is_constant(a)) return constant(value(a).extract(high, low));
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_extract(a, high, low)) return t;
  return intern(Op::Extract, w, low, a);
}

Term TermStore::rewrite_concat(Term high, Term low) {
  if (op(high) == Op::Concat) return concat(child(high, 0), concat(child(high, 1), low));
  const bool more = op(low) == Op::Concat;
  const Term next = more ? child(low, 0) : low;
  Term joined;
  if (is_constant(high) && is_constant(next)) {
    joined = constant(value(high).concat(value(next)));
  } else if (op(high) == Op::Extract && op(next) == Op::Extract && child(high, 0) == child(next, 0) &&
             parameter(high) == parameter(next) + width(next)) {
    joined = extract(child(high, 0), parameter(high) + width(high) - 1, parameter(next));
  } else if (op(high) == Op::Not && op(next) == Op::Not && op(child(high, 0)) == Op::Extract &&
             op(child(next, 0)) == Op::Extract && child(child(high, 0), 0) == child(child(next, 0), 0) &&
             parameter(child(high, 0)) == parameter(child(next, 0)) + width(next)) {
    const Term h = child(high, 0);
    joined = bit_not(extract(child(h, 0), parameter(h) + width(h) - 1, parameter(child(next, 0))));
  }
  if (!joined) return {};
  return more ? concat(joined, child(low, 1)) : joined;
}

Term TermStore::concat(Term high, Term low) {
  const std::uint64_t w = std::uint64_t{width(high)} + width(low);
  INVARIANT(w <= UINT32_MAX, "a width should fit 32 bits");
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_concat(high, low)) return t;
  return intern(Op::Concat, static_cast<std::uint32_t>(w), high, low);
}

Term TermStore::zero_extend(Term a, std::uint32_t w) {
  INVARIANT(w >= width(a), "an extension should not be narrower than its operand");
  return w == width(a) ? a : concat(zero(w - width(a)), a);
}

Term TermStore::sign_extend(Term a, std::uint32_t w) {
  INVARIANT(w >= width(a), "an extension should not be narrower than its operand");
  if (w == width(a)) return a;
  if (is_constant(a)) return constant(value(a).sign_extend(w));
  if (op(a) == Op::SignExtend) return sign_extend(child(a, 0), w);
  if (leading_zeros(*this, a) > 0) return zero_extend(a, w);
  return intern(Op::SignExtend, w, a);
}

Term TermStore::repeat(Term a, std::uint32_t times) {
  INVARIANT(times > 0, "a term should be repeated at least once");
  if (width(a) == 1) return sign_extend(a, times);
  Term result = a;
  for (std::uint32_t i = 1; i < times; ++i) result = concat(a, result);
  return result;
}

}  // namespace plumb::term
