// Rules for =, unsigned < and signed <. Comparisons with constants are pushed towards variables: through sums,
// extensions, concatenations and the branches of an ite, so that a state machine's `state = 3` becomes a formula over
// its guards.

#include "term/linear.h"
#include "term/polynomial.h"
#include "term/rewrite.h"

namespace plumb::term {

namespace {

constexpr std::size_t kMaxMonomials = 16;
constexpr std::size_t kMaxProducts = 24;

/// compare(ite(c, t, e)) as a choice between compare(t) and compare(e).
template <typename Compare>
Term through_ite(TermStore& s, Term t, Compare&& compare) {
  return s.ite(s.child(t, 0), compare(s.child(t, 1)), compare(s.child(t, 2)));
}

/// factor * x = k.
Term product_equals(TermStore& s, const BitVector& factor, Term x, const BitVector& k) {
  const std::uint32_t zeros = factor.trailing_zeros();
  if (zeros == 0) return s.eq(s.constant(k * inverse_of_odd(factor)), x);
  if (k.trailing_zeros() < zeros) return s.boolean(false);
  const std::uint32_t top = k.width() - 1;
  const BitVector odd = factor.extract(top, zeros);
  return s.eq(s.constant(k.extract(top, zeros) * inverse_of_odd(odd)), s.extract(x, top - zeros, 0));
}

/// The value fits the sign extension from `narrow` bits.
bool is_sign_extension(const BitVector& k, std::uint32_t narrow) {
  return k.extract(narrow - 1, 0).sign_extend(k.width()) == k;
}

Term constant_equals(TermStore& s, Term constant, Term t) {
  const BitVector k = s.value(constant);
  const std::uint32_t top = k.width() - 1;
  if (k.width() <= 64 && s.upper_bound(t) < k.to_uint64()) return s.boolean(false);
  switch (s.op(t)) {
    case Op::Constant:
      return s.boolean(k == s.value(t));
    case Op::Not:
      return s.eq(s.constant(~k), s.child(t, 0));
    case Op::Neg:
      return s.eq(s.constant(-k), s.child(t, 0));
    case Op::Add:
      if (s.is_constant(s.child(t, 0))) return s.eq(s.constant(k - s.value(s.child(t, 0))), s.child(t, 1));
      if (k.is_zero()) return s.eq(s.neg(s.child(t, 0)), s.child(t, 1));
      return {};
    case Op::Xor:
      if (s.is_constant(s.child(t, 0))) return s.eq(s.constant(k ^ s.value(s.child(t, 0))), s.child(t, 1));
      return k.is_zero() ? s.eq(s.child(t, 0), s.child(t, 1)) : Term{};
    case Op::And:
      if (s.is_constant(s.child(t, 0)) && !(k & ~s.value(s.child(t, 0))).is_zero()) return s.boolean(false);
      return {};
    case Op::Mul:
      return s.is_constant(s.child(t, 0)) ? product_equals(s, s.value(s.child(t, 0)), s.child(t, 1), k) : Term{};
    case Op::Concat: {
      const std::uint32_t cut = s.width(s.child(t, 1));
      return s.bit_and(s.eq(s.constant(k.extract(top, cut)), s.child(t, 0)),
                       s.eq(s.constant(k.extract(cut - 1, 0)), s.child(t, 1)));
    }
    case Op::SignExtend: {
      const std::uint32_t narrow = s.width(s.child(t, 0));
      if (!is_sign_extension(k, narrow)) return s.boolean(false);
      return s.eq(s.constant(k.extract(narrow - 1, 0)), s.child(t, 0));
    }
    case Op::Ite:
      if (!is_half_constant_ite(s, t)) return {};
      return through_ite(s, t, [&](Term branch) { return s.eq(constant, branch); });
    default:
      return {};
  }
}

bool is_sum(const TermStore& s, Term t) {
  return s.op(t) == Op::Add || s.op(t) == Op::Neg || s.op(t) == Op::Not ||
         (s.op(t) == Op::Mul && s.is_constant(s.child(t, 0)));
}

/// Moves everything to one side; if that cancels something, what is left is split into a side of positive and one of
/// negative coefficients.
Term equal_sums(TermStore& s, Term a, Term b) {
  if (!is_sum(s, a) && !is_sum(s, b)) return {};
  auto difference = LinearSum::of(s, a, kMaxMonomials);
  const auto right = LinearSum::of(s, b, kMaxMonomials);
  if (!difference || !right) return {};
  const std::size_t before = difference->monomials.size() + right->monomials.size();
  const bool constants = !difference->constant.is_zero() && !right->constant.is_zero();
  difference->add_multiple(*right, BitVector::ones(s.width(a)));
  if (difference->monomials.size() == before && !constants) return {};
  const BitVector none(s.width(a), 0);
  LinearSum positive{none, {}};
  LinearSum negative{-difference->constant, {}};
  for (const LinearSum::Monomial& m : difference->monomials) {
    if (m.coefficient.sign())
      negative.monomials.push_back({m.term, -m.coefficient});
    else
      positive.monomials.push_back(m);
  }
  return s.eq(positive.to_term(s), negative.to_term(s));
}

bool is_product(const TermStore& s, Term t) {
  return (s.op(t) == Op::Mul && !s.is_constant(s.child(t, 0))) || s.op(t) == Op::Urem;
}

/// Decided if the two are the same polynomial, or differ by a constant. Products are looked for near the top only.
Term equal_polynomials(TermStore& s, Term a, Term b) {
  const auto near = [&](Term t) {
    if (is_product(s, t)) return true;
    if (s.op(t) != Op::Add && s.op(t) != Op::Neg && s.op(t) != Op::Mul) return false;
    return is_product(s, s.child(t, 0)) || (s.arity(t) > 1 && is_product(s, s.child(t, 1)));
  };
  if (!near(a) && !near(b)) return {};
  auto left = Polynomial::of(s, a, kMaxProducts);
  auto right = Polynomial::of(s, b, kMaxProducts);
  if (!left || !right) return {};
  if (left->products == right->products) return s.boolean(true);
  const auto constant_of = [&](Polynomial& p) {
    const auto it = p.products.find({});
    const BitVector c = it == p.products.end() ? BitVector(s.width(a), 0) : it->second;
    if (it != p.products.end()) p.products.erase(it);
    return c;
  };
  const bool same_constant = constant_of(*left) == constant_of(*right);
  return *left == *right && !same_constant ? s.boolean(false) : Term{};
}

Term equal_ite(TermStore& s, Term a, Term b) {
  if (s.op(a) != Op::Ite) return {};
  if (s.child(a, 1) == b) return s.bit_or(s.child(a, 0), s.eq(s.child(a, 2), b));
  if (s.child(a, 2) == b) return s.bit_or(s.bit_not(s.child(a, 0)), s.eq(s.child(a, 1), b));
  if (s.op(b) == Op::Ite && s.child(a, 0) == s.child(b, 0) &&
      (s.child(a, 1) == s.child(b, 1) || s.child(a, 2) == s.child(b, 2)))
    return s.ite(s.child(a, 0), s.eq(s.child(a, 1), s.child(b, 1)), s.eq(s.child(a, 2), s.child(b, 2)));
  return {};
}

Term equal_xor(TermStore& s, Term a, Term b) {
  if (s.op(a) != Op::Xor) return {};
  for (const unsigned i : {0U, 1U}) {
    if (s.child(a, i) == b) return s.eq(s.zero(s.width(b)), s.child(a, 1 - i));
    for (const unsigned j : {0U, 1U})
      if (s.op(b) == Op::Xor && s.child(a, i) == s.child(b, j)) return s.eq(s.child(a, 1 - i), s.child(b, 1 - j));
  }
  return {};
}

}  // namespace

template <typename Rewrite>
Term TermStore::remembered(Op op, Term a, Term b, Rewrite rewrite) {
  const bool is_chain = (is_constant(a) && this->op(b) == Op::Ite) || (is_constant(b) && this->op(a) == Op::Ite);
  if (!is_chain) return rewrite(a, b);
  const std::array key = {static_cast<std::uint32_t>(op), a.id, b.id};
  if (const auto it = comparisons_.find(key); it != comparisons_.end()) return it->second;
  const Term result = rewrite(a, b);
  comparisons_.emplace(key, result);
  return result;
}

Term TermStore::rewrite_eq(Term a, Term b) {
  if (is_constant(a)) return constant_equals(*this, a, b);
  if (surely_distinct(a, b)) return false_;
  if (const Term t = equal_sums(*this, a, b)) return t;
  if (const Term t = equal_polynomials(*this, a, b)) return t;
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (const Term t = equal_ite(*this, x, y)) return t;
    if (const Term t = equal_xor(*this, x, y)) return t;
  }
  if (op(a) == Op::Concat && op(b) == Op::Concat) {
    const std::uint32_t cut = std::min(width(child(a, 1)), width(child(b, 1)));
    const std::uint32_t top = width(a) - 1;
    return bit_and(eq(extract(a, top, cut), extract(b, top, cut)), eq(extract(a, cut - 1, 0), extract(b, cut - 1, 0)));
  }
  if (op(a) == Op::SignExtend && op(b) == Op::SignExtend && width(child(a, 0)) == width(child(b, 0)))
    return eq(child(a, 0), child(b, 0));
  return {};
}

