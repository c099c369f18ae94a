#include "lang/tiny/ast.h"

namespace plumb::tiny {

ExpressionPtr clone(const Expression& expression) {
  auto copy = std::make_unique<Expression>();
  copy->kind = expression.kind;
  copy->place = expression.place;
  copy->type = expression.type;
  copy->number = expression.number;
  copy->op = expression.op;
  copy->variable = expression.variable;
  copy->function = expression.function;
  copy->is_forall = expression.is_forall;
  copy->name = expression.name;
  copy->operands.reserve(expression.operands.size());
  for (const ExpressionPtr& operand : expression.operands) copy->operands.push_back(clone(*operand));
  return copy;
}

StatementPtr clone(const Statement& statement) {
  auto copy = std::make_unique<Statement>();
  copy->kind = statement.kind;
  copy->place = statement.place;
  copy->name = statement.name;
  copy->variable = statement.variable;
  copy->function = statement.function;
  if (statement.target) copy->target = clone(*statement.target);
  if (statement.value) copy->value = clone(*statement.value);
  copy->body.reserve(statement.body.size());
  for (const StatementPtr& part : statement.body) copy->body.push_back(clone(*part));
  return copy;
}

}  // namespace plumb::tiny
