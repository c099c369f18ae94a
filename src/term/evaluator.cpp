#include "term/evaluator.h"

#include <array>

#include "base/error.h"

namespace plumb::term {

const BitVector& Evaluator::bits(Term t) {
  if (const BitVector* known = known_.find(t)) return *known;
  stack_.push_back(t);
  while (!stack_.empty()) {
    const Term top = stack_.back();
    if (known_.contains(top)) {
      stack_.pop_back();
      continue;
    }
    const std::size_t before = stack_.size();
    for (unsigned i = store_.arity(top); i-- > 0;)
      if (!known_.contains(store_.child(top, i))) stack_.push_back(store_.child(top, i));
    if (stack_.size() != before) continue;
    stack_.pop_back();
    compute(top);
  }
  return *known_.find(t);
}

void Evaluator::compute(Term t) {
  const Op op = store_.op(t);
  if (op == Op::Constant) {
    known_[t] = store_.value(t);
    return;
  }
  if (store_.is_array(t)) {
    known_[t] = BitVector();  // its operands are known: that is all a select needs
    return;
  }
  if (op == Op::Variable) {
    const auto it = assignment_.find(t);
    known_[t] = it == assignment_.end() ? BitVector(store_.width(t), 0) : std::get<BitVector>(it->second);
    return;
  }
  if (op == Op::Select) {
    BitVector element = select(store_.child(t, 0), known_.at(store_.child(t, 1)));
    known_[t] = std::move(element);
    return;
  }
  if (op == Op::Eq && store_.is_array(store_.child(t, 0))) {
    known_[t] = BitVector(1, array(store_.child(t, 0)) == array(store_.child(t, 1)) ? 1 : 0);
    return;
  }
  std::array<const BitVector*, 3> operands{};
  const unsigned n = store_.arity(t);
  for (unsigned i = 0; i < n; ++i) operands[i] = &known_.at(store_.child(t, i));
  BitVector result = evaluate(op, std::span(operands).first(n), store_.width(t), store_.parameter(t));
  known_[t] = std::move(result);
}

BitVector Evaluator::select(Term array, const BitVector& index) {
  for (;;) {
    switch (store_.op(array)) {
      case Op::Store:
        if (known_.at(store_.child(array, 1)) == index) return known_.at(store_.child(array, 2));
        array = store_.child(array, 0);
        break;
      case Op::Ite:
        array = store_.child(array, known_.at(store_.child(array, 0)).is_one() ? 1 : 2);
        break;
      case Op::ConstantArray:
        return known_.at(store_.child(array, 0));
      default: {
        INVARIANT(store_.is_variable(array), "an array should be a store, an ite, a constant or a variable");
        const auto it = assignment_.find(array);
        if (it == assignment_.end()) return BitVector(store_.width(array), 0);
        return std::get<ArrayValue>(it->second).at(index);
      }
    }
  }
}

ArrayValue Evaluator::array(Term t) {
  std::vector<Term> writes;  // the newest first
  for (;;) {
    if (store_.op(t) == Op::Store) {
      writes.push_back(t);
      t = store_.child(t, 0);
    } else if (store_.op(t) == Op::Ite) {
      t = store_.child(t, known_.at(store_.child(t, 0)).is_one() ? 1 : 2);
    } else {
      break;
    }
  }
  ArrayValue result = std::get<ArrayValue>(zero_value(store_.sort(t)));
  if (store_.op(t) == Op::ConstantArray) {
    result.otherwise = known_.at(store_.child(t, 0));
  } else if (const auto it = assignment_.find(t); it != assignment_.end()) {
    result = std::get<ArrayValue>(it->second);
  }
  for (auto w = writes.rbegin(); w != writes.rend(); ++w)
    result.elements.insert_or_assign(known_.at(store_.child(*w, 1)), known_.at(store_.child(*w, 2)));
  return result;
}

Value Evaluator::value(Term t) {
  const BitVector& result = bits(t);
  if (store_.is_array(t)) return array(t);
  return result;
}

}  // namespace plumb::term