Term TermStore::eq(Term a, Term b) {
  INVARIANT(sort(a) == sort(b), "compared terms should have the same sort");
  if (a == b) return true_;
  if (!is_array(a)) {
    if (width(a) == 1) return bit_not(bit_xor(a, b));
    order_operands(*this, a, b);
    const Depth depth(depth_);
    if (!depth.exhausted())
      if (const Term t = remembered(Op::Eq, a, b, [this](Term x, Term y) { return rewrite_eq(x, y); })) return t;
  } else if (b < a) {
    std::swap(a, b);
  }
  return intern(Op::Eq, 1, a, b);
}

Term TermStore::rewrite_ult(Term a, Term b) {
  const std::uint32_t w = width(a);
  if (a == b) return false_;
  if (w == 1) return bit_and(bit_not(a), b);
  if (is_constant(b)) {
    const BitVector k = value(b);
    if (is_constant(a)) return boolean(value(a).ult(k));
    if (k.is_zero()) return false_;
    if (k.is_one()) return eq(a, zero(w));
    if (k.is_ones()) return distinct(a, b);
    if (w <= 64 && upper_bound(a) < k.to_uint64()) return true_;
    if (is_half_constant_ite(*this, a)) return through_ite(*this, a, [&](Term branch) { return ult(branch, b); });
  }
  if (is_constant(a)) {
    const BitVector k = value(a);
    if (k.is_ones()) return false_;
    if (k.is_zero()) return distinct(b, a);
    if (w <= 64 && upper_bound(b) <= k.to_uint64()) return false_;
    if ((~k).is_one()) return eq(b, ones(w));
    if (is_half_constant_ite(*this, b)) return through_ite(*this, b, [&](Term branch) { return ult(a, branch); });
  }
  if (op(a) == Op::Not && (op(b) == Op::Not || is_constant(b))) return ult(bit_not(b), child(a, 0));
  if (op(b) == Op::Not && is_constant(a)) return ult(child(b, 0), bit_not(a));
  if (op(a) == Op::SignExtend && op(b) == Op::SignExtend && width(child(a, 0)) == width(child(b, 0)))
    return ult(child(a, 0), child(b, 0));
  const std::uint32_t zeros_a = leading_zeros(*this, a);
  const std::uint32_t zeros_b = leading_zeros(*this, b);
  if (const std::uint32_t zeros = std::min(zeros_a, zeros_b); zeros > 0)
    return ult(extract(a, w - zeros - 1, 0), extract(b, w - zeros - 1, 0));
  if (is_constant(b) && zeros_a > 0) return true_;  // its top bit is set, that of a is not
  if (is_constant(a) && zeros_b > 0) return false_;
  if (op(a) == Op::Concat && op(b) == Op::Concat && child(a, 0) == child(b, 0)) return ult(child(a, 1), child(b, 1));
  return {};
}

