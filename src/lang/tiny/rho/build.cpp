#include "lang/tiny/rho/build.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::tiny {
namespace {

bool has_prefix(const Statement& statement, std::string_view prefix) {
  return statement.kind == Statement::Kind::Block && statement.name.starts_with(prefix);
}

bool gives_bool(Operator op) { return op == Operator::Not || op >= Operator::Less; }

}  // namespace

bool is_pre_block(const Statement& statement) { return has_prefix(statement, kPreBlock); }
bool is_post_block(const Statement& statement) { return has_prefix(statement, kPostBlock); }

std::size_t epilogue_begin(const Statement& body) {
  std::size_t begin = body.body.size();
  while (begin > 0 && (is_post_block(*body.body[begin - 1]) || body.body[begin - 1]->kind == Statement::Kind::Post)) {
    --begin;
  }
  return begin;
}

bool is_stack_pointer(const Variable& variable) { return variable.place.line == 0 && variable.name == "sp"; }

bool is_exact_comparison(const Expression& expression) {
  return expression.kind == Expression::Kind::Binary && expression.op == Operator::LessEqual &&
         expression.place.line == 0;
}

ExpressionPtr make_number(std::uint64_t value) {
  auto e = std::make_unique<Expression>();
  e->kind = Expression::Kind::Number;
  e->number = value;
  return e;
}

ExpressionPtr make_boolean(bool value) {
  auto e = std::make_unique<Expression>();
  e->kind = Expression::Kind::Boolean;
  e->type = Type::Bool;
  e->number = value ? 1 : 0;
  return e;
}

ExpressionPtr make_name(const Program& program, VariableId variable, Place place) {
  auto e = std::make_unique<Expression>();
  e->kind = Expression::Kind::Name;
  e->place = place;
  e->type = program.variables[variable].type;
  e->variable = variable;
  e->name = program.variables[variable].name;
  return e;
}

ExpressionPtr make_index(const Program& program, VariableId variable, std::vector<ExpressionPtr> indices, Place place) {
  ExpressionPtr e = make_name(program, variable, place);
  e->kind = Expression::Kind::Index;
  e->operands = std::move(indices);
  return e;
}

ExpressionPtr make_not(ExpressionPtr operand) {
  auto e = std::make_unique<Expression>();
  e->kind = Expression::Kind::Unary;
  e->op = Operator::Not;
  e->type = Type::Bool;
  e->place = operand->place;
  e->operands.push_back(std::move(operand));
  return e;
}

ExpressionPtr make_binary(Operator op, ExpressionPtr left, ExpressionPtr right, Place place) {
  auto e = std::make_unique<Expression>();
  e->kind = Expression::Kind::Binary;
  e->op = op;
  e->type = gives_bool(op) ? Type::Bool : Type::Int;
  e->place = place;
  e->operands.push_back(std::move(left));
  e->operands.push_back(std::move(right));
  return e;
}

StatementPtr make_simple(Statement::Kind kind, Place place) {
  auto s = std::make_unique<Statement>();
  s->kind = kind;
  s->place = place;
  return s;
}

StatementPtr make_block(std::vector<StatementPtr> body, Place place) {
  StatementPtr s = make_simple(Statement::Kind::Block, place);
  s->body = std::move(body);
  return s;
}

StatementPtr make_assign(ExpressionPtr target, ExpressionPtr value, Place place) {
  StatementPtr s = make_simple(Statement::Kind::Assign, place);
  s->target = std::move(target);
  s->value = std::move(value);
  return s;
}

StatementPtr make_if(ExpressionPtr condition, std::vector<StatementPtr> then_body, std::vector<StatementPtr> else_body,
                     Place place) {
  StatementPtr s = make_simple(Statement::Kind::If, place);
  s->value = std::move(condition);
  s->body.push_back(make_block(std::move(then_body), place));
  if (!else_body.empty()) s->body.push_back(make_block(std::move(else_body), place));
  return s;
}

VariableId add_variable(Program& program, FunctionId function, const std::string& name, Type type,
                        Variable::Kind kind) {
  const std::string base = function == kNone ? name : fmt::format("{}::{}", program.functions[function].name, name);
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(program.variables.begin(), program.variables.end(),
                       [&](const Variable& v) { return v.unique_name == candidate; });
  };
  Variable v;
  v.name = name;
  v.unique_name = base;
  for (int number = 2; taken(v.unique_name); ++number) v.unique_name = fmt::format("{}#{}", base, number);
  v.kind = kind;
  v.type = type;
  v.function = function;
  program.variables.push_back(std::move(v));
  return static_cast<VariableId>(program.variables.size() - 1);
}

void for_each_expression(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  for (const ExpressionPtr& operand : expression.operands) for_each_expression(*operand, visit);
  visit(expression);
}

void for_each_statement(const Statement& statement, const std::function<void(const Statement&)>& visit) {
  visit(statement);
  for (const StatementPtr& part : statement.body) {
    if (part) for_each_statement(*part, visit);
  }
}

void for_each_root(const Statement& statement, const std::function<void(const Expression&)>& visit) {
  for_each_statement(statement, [&](const Statement& s) {
    if (s.target) visit(*s.target);
    if (s.value) visit(*s.value);
  });
}

void rewrite(ExpressionPtr& expression, const std::function<void(ExpressionPtr&)>& change) {
  for (ExpressionPtr& operand : expression->operands) rewrite(operand, change);
  change(expression);
}

void rewrite(Statement& statement, const std::function<void(ExpressionPtr&)>& change) {
  if (statement.target) rewrite(statement.target, change);
  if (statement.value) rewrite(statement.value, change);
  for (const StatementPtr& part : statement.body) {
    if (part) rewrite(*part, change);
  }
}

Program copy(const Program& program) {
  Program result;
  result.file = program.file;
  result.text = program.text;
  result.entry = program.entry;
  for (const Variable& v : program.variables) {
    Variable c;
    c.name = v.name;
    c.unique_name = v.unique_name;
    c.place = v.place;
    c.kind = v.kind;
    c.type = v.type;
    c.dimensions = v.dimensions;
    c.function = v.function;
    if (v.definition) c.definition = clone(*v.definition);
    c.is_free = v.is_free;
    result.variables.push_back(std::move(c));
  }
  for (const Function& f : program.functions) {
    Function c;
    c.name = f.name;
    c.place = f.place;
    c.result = f.result;
    c.parameters = f.parameters;
    c.return_variable = f.return_variable;
    if (f.body) c.body = clone(*f.body);
    c.is_predicate = f.is_predicate;
    c.is_recursive = f.is_recursive;
    result.functions.push_back(std::move(c));
  }
  return result;
}

std::vector<std::uint64_t> sizes_of(const Variable& variable, const Options& options) {
  std::vector<std::uint64_t> sizes;
  for (const auto& size : variable.dimensions) sizes.push_back(size.value_or(options.max_array_size()));
  return sizes;
}

}  // namespace plumb::tiny
