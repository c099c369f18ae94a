// IEEE numbers of one sign are ordered as their magnitude bits are, so a comparison is one of integers once NaN and the
// two zeros are set apart: no rounding is involved, and solvers need no theory of floating point.
#include "semantics/float_terms.h"

#include <algorithm>
#include <vector>

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

/// A subnormal number is made normal: its leading one, wherever it stands, becomes the one that is not written. A
/// signalling NaN becomes a quiet one, as the machine's conversion does it.
Term widen(TermStore& store, Term bits, std::uint32_t width) {
  const std::uint32_t from = store.width(bits);
  const std::uint32_t mantissa = mantissa_width(from);
  const std::uint32_t wide_mantissa = mantissa_width(width);
  const std::uint32_t wide_exponent = width - 1 - wide_mantissa;
  const std::uint64_t bias = (std::uint64_t{1} << (from - 2 - mantissa)) - 1;
  const std::uint64_t wide_bias = (std::uint64_t{1} << (wide_exponent - 1)) - 1;
  const auto number = [&](std::uint64_t n) { return store.constant(wide_exponent, n); };
  const Term fraction = store.extract(bits, mantissa - 1, 0);
  const Term exponent = store.extract(bits, from - 2, mantissa);
  const Term shifted = store.concat(fraction, store.zero(wide_mantissa - mantissa));
  const Term is_special = store.eq(exponent, store.constant(BitVector::ones(from - 1 - mantissa)));
  const Term is_zero_exponent = store.eq(exponent, store.zero(from - 1 - mantissa));
  Term small_exponent = number(0);  // of zero
  Term small_fraction = store.zero(wide_mantissa);
  for (std::uint32_t p = 0; p < mantissa; ++p) {
    const Term is_leading = store.bit(fraction, p);
    small_exponent = store.ite(is_leading, number(wide_bias - bias + 1 + p - mantissa), small_exponent);
    const Term rest =
        store.shl(store.zero_extend(fraction, wide_mantissa), store.constant(wide_mantissa, wide_mantissa - p));
    small_fraction = store.ite(is_leading, rest, small_fraction);
  }
  const Term normal_exponent = store.add(store.zero_extend(exponent, wide_exponent), number(wide_bias - bias));
  const Term quiet = store.concat(store.one(1), store.zero(wide_mantissa - 1));
  const Term is_nan = store.bit_and(is_special, store.distinct(fraction, store.zero(mantissa)));
  const Term wide_fraction = store.ite(is_nan, store.bit_or(shifted, quiet), shifted);
  const Term made_exponent = store.ite(is_special, store.constant(BitVector::ones(wide_exponent)),
                                       store.ite(is_zero_exponent, small_exponent, normal_exponent));
  const Term made_fraction = store.ite(is_zero_exponent, small_fraction, wide_fraction);
  return store.concat(store.bit(bits, from - 1), store.concat(made_exponent, made_fraction));
}

bool is_format(std::uint32_t width) { return width == 16 || width == 32 || width == 64; }

Term compare(TermStore& store, FloatOp op, Term a, Term b) {
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

}  // namespace

bool is_float_term(FloatOp op, std::uint32_t from, std::uint32_t width) noexcept {
  if (op == FloatOp::Convert) return is_format(from) && is_format(width) && from < width;
  return op >= FloatOp::Equal && op <= FloatOp::Unordered && is_format(from) && width == 1;
}

std::optional<Term> float_result(TermStore& store, FloatOp op, std::span<const Term> operands, std::uint32_t width) {
  if (std::ranges::all_of(operands, [&](Term t) { return store.is_constant(t); })) {
    std::vector<BitVector> numbers;
    for (const Term t : operands) numbers.push_back(store.value(t));
    std::vector<const BitVector*> pointers;
    for (const BitVector& number : numbers) pointers.push_back(&number);
    return store.constant(program::evaluate(op, pointers, width));
  }
  if (!is_float_term(op, store.width(operands[0]), width)) return std::nullopt;
  return op == FloatOp::Convert ? widen(store, operands[0], width) : compare(store, op, operands[0], operands[1]);
}

}  // namespace plumb::semantics