Term TermStore::ult(Term a, Term b) {
  check_same_width(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = remembered(Op::Ult, a, b, [this](Term x, Term y) { return rewrite_ult(x, y); })) return t;
  return intern(Op::Ult, 1, a, b);
}

namespace {

/// constant < sign_extend(x), or the other way round.
Term slt_of_extension(TermStore& s, Term a, Term b) {
  const bool left = s.is_constant(a);
  const BitVector k = s.value(left ? a : b);
  const Term x = s.child(left ? b : a, 0);
  const std::uint32_t narrow = s.width(x);
  // A constant outside the narrow range is beyond every value on the side of its sign.
  if (!is_sign_extension(k, narrow)) return s.boolean(k.sign() == left);
  const Term c = s.constant(k.extract(narrow - 1, 0));
  return left ? s.slt(c, x) : s.slt(x, c);
}

}  // namespace

Term TermStore::rewrite_slt(Term a, Term b) {
  const std::uint32_t w = width(a);
  if (a == b) return false_;
  if (w == 1) return bit_and(a, bit_not(b));
  if (is_constant(b)) {
    const BitVector k = value(b);
    if (is_constant(a)) return boolean(value(a).slt(k));
    if (k.is_zero()) return bit(a, w - 1);
    if (k == BitVector::min_signed(w)) return false_;
    if (k == BitVector::max_signed(w)) return distinct(a, b);
    if (op(a) == Op::SignExtend) return slt_of_extension(*this, a, b);
    if (is_half_constant_ite(*this, a)) return through_ite(*this, a, [&](Term branch) { return slt(branch, b); });
  }
  if (is_constant(a)) {
    const BitVector k = value(a);
    if (k.is_ones()) return bit_not(bit(b, w - 1));
    if (k == BitVector::max_signed(w)) return false_;
    if (k == BitVector::min_signed(w)) return distinct(b, a);
    if (op(b) == Op::SignExtend) return slt_of_extension(*this, a, b);
    if (is_half_constant_ite(*this, b)) return through_ite(*this, b, [&](Term branch) { return slt(a, branch); });
  }
  if (op(a) == Op::Not && (op(b) == Op::Not || is_constant(b))) return slt(bit_not(b), child(a, 0));
  if (op(b) == Op::Not && is_constant(a)) return slt(child(b, 0), bit_not(a));
  if (op(a) == Op::SignExtend && op(b) == Op::SignExtend && width(child(a, 0)) == width(child(b, 0)))
    return slt(child(a, 0), child(b, 0));
  const bool positive_a = leading_zeros(*this, a) > 0;
  const bool positive_b = leading_zeros(*this, b) > 0;
  if (positive_a && positive_b) return ult(a, b);
  if (positive_a && is_constant(b)) return false_;  // which is negative then
  if (positive_b && is_constant(a)) return true_;
  if (op(a) == Op::Concat && op(b) == Op::Concat && child(a, 0) == child(b, 0)) return ult(child(a, 1), child(b, 1));
  return {};
}

Term TermStore::slt(Term a, Term b) {
  check_same_width(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = remembered(Op::Slt, a, b, [this](Term x, Term y) { return rewrite_slt(x, y); })) return t;
  return intern(Op::Slt, 1, a, b);
}

bool TermStore::surely_distinct(Term a, Term b) const {
  const auto split = [this](Term t) {
    if (op(t) == Op::Add && is_constant(child(t, 0))) return std::pair(child(t, 1), value(child(t, 0)));
    return std::pair(t, BitVector(width(t), 0));
  };
  for (;;) {
    if (a == b) return false;
    if (is_constant(a) && is_constant(b)) return true;
    if (complementary(*this, a, b)) return true;
    const auto [base_a, offset_a] = split(a);
    const auto [base_b, offset_b] = split(b);
    if (base_a == base_b && offset_a != offset_b) return true;
    if (op(a) != Op::Concat || op(b) != Op::Concat || width(child(a, 1)) != width(child(b, 1))) return false;
    if (is_constant(child(a, 0)) && is_constant(child(b, 0)) && child(a, 0) != child(b, 0)) return true;
    a = child(a, 1);
    b = child(b, 1);
  }
}

}  // namespace plumb::term
