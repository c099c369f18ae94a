#include "lang/bip/encode/symbolic.h"

#include <algorithm>
#include <bit>

namespace plumb::bip {

std::uint32_t width_of(const Model& model, Type type) { return type == Type::Bool ? 1 : model.bits; }

std::uint32_t width_for(std::uint64_t greatest) {
  return static_cast<std::uint32_t>(std::max(1, static_cast<int>(std::bit_width(greatest))));
}

Term Symbolic::value(VariableId variable) const {
  const auto written = written_.find(variable);
  return written == written_.end() ? base_[variable] : written->second;
}

Term Symbolic::holds(const ExpressionPtr& condition) const {
  return condition ? evaluate(*condition) : store_->boolean(true);
}

Term Symbolic::evaluate(const Expression& bound) const {
  const auto operand = [&](std::size_t i) { return evaluate(*bound.operands[i]); };
  switch (bound.kind) {
    case Expression::Kind::Number:
      return store_->constant(model_->bits, static_cast<std::uint64_t>(bound.number));
    case Expression::Kind::Boolean:
      return store_->boolean(bound.number != 0);
    case Expression::Kind::Name:
      return value(bound.variable);
    case Expression::Kind::Unary:
      return bound.op == Operator::Negate ? store_->neg(operand(0)) : store_->bit_not(operand(0));
    case Expression::Kind::Binary:
      return evaluate_binary(bound);
    case Expression::Kind::Conditional:
      return store_->ite(operand(0), operand(1), operand(2));
  }
  INVARIANT(false, "every kind of expression should have a term");
}

bool Symbolic::is_place(const Expression& bound) const {
  return bound.kind == Expression::Kind::Name && bound.variable >= model_->variables.size();
}

/// A place has the width of its register, and so has the number that it is compared with.
Term Symbolic::compare_place(const Expression& bound) const {
  const bool is_first = is_place(*bound.operands[0]);
  const Term place = value(bound.operands[is_first ? 0 : 1]->variable);
  const Expression& number = *bound.operands[is_first ? 1 : 0];
  INVARIANT(number.kind == Expression::Kind::Number, "a place should be compared with the number of a place");
  const Term equal =
      store_->eq(place, store_->constant(store_->width(place), static_cast<std::uint64_t>(number.number)));
  return bound.op == Operator::Equal ? equal : store_->bit_not(equal);
}

Term Symbolic::evaluate_binary(const Expression& bound) const {
  if (is_place(*bound.operands[0]) || is_place(*bound.operands[1])) return compare_place(bound);
  const Term a = evaluate(*bound.operands[0]);
  const Term b = evaluate(*bound.operands[1]);
  switch (bound.op) {
    case Operator::Add:
      return store_->add(a, b);
    case Operator::Subtract:
      return store_->sub(a, b);
    case Operator::Multiply:
      return store_->mul(a, b);
    case Operator::Divide: {
      const Term zero = store_->zero(model_->bits);
      return store_->ite(store_->eq(b, zero), zero, store_->sdiv(a, b));
    }
    case Operator::Remainder:
      return store_->srem(a, b);
    case Operator::ShiftLeft:
      return store_->shl(a, b);
    case Operator::ShiftRight:
      return store_->ashr(a, b);
    case Operator::BitAnd:
    case Operator::And:
      return store_->bit_and(a, b);
    case Operator::BitOr:
    case Operator::Or:
      return store_->bit_or(a, b);
    case Operator::BitXor:
      return store_->bit_xor(a, b);
    case Operator::Less:
      return store_->slt(a, b);
    case Operator::LessEqual:
      return store_->sle(a, b);
    case Operator::Greater:
      return store_->slt(b, a);
    case Operator::GreaterEqual:
      return store_->sle(b, a);
    case Operator::Equal:
      return store_->eq(a, b);
    case Operator::NotEqual:
      return store_->distinct(a, b);
    case Operator::Implies:
      return store_->implies(a, b);
    default:
      break;
  }
  INVARIANT(false, "every binary operator should have a term");
}

void Symbolic::execute(const Block& bound) {
  for (const StatementPtr& statement : bound) {
    const Term value = evaluate(*statement->value);
    if (statement->kind == Statement::Kind::Assign) {
      written_[statement->target->variable] = value;
    } else if (store_->is_constant(value)) {
      execute(store_->is_true(value) ? statement->then_branch : statement->else_branch);
    } else {
      Symbolic then_values = *this;
      then_values.execute(statement->then_branch);
      Symbolic else_values = *this;
      else_values.execute(statement->else_branch);
      for (const auto* branch : {&then_values, &else_values})
        for (const auto& [variable, unused] : branch->written_)
          written_[variable] = store_->ite(value, then_values.value(variable), else_values.value(variable));
    }
  }
}

}  // namespace plumb::bip
