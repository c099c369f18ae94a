// IEEE numbers of one sign are ordered as their magnitude bits are, so a comparison is one of integers once NaN and the
// two zeros are set apart: no rounding is involved, and solvers need no theory of floating point.
#include "semantics/float_terms.h"

#include "base/error.h"

namespace plumb::semantics {

using program::FloatOp;
using term::Term;
using term::TermStore;

namespace {

std::uint32_t mantissa_width(std::uint32_t width) { return width == 16 ? 10 : width == 32 ? 23 : 52; }

struct Number {
  Term sign;
  Term magnitude;
  Term is_nan;
};

Number take_apart(TermStore& store, Term bits) {
  const std::uint32_t width = store.width(bits);
  const std::uint32_t mantissa = mantissa_width(width);
  const BitVector infinity = BitVector::ones(width - 1 - mantissa).concat(BitVector(mantissa, 0));
  const Term magnitude = store.extract(bits, width - 2, 0);
  return {store.bit(bits, width - 1), magnitude, store.ult(store.constant(infinity), magnitude)};
}

}  // namespace

bool is_float_comparison(FloatOp op, std::uint32_t width) noexcept {
  return op >= FloatOp::Equal && op <= FloatOp::Unordered && (width == 16 || width == 32 || width == 64);
}

Term compare_floats(TermStore& store, FloatOp op, Term a, Term b) {
  INVARIANT(is_float_comparison(op, store.width(a)) && store.width(a) == store.width(b),
            "operands of a comparison should be numbers of one format");
  const Number x = take_apart(store, a);
  const Number y = take_apart(store, b);
  const Term is_unordered = store.bit_or(x.is_nan, y.is_nan);
  if (op == FloatOp::Unordered) return is_unordered;
  const Term zero = store.zero(store.width(x.magnitude));
  const Term both_zero = store.bit_and(store.eq(x.magnitude, zero), store.eq(y.magnitude, zero));
  const Term is_less =
      store.ite(x.sign, store.ite(y.sign, store.ult(y.magnitude, x.magnitude), store.bit_not(both_zero)),
                store.bit_and(store.bit_not(y.sign), store.ult(x.magnitude, y.magnitude)));
  const Term is_equal = store.bit_or(store.eq(a, b), both_zero);
  const Term holds = op == FloatOp::Less ? is_less : op == FloatOp::Equal ? is_equal : store.bit_or(is_less, is_equal);
  return store.bit_and(store.bit_not(is_unordered), holds);
}

}  // namespace plumb::semantics
