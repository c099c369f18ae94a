#include <fmt/format.h>

#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

namespace {

std::string_view plural(std::size_t n) { return n == 1 ? "" : "s"; }

bool is_logical(Operator op) { return op == Operator::And || op == Operator::Or || op == Operator::Implies; }
bool is_order(Operator op) {
  return op == Operator::Less || op == Operator::LessEqual || op == Operator::Greater || op == Operator::GreaterEqual;
}

std::string_view bool_hint(Operator op) {
  switch (op) {
    case Operator::BitAnd:
      return "'&&' is for bools";
    case Operator::BitOr:
      return "'||' is for bools";
    case Operator::BitXor:
      return "'!=' is for bools";
    case Operator::Complement:
      return "'!' is for bools";
    default:
      return "write (b ? 1 : 0) for the int of a bool b";
  }
}

}  // namespace

/// Reports that `what` may not stand here unless the condition holds; says whether it does.
bool Checker::refuse_unless(bool condition, Place place, std::string_view what) {
  if (!condition) report(place, fmt::format("{} cannot stand in {}", what, setting_.what));
  return condition;
}

Type Checker::check_expression(Expression& expression) {
  Type type = Type::Void;
  switch (expression.kind) {
    case Expression::Kind::Number:
      type = Type::Int;
      break;
    case Expression::Kind::Boolean:
      type = Type::Bool;
      break;
    case Expression::Kind::MaxArraySize:
      type = Type::Int;
      break;
    case Expression::Kind::Name:
      type = check_name(expression);
      break;
    case Expression::Kind::Index:
      type = check_index(expression);
      break;
    case Expression::Kind::Unary:
      type = check_unary(expression);
      break;
    case Expression::Kind::Binary:
      type = check_binary(expression);
      break;
    case Expression::Kind::Conditional:
      type = check_conditional(expression);
      break;
    case Expression::Kind::Call:
      type = check_call(expression);
      break;
    case Expression::Kind::Quantified:
      type = check_quantified(expression);
      break;
    case Expression::Kind::Nondet:
      if (refuse_unless(setting_.allows_nondet, expression.place,
                        expression.type == Type::Int ? "nondet()" : "nondet_bool()"))
        type = expression.type;
      break;
    case Expression::Kind::ToBool:
      type = Type::Bool;
      break;
  }
  if (type != Type::Void) expression.type = type;
  return type;
}

/// A condition: an int becomes "not zero".
void Checker::need_bool(ExpressionPtr& expression) {
  if (check_expression(*expression) != Type::Int) return;
  auto condition = std::make_unique<Expression>();
  condition->kind = Expression::Kind::ToBool;
  condition->place = expression->place;
  condition->type = Type::Bool;
  condition->operands.push_back(std::move(expression));
  expression = std::move(condition);
}

void Checker::need_int(Expression& expression, std::string_view user) {
  if (check_expression(expression) == Type::Bool)
    report(expression.place, fmt::format("expected an int for {}, found a bool", user),
           "write (b ? 1 : 0) for the int of a bool b");
}

void Checker::need(Type type, ExpressionPtr& expression, std::string_view user) {
  if (type == Type::Bool)
    need_bool(expression);
  else
    need_int(*expression, user);
}

Type Checker::check_name(Expression& expression) {
  const VariableId id = resolve(expression);
  if (id == kNone) return Type::Void;
  if (variable(id).is_array()) {
    report(expression.place, fmt::format("expected a scalar, found the array '{}'", expression.name),
           fmt::format("write {}[…] for an element", expression.name));
    return Type::Void;
  }
  return variable(id).type;
}

Type Checker::check_index(Expression& expression) {
  for (const ExpressionPtr& index : expression.operands) need_int(*index, "an index");
  const VariableId id = resolve(expression);
  if (id == kNone) return Type::Void;
  const Variable& array = variable(id);
  const std::size_t given = expression.operands.size();
  if (!array.is_array()) {
    report(expression.place, fmt::format("expected an array before '[', found the scalar '{}'", expression.name));
    return Type::Void;
  }
  if (given != array.dimensions.size()) {
    report(expression.place, fmt::format("expected {} ind{} of the array '{}', found {}", array.dimensions.size(),
                                         array.dimensions.size() == 1 ? "ex" : "ices", expression.name, given));
    return Type::Void;
  }
  return array.type;
}

Type Checker::check_unary(Expression& expression) {
  if (expression.op == Operator::Not) {
    need_bool(expression.operands[0]);
    return Type::Bool;
  }
  const Type type = check_expression(*expression.operands[0]);
  if (type == Type::Bool) {
    report(expression.place,
           fmt::format("expected an int for '{}', found a bool", expression.op == Operator::Negate ? "-" : "~"),
           std::string(bool_hint(expression.op)));
    return Type::Void;
  }
  return type;
}

