#include "term/linear.h"

#include <algorithm>

namespace plumb::term {

namespace {

/// x << k, written as the low bits of x above k zeros: gives x and k.
std::optional<std::pair<Term, std::uint32_t>> shifted_left(const TermStore& s, Term t) {
  if (s.op(t) != Op::Concat || !s.is_constant(s.child(t, 1)) || !s.value(s.child(t, 1)).is_zero()) return {};
  const Term high = s.child(t, 0);
  if (s.op(high) != Op::Extract || s.parameter(high) != 0 || s.width(s.child(high, 0)) != s.width(t)) return {};
  return std::pair(s.child(high, 0), s.width(s.child(t, 1)));
}

void merge(std::vector<LinearSum::Monomial>& monomials) {
  std::sort(monomials.begin(), monomials.end(), [](const auto& a, const auto& b) { return a.term < b.term; });
  std::size_t out = 0;
  for (std::size_t i = 0; i < monomials.size();) {
    LinearSum::Monomial m = std::move(monomials[i++]);
    while (i < monomials.size() && monomials[i].term == m.term)
      m.coefficient = m.coefficient + monomials[i++].coefficient;
    if (!m.coefficient.is_zero()) monomials[out++] = std::move(m);
  }
  monomials.resize(out);
}

}  // namespace

Term narrow_sum(const TermStore& s, Term t) {
  if (s.width(t) > 64 || s.op(t) != Op::Concat || !s.is_constant(s.child(t, 0)) || !s.value(s.child(t, 0)).is_zero())
    return {};
  const Term low = s.child(t, 1);
  const bool is_sum = s.op(low) == Op::Add || (s.op(low) == Op::Mul && s.is_constant(s.child(low, 0)));
  if (!is_sum) return {};
  // It must not wrap around, or the extension of the sum is not the sum of the extensions.
  __extension__ using Wide = unsigned __int128;
  const Wide a = s.upper_bound(s.child(low, 0));
  const Wide b = s.upper_bound(s.child(low, 1));
  return ((s.op(low) == Op::Add ? a + b : a * b) >> s.width(low)) == 0 ? low : Term{};
}

std::optional<LinearSum> LinearSum::of(TermStore& s, Term t, std::size_t limit) {
  const std::uint32_t width = s.width(t);
  LinearSum sum{BitVector(width, 0), {}};
  std::vector<Monomial> work{{t, BitVector(width, 1)}};
  std::size_t steps = 0;
  while (!work.empty()) {
    if (++steps > 4 * limit || sum.monomials.size() > limit) return {};
    const auto [x, c] = std::move(work.back());
    work.pop_back();
    if (s.is_constant(x)) {
      sum.constant = sum.constant + c * s.value(x);
    } else if (s.op(x) == Op::Add) {
      work.push_back({s.child(x, 1), c});
      work.push_back({s.child(x, 0), c});
    } else if (s.op(x) == Op::Neg) {
      work.push_back({s.child(x, 0), -c});
    } else if (s.op(x) == Op::Not) {
      sum.constant = sum.constant - c;
      work.push_back({s.child(x, 0), -c});
    } else if (s.op(x) == Op::Mul && s.is_constant(s.child(x, 0))) {
      work.push_back({s.child(x, 1), c * s.value(s.child(x, 0))});
    } else if (const Term sum_below = narrow_sum(s, x)) {
      const Term a = s.zero_extend(s.child(sum_below, 0), width);
      const Term b = s.zero_extend(s.child(sum_below, 1), width);
      if (s.op(sum_below) == Op::Add) {
        work.push_back({b, c});
        work.push_back({a, c});
      } else {
        work.push_back({b, c * s.value(a)});
      }
    } else if (const auto shift = shifted_left(s, x)) {
      work.push_back({shift->first, c.shl(shift->second)});
    } else {
      sum.monomials.push_back({x, c});
    }
  }
  merge(sum.monomials);
  if (sum.monomials.size() > limit) return {};
  return sum;
}

void LinearSum::add_multiple(const LinearSum& other, const BitVector& factor) {
  constant = constant + other.constant * factor;
  for (const Monomial& m : other.monomials) monomials.push_back({m.term, m.coefficient * factor});
  merge(monomials);
}

Term LinearSum::to_term(TermStore& s) const {
  Term sum = s.constant(constant);
  for (const Monomial& m : monomials) sum = s.add(sum, s.mul(s.constant(m.coefficient), m.term));
  return sum;
}

BitVector inverse_of_odd(const BitVector& odd) {
  // Newton's iteration: each step doubles the number of right bits, of which odd itself has three.
  BitVector x = odd;
  const BitVector two(odd.width(), 2);
  for (std::uint32_t right = 3; right < odd.width(); right *= 2) x = x * (two - odd * x);
  return x;
}

}  // namespace plumb::term
