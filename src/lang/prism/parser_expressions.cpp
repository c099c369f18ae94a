#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/prism/parser.h"

namespace plumb::prism {
namespace {

constexpr std::size_t kDeepest = 1000;
constexpr std::array<std::string_view, 9> kFunctions = {"min", "max", "floor", "ceil", "round",
                                                        "pow", "mod", "log",   "func"};

bool is_function(std::string_view word) { return std::ranges::find(kFunctions, word) != kFunctions.end(); }

}  // namespace

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser.depth_ > kDeepest)
    parser.tokens_.fail(parser.cursor_, "this is nested too deeply", "at most 1000 levels");
}

bool Parser::accept(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  ++cursor_;
  return true;
}

void Parser::expect(std::string_view symbol) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol));
}

Identifier Parser::expect_name(std::string_view expected) {
  if (peek().kind != Token::Kind::Name) fail_expected(expected);
  Identifier result{std::string(peek().text), here()};
  ++cursor_;
  return result;
}

NodePtr Parser::node(Node::Kind kind, std::string_view text) const {
  auto result = std::make_unique<Node>();
  result->kind = kind;
  result->text = text;
  result->location = here();
  return result;
}

NodePtr Parser::binary(NodePtr left, const Token& sign, SourceLocation location, NodePtr right) const {
  auto result = std::make_unique<Node>();
  result->kind = Node::Kind::Binary;
  result->text = sign.text;
  result->location = std::move(location);
  result->operands.push_back(std::move(left));
  result->operands.push_back(std::move(right));
  return result;
}

NodePtr Parser::expression() {
  const Nesting nesting(*this);
  return is_property_ ? temporal_binary() : choice();
}

NodePtr Parser::choice() {
  NodePtr condition = implication();
  if (!peek().is("?")) return condition;
  NodePtr result = node(Node::Kind::Choice);
  ++cursor_;
  result->operands.push_back(std::move(condition));
  result->operands.push_back(expression());
  expect(":");
  result->operands.push_back(expression());
  return result;
}

NodePtr Parser::implication() {
  NodePtr left = equivalence();
  while (peek().is("=>")) {  // from the left, as PRISM has it
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, equivalence());
  }
  return left;
}

NodePtr Parser::equivalence() {
  NodePtr left = disjunction();
  while (peek().is("<=>")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, disjunction());
  }
  return left;
}

NodePtr Parser::disjunction() {
  NodePtr left = conjunction();
  while (peek().is("|")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, conjunction());
  }
  return left;
}

NodePtr Parser::conjunction() {
  NodePtr left = negation();
  while (peek().is("&")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, negation());
  }
  return left;
}

NodePtr Parser::negation() {
  if (at_temporal()) return temporal_unary();
  if (!peek().is("!")) return equality();
  NodePtr result = node(Node::Kind::Unary, "!");
  ++cursor_;
  const Nesting nesting(*this);
  result->operands.push_back(negation());
  return result;
}

NodePtr Parser::equality() {
  NodePtr left = comparison();
  while (peek().is("=") || peek().is("!=")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, comparison());
  }
  return left;
}

NodePtr Parser::comparison() {
  NodePtr left = sum();
  while (peek().is("<") || peek().is("<=") || peek().is(">") || peek().is(">=")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, sum());
  }
  return left;
}

NodePtr Parser::sum() {
  NodePtr left = product();
  while (peek().is("+") || peek().is("-")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, product());
  }
  return left;
}

NodePtr Parser::product() {
  NodePtr left = factor();
  while (peek().is("*") || peek().is("/")) {
    const SourceLocation location = here();
    const Token sign = next();
    left = binary(std::move(left), sign, location, factor());
  }
  return left;
}

NodePtr Parser::factor() {
  const Nesting nesting(*this);
  const Token& token = peek();
  NodePtr result;
  if (token.is("-")) {
    result = node(Node::Kind::Unary, "-");
    ++cursor_;
    result->operands.push_back(factor());
    return result;
  }
  if (accept("(")) {
    result = expression();
    expect(")");
    return result;
  }
  if (is_property_) refuse_unsupported();
  if (is_property_ && at_quantitative()) return quantitative();
  if (is_property_ && token.is("filter")) return filter();
  if (is_function(token.text) && peek(1).is("(")) return function();
  switch (token.kind) {
    case Token::Kind::Integer:
      result = node(Node::Kind::Integer, token.text);
      break;
    case Token::Kind::Real:
      result = node(Node::Kind::Real, token.text);
      break;
    case Token::Kind::Name:
      result = node(Node::Kind::Name, token.text);
      break;
    case Token::Kind::Quoted:
      if (!is_property_)
        tokens_.fail(cursor_, "a label can be used in properties alone", "write its condition, or a formula");
      result = node(Node::Kind::Label, token.text);
      break;
    default:
      if (!token.is("true") && !token.is("false")) fail_expected("an expression");
      result = node(Node::Kind::Boolean, token.text);
  }
  ++cursor_;
  return result;
}

NodePtr Parser::function() {
  NodePtr result = node(Node::Kind::Function, peek().text);
  const bool is_old_form = result->text == "func";
  cursor_ += 2;
  if (is_old_form) {  // func(min, a, b)
    if (!is_function(peek().text)) fail_expected("a function's name");
    result->text = next().text;
    expect(",");
  }
  do result->operands.push_back(expression());
  while (accept(","));
  expect(")");
  const bool is_variadic = result->text == "min" || result->text == "max";
  const bool is_unary = result->text == "floor" || result->text == "ceil" || result->text == "round";
  const std::size_t count = result->operands.size();
  if (is_variadic ? count < 2 : count != (is_unary ? 1 : 2))
    throw UserError(result->location, fmt::format("{} takes {} operand{}, not {}", result->text,
                                                  is_variadic ? "at least two"
                                                  : is_unary  ? "one"
                                                              : "two",
                                                  is_unary ? "" : "s", count));
  return result;
}

ConstantDeclaration Parser::constant() {
  expect("const");
  ConstantDeclaration result;
  if (accept("double") || accept("rate") || accept("prob"))
    result.type = chain::Type::Double;
  else if (accept("bool"))
    result.type = chain::Type::Bool;
  else
    accept("int");
  result.name = expect_name("a constant's name");
  if (accept("=")) result.value = expression();
  expect(";");
  return result;
}

Definition Parser::formula() {
  Definition result{expect_name("a formula's name"), nullptr};
  expect("=");
  result.value = expression();
  expect(";");
  return result;
}

Definition Parser::label() {
  expect("label");
  if (peek().kind != Token::Kind::Quoted) fail_expected("a label in quotes");
  Definition result{{std::string(peek().text), here()}, nullptr};
  ++cursor_;
  expect("=");
  result.value = expression();
  expect(";");
  return result;
}

}  // namespace plumb::prism