Type Checker::check_binary(Expression& expression) {
  ExpressionPtr& left = expression.operands[0];
  ExpressionPtr& right = expression.operands[1];
  const Operator op = expression.op;
  if (is_logical(op)) {
    need_bool(left);
    need_bool(right);
    return Type::Bool;
  }
  if (op == Operator::Equal || op == Operator::NotEqual) return check_equality(expression);
  const Type a = check_expression(*left);
  const Type b = check_expression(*right);
  const Type result = is_order(op) ? Type::Bool : Type::Int;
  if (a != Type::Bool && b != Type::Bool) return a == Type::Void || b == Type::Void ? Type::Void : result;
  const bool is_chain = is_order(op) && a == Type::Bool && left->kind == Expression::Kind::Binary && is_order(left->op);
  report(expression.place,
         fmt::format("expected two ints for {}, found a bool on the {}", is_order(op) ? "a comparison" : "arithmetic",
                     a == Type::Bool ? "left" : "right"),
         is_chain ? "write a < b && b < c for a < b < c" : std::string(bool_hint(op)));
  return Type::Void;
}

Type Checker::check_equality(Expression& expression) {
  const Type a = check_expression(*expression.operands[0]);
  const Type b = check_expression(*expression.operands[1]);
  if (a == Type::Void || b == Type::Void) return Type::Void;
  if (a == b) return Type::Bool;
  report(expression.place, fmt::format("expected two values of one type, found {} and {}", to_string(a), to_string(b)),
         "a bool is compared with true or false");
  return Type::Void;
}

Type Checker::check_conditional(Expression& expression) {
  need_bool(expression.operands[0]);
  const Type a = check_expression(*expression.operands[1]);
  const Type b = check_expression(*expression.operands[2]);
  if (a == b || a == Type::Void || b == Type::Void) return a == b ? a : Type::Void;
  report(expression.place,
         fmt::format("expected two values of one type for '?', found {} and {}", to_string(a), to_string(b)));
  return Type::Void;
}

Type Checker::check_call(Expression& expression) {
  const auto found = functions_.find(expression.name);
  if (found == functions_.end()) {
    if (find(expression.name) != kNone)
      report(expression.place, fmt::format("expected a function before '(', found the variable '{}'", expression.name));
    else
      report(expression.place, fmt::format("there is no function '{}'", expression.name),
             similar_name(expression.name, true));
    for (const ExpressionPtr& argument : expression.operands)
      if (argument->kind != Expression::Kind::Name) check_expression(*argument);
    return Type::Void;
  }
  expression.function = found->second;
  const Function& callee = program_.functions[expression.function];
  if (setting_.is_constant || (!setting_.allows_calls && !callee.is_predicate)) {
    refuse_unless(false, expression.place, fmt::format("a call of '{}'", callee.name));
    return Type::Void;
  }
  if (current_ != nullptr) current_->calls.push_back({expression.function, &expression, setting_.is_property});
  const std::size_t expected = callee.parameters.size();
  if (expression.operands.size() != expected) {
    report(expression.place, fmt::format("expected {} argument{} of '{}', found {}", expected, plural(expected),
                                         callee.name, expression.operands.size()));
    return Type::Void;
  }
  for (std::size_t i = 0; i < expected; ++i) {
    const Variable& parameter = variable(callee.parameters[i]);
    if (parameter.is_array())
      check_array_argument(*expression.operands[i], parameter, callee);
    else
      need(parameter.type, expression.operands[i],
           fmt::format("the parameter '{}' of '{}'", parameter.name, callee.name));
  }
  return callee.result;
}

void Checker::check_array_argument(Expression& argument, const Variable& parameter, const Function& callee) {
  const std::string expected = fmt::format("the parameter '{}' of '{}'", parameter.name, callee.name);
  if (argument.kind != Expression::Kind::Name)
    return report(argument.place, fmt::format("expected the name of an array for {}, found an expression", expected));
  const VariableId id = resolve(argument);
  if (id == kNone) return;
  const Variable& array = variable(id);
  argument.type = array.type;
  if (!array.is_array())
    return report(argument.place, fmt::format("expected an array for {}, found the scalar '{}'", expected, array.name));
  if (array.dimensions.size() != parameter.dimensions.size())
    return report(argument.place,
                  fmt::format("expected an array of {} dimension{} for {}, found {}", parameter.dimensions.size(),
                              plural(parameter.dimensions.size()), expected, array.dimensions.size()));
  if (array.type != parameter.type)
    return report(argument.place, fmt::format("expected an array of {} for {}, found one of {}",
                                              to_string(parameter.type), expected, to_string(array.type)));
  for (std::size_t i = 0; i < array.dimensions.size(); ++i)
    if (parameter.dimensions[i] && parameter.dimensions[i] != array.dimensions[i])
      return report(
          argument.place,
          fmt::format("expected an array of size {} for {}, found one of {}", *parameter.dimensions[i], expected,
                      array.dimensions[i] ? fmt::format("size {}", *array.dimensions[i]) : "free size"),
          fmt::format("declare the parameter as '{}[]'", parameter.name));
  if (array.kind == Variable::Kind::Wire && !callee.is_predicate)
    report(argument.place, fmt::format("expected an array for {}, found the wires '{}'", expected, array.name),
           "wires can be passed to predicates alone");
}

Type Checker::check_quantified(Expression& expression) {
  if (!refuse_unless(!setting_.is_constant, expression.place, "a quantifier")) return Type::Void;
  need_int(*expression.operands[0], "a bound of a range");
  need_int(*expression.operands[1], "a bound of a range");
  scopes_.emplace_back();
  enter(expression.variable);
  need_bool(expression.operands[2]);
  scopes_.pop_back();
  return Type::Bool;
}

}  // namespace plumb::tiny
