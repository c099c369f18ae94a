#include "lang/bip/expression.h"

#include <fmt/format.h>

#include <array>

namespace plumb::bip {

namespace {

struct OperatorFacts {
  std::string_view symbol;
  int precedence = 0;
};

/// In the order of the enumerators.
constexpr auto kFacts = std::to_array<OperatorFacts>({
    {"-", 0},  {"!", 0},  {"~", 0},                                    // unary
    {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11},             // arithmetic
    {"<<", 9}, {">>", 9}, {"&", 6},  {"|", 4},  {"^", 5},              // on bits
    {"<", 8},  {"<=", 8}, {">", 8},  {">=", 8}, {"==", 7}, {"!=", 7},  // comparisons
    {"&&", 3}, {"||", 2}, {"=>", 1},                                   // on bools
});
static_assert(kFacts.size() == static_cast<std::size_t>(Operator::Implies) + 1);

const OperatorFacts& facts(Operator op) { return kFacts[static_cast<std::size_t>(op)]; }

constexpr int kUnaryPrecedence = 12;

void append(std::string& out, const Expression& e, int least_precedence);

void append_unary(std::string& out, const Expression& e) {
  const Expression& operand = *e.operands[0];
  out += symbol(e.op);
  // `--x` would be a decrement, and -5 is a number.
  const bool is_negation = operand.kind == Expression::Kind::Unary && operand.op == Operator::Negate;
  const bool is_number = operand.kind == Expression::Kind::Number;
  const bool is_apart = e.op == Operator::Negate && (is_negation || is_number);
  if (is_apart) out += '(';
  append(out, operand, is_apart ? 0 : kUnaryPrecedence);
  if (is_apart) out += ')';
}

void append_binary(std::string& out, const Expression& e) {
  const int own = precedence(e.op);
  const bool is_to_the_right = e.op == Operator::Implies;
  append(out, *e.operands[0], is_to_the_right ? own + 1 : own);
  out += ' ';
  out += symbol(e.op);
  out += ' ';
  append(out, *e.operands[1], is_to_the_right ? own : own + 1);
}

void append_conditional(std::string& out, const Expression& e) {
  append(out, *e.operands[0], 1);
  out += " ? ";
  append(out, *e.operands[1], 0);
  out += " : ";
  append(out, *e.operands[2], 0);
}

int precedence_of(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::Binary:
      return precedence(e.op);
    case Expression::Kind::Conditional:
      return 0;
    default:
      return kUnaryPrecedence;
  }
}

void append(std::string& out, const Expression& e, int least_precedence) {
  const bool needs_parentheses = precedence_of(e) < least_precedence;
  if (needs_parentheses) out += '(';
  switch (e.kind) {
    case Expression::Kind::Number:
      out += std::to_string(e.number);
      break;
    case Expression::Kind::Boolean:
      out += e.number != 0 ? "true" : "false";
      break;
    case Expression::Kind::Name:
      out += e.name;
      break;
    case Expression::Kind::Unary:
      append_unary(out, e);
      break;
    case Expression::Kind::Binary:
      append_binary(out, e);
      break;
    case Expression::Kind::Conditional:
      append_conditional(out, e);
      break;
  }
  if (needs_parentheses) out += ')';
}

std::int64_t shift(std::int64_t a, std::int64_t amount, bool is_left, std::uint32_t bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t count = static_cast<std::uint64_t>(amount) & mask;
  if (count >= bits) return is_left || a >= 0 ? 0 : -1;
  return is_left ? wrap(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << count), bits) : a >> count;
}

bool compare(Operator op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Operator::Less:
      return a < b;
    case Operator::LessEqual:
      return a <= b;
    case Operator::Greater:
      return a > b;
    case Operator::GreaterEqual:
      return a >= b;
    case Operator::Equal:
      return a == b;
    default:
      return a != b;
  }
}

/// Wrapping at 64 bits loses nothing: the low bits of sums and products hang on the low bits of operands alone.
std::int64_t calculate(Operator op, std::int64_t a, std::int64_t b, std::uint32_t bits) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const auto low = [bits](std::uint64_t value) { return wrap(static_cast<std::int64_t>(value), bits); };
  switch (op) {
    case Operator::Add:
      return low(ua + ub);
    case Operator::Subtract:
      return low(ua - ub);
    case Operator::Multiply:
      return low(ua * ub);
    case Operator::Divide:
      return b == 0 ? 0 : wrap(a / b, bits);
    case Operator::Remainder:
      return b == 0 ? a : a % b;
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
      return shift(a, b, op == Operator::ShiftLeft, bits);
    case Operator::BitAnd:
      return a & b;
    case Operator::BitOr:
      return a | b;
    default:
      return a ^ b;
  }
}

