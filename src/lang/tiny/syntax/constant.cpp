#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

namespace {

using Value = std::optional<std::int64_t>;

Value unary(Operator op, std::int64_t a) {
  std::int64_t result = 0;
  if (op == Operator::Negate && !__builtin_sub_overflow(std::int64_t{0}, a, &result)) return result;
  return std::nullopt;
}

Value binary(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Operator::Add:
      return __builtin_add_overflow(a, b, &result) ? Value() : result;
    case Operator::Subtract:
      return __builtin_sub_overflow(a, b, &result) ? Value() : result;
    case Operator::Multiply:
      return __builtin_mul_overflow(a, b, &result) ? Value() : result;
    case Operator::Divide:
      return b == 0 || b == -1 ? Value() : a / b;
    case Operator::Remainder:
      return b == 0 || b == -1 ? Value() : a % b;
    case Operator::ShiftLeft:
      return a < 0 || b < 0 || b > 62 || a > (INT64_MAX >> b) ? Value() : a << b;
    case Operator::ShiftRight:
      return a < 0 || b < 0 || b > 62 ? Value() : a >> b;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> exact_value(const Program& program, const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::Number:
      return expression.number > INT64_MAX ? Value() : static_cast<std::int64_t>(expression.number);
    case Expression::Kind::Name: {
      const Variable& variable = program.variables[expression.variable];
      if (variable.kind != Variable::Kind::Constant || variable.type != Type::Int || !variable.definition) return {};
      return exact_value(program, *variable.definition);
    }
    case Expression::Kind::Unary: {
      const Value a = exact_value(program, *expression.operands[0]);
      return a ? unary(expression.op, *a) : Value();
    }
    case Expression::Kind::Binary: {
      const Value a = exact_value(program, *expression.operands[0]);
      const Value b = exact_value(program, *expression.operands[1]);
      return a && b ? binary(expression.op, *a, *b) : Value();
    }
    default:
      return std::nullopt;
  }
}

}  // namespace plumb::tiny
