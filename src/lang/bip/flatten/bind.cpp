#include "lang/bip/flatten/bind.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::bip::flat {

namespace {

bool fits(std::int64_t value, std::uint32_t bits) { return wrap(value, bits) == value; }

void check_fit(const Context& context, std::int64_t value, Place place, std::string_view what) {
  const std::uint32_t bits = context.model.bits;
  if (fits(value, bits)) return;
  const std::int64_t bound = std::int64_t{1} << (bits - 1);
  std::uint32_t enough = bits;
  while (enough < 62 && !fits(value, enough)) ++enough;
  context.fail(place, fmt::format("{} {} does not fit into an int of {} bits", what, value, bits),
               fmt::format("numbers go from {} to {} here; --bits {} has room for it", -bound, bound - 1, enough));
}

/// The smallest int is written as the negation of a number that is no int.
bool is_negative_number(const Expression& e) {
  return e.kind == Expression::Kind::Unary && e.op == Operator::Negate &&
         e.operands[0]->kind == Expression::Kind::Number;
}

void bind_name(Expression& e, const Scope& scope) {
  const Binding binding = scope(e);
  e.type = binding.type;
  e.variable = binding.variable;
  if (binding.variable != kNone) return;
  e.kind = binding.type == Type::Int ? Expression::Kind::Number : Expression::Kind::Boolean;
  e.number = binding.value;
}

void bind_names(const Context& context, Expression& e, const Scope& scope) {
  if (is_negative_number(e)) {
    e.kind = Expression::Kind::Number;
    e.number = -e.operands[0]->number;
    e.operands.clear();
  }
  if (e.kind == Expression::Kind::Number) check_fit(context, e.number, e.place, "the number");
  if (e.kind == Expression::Kind::Name) bind_name(e, scope);
  for (const ExpressionPtr& operand : e.operands) bind_names(context, *operand, scope);
}

bool has_names(const Expression& e) {
  return e.kind == Expression::Kind::Name ||
         std::ranges::any_of(e.operands, [](const ExpressionPtr& operand) { return has_names(*operand); });
}

void warn_of_divisors(Context& context, const Expression& e) {
  for (const ExpressionPtr& operand : e.operands) warn_of_divisors(context, *operand);
  if (e.kind != Expression::Kind::Binary || (e.op != Operator::Divide && e.op != Operator::Remainder)) return;
  const Expression& divisor = *e.operands[1];
  const std::optional<std::int64_t> value = constant_value(divisor, context.model.bits);
  if (value && *value != 0) return;
  const bool is_division = e.op == Operator::Divide;
  context.warn(divisor.place,
               fmt::format("the divisor '{}' {} zero: then {} is {}", to_text(divisor), value ? "is" : "may be",
                           is_division ? "x / 0" : "x % 0", is_division ? "0" : "x"));
}

}  // namespace

ExpressionPtr bind_expression(Context& context, const Expression& expression, const Scope& scope) {
  ExpressionPtr bound = clone(expression);
  bind_names(context, *bound, scope);
  warn_of_divisors(context, *bound);
  return bound;
}

ExpressionPtr bind_condition(Context& context, const ExpressionPtr& condition, const Scope& scope) {
  if (!condition) return nullptr;
  ExpressionPtr bound = bind_expression(context, *condition, scope);
  return constant_value(*bound, context.model.bits).value_or(0) != 0 ? nullptr : std::move(bound);
}

Block bind_block(Context& context, const Block& block, const Scope& scope) {
  Block result = clone(block);
  for (const StatementPtr& statement : result) {
    if (statement->target) statement->target = bind_expression(context, *statement->target, scope);
    statement->value = bind_expression(context, *statement->value, scope);
    statement->then_branch = bind_block(context, statement->then_branch, scope);
    statement->else_branch = bind_block(context, statement->else_branch, scope);
  }
  return result;
}

Constant bind_constant(Context& context, const Expression& expression, std::string_view what, const Scope& scope) {
  const ExpressionPtr bound = bind_expression(context, expression, scope);
  // Without wrapping at the model's bits: a sum that is too large is an error here.
  const std::optional<std::int64_t> value = constant_value(*bound, 62);
  INVARIANT(value, "values of parameters and constants should hang on constants alone");
  if (bound->type == Type::Int) check_fit(context, *value, expression.place, what);
  return {bound->type, *value};
}

StatementPtr assignment(const Name& name, const Binding& target, const Constant& value) {
  auto statement = std::make_unique<Statement>();
  statement->place = name.place;
  statement->target = std::make_unique<Expression>();
  statement->target->kind = Expression::Kind::Name;
  statement->target->place = name.place;
  statement->target->type = target.type;
  statement->target->name = name.text;
  statement->target->variable = target.variable;
  statement->value = make_constant(value.type, value.value, name.place);
  return statement;
}

std::optional<std::int64_t> constant_value(const Expression& bound, std::uint32_t bits) {
  if (has_names(bound)) return std::nullopt;
  return evaluate(bound, {}, bits);
}

Binding find_constant(const Context& context, const Constants& parameters, const Expression& name) {
  for (const Constants* constants : {&parameters, &context.constants})
    if (const auto it = constants->find(name.name); it != constants->end())
      return {it->second.type, kNone, it->second.value};
  INVARIANT(false, "a name should be declared where it is used");
  return {};
}

}  // namespace plumb::bip::flat
