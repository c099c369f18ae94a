// Rules for sums, products, quotients, shifts and overflow predicates. A sum keeps its constant outermost; two sums
// with terms in common are merged by their linear view (linear.h), others keep the shape they were written in, and with
// it their sharing.

#include <algorithm>
#include <array>
#include <bit>

#include "term/linear.h"
#include "term/rewrite.h"

namespace plumb::term {

namespace {

constexpr std::size_t kMaxMonomials = 12;
constexpr std::uint32_t kMaxReciprocalWidth = 128;

/// Bits that are certainly zero, from the constants of a concatenation; only a few parts are looked at.
BitVector known_zeros(const TermStore& s, Term t, unsigned parts = 8) {
  if (s.is_constant(t)) return ~s.value(t);
  if (s.op(t) != Op::Concat || parts == 0) return BitVector(s.width(t), 0);
  return known_zeros(s, s.child(t, 0), parts - 1).concat(known_zeros(s, s.child(t, 1), parts - 1));
}

bool disjoint_bits(const TermStore& s, Term a, Term b) {
  if (!has_constant_part(s, a) || (!has_constant_part(s, b) && !s.is_constant(b))) return false;
  return (known_zeros(s, a) | known_zeros(s, b)).is_ones();
}

/// The operands of a sum without their coefficients, for a quick look at whether two sums have any in common.
struct Summands {
  std::array<Term, kMaxMonomials> terms;
  std::size_t count = 0;
  bool is_sum = false;        ///< and not a single term
  bool has_constant = false;  ///< or something that has one
  bool is_open = false;       ///< too many, or hidden in other operators

  Summands(const TermStore& s, Term root) {
    std::array<Term, kMaxMonomials> work{root};
    std::size_t left = 1;
    while (left > 0) {
      const Term t = work[--left];
      const Op op = s.op(t);
      const bool scaled = op == Op::Mul && s.is_constant(s.child(t, 0));
      const bool deep = op == Op::Add || op == Op::Neg || op == Op::Not || scaled;
      is_sum = is_sum || deep;
      has_constant = has_constant || op == Op::Constant || op == Op::Not;
      if (count == terms.size() || left + 2 > work.size()) {
        is_open = true;
        return;
      }
      if (deep) {
        work[left++] = s.child(t, scaled ? 1 : 0);
        if (op == Op::Add) work[left++] = s.child(t, 1);
      } else if (op == Op::Concat && (narrow_sum(s, t) || s.is_constant(s.child(t, 1)))) {
        is_sum = is_open = true;
      } else if (op != Op::Constant) {
        terms[count++] = t;
      }
    }
  }