std::int64_t evaluate_unary(const Expression& e, std::int64_t value, std::uint32_t bits) {
  switch (e.op) {
    case Operator::Negate:
      return wrap(-value, bits);
    case Operator::Not:
      return static_cast<std::int64_t>(value == 0);
    default:
      return ~value;
  }
}

}  // namespace

std::string_view to_string(Type type) { return type == Type::Int ? "int" : "bool"; }

std::string_view symbol(Operator op) { return facts(op).symbol; }

int precedence(Operator op) { return facts(op).precedence; }

ExpressionPtr make_constant(Type type, std::int64_t value, Place place) {
  auto result = std::make_unique<Expression>();
  result->kind = type == Type::Int ? Expression::Kind::Number : Expression::Kind::Boolean;
  result->place = place;
  result->type = type;
  result->number = type == Type::Int || value == 0 ? value : 1;
  return result;
}

ExpressionPtr make_operation(Operator op, Type type, Place place, ExpressionPtr first, ExpressionPtr second) {
  auto result = std::make_unique<Expression>();
  result->kind = second ? Expression::Kind::Binary : Expression::Kind::Unary;
  result->place = place;
  result->type = type;
  result->op = op;
  result->operands.push_back(std::move(first));
  if (second) result->operands.push_back(std::move(second));
  return result;
}

ExpressionPtr clone(const Expression& expression) {
  auto copy = std::make_unique<Expression>();
  copy->kind = expression.kind;
  copy->place = expression.place;
  copy->type = expression.type;
  copy->op = expression.op;
  copy->number = expression.number;
  copy->name = expression.name;
  copy->variable = expression.variable;
  for (const ExpressionPtr& operand : expression.operands) copy->operands.push_back(clone(*operand));
  return copy;
}

Block clone(const Block& block) {
  Block copies;
  for (const StatementPtr& statement : block) {
    auto copy = std::make_unique<Statement>();
    copy->kind = statement->kind;
    copy->place = statement->place;
    if (statement->target) copy->target = clone(*statement->target);
    if (statement->value) copy->value = clone(*statement->value);
    copy->then_branch = clone(statement->then_branch);
    copy->else_branch = clone(statement->else_branch);
    copies.push_back(std::move(copy));
  }
  return copies;
}

std::string to_text(const Expression& expression) {
  std::string text;
  append(text, expression, 0);
  return text;
}

std::string to_text(const Block& block) {
  const auto braces = [](const Block& inner) {
    return inner.empty() ? std::string("{}") : fmt::format("{{ {} }}", to_text(inner));
  };
  std::string text;
  for (const StatementPtr& statement : block) {
    if (!text.empty()) text += ' ';
    if (statement->kind == Statement::Kind::Assign) {
      text += fmt::format("{} = {};", to_text(*statement->target), to_text(*statement->value));
    } else {
      text += fmt::format("if ({}) {}", to_text(*statement->value), braces(statement->then_branch));
      if (!statement->else_branch.empty()) text += fmt::format(" else {}", braces(statement->else_branch));
    }
  }
  return text;
}

std::int64_t evaluate(const Expression& bound, std::span<const std::int64_t> values, std::uint32_t bits) {
  const auto operand = [&](std::size_t i) { return evaluate(*bound.operands[i], values, bits); };
  switch (bound.kind) {
    case Expression::Kind::Number:
    case Expression::Kind::Boolean:
      return bound.number;
    case Expression::Kind::Name:
      INVARIANT(bound.variable < values.size(), "a name should be bound before it is evaluated");
      return values[bound.variable];
    case Expression::Kind::Unary:
      return evaluate_unary(bound, operand(0), bits);
    case Expression::Kind::Conditional:
      return operand(0) != 0 ? operand(1) : operand(2);
    case Expression::Kind::Binary:
      break;
  }
  const std::int64_t left = operand(0);
  switch (bound.op) {
    case Operator::And:
      return left == 0 ? 0 : operand(1);
    case Operator::Or:
      return left != 0 ? 1 : operand(1);
    case Operator::Implies:
      return left == 0 ? 1 : operand(1);
    default:
      return bound.op >= Operator::Less ? static_cast<std::int64_t>(compare(bound.op, left, operand(1)))
                                        : calculate(bound.op, left, operand(1), bits);
  }
}

void execute(const Block& bound, std::span<std::int64_t> values, std::uint32_t bits) {
  for (const StatementPtr& statement : bound) {
    const std::int64_t value = evaluate(*statement->value, values, bits);
    if (statement->kind == Statement::Kind::If) {
      execute(value != 0 ? statement->then_branch : statement->else_branch, values, bits);
    } else {
      INVARIANT(statement->target->variable < values.size(), "a target should be bound before it is assigned");
      values[statement->target->variable] = value;
    }
  }
}

}  // namespace plumb::bip
