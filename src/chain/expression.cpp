#include "chain/expression.h"

#include <algorithm>
#include <bit>

#include "chain/exact/fraction_table.h"
#include "chain/value.h"

namespace plumb::chain {
namespace {

bool is_commutative(Op op) {
  return op == Op::Add || op == Op::Multiply || op == Op::Min || op == Op::Max || op == Op::Equal;
}

Type result_type(Op op, Type operand) {
  switch (op) {
    case Op::Not:
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::And:
    case Op::Or:
      return Type::Bool;
    case Op::ToDouble:
    case Op::Divide:
    case Op::Log:
      return Type::Double;
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Modulo:
      return Type::Int;
    default:
      return operand;
  }
}

}  // namespace

Expression ExpressionPool::intern(const Node& node) {
  const Key key{static_cast<std::uint64_t>(node.op) << 40 | static_cast<std::uint64_t>(node.type) << 32 | node.variable,
                node.op == Op::Constant && node.type == Type::Double && !is_exact()
                    ? std::bit_cast<std::uint64_t>(node.real)
                    : static_cast<std::uint64_t>(node.integer),
                std::uint64_t{node.operands[0].id} << 32 | node.operands[1].id, node.operands[2].id};
  const auto [place, is_new] = table_.try_emplace(key, Expression{size()});
  if (is_new) nodes_.push_back(node);
  return place->second;
}

Expression ExpressionPool::constant(Type type, std::int64_t integer, double real) {
  Node node;
  node.type = type;
  node.integer = integer;
  node.real = real;
  return intern(node);
}

ExpressionPool::ExpressionPool(Arithmetic arithmetic)
    : fractions_(arithmetic == Arithmetic::Exact ? std::make_shared<FractionTable>() : nullptr) {}

Expression ExpressionPool::real(double value) {
  return is_exact() ? real(Fraction::of_double(value)) : constant(Type::Double, 0, value);
}

Expression ExpressionPool::real(Fraction value) {
  const double rounded = value.nearest();
  return constant(Type::Double, is_exact() ? fractions_->number(std::move(value)).integer : 0, rounded);
}

Fraction ExpressionPool::fraction(Expression e) const {
  const Node& node = nodes_[e.id];
  INVARIANT(node.op == Op::Constant && node.type == Type::Double, "what has a fraction should be a constant double");
  if (!is_exact()) return Fraction::of_double(node.real);
  Value value;
  value.integer = node.integer;
  return (*fractions_)[value];
}

Expression ExpressionPool::variable(std::uint32_t position, Type type) {
  Node node;
  node.op = Op::Variable;
  node.type = type;
  node.variable = position;
  return intern(node);
}

Expression ExpressionPool::to_double(Expression a) { return type(a) == Type::Double ? a : make(Op::ToDouble, a); }

Expression ExpressionPool::simplified(Op op, Expression a, Expression b, Expression c) {
  switch (op) {
    case Op::And:
      if (is_false(a) || is_true(b)) return a;
      return is_true(a) ? b : Expression{};
    case Op::Or:
      if (is_true(a) || is_false(b)) return a;
      return is_false(a) ? b : Expression{};
    case Op::IfThenElse:
      if (is_true(a)) return b;
      return is_false(a) ? c : Expression{};
    case Op::Not:
      return (*this)[a].op == Op::Not ? (*this)[a].operands[0] : Expression{};
    default:
      return {};
  }
}

Expression ExpressionPool::make(Op op, Expression a, Expression b, Expression c) {
  if (const Expression simple = simplified(op, a, b, c)) return simple;
  const Type operand = op == Op::IfThenElse ? type(b) : type(a);
  INVARIANT(!b || op == Op::IfThenElse || type(a) == type(b), "operands should have one type");
  INVARIANT(!c || (type(a) == Type::Bool && type(b) == type(c)), "both sides of a choice should have one type");
  Node node;
  node.op = op;
  node.type = result_type(op, operand);
  if (is_commutative(op) && b.id < a.id) std::swap(a, b);
  node.operands = {a, b, c};
  const bool folds = op != Op::And && op != Op::Or && op != Op::IfThenElse && is_constant(a) && (!b || is_constant(b));
  if (folds) {
    const auto value = [&](Expression e) {
      Value result{};
      if (e && type(e) == Type::Double && !is_exact())
        result.real = nodes_[e.id].real;
      else if (e)
        result.integer = nodes_[e.id].integer;
      return result;
    };
    Fault fault = Fault::None;
    const Value result = is_exact() ? fractions_->apply(op, operand, value(a), value(b), fault)
                                    : apply(op, operand, value(a), value(b), fault);
    if (fault == Fault::None && node.type != Type::Double) return constant(node.type, result.integer, 0);
    if (fault == Fault::None)
      return is_exact() ? constant(Type::Double, result.integer, (*fractions_)[result].nearest()) : real(result.real);
  }
  return intern(node);
}

std::vector<std::uint32_t> ExpressionPool::support(Expression e) const {
  std::vector<std::uint32_t> result;
  std::vector<bool> seen(e.id + 1);
  std::vector<Expression> work{e};
  while (!work.empty()) {
    const Expression next = work.back();
    work.pop_back();
    if (!next || seen[next.id]) continue;
    seen[next.id] = true;
    const Node& node = nodes_[next.id];
    if (node.op == Op::Variable) result.push_back(node.variable);
    work.insert(work.end(), node.operands.begin(), node.operands.end());
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace plumb::chain