  bool may_merge(const Summands& other) const {
    if ((!is_sum && !other.is_sum) || is_open || other.is_open) return is_sum || other.is_sum;
    if (has_constant && other.has_constant) return true;
    for (std::size_t i = 0; i < count; ++i)
      if (std::find(other.terms.begin(), other.terms.begin() + static_cast<std::ptrdiff_t>(other.count), terms[i]) !=
          other.terms.begin() + static_cast<std::ptrdiff_t>(other.count))
        return true;
    return false;
  }
};

/// The merged sum, if the two have a term in common.
Term merged_sum(TermStore& s, Term a, Term b) {
  if (!Summands(s, a).may_merge(Summands(s, b))) return {};
  auto sum = LinearSum::of(s, a, kMaxMonomials);
  const auto other = LinearSum::of(s, b, kMaxMonomials);
  if (!sum || !other) return {};
  const std::size_t before = sum->monomials.size() + other->monomials.size();
  const bool constants = !sum->constant.is_zero() && !other->constant.is_zero();
  sum->add_multiple(*other, BitVector(s.width(a), 1));
  if (sum->monomials.size() == before && !constants) return {};
  return sum->to_term(s);
}

/// Division by a constant that is not a power of two, as a product with its reciprocal (Granlund and Montgomery,
/// "Division by Invariant Integers using Multiplication", 1994): x / d = x * m >> p for the least p at which m =
/// ceil(2^p / d) is exact enough for every x.
Term divide_by_reciprocal(TermStore& s, Term x, const BitVector& d) {
  const std::uint32_t w = s.width(x);
  const std::uint32_t wide = 2 * w + 2;
  const BitVector divisor = d.zero_extend(wide);
  const BitVector one(wide, 1);
  std::uint32_t p = w;
  BitVector m = one;
  for (;; ++p) {
    m = (one.shl(p) + divisor - one).udiv(divisor);
    // m d exceeds 2^p by so little that even the largest x is not carried over a multiple of d.
    if ((m * divisor - one.shl(p)).ule(one.shl(p - w))) break;
  }
  const std::uint32_t product_width = w + wide - m.leading_zeros();
  const Term product =
      s.mul(s.constant(m.zero_extend(wide + w).extract(product_width - 1, 0)), s.zero_extend(x, product_width));
  return s.zero_extend(s.extract(product, product_width - 1, p), w);
}

}  // namespace

std::uint32_t leading_zeros(const TermStore& s, Term t) {
  std::uint32_t zeros = 0;
  for (;;) {
    if (s.is_constant(t)) return zeros + s.value(t).leading_zeros();
    if (s.op(t) != Op::Concat || !s.is_constant(s.child(t, 0))) return zeros;
    const BitVector high = s.value(s.child(t, 0));
    zeros += high.leading_zeros();
    if (!high.is_zero()) return zeros;
    t = s.child(t, 1);
  }
}

std::uint64_t TermStore::upper_bound(Term t, unsigned depth) const {
  const Node& n = node(t);
  const std::uint64_t all = UINT64_MAX >> (64 - n.width);
  if (n.op == Op::Add || n.op == Op::Mul) return n.parameter | (std::uint64_t{n.child[2]} << 32);
  if (n.op == Op::Constant) return value(t).to_uint64();
  if (depth == 0) return all;
  const auto below = [&](unsigned i) { return upper_bound(child(t, i), depth - 1); };
  switch (n.op) {
    case Op::And:
      return std::min(below(0), below(1));
    case Op::Ite:
      return std::max(below(1), below(2));
    case Op::Lshr:
      return below(0);
    case Op::Urem:
      return is_constant(child(t, 1)) ? std::min(below(0), below(1) - 1) : below(0);
    case Op::Concat:
      return (below(0) << width(child(t, 1))) | below(1);
    case Op::Extract:
      return width(child(t, 0)) > 64 ? all : std::min(all, below(0) >> n.parameter);
    default:
      return all;
  }
}

Term TermStore::intern_bounded(Op op, Term a, Term b) {
  const std::uint32_t w = width(a);
  if (w > 64) return intern(op, w, a, b);
  __extension__ using Wide = unsigned __int128;
  const Wide x = upper_bound(a);
  const Wide y = upper_bound(b);
  const Wide all = UINT64_MAX >> (64 - w);
  // What may wrap around can be anything.
  const Wide bound = op == Op::Add ? x + y : x * y;
  const auto kept = static_cast<std::uint64_t>(bound > all ? all : bound);
  return intern({op, 2, 0, w, static_cast<std::uint32_t>(kept), {a.id, b.id, static_cast<std::uint32_t>(kept >> 32)}});
}

namespace {

/// A sum or product of zero-extended operands that needs fewer bits than it has is made in these.
Term narrowed(TermStore& s, Op op, Term a, Term b) {
  const std::uint32_t w = s.width(a);
  const std::uint32_t zeros = w > 64 ? 0 : std::min(leading_zeros(s, a), leading_zeros(s, b));
  if (zeros == 0) return {};
  __extension__ using Wide = unsigned __int128;
  const Wide x = s.upper_bound(a);
  const Wide y = s.upper_bound(b);
  const Wide bound = op == Op::Add ? x + y : x * y;
  if ((bound >> w) != 0) return {};
  const auto needed =
      std::max(static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(bound))), w - zeros);
  if (needed >= w) return {};
  const Term narrow_a = s.extract(a, needed - 1, 0);
  const Term narrow_b = s.extract(b, needed - 1, 0);
  return s.zero_extend(op == Op::Add ? s.add(narrow_a, narrow_b) : s.mul(narrow_a, narrow_b), w);
}

}  // namespace

