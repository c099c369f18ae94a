#include "circuit/bit_blaster.h"

#include <string>

#include "base/error.h"
#include "circuit/multiplier.h"

namespace plumb::circuit {

using term::Op;
using term::Term;

std::span<const Lit> BitBlaster::bits(Term t, const Budget& budget) {
  INVARIANT(t && !store_.is_array(t), "a term that is blasted should be a bit-vector");
  if (offsets_.contains(t)) return known(t);
  budget.check();
  Gates gates(aig_, budget);
  std::vector<std::pair<Term, bool>> stack{{t, false}};
  while (!stack.empty()) {
    auto& [top, expanded] = stack.back();
    const Term current = top;
    if (offsets_.contains(current)) {
      stack.pop_back();
    } else if (expanded) {
      stack.pop_back();
      blast(current, gates);
    } else {
      expanded = true;
      const Operands below = operands(current);
      for (unsigned i = below.count; i-- > 0;)
        if (!offsets_.contains(below.terms[i])) stack.emplace_back(below.terms[i], false);
    }
  }
  return known(t);
}

bool BitBlaster::is_leaf(Term t) const {
  const Op op = store_.op(t);
  return op == Op::Variable || op == Op::Select || (op == Op::Eq && store_.is_array(store_.child(t, 0)));
}

BitBlaster::Operands BitBlaster::operands(Term t) const {
  Operands result;
  if (store_.is_constant(t) || is_leaf(t)) return result;
  result.count = store_.arity(t);
  for (unsigned i = 0; i < result.count; ++i) result.terms[i] = store_.child(t, i);
  if (store_.op(t) != Op::Add) return result;
  auto& [a, b, unused] = result.terms;
  if (store_.op(a) == Op::Neg) std::swap(a, b);
  if (store_.op(b) == Op::Neg) {
    b = store_.child(b, 0);
    result.subtracts = true;
  }
  return result;
}

void BitBlaster::keep(Term t, Bits bits) {
  INVARIANT(bits.size() == store_.width(t), "a term should have as many literals as bits");
  const std::uint64_t offset = pool_.size();
  pool_.insert(pool_.end(), bits.begin(), bits.end());
  offsets_[t] = offset;
}

void BitBlaster::blast(Term t, Gates& gates) {
  gates.charge(store_.width(t));
  if (is_leaf(t)) {
    blast_leaf(t);
    return;
  }
  switch (store_.op(t)) {
    case Op::Constant:
      keep(t, constant(t));
      break;
    case Op::Not:
    case Op::And:
    case Op::Xor:
      keep(t, bitwise(t, gates));
      break;
    case Op::Udiv:
    case Op::Urem:
      blast_division(t, gates);
      break;
    case Op::Extract:
      offsets_[t] = offsets_.at(store_.child(t, 0)) + store_.parameter(t);
      break;
    default:
      keep(t, computed(t, gates));
  }
}

void BitBlaster::blast_leaf(Term t) {
  const std::uint32_t width = store_.width(t);
  const std::string name = store_.is_variable(t) ? store_.name(t) : std::string{};
  Word inputs;
  for (std::uint32_t i = 0; i < width; ++i)
    inputs.push_back(aig_.add_input(width == 1 || name.empty() ? name : name + "[" + std::to_string(i) + "]"));
  leaves_.push_back(t);
  keep(t, inputs);
}

void BitBlaster::blast_division(Term t, Gates& gates) {
  const Term dividend = store_.child(t, 0);
  const Term divisor = store_.child(t, 1);
  auto found = divisions_.find({dividend, divisor});
  if (found == divisions_.end()) {
    const auto [quotient, remainder] = divide(gates, known(dividend), known(divisor));
    found = divisions_.try_emplace({dividend, divisor}, pool_.size()).first;
    pool_.insert(pool_.end(), quotient.begin(), quotient.end());
    pool_.insert(pool_.end(), remainder.begin(), remainder.end());
  }
  offsets_[t] = found->second + (store_.op(t) == Op::Urem ? store_.width(t) : 0);
}

Word BitBlaster::constant(Term t) const {
  const BitVector value = store_.value(t);
  Word result;
  for (std::uint32_t i = 0; i < value.width(); ++i) result.push_back(kFalse ^ value.bit(i));
  return result;
}

Word BitBlaster::bitwise(Term t, Gates& gates) const {
  const Bits a = known(store_.child(t, 0));
  const Op op = store_.op(t);
  if (op == Op::Not) return complement(a);
  const Bits b = known(store_.child(t, 1));
  Word result;
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(op == Op::And ? gates.and_(a[i], b[i]) : gates.xor_(a[i], b[i]));
  return result;
}

Word BitBlaster::computed(Term t, Gates& gates) const {
  const Operands below = operands(t);
  Bits operand[3];
  for (unsigned i = 0; i < below.count; ++i) operand[i] = known(below.terms[i]);
  const auto& [a, b, c] = operand;
  switch (store_.op(t)) {
    case Op::Neg:
      return negate(gates, a);
    case Op::Add:
      return below.subtracts ? subtract(gates, a, b) : add(gates, a, b);
    case Op::Mul:
      return multiply(gates, a, b);
    case Op::Shl:
      return shift_left(gates, a, b);
    case Op::Lshr:
      return shift_right(gates, a, b);
    case Op::Ashr:
      return shift_right(gates, a, b, a.back());
    case Op::Eq:
      return {equal(gates, a, b)};
    case Op::Ult:
      return {unsigned_less(gates, a, b)};
    case Op::Slt:
      return {signed_less(gates, a, b)};
    case Op::UmulOverflow:
      return {unsigned_multiply_overflows(gates, a, b)};
    case Op::SmulOverflow:
      return {signed_multiply_overflows(gates, a, b)};
    case Op::Concat: {
      Word result(b.begin(), b.end());
      result.insert(result.end(), a.begin(), a.end());
      return result;
    }
    case Op::SignExtend: {
      Word result(a.begin(), a.end());
      result.resize(store_.width(t), a.back());
      return result;
    }
    case Op::Ite:
      return select(gates, a[0], b, c);
    default:
      INVARIANT(false, "a term that is blasted should not have a derived operator");
  }
}

}  // namespace plumb::circuit
