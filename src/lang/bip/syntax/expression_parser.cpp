#include "lang/bip/syntax/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace plumb::bip {

namespace {

constexpr auto kBinary = std::to_array<Operator>(
    {Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Remainder, Operator::ShiftLeft,
     Operator::ShiftRight, Operator::BitAnd, Operator::BitOr, Operator::BitXor, Operator::Less, Operator::LessEqual,
     Operator::Greater, Operator::GreaterEqual, Operator::Equal, Operator::NotEqual, Operator::And, Operator::Or,
     Operator::Implies});

std::optional<Operator> binary_operator(const Token& token) {
  if (token.kind != Token::Kind::Symbol) return std::nullopt;
  for (const Operator op : kBinary)
    if (symbol(op) == token.text) return op;
  return std::nullopt;
}

std::optional<Operator> unary_operator(const Token& token) {
  for (const Operator op : {Operator::Negate, Operator::Not, Operator::Complement})
    if (token.kind == Token::Kind::Symbol && symbol(op) == token.text) return op;
  return std::nullopt;
}

ExpressionPtr make(Expression::Kind kind, Place place) {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->place = place;
  return result;
}

std::uint32_t height_of(const Expression& expression) {
  std::uint32_t height = 0;
  for (const ExpressionPtr& operand : expression.operands) height = std::max(height, height_of(*operand));
  return height + 1;
}

}  // namespace

/// One level deeper as long as it lives.
class ExpressionParser::Level {
 public:
  explicit Level(ExpressionParser& parser) : parser_(parser) { parser_.check_depth(++parser_.nesting_); }
  ~Level() { --parser_.nesting_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  ExpressionParser& parser_;
};

void ExpressionParser::check_depth(std::uint32_t depth) const {
  if (depth <= kMaximalDepth) return;
  tokens_.fail(tokens_.peek().place, fmt::format("this expression is more than {} levels deep", kMaximalDepth),
               "compute it in steps, in variables of their own");
}

/// An expression that was put together of parts, the higher of which has that height.
ExpressionPtr ExpressionParser::joined(ExpressionPtr expression, std::uint32_t height) {
  check_depth(height + 1);
  height_ = height + 1;
  return expression;
}

ExpressionPtr ExpressionParser::expression() {
  const Level level(*this);
  ExpressionPtr first = binary(1);
  if (tokens_.is("="))
    tokens_.fail(tokens_.peek().place, "'=' assigns and is no part of an expression", "write '==' to compare");
  if (!tokens_.accept("?")) return first;
  std::uint32_t height = height_;
  ExpressionPtr result = make(Expression::Kind::Conditional, first->place);
  result->operands.push_back(std::move(first));
  result->operands.push_back(expression());
  height = std::max(height, height_);
  tokens_.expect(":", "between the branches of '?'");
  result->operands.push_back(expression());
  return joined(std::move(result), std::max(height, height_));
}

ExpressionPtr ExpressionParser::binary(int least_precedence) {
  ExpressionPtr left = unary();
  for (;;) {
    const auto op = binary_operator(tokens_.peek());
    if (!op || precedence(*op) < least_precedence) return left;
    if (*op == Operator::Implies && implication_ == Implication::Forbidden)
      tokens_.fail(tokens_.peek().place, "'=>' is an operator of properties alone",
                   "write '!a || b' for an implication, '>=' for a comparison");
    tokens_.next();
    const std::uint32_t height = height_;
    ExpressionPtr result = make(Expression::Kind::Binary, left->place);
    result->op = *op;
    result->operands.push_back(std::move(left));
    if (*op == Operator::Implies) {
      const Level level(*this);
      result->operands.push_back(binary(precedence(*op)));
    } else {
      result->operands.push_back(binary(precedence(*op) + 1));
    }
    left = joined(std::move(result), std::max(height, height_));
  }
}

ExpressionPtr ExpressionParser::unary() {
  const Token& token = tokens_.peek();
  const bool is_sign = token.is("-") || token.is("+");
  if (is_sign && tokens_.peek(1).kind == Token::Kind::Number) {
    tokens_.next();
    ExpressionPtr number = make(Expression::Kind::Number, token.place);
    const std::int64_t value = tokens_.next().number;
    number->number = token.is("-") ? -value : value;
    return joined(std::move(number), 0);
  }
  const auto op = unary_operator(token);
  if (!op) return primary();
  const Level level(*this);
  tokens_.next();
  ExpressionPtr result = make(Expression::Kind::Unary, token.place);
  result->op = *op;
  result->operands.push_back(unary());
  return joined(std::move(result), height_);
}

ExpressionPtr ExpressionParser::primary() {
  if (ExpressionPtr own = extension()) {
    const std::uint32_t height = height_of(*own);
    return joined(std::move(own), height - 1);
  }
  const Token& token = tokens_.peek();
  if (tokens_.accept("(")) {
    ExpressionPtr inner = expression();
    tokens_.expect(")", "to close the parenthesis");
    return inner;
  }
  ExpressionPtr result;
  if (token.kind == Token::Kind::Number) {
    result = make(Expression::Kind::Number, token.place);
    result->number = tokens_.next().number;
  } else if (token.is("true") || token.is("false")) {
    result = make(Expression::Kind::Boolean, token.place);
    result->number = tokens_.next().is("true") ? 1 : 0;
    result->type = Type::Bool;
  } else {
    result = name();
  }
  return joined(std::move(result), 0);
}

ExpressionPtr ExpressionParser::name() {
  const Token first = tokens_.peek();
  if (first.kind == Token::Kind::Verbatim)
    throw Unsupported(tokens_.location(first.place),
                      fmt::format("{} are not supported", first.text[0] == '"' ? "strings" : "floating-point numbers"),
                      "data is of type int or bool");
  ExpressionPtr result = make(Expression::Kind::Name, first.place);
  for (;;) {
    const Token& part = tokens_.peek();
    if (part.kind != Token::Kind::Identifier || is_reserved(part.text)) fail_operand();
    result->name += part.text;
    tokens_.next();
    if (!tokens_.accept(".")) break;
    result->name += '.';
  }
  if (tokens_.is("("))
    throw Unsupported(tokens_.location(first.place),
                      fmt::format("calls of functions are not supported: '{}'", result->name),
                      "write out what it computes");
  if (tokens_.is("["))
    throw Unsupported(tokens_.location(first.place), fmt::format("arrays are not supported: '{}'", result->name),
                      "use a variable for each element");
  return result;
}

void ExpressionParser::fail_operand() const {
  const Token& token = tokens_.peek();
  if (token.is("++") || token.is("--"))
    tokens_.fail_expected("a value", "'++' and '--' stand alone, behind a variable, as statements");
  if (token.is("+")) tokens_.fail_expected("a value", "leave out the sign");
  if (token.kind == Token::Kind::Identifier)
    tokens_.fail_expected("a value", fmt::format("'{}' is a keyword, which cannot be a name", token.text));
  tokens_.fail_expected("a value", "a number, true, false, a name or an expression in parentheses");
}

}  // namespace plumb::bip