Term TermStore::neg(Term a) {
  if (is_constant(a)) return constant(-value(a));
  if (width(a) == 1) return a;
  if (op(a) == Op::Neg) return child(a, 0);
  const Depth depth(depth_);
  if (!depth.exhausted()) {
    if (op(a) == Op::Not) return add(one(width(a)), child(a, 0));
    if (op(a) == Op::Mul && is_constant(child(a, 0))) return mul(constant(-value(child(a, 0))), child(a, 1));
    if (is_constant_ite(*this, a)) return ite(child(a, 0), neg(child(a, 1)), neg(child(a, 2)));
    if (op(a) == Op::Add) {
      if (is_constant(child(a, 0)) || op(child(a, 0)) == Op::Neg || op(child(a, 1)) == Op::Neg)
        return add(neg(child(a, 0)), neg(child(a, 1)));
    }
  }
  return intern(Op::Neg, width(a), a);
}

Term TermStore::rewrite_add(Term a, Term b) {
  if (is_constant(a)) {
    const BitVector c = value(a);
    if (is_constant(b)) return constant(c + value(b));
    if (c.is_zero()) return b;
    if (op(b) == Op::Add && is_constant(child(b, 0))) return add(constant(c + value(child(b, 0))), child(b, 1));
    if (op(b) == Op::Not && c.is_one()) return neg(child(b, 0));
    if (is_constant_ite(*this, b)) return ite(child(b, 0), add(a, child(b, 1)), add(a, child(b, 2)));
  }
  if (width(a) == 1) return bit_xor(a, b);
  if (const Term t = merged_sum(*this, a, b)) return t;
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
    if (!is_constant(x) && op(y) == Op::Add && is_constant(child(y, 0))) return add(child(y, 0), add(child(y, 1), x));
  if (disjoint_bits(*this, a, b) || disjoint_bits(*this, b, a)) return bit_or(a, b);
  return narrowed(*this, Op::Add, a, b);
}

Term TermStore::add(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_add(a, b)) return t;
  return intern_bounded(Op::Add, a, b);
}

Term TermStore::sub(Term a, Term b) { return a == b ? zero(width(a)) : add(a, neg(b)); }

Term TermStore::rewrite_mul(Term a, Term b) {
  if (width(a) == 1) return bit_and(a, b);
  if (is_constant(a)) {
    const BitVector c = value(a);
    if (is_constant(b)) return constant(c * value(b));
    if (c.is_zero()) return a;
    if (c.is_one()) return b;
    if (c.is_ones()) return neg(b);
    if (op(b) == Op::Mul && is_constant(child(b, 0))) return mul(constant(c * value(child(b, 0))), child(b, 1));
    if (op(b) == Op::Neg) return mul(constant(-c), child(b, 0));
    if (op(b) == Op::Add && is_constant(child(b, 0))) return add(constant(c * value(child(b, 0))), mul(a, child(b, 1)));
    if (is_constant_ite(*this, b)) return ite(child(b, 0), mul(a, child(b, 1)), mul(a, child(b, 2)));
    return narrowed(*this, Op::Mul, a, b);
  }
  if (op(a) == Op::Neg) return neg(mul(child(a, 0), b));
  if (op(b) == Op::Neg) return neg(mul(a, child(b, 0)));
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
    if (op(y) == Op::Mul && is_constant(child(y, 0))) return mul(child(y, 0), mul(child(y, 1), x));
  return narrowed(*this, Op::Mul, a, b);
}

Term TermStore::mul(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const Depth depth(depth_);
  if (!depth.exhausted())
    if (const Term t = rewrite_mul(a, b)) return t;
  return intern_bounded(Op::Mul, a, b);
}

