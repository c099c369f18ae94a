// Word-level circuits from gates. Sums, differences and comparisons are ripples of xor and majority, because the CNF
// encoder finds these shapes again and a SAT solver propagates through them in both directions; depth does not matter
// to it, so there is no carry look-ahead. A comparison is the carry of the corresponding difference and thus shares its
// gates.

#include "circuit/words.h"

#include <bit>

namespace plumb::circuit {

Lit Gates::majority(Lit a, Lit b, Lit c) {
  if (a == b) return a;
  if (a == ~b) return c;
  if (c == a || c == b) return c;
  if (c == ~a) return b;
  if (c == ~b) return a;
  // The ite below would come to the same only if simplification looked through the xor.
  if (a.node() == 0) return a == kTrue ? or_(b, c) : and_(b, c);
  if (b.node() == 0) return b == kTrue ? or_(a, c) : and_(a, c);
  if (c.node() == 0) return c == kTrue ? or_(a, b) : and_(a, b);
  return ite(xor_(a, b), c, a);
}

namespace {

/// Combines neighbours until one is left, so that the depth is logarithmic.
template <typename Combine>
Lit reduce(Bits bits, Lit neutral, Combine&& combine) {
  if (bits.empty()) return neutral;
  Word level(bits.begin(), bits.end());
  while (level.size() > 1) {
    const std::size_t pairs = level.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) level[i] = combine(level[2 * i], level[2 * i + 1]);
    if (level.size() % 2 != 0) level[pairs] = level.back();
    level.resize(pairs + level.size() % 2);
  }
  return level[0];
}

/// The carry out of a + b + carry.
Lit carry_out(Gates& gates, Bits a, Bits b, Lit carry) {
  for (std::size_t i = 0; i < a.size(); ++i) carry = gates.majority(a[i], b[i], carry);
  return carry;
}

}  // namespace

Lit all_of(Gates& gates, Bits bits) {
  return reduce(bits, kTrue, [&](Lit a, Lit b) { return gates.and_(a, b); });
}

Lit any_of(Gates& gates, Bits bits) {
  return reduce(bits, kFalse, [&](Lit a, Lit b) { return gates.or_(a, b); });
}

Lit equal(Gates& gates, Bits a, Bits b) {
  Word same;
  same.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    same.push_back(~gates.xor_(a[i], b[i]));
    if (same.back() == kFalse) return kFalse;
  }
  return all_of(gates, same);
}

Lit unsigned_less(Gates& gates, Bits a, Bits b) { return ~carry_out(gates, a, complement(b), kTrue); }

Lit signed_less(Gates& gates, Bits a, Bits b) {
  const std::size_t top = a.size() - 1;
  const Lit carry = carry_out(gates, a.first(top), complement(b.first(top)), kTrue);
  // A sign bit counts negatively, so at the top the operands change sides.
  return ~gates.majority(b[top], ~a[top], carry);
}

Word complement(Bits a) {
  Word result(a.begin(), a.end());
  for (Lit& bit : result) bit = ~bit;
  return result;
}

Word select(Gates& gates, Lit condition, Bits then_bits, Bits else_bits) {
  Word result;
  result.reserve(then_bits.size());
  for (std::size_t i = 0; i < then_bits.size(); ++i) result.push_back(gates.ite(condition, then_bits[i], else_bits[i]));
  return result;
}

Word add(Gates& gates, Bits a, Bits b, Lit carry) {
  Word sum;
  sum.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.push_back(gates.xor_(gates.xor_(a[i], b[i]), carry));
    if (i + 1 < a.size()) carry = gates.majority(a[i], b[i], carry);
  }
  return sum;
}

Word subtract(Gates& gates, Bits a, Bits b) { return add(gates, a, complement(b), kTrue); }

Word negate(Gates& gates, Bits a) { return subtract(gates, Word(a.size(), kFalse), a); }

// Restoring division, one row a bit of the dividend from the top. Row k only knows k bits of the dividend, so its
// remainder has at most k bits, and no more than the divisor has bits that can be set: a row compares and subtracts
// only these, and the divisor's upper bits take part as one "some upper bit is set". A zero divisor is subtracted in
// every row, which makes the quotient all ones by itself; the remainder's upper bits, which rows cut off, are then put
// back from the dividend.
Division divide(Gates& gates, Bits dividend, Bits divisor) {
  const std::size_t width = dividend.size();
  Word any_from(width + 1, kFalse);  // any_from[k]: some bit of the divisor from k on is set
  for (std::size_t k = width; k-- > 0;) any_from[k] = gates.or_(divisor[k], any_from[k + 1]);
  std::size_t divisor_bits = width;
  while (divisor_bits > 0 && divisor[divisor_bits - 1] == kFalse) --divisor_bits;

  Division result{Word(width, kFalse), {}};
  Word& remainder = result.remainder;
  for (std::size_t i = width; i-- > 0;) {
    remainder.insert(remainder.begin(), dividend[i]);
    while (!remainder.empty() && remainder.back() == kFalse) remainder.pop_back();
    const std::size_t known = remainder.size();
    gates.charge(known);
    const Lit too_large = any_from[known];
    if (too_large == kTrue) continue;
    const Bits subtrahend = divisor.first(known);
    const Lit fits = ~gates.or_(too_large, unsigned_less(gates, remainder, subtrahend));
    result.quotient[i] = fits;
    remainder = select(gates, fits, subtract(gates, remainder, subtrahend), remainder);
    if (known > divisor_bits) remainder.resize(divisor_bits);
  }
  const Lit by_zero = ~any_from[0];
  for (std::size_t i = remainder.size(); i < width; ++i)
    remainder.push_back(i < divisor_bits ? kFalse : gates.and_(by_zero, dividend[i]));
  return result;
}

namespace {

/// A barrel shifter: stage s moves by 2^s, and one more stage empties the word if an upper bit of the amount is set.
/// Bits move to higher positions if `up`, else to lower ones.
Word shift(Gates& gates, Bits a, Bits amount, Lit fill, bool up) {
  const std::size_t width = a.size();
  const auto stages = static_cast<std::size_t>(std::bit_width(width - 1));
  Word result(a.begin(), a.end());
  for (std::size_t s = 0; s < stages; ++s) {
    const std::size_t distance = std::size_t{1} << s;
    Word moved(width, fill);
    for (std::size_t i = distance; i < width; ++i) {
      if (up)
        moved[i] = result[i - distance];
      else
        moved[i - distance] = result[i];
    }
    result = select(gates, amount[s], moved, result);
  }
  const Lit beyond = any_of(gates, amount.subspan(stages));
  return select(gates, beyond, Word(width, fill), result);
}

}  // namespace

Word shift_left(Gates& gates, Bits a, Bits amount) { return shift(gates, a, amount, kFalse, true); }

Word shift_right(Gates& gates, Bits a, Bits amount, Lit fill) { return shift(gates, a, amount, fill, false); }

}  // namespace plumb::circuit