Term TermStore::udiv(Term a, Term b) {
  check_same_width(*this, a, b);
  const std::uint32_t w = width(a);
  if (is_constant(b)) {
    const BitVector d = value(b);
    if (is_constant(a)) return constant(value(a).udiv(d));
    if (d.is_zero()) return ones(w);
    if (d.is_one()) return a;
    if (const auto k = d.log2()) return lshr(a, constant(w, *k));
    if (leading_zeros(*this, a) > d.leading_zeros()) return zero(w);
    if (w <= kMaxReciprocalWidth && leading_zeros(*this, a) == 0) return divide_by_reciprocal(*this, a, d);
  }
  if (a == b) return ite(eq(b, zero(w)), ones(w), one(w));
  if (w == 1) return bit_or(a, bit_not(b));
  const std::uint32_t zeros = std::min(leading_zeros(*this, a), leading_zeros(*this, b));
  if (zeros > 0 && zeros < w) {
    const std::uint32_t top = w - zeros - 1;
    const Term narrow = zero_extend(udiv(extract(a, top, 0), extract(b, top, 0)), w);
    return ite(eq(b, zero(w)), ones(w), narrow);
  }
  return intern(Op::Udiv, w, a, b);
}

Term TermStore::urem(Term a, Term b) {
  check_same_width(*this, a, b);
  const std::uint32_t w = width(a);
  if (is_constant(b)) {
    const BitVector d = value(b);
    if (is_constant(a)) return constant(value(a).urem(d));
    if (d.is_zero()) return a;
    if (d.is_one()) return zero(w);
    if (const auto k = d.log2()) return zero_extend(extract(a, *k - 1, 0), w);
    if (leading_zeros(*this, a) > d.leading_zeros()) return a;
  }
  if (a == b) return zero(w);
  if (w == 1) return bit_and(a, bit_not(b));
  const std::uint32_t zeros = std::min(leading_zeros(*this, a), leading_zeros(*this, b));
  if (zeros > 0 && zeros < w) {
    const std::uint32_t top = w - zeros - 1;
    return zero_extend(urem(extract(a, top, 0), extract(b, top, 0)), w);
  }
  return intern(Op::Urem, w, a, b);
}

Term TermStore::sdiv(Term a, Term b) {
  check_same_width(*this, a, b);
  const Term sign_a = bit(a, width(a) - 1);
  const Term sign_b = bit(b, width(b) - 1);
  const Term quotient = udiv(ite(sign_a, neg(a), a), ite(sign_b, neg(b), b));
  return ite(bit_xor(sign_a, sign_b), neg(quotient), quotient);
}

Term TermStore::srem(Term a, Term b) {
  check_same_width(*this, a, b);
  const Term sign_a = bit(a, width(a) - 1);
  const Term sign_b = bit(b, width(b) - 1);
  const Term remainder = urem(ite(sign_a, neg(a), a), ite(sign_b, neg(b), b));
  return ite(sign_a, neg(remainder), remainder);
}

Term TermStore::smod(Term a, Term b) {
  const Term remainder = srem(a, b);
  // The remainder has the sign of the dividend; where the signs differ and it is not zero, the modulus is one divisor
  // further.
  const Term differ = bit_xor(bit(a, width(a) - 1), bit(b, width(b) - 1));
  const Term is_zero = eq(remainder, zero(width(a)));
  return ite(bit_and(differ, bit_not(is_zero)), add(remainder, b), remainder);
}

Term TermStore::shl(Term a, Term amount) {
  check_same_width(*this, a, amount);
  const std::uint32_t w = width(a);
  if (is_constant(amount)) {
    const BitVector k = value(amount);
    if (!k.fits_uint64() || k.to_uint64() >= w) return zero(w);
    const auto n = static_cast<std::uint32_t>(k.to_uint64());
    return n == 0 ? a : concat(extract(a, w - 1 - n, 0), zero(n));
  }
  if (is_constant(a) && value(a).is_zero()) return a;
  if (w == 1) return bit_and(a, bit_not(amount));
  return intern(Op::Shl, w, a, amount);
}

Term TermStore::lshr(Term a, Term amount) {
  check_same_width(*this, a, amount);
  const std::uint32_t w = width(a);
  if (is_constant(amount)) {
    const BitVector k = value(amount);
    if (!k.fits_uint64() || k.to_uint64() >= w) return zero(w);
    return zero_extend(extract(a, w - 1, static_cast<std::uint32_t>(k.to_uint64())), w);
  }
  if (is_constant(a) && value(a).is_zero()) return a;
  if (w == 1) return bit_and(a, bit_not(amount));
  return intern(Op::Lshr, w, a, amount);
}

Term TermStore::ashr(Term a, Term amount) {
  check_same_width(*this, a, amount);
  const std::uint32_t w = width(a);
  if (is_constant(amount)) {
    const BitVector k = value(amount);
    const std::uint64_t n = k.fits_uint64() ? k.to_uint64() : w;
    return sign_extend(extract(a, w - 1, static_cast<std::uint32_t>(std::min<std::uint64_t>(n, w - 1))), w);
  }
  if (is_constant(a) && (value(a).is_zero() || value(a).is_ones())) return a;
  if (w == 1) return a;
  if (leading_zeros(*this, a) > 0) return lshr(a, amount);
  return intern(Op::Ashr, w, a, amount);
}

Term TermStore::rotate_left(Term a, Term amount) {
  check_same_width(*this, a, amount);
  const std::uint32_t w = width(a);
  if (w == 1) return a;
  const Term modulus = constant(w, w);
  const Term n = urem(amount, modulus);
  if (is_constant(n)) {
    const auto k = static_cast<std::uint32_t>(value(n).to_uint64());
    return k == 0 ? a : concat(extract(a, w - 1 - k, 0), extract(a, w - 1, w - k));
  }
  return bit_or(shl(a, n), lshr(a, sub(modulus, n)));
}

Term TermStore::rotate_right(Term a, Term amount) {
  check_same_width(*this, a, amount);
  const std::uint32_t w = width(a);
  if (w == 1) return a;
  const Term modulus = constant(w, w);
  return rotate_left(a, sub(modulus, urem(amount, modulus)));
}

Term TermStore::neg_overflow(Term a) { return eq(a, constant(BitVector::min_signed(width(a)))); }

Term TermStore::uadd_overflow(Term a, Term b) {
  check_same_width(*this, a, b);
  const std::uint32_t w = width(a);
  return bit(add(zero_extend(a, w + 1), zero_extend(b, w + 1)), w);
}

Term TermStore::sadd_overflow(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const std::uint32_t top = width(a) - 1;
  const Term sign = bit(a, top);
  return bit_and(eq(sign, bit(b, top)), distinct(bit(add(a, b), top), sign));
}

Term TermStore::usub_overflow(Term a, Term b) { return ult(a, b); }

Term TermStore::ssub_overflow(Term a, Term b) {
  const std::uint32_t top = width(a) - 1;
  const Term sign = bit(a, top);
  return bit_and(distinct(sign, bit(b, top)), distinct(bit(sub(a, b), top), sign));
}

Term TermStore::umul_overflow(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const std::uint32_t w = width(a);
  if (is_constant(a)) {
    if (value(a).is_zero()) return false_;
    return ult(constant(BitVector::ones(w).udiv(value(a))), b);
  }
  if (w == 1 || leading_zeros(*this, a) + leading_zeros(*this, b) >= w) return false_;
  return intern(Op::UmulOverflow, 1, a, b);
}

Term TermStore::smul_overflow(Term a, Term b) {
  check_same_width(*this, a, b);
  order_operands(*this, a, b);
  const std::uint32_t w = width(a);
  if (is_constant(a)) {
    const BitVector c = value(a);
    if (c.is_zero()) return false_;
    if (c.is_ones()) return neg_overflow(b);
    if (c.is_one()) return false_;
    // b is too large or too small; a negative factor exchanges the two bounds. Division rounds towards zero, so both
    // are exact.
    const Term from_max = constant(BitVector::max_signed(w).sdiv(c));
    const Term from_min = constant(BitVector::min_signed(w).sdiv(c));
    return c.sign() ? bit_or(slt(b, from_max), slt(from_min, b)) : bit_or(slt(from_max, b), slt(b, from_min));
  }
  if (w == 1) return bit_and(a, b);
  return intern(Op::SmulOverflow, 1, a, b);
}

Term TermStore::sdiv_overflow(Term a, Term b) {
  check_same_width(*this, a, b);
  return bit_and(neg_overflow(a), eq(b, ones(width(b))));
}

}  // namespace plumb::term
